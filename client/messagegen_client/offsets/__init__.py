"""Offsets of partitions: by time (KIP-79), and at their ends."""
