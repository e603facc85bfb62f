"""Record batches of Kafka's logs (magic 2, KIP-98) as Arrow record batches, by the native engine."""

from __future__ import annotations

from messagegen_arrow.records.columns import HEADER_SCHEMA, RECORD_COLUMNS
from messagegen_arrow.records.engine import BatchHeaders, RecordReader, batch_headers, record_reader
from messagegen_kafka._runtime.records.headers import Stopped

__all__ = [
    "HEADER_SCHEMA",
    "RECORD_COLUMNS",
    "BatchHeaders",
    "RecordReader",
    "Stopped",
    "batch_headers",
    "record_reader",
]
