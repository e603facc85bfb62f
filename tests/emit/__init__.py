"""Tests of the text of modules."""
