"""Kafka frames: requests and responses with their headers, without the 4-byte size."""
