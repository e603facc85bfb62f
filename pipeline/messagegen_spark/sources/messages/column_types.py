"""The types that kept columns of files get in Spark: the same as Spark's own reader of Parquet gives them, where it reads them."""

from __future__ import annotations

from typing import Final

import pyarrow as pa
from pyspark.errors import PySparkTypeError

from messagegen_arrow.message_files.inputs import value_type
from messagegen_arrow.message_files.source import MessageFileSource
from messagegen_arrow.tables.columns import plain_schema
from messagegen_spark.schemas import spark_type

_WIDER: Final = {
    pa.uint8(): pa.int16(),
    pa.uint16(): pa.int32(),
    pa.uint32(): pa.int64(),
    pa.uint64(): pa.decimal128(20, 0),
    pa.float16(): pa.float32(),
}
"""Spark has no unsigned numbers and no short fractions."""


def with_spark_types(source: MessageFileSource) -> MessageFileSource:
    """The source with kept columns of types that Spark has. Raises ``ValueError`` for one that has no such type."""
    kept = plain_schema(pa.schema([field.with_type(value_type(field.type)) for field in source.kept]), _leaf)
    for field in kept:
        try:
            spark_type(field.type)
        except PySparkTypeError:
            raise ValueError(
                f"Spark has no type for the column {field.name}, which is {field.type}: leave it out with keep="
            ) from None
    return source.with_kept_types(kept)


def _leaf(type_: pa.DataType) -> pa.DataType:
    if pa.types.is_timestamp(type_):
        return pa.timestamp("us", tz=type_.tz)
    return pa.binary() if pa.types.is_fixed_size_binary(type_) else _WIDER.get(type_, type_)
