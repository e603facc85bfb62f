"""Tests of ``messagegen_testing``."""
