"""Kafka frames: a request or response with its header, as the four bytes of its size delimit it."""
