"""Compares and writes output folders, without touching files that are not ours."""
