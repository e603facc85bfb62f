"""Tests of the way from spec files to a package."""
