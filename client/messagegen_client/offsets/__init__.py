"""Offsets of partitions: by time (KIP-79), first and last."""
