"""Tests of the source text of generated modules."""
