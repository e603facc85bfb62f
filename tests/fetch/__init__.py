"""Tests of fetching official specs."""
