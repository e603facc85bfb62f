"""Specs with the encodings that the advisor recommends."""
