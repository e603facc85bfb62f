"""Kafka's bytes in Spark: DataFrames from messages, log segments and captures, and encodings chosen from data.

Names are loaded when they are first asked for, so that importing the package starts neither Spark nor Arrow.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from messagegen_spark.advisor import advise as advise
    from messagegen_spark.catalog import Catalog as Catalog
    from messagegen_spark.catalog import MessageTable as MessageTable
    from messagegen_spark.catalog import default_catalog as default_catalog
    from messagegen_spark.columns import decode_arrow as decode_arrow
    from messagegen_spark.decoding import decode_messages as decode_messages
    from messagegen_spark.encoding import encode_arrow as encode_arrow
    from messagegen_spark.engine import engine_name as engine_name
    from messagegen_spark.frame_functions import from_kafka_frame as from_kafka_frame
    from messagegen_spark.frame_functions import pair_frames as pair_frames
    from messagegen_spark.frames import parse_frame as parse_frame
    from messagegen_spark.functions import from_kafka_message as from_kafka_message
    from messagegen_spark.functions import schema_of_kafka_message as schema_of_kafka_message
    from messagegen_spark.functions import to_kafka_message as to_kafka_message
    from messagegen_spark.histories import consumer_lag_history as consumer_lag_history
    from messagegen_spark.histories import metadata_history as metadata_history
    from messagegen_spark.internal_topics import decode_internal_topics as decode_internal_topics
    from messagegen_spark.internal_topics import from_internal_topic as from_internal_topic
    from messagegen_spark.internal_topics import schema_of_internal_topic as schema_of_internal_topic
    from messagegen_spark.message_columns import ColumnOptions as ColumnOptions
    from messagegen_spark.modes import MalformedMessageError as MalformedMessageError
    from messagegen_spark.schemas import arrow_schema as arrow_schema
    from messagegen_spark.schemas import spark_schema as spark_schema
    from messagegen_spark.sources.register import register as register

_MODULES: Final = {
    "Catalog": "catalog",
    "ColumnOptions": "message_columns",
    "MalformedMessageError": "modes",
    "MessageTable": "catalog",
    "advise": "advisor",
    "arrow_schema": "schemas",
    "consumer_lag_history": "histories",
    "decode_arrow": "columns",
    "decode_internal_topics": "internal_topics",
    "decode_messages": "decoding",
    "default_catalog": "catalog",
    "encode_arrow": "encoding",
    "engine_name": "engine",
    "from_internal_topic": "internal_topics",
    "from_kafka_frame": "frame_functions",
    "from_kafka_message": "functions",
    "metadata_history": "histories",
    "pair_frames": "frame_functions",
    "parse_frame": "frames",
    "register": "sources.register",
    "schema_of_internal_topic": "internal_topics",
    "schema_of_kafka_message": "functions",
    "spark_schema": "schemas",
    "to_kafka_message": "functions",
}
"""The module of each public name."""

__all__ = [
    "Catalog",
    "ColumnOptions",
    "MalformedMessageError",
    "MessageTable",
    "advise",
    "arrow_schema",
    "consumer_lag_history",
    "decode_arrow",
    "decode_internal_topics",
    "decode_messages",
    "default_catalog",
    "encode_arrow",
    "engine_name",
    "from_internal_topic",
    "from_kafka_frame",
    "from_kafka_message",
    "metadata_history",
    "pair_frames",
    "parse_frame",
    "register",
    "schema_of_internal_topic",
    "schema_of_kafka_message",
    "spark_schema",
    "to_kafka_message",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
