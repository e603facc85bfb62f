"""Tests of the site about messages."""
