"""What happened, out of Kafka's internal topics: who committed what when, and what became of topics, configs and quotas."""

from __future__ import annotations

from messagegen_spark.histories.consumer_lag import consumer_lag_history, end_offsets
from messagegen_spark.histories.metadata.history import metadata_history
from messagegen_spark.histories.transactions import transaction_history

__all__ = ["consumer_lag_history", "end_offsets", "metadata_history", "transaction_history"]
