"""Tests of the runtime that is copied into every output."""
