"""Tests of the runtime, which is copied into every output."""
