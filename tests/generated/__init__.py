"""Tests of generated code, with values of every message and with byte vectors."""
