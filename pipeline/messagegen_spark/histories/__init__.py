"""What happened, from Kafka's internal topics: the histories of ``messagegen_arrow`` over DataFrames."""

from __future__ import annotations

from messagegen_spark.histories.consumer_lag import consumer_lag_history, end_offsets
from messagegen_spark.histories.metadata import metadata_history
from messagegen_spark.histories.transactions import transaction_history

__all__ = ["consumer_lag_history", "end_offsets", "metadata_history", "transaction_history"]
