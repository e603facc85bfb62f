"""Comparison and writing of output folders, without touching files that messagegen did not write."""
