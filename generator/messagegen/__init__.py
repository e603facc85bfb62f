"""Typed, byte-exact Python from Kafka-style message specs."""

__version__ = "0.1.0"
