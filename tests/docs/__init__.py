"""Tests of the pages for users."""
