"""Record batches: the first record at or after an offset, and its timestamp."""
