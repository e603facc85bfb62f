"""Tests of the versions that clients need for brokers."""
