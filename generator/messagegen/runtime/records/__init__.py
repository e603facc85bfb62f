"""Reads and writes record batches of magic 2, the contents of ``records`` fields (KIP-98).

Loaded on first use.
"""
