"""The columns of record batches, in their order."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME

HEADERS_TYPE: Final = pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())]))

RECORD_COLUMNS: Final[dict[str, pa.DataType]] = {
    "offset": pa.int64(),
    "timestamp": pa.int64(),
    "timestamp_type": pa.int32(),
    "key": pa.binary(),
    "value": pa.binary(),
    "headers": HEADERS_TYPE,
    "leader_epoch": pa.int32(),
    "producer_id": pa.int64(),
    "producer_epoch": pa.int32(),
    "sequence": pa.int32(),
    "is_transactional": pa.bool_(),
    "is_control": pa.bool_(),
    "codec": pa.string(),
    "batch_offset": pa.int64(),
    "batch_position": pa.int64(),
    "batch_length": pa.int64(),
    ERROR_NAME: ERROR_ARROW_TYPE,
}
"""The columns of a record and its batch: timestamps in milliseconds since 1970, positions in bytes from the start of the
buffer. A batch that can't be read is one row with ``_error`` and its ``batch_`` columns."""

HEADER_SCHEMA: Final = pa.schema(
    [
        ("position", pa.int64()),
        ("length", pa.int64()),
        ("base_offset", pa.int64()),
        ("magic", pa.int32()),
        ("leader_epoch", pa.int32()),
        ("codec", pa.string()),
        ("timestamp_type", pa.int32()),
        ("is_transactional", pa.bool_()),
        ("is_control", pa.bool_()),
        ("last_offset_delta", pa.int32()),
        ("base_timestamp", pa.int64()),
        ("max_timestamp", pa.int64()),
        ("producer_id", pa.int64()),
        ("producer_epoch", pa.int32()),
        ("base_sequence", pa.int32()),
        ("record_count", pa.int32()),
    ]
)
"""The columns of batch headers; from ``leader_epoch`` on, null unless the magic is 2."""
