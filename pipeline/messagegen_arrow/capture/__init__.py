"""Captured traffic to Kafka frames: packets, TCP streams, frames, and requests paired with their responses."""
