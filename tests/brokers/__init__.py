"""Tests of the message versions that clients need for brokers."""
