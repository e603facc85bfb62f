"""Kafka's internal topics as DataFrames: ``__consumer_offsets``, ``__transaction_state``, ``__cluster_metadata`` and their kin."""

from __future__ import annotations

from messagegen_spark.internal_topics.functions import (
    decode_internal_topics,
    from_internal_topic,
    record_type_names,
    schema_of_internal_topic,
)

__all__ = ["decode_internal_topics", "from_internal_topic", "record_type_names", "schema_of_internal_topic"]
