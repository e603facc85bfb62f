"""Converts captured traffic into Kafka frames: packets, TCP streams, frames, and pairs of requests and responses."""
