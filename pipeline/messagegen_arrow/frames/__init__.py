"""Kafka frames: a request or response with its header, without the 4-byte size."""
