"""Compares and writes output folders, and never touches files that messagegen did not write."""
