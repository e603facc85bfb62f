"""The columns of ``kafka-log``: the columns of Spark's own Kafka source, and columns that only logs have."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME, RAW_NAME
from messagegen_arrow.named_columns import NamedColumn

HEADERS_TYPE: Final = pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())]))
_TIMESTAMP: Final = pa.timestamp("us", tz="UTC")
_COLUMNS: Final = (
    NamedColumn("key", pa.binary(), "The record's key."),
    NamedColumn("value", pa.binary(), "The record's value; null is a tombstone."),
    NamedColumn("topic", pa.string(), "The topic, from the name of the folder."),
    NamedColumn("partition", pa.int32(), "The partition, from the name of the folder."),
    NamedColumn("offset", pa.int64(), "The record's offset."),
    NamedColumn("timestamp", _TIMESTAMP, "When, by timestampType."),
    NamedColumn("timestampType", pa.int32(), "0: CreateTime, 1: LogAppendTime."),
    NamedColumn("headers", HEADERS_TYPE, "The record's headers, in their order."),
    NamedColumn("leaderEpoch", pa.int32(), "The leader epoch when the record was appended."),
    NamedColumn("producerId", pa.int64(), "The producer's id; -1 if it has none."),
    NamedColumn("producerEpoch", pa.int32(), "The producer's epoch; -1 if it has none."),
    NamedColumn("sequence", pa.int32(), "The record's sequence number; -1 if it has none."),
    NamedColumn("isTransactional", pa.bool_(), "Whether the record is part of a transaction."),
    NamedColumn("isControl", pa.bool_(), "Whether it is a control record, such as the end of a transaction."),
    NamedColumn("codec", pa.string(), "none, gzip, snappy, lz4 or zstd."),
    NamedColumn("path", pa.string(), "The file."),
    NamedColumn("batchOffset", pa.int64(), "The base offset of the batch."),
    NamedColumn("batchPosition", pa.int64(), "The position of the batch in the file, in bytes."),
    NamedColumn(ERROR_NAME, ERROR_ARROW_TYPE, "Why a batch can't be read."),
    NamedColumn(RAW_NAME, pa.binary(), "The bytes of a batch that can't be read."),
)
LOG_COLUMNS: Final = {column.name: column for column in _COLUMNS}
"""All columns by name, in order."""
