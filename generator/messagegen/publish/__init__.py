"""Compares and writes output folders, and leaves all files alone that messagegen did not write."""
