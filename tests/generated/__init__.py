"""Tests of generated code: values of every message, and byte vectors."""
