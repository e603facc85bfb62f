"""The columns of ``kafka-log``: those of Spark's own Kafka source, and what only a log knows."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import types as spark

from messagegen_spark.records.record_columns import HEADERS_TYPE
from messagegen_spark.schemas import ERROR_ARROW_TYPE, ERROR_NAME, ERROR_SPARK_TYPE, RAW_NAME

_TIMESTAMP: Final = pa.timestamp("us", tz="UTC")
_MOST_MILLISECONDS: Final = ((1 << 63) - 1) // 1000


@dataclass(frozen=True, slots=True)
class LogColumn:
    """A column, the column of the record reader that it comes from (``None``: none), and what it says."""

    name: str
    spark_type: spark.DataType
    arrow_type: pa.DataType
    source: str | None
    comment: str


def _headers() -> spark.DataType:
    fields = [spark.StructField("key", spark.StringType()), spark.StructField("value", spark.BinaryType())]
    return spark.ArrayType(spark.StructType(fields))


_COLUMNS: Final = (
    LogColumn("key", spark.BinaryType(), pa.binary(), "key", "The record's key."),
    LogColumn("value", spark.BinaryType(), pa.binary(), "value", "The record's value; null is a tombstone."),
    LogColumn("topic", spark.StringType(), pa.string(), None, "The topic, from the name of the folder."),
    LogColumn("partition", spark.IntegerType(), pa.int32(), None, "The partition, from the name of the folder."),
    LogColumn("offset", spark.LongType(), pa.int64(), "offset", "The record's offset."),
    LogColumn("timestamp", spark.TimestampType(), _TIMESTAMP, "timestamp", "When, by timestampType."),
    LogColumn("timestampType", spark.IntegerType(), pa.int32(), "timestamp_type", "0: CreateTime, 1: LogAppendTime."),
    LogColumn("headers", _headers(), HEADERS_TYPE, "headers", "The record's headers, in their order."),
    LogColumn("leaderEpoch", spark.IntegerType(), pa.int32(), "leader_epoch", "The leader's epoch at the append."),
    LogColumn("producerId", spark.LongType(), pa.int64(), "producer_id", "-1 without."),
    LogColumn("producerEpoch", spark.IntegerType(), pa.int32(), "producer_epoch", "-1 without."),
    LogColumn("sequence", spark.IntegerType(), pa.int32(), "sequence", "The record's sequence; -1 without."),
    LogColumn("isTransactional", spark.BooleanType(), pa.bool_(), "is_transactional", "Whether part of a transaction."),
    LogColumn("isControl", spark.BooleanType(), pa.bool_(), "is_control", "Whether a mark that brokers made."),
    LogColumn("codec", spark.StringType(), pa.string(), "codec", "none, gzip, snappy, lz4 or zstd."),
    LogColumn("path", spark.StringType(), pa.string(), None, "The file."),
    LogColumn("batchOffset", spark.LongType(), pa.int64(), "batch_offset", "The base offset of the batch."),
    LogColumn("batchPosition", spark.LongType(), pa.int64(), "batch_position", "The byte where the batch begins."),
    LogColumn(ERROR_NAME, ERROR_SPARK_TYPE, ERROR_ARROW_TYPE, ERROR_NAME, "Why a batch can't be read."),
    LogColumn(RAW_NAME, spark.BinaryType(), pa.binary(), None, "The bytes of a batch that can't be read."),
)
LOG_COLUMNS: Final = {column.name: column for column in _COLUMNS}
"""All columns by name, in their order."""


def log_schema(names: Sequence[str] | None = None) -> spark.StructType:
    """Spark's schema of the named columns (``None``: all), in that order. Raises ``ValueError`` for one that there is not."""
    return spark.StructType([_field(column) for column in log_columns(names or LOG_COLUMNS)])


def log_columns(names: Iterable[str]) -> list[LogColumn]:
    """The named columns; case does not count. Raises ``ValueError``, which says what names are near."""
    by_lower = {name.lower(): column for name, column in LOG_COLUMNS.items()}
    columns = []
    for name in names:
        column = by_lower.get(name.lower())
        if column is None:
            near = difflib.get_close_matches(name.lower(), by_lower, n=1)
            advice = f"did you mean {by_lower[near[0]].name}?" if near else f"there are {', '.join(LOG_COLUMNS)}"
            raise ValueError(f"kafka-log has no column {name}; {advice}")
        columns.append(column)
    return columns


def check_schema(schema: spark.StructType) -> tuple[str, ...]:
    """The names of the columns that a schema asks for. Raises ``ValueError`` for a column that has another type here."""
    for field, column in zip(schema.fields, log_columns(schema.fieldNames()), strict=True):
        if field.dataType != column.spark_type:
            found, has = field.dataType.simpleString(), column.spark_type.simpleString()
            raise ValueError(f"column {column.name} has the type {has}, not {found}; cast it after reading")
    return tuple(schema.fieldNames())


def _field(column: LogColumn) -> spark.StructField:
    return spark.StructField(column.name, column.spark_type, metadata={"comment": column.comment})


def spark_timestamps(milliseconds: pa.Array) -> pa.Array:
    """Kafka's milliseconds as Spark's microseconds; what Spark can't tell (from the year 294247 on) becomes its last moment."""
    try:
        microseconds = pc.multiply_checked(milliseconds, 1000)
    except pa.ArrowInvalid:
        most = pa.scalar(_MOST_MILLISECONDS, pa.int64())
        least = pa.scalar(-_MOST_MILLISECONDS, pa.int64())
        kept = pc.max_element_wise(pc.min_element_wise(milliseconds, most, skip_nulls=False), least, skip_nulls=False)
        microseconds = pc.multiply_checked(kept, 1000)
    return microseconds.view(_TIMESTAMP)
