"""Record batches as far as a client of this kind needs them: which record comes first after an offset, and its timestamp."""
