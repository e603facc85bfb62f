"""Helpers for the tests of several folders."""
