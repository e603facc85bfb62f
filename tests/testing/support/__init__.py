"""Helpers for these tests."""
