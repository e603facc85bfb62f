"""Tests of outputs."""
