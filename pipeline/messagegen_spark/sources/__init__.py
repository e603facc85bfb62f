"""Kafka's files as data sources of Spark; ``register`` makes them known to a session."""

from __future__ import annotations

from messagegen_spark.sources.register import register

__all__ = ["register"]
