"""Tests of what builds and checks distributions."""
