"""The columns of ``kafka-capture``, and rows as Arrow batches."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import types as spark

from messagegen_spark.capture.reading import CaptureRow
from messagegen_spark.schemas import ERROR_ARROW_TYPE, ERROR_NAME, ERROR_SPARK_TYPE, RAW_NAME

_TIMESTAMP: Final = pa.timestamp("us", tz="UTC")
_MOST_ROWS: Final = 10_000
_MOST_BYTES: Final = 16 << 20


@dataclass(frozen=True, slots=True)
class CaptureColumn:
    """A column: its types, how a row fills it, and what it says."""

    name: str
    spark_type: spark.DataType
    arrow_type: pa.DataType
    value: Callable[[CaptureRow], Any]
    comment: str


def _error(row: CaptureRow) -> dict[str, Any] | None:
    found = row.row
    if found.problem is None:
        return None
    return {"message": found.problem, "path": "", "offset": found.problem_offset}


def _text(name: str, value: Callable[[CaptureRow], Any], comment: str) -> CaptureColumn:
    return CaptureColumn(name, spark.StringType(), pa.string(), value, comment)


def _short(name: str, value: Callable[[CaptureRow], Any], comment: str) -> CaptureColumn:
    return CaptureColumn(name, spark.ShortType(), pa.int16(), value, comment)


def _int(name: str, value: Callable[[CaptureRow], Any], comment: str) -> CaptureColumn:
    return CaptureColumn(name, spark.IntegerType(), pa.int32(), value, comment)


def _time(name: str, value: Callable[[CaptureRow], Any], comment: str) -> CaptureColumn:
    return CaptureColumn(name, spark.TimestampType(), _TIMESTAMP, value, comment)


def _binary(name: str, value: Callable[[CaptureRow], Any], comment: str) -> CaptureColumn:
    return CaptureColumn(name, spark.BinaryType(), pa.binary(), value, comment)


_COLUMNS: Final = (
    _text("path", lambda row: row.path, "The file in which the frame ends."),
    _text("connection", lambda row: row.connection.connection, "The connection; unique within a capture."),
    _text("client", lambda row: row.connection.client, "The client's address and port; null in frame dumps."),
    _text("broker", lambda row: row.connection.broker, "The broker's address and port; null in frame dumps."),
    _text("direction", lambda row: row.row.direction, "request or response."),
    _time("time", lambda row: row.row.time, "When the last byte of the frame was captured."),
    _time("requestTime", lambda row: row.row.request_time, "The time of the request that a response answers."),
    _short("apiKey", lambda row: row.row.api_key, "Kafka's number of the API; a response has that of its request."),
    _short("apiVersion", lambda row: row.row.api_version, "The version of the request, and of its response."),
    _int("correlationId", lambda row: row.row.correlation_id, "The number that request and response have in common."),
    _text(
        "clientId", lambda row: row.row.client_id, "What the client calls itself; a response has that of its request."
    ),
    _int("size", lambda row: row.row.size, "How many bytes the frame had on the wire, without its size."),
    CaptureColumn(
        "streamOffset",
        spark.LongType(),
        pa.int64(),
        lambda row: row.row.position,
        "Where the frame begins, in bytes from the begin of its direction; null in frame dumps.",
    ),
    _binary("frame", lambda row: row.row.frame, "Header and body; null where they are not whole."),
    CaptureColumn(ERROR_NAME, ERROR_SPARK_TYPE, ERROR_ARROW_TYPE, _error, "Why this is no whole frame, or not paired."),
    _binary(RAW_NAME, lambda row: row.row.raw, "The bytes that there are of a frame that is not whole."),
)
CAPTURE_COLUMNS: Final = {column.name: column for column in _COLUMNS}
"""All columns by name, in their order."""


def capture_schema(names: Sequence[str] | None = None) -> spark.StructType:
    """Spark's schema of the named columns (``None``: all), in that order. Raises ``ValueError`` for one that there is not."""
    columns = capture_columns(names or CAPTURE_COLUMNS)
    return spark.StructType(
        [spark.StructField(column.name, column.spark_type, metadata={"comment": column.comment}) for column in columns]
    )


def capture_columns(names: Iterable[str]) -> list[CaptureColumn]:
    """The named columns; case does not count. Raises ``ValueError``, which says what names are near."""
    by_lower = {name.lower(): column for name, column in CAPTURE_COLUMNS.items()}
    columns = []
    for name in names:
        column = by_lower.get(name.lower())
        if column is None:
            near = difflib.get_close_matches(name.lower(), by_lower, n=1)
            advice = f"did you mean {by_lower[near[0]].name}?" if near else f"there are {', '.join(CAPTURE_COLUMNS)}"
            raise ValueError(f"kafka-capture has no column {name}; {advice}")
        columns.append(column)
    return columns


def check_schema(schema: spark.StructType) -> tuple[str, ...]:
    """The names of the columns that a schema asks for. Raises ``ValueError`` for a column that has another type here."""
    for field, column in zip(schema.fields, capture_columns(schema.fieldNames()), strict=True):
        if field.dataType != column.spark_type:
            found, has = field.dataType.simpleString(), column.spark_type.simpleString()
            raise ValueError(f"column {column.name} has the type {has}, not {found}; cast it after reading")
    return tuple(schema.fieldNames())


def batches(rows: Iterable[CaptureRow], names: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Batches of the named columns, of at most 10,000 rows and about 16 MiB."""
    columns = capture_columns(names)
    some: list[CaptureRow] = []
    size = 0
    for row in rows:
        some.append(row)
        size += len(row.row.frame or b"") + len(row.row.raw or b"")
        if len(some) == _MOST_ROWS or size >= _MOST_BYTES:
            yield _batch(some, columns)
            some, size = [], 0
    if some:
        yield _batch(some, columns)


def _batch(rows: Sequence[CaptureRow], columns: Sequence[CaptureColumn]) -> pa.RecordBatch:
    arrays = [pa.array([column.value(row) for row in rows], column.arrow_type) for column in columns]
    return pa.RecordBatch.from_arrays(arrays, [column.name for column in columns])
