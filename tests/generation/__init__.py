"""Tests of how a package is generated from spec files."""
