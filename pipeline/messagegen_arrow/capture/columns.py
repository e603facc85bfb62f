"""The columns of ``read_capture``, and rows as Arrow batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

import pyarrow as pa

from messagegen_arrow.capture.reading import CaptureRow
from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME, RAW_NAME
from messagegen_arrow.named_columns import NamedColumn, chosen_columns

_TIMESTAMP: Final = pa.timestamp("us", tz="UTC")
_MOST_ROWS: Final = 10_000
_MOST_BYTES: Final = 16 << 20


@dataclass(frozen=True, slots=True)
class CaptureColumn(NamedColumn):
    """A column, and the attribute of ``CaptureRow`` that it shows."""

    attribute: str


_COLUMNS: Final = (
    CaptureColumn("path", pa.string(), "The file in which the frame ends.", "path"),
    CaptureColumn("connection", pa.string(), "The connection; unique within a capture.", "connection.connection"),
    CaptureColumn("client", pa.string(), "The client's address and port; null in dumps.", "connection.client"),
    CaptureColumn("broker", pa.string(), "The broker's address and port; null in dumps.", "connection.broker"),
    CaptureColumn("direction", pa.string(), "request or response.", "row.direction"),
    CaptureColumn("time", _TIMESTAMP, "When the last byte of the frame was captured.", "row.time"),
    CaptureColumn("requestTime", _TIMESTAMP, "The time of the request that a response answers.", "row.request_time"),
    CaptureColumn("apiKey", pa.int16(), "Kafka's API key; for a response, the key of its request.", "row.api_key"),
    CaptureColumn("apiVersion", pa.int16(), "The version of the request, and of its response.", "row.api_version"),
    CaptureColumn(
        "correlationId", pa.int32(), "The number that a request shares with its response.", "row.correlation_id"
    ),
    CaptureColumn(
        "clientId",
        pa.string(),
        "The name that the client gives itself. A response has the client id of its request; a request without a "
        "client id has the first one of its connection.",
        "row.client_id",
    ),
    CaptureColumn(
        "size", pa.int32(), "The length of the frame on the wire in bytes, without its 4-byte size.", "row.size"
    ),
    CaptureColumn(
        "streamOffset",
        pa.int64(),
        "The offset of the frame in the bytes of its direction; null in dumps.",
        "row.position",
    ),
    CaptureColumn("frame", pa.binary(), "Header and body; null if the frame is incomplete.", "row.frame"),
    CaptureColumn(ERROR_NAME, ERROR_ARROW_TYPE, "Why this is not a complete frame, or has no pair.", "row.error"),
    CaptureColumn(RAW_NAME, pa.binary(), "The captured bytes of a frame that is incomplete or damaged.", "row.raw"),
)
CAPTURE_COLUMNS: Final = {column.name: column for column in _COLUMNS}
"""All columns by name, in order."""


def batches(rows: Iterable[CaptureRow], names: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Yield batches of the named columns, each with at most 10,000 rows and about 16 MiB."""
    columns = chosen_columns("read_capture", CAPTURE_COLUMNS, names)
    some: list[CaptureRow] = []
    size = 0
    for row in rows:
        some.append(row)
        size += len(row.row.frame or b"") + len(row.row.raw or b"")
        if len(some) == _MOST_ROWS or size >= _MOST_BYTES:
            yield _batch(some, columns)
            some = []
            size = 0
    if some:
        yield _batch(some, columns)


def _batch(rows: Sequence[CaptureRow], columns: Sequence[CaptureColumn]) -> pa.RecordBatch:
    arrays = [pa.array(map(attrgetter(each.attribute), rows), each.arrow_type, size=len(rows)) for each in columns]
    return pa.RecordBatch.from_arrays(arrays, [column.name for column in columns])
