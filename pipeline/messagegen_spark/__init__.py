"""Kafka's bytes in Spark: DataFrames from log segments, messages and internal topics.

Names are loaded when they are first used, so importing the package starts neither Spark nor Arrow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from messagegen_arrow.lazy import lazy_names

if TYPE_CHECKING:
    from messagegen_spark.functions.decoding import decode_messages as decode_messages
    from messagegen_spark.functions.encoding import encode_messages as encode_messages
    from messagegen_spark.functions.internal_topics import decode_internal_topics as decode_internal_topics
    from messagegen_spark.functions.metadata_history import metadata_history as metadata_history
    from messagegen_spark.jvm import register as register
    from messagegen_spark.schemas import spark_schema as spark_schema

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "decode_internal_topics": "functions.internal_topics",
        "decode_messages": "functions.decoding",
        "encode_messages": "functions.encoding",
        "metadata_history": "functions.metadata_history",
        "register": "jvm",
        "spark_schema": "schemas",
    },
)
