"""What happened, from Kafka's internal topics, over DataFrames: the columns are those of ``messagegen_arrow``."""

from __future__ import annotations

from messagegen_spark.histories.consumer_lag import consumer_lag_history
from messagegen_spark.histories.end_offsets import end_offsets
from messagegen_spark.histories.metadata import metadata_history

__all__ = ["consumer_lag_history", "end_offsets", "metadata_history"]
