"""The columns of ``kafka-log``: those of Spark's own Kafka source, and what only a log knows."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME, RAW_NAME
from messagegen_arrow.named_columns import NamedColumn, chosen_columns
from messagegen_arrow.records.columns import HEADERS_TYPE

_TIMESTAMP: Final = pa.timestamp("us", tz="UTC")
_MOST_MILLISECONDS: Final = ((1 << 63) - 1) // 1000


@dataclass(frozen=True, slots=True)
class LogColumn(NamedColumn):
    """A column, and the column of the record reader that it comes from (``None``: none)."""

    source: str | None = None


_COLUMNS: Final = (
    LogColumn("key", pa.binary(), "The record's key.", "key"),
    LogColumn("value", pa.binary(), "The record's value; null is a tombstone.", "value"),
    LogColumn("topic", pa.string(), "The topic, from the name of the folder."),
    LogColumn("partition", pa.int32(), "The partition, from the name of the folder."),
    LogColumn("offset", pa.int64(), "The record's offset.", "offset"),
    LogColumn("timestamp", _TIMESTAMP, "When, by timestampType.", "timestamp"),
    LogColumn("timestampType", pa.int32(), "0: CreateTime, 1: LogAppendTime.", "timestamp_type"),
    LogColumn("headers", HEADERS_TYPE, "The record's headers, in their order.", "headers"),
    LogColumn("leaderEpoch", pa.int32(), "The leader's epoch at the append.", "leader_epoch"),
    LogColumn("producerId", pa.int64(), "-1 without.", "producer_id"),
    LogColumn("producerEpoch", pa.int32(), "-1 without.", "producer_epoch"),
    LogColumn("sequence", pa.int32(), "The record's sequence; -1 without.", "sequence"),
    LogColumn("isTransactional", pa.bool_(), "Whether part of a transaction.", "is_transactional"),
    LogColumn("isControl", pa.bool_(), "Whether a mark that brokers made.", "is_control"),
    LogColumn("codec", pa.string(), "none, gzip, snappy, lz4 or zstd.", "codec"),
    LogColumn("path", pa.string(), "The file."),
    LogColumn("batchOffset", pa.int64(), "The base offset of the batch.", "batch_offset"),
    LogColumn("batchPosition", pa.int64(), "The byte where the batch begins.", "batch_position"),
    LogColumn(ERROR_NAME, ERROR_ARROW_TYPE, "Why a batch can't be read.", ERROR_NAME),
    LogColumn(RAW_NAME, pa.binary(), "The bytes of a batch that can't be read."),
)
LOG_COLUMNS: Final = {column.name: column for column in _COLUMNS}
"""All columns by name, in their order."""


def log_columns(names: Iterable[str]) -> list[LogColumn]:
    """The named columns; case does not count. Raises ``ValueError``, which says what names are near."""
    return chosen_columns("kafka-log", LOG_COLUMNS, names)


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
