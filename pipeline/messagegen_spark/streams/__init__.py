"""Histories that go on: a Spark stream whose micro-batches are units of an output, each with the state after it."""
