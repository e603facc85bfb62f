"""Record batches, the contents of ``records`` fields: read in all formats, written in the current one (KIP-98).

Loaded on first use.
"""
