"""Kafka's bytes in Spark: DataFrames from log segments, messages and internal topics.

Names are loaded when they are first used: importing the package starts neither Spark nor Arrow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from messagegen_arrow.lazy import lazy_names

if TYPE_CHECKING:
    from messagegen_spark.functions.decoding import decode_messages as decode_messages
    from messagegen_spark.functions.encoding import encode_messages as encode_messages
    from messagegen_spark.functions.internal_topics import decode_internal_topics as decode_internal_topics
    from messagegen_spark.functions.messages import from_kafka_message as from_kafka_message
    from messagegen_spark.functions.messages import register_function as register_function
    from messagegen_spark.functions.messages import schema_of_kafka_message as schema_of_kafka_message
    from messagegen_spark.functions.messages import to_kafka_message as to_kafka_message
    from messagegen_spark.histories.consumer_lag import consumer_lag_history as consumer_lag_history
    from messagegen_spark.histories.end_offsets import end_offsets as end_offsets
    from messagegen_spark.histories.metadata import metadata_history as metadata_history
    from messagegen_spark.jvm import register as register
    from messagegen_spark.schemas import spark_schema as spark_schema

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "consumer_lag_history": "histories.consumer_lag",
        "decode_internal_topics": "functions.internal_topics",
        "decode_messages": "functions.decoding",
        "encode_messages": "functions.encoding",
        "end_offsets": "histories.end_offsets",
        "from_kafka_message": "functions.messages",
        "metadata_history": "histories.metadata",
        "register": "jvm",
        "register_function": "functions.messages",
        "schema_of_kafka_message": "functions.messages",
        "spark_schema": "schemas",
        "to_kafka_message": "functions.messages",
    },
)
