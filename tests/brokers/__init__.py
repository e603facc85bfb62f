"""Tests of which message versions clients need for brokers."""
