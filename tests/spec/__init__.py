"""Tests of the spec reader."""
