"""Chooses the record reader: the native one if it is installed, otherwise the one in Python."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from types import ModuleType
from typing import Any, Final, NamedTuple, Protocol

import pyarrow as pa

from messagegen_arrow.engine import native_engine
from messagegen_arrow.records.columns import HEADER_SCHEMA
from messagegen_arrow.records.pure_reader import (
    MAX_READ_BYTES,
    Bounds,
    PureRecordReader,
    header_row,
    hop,
    rows_to_table,
)
from messagegen_kafka._runtime.records.headers import Frame, Stopped

MAX_BATCH_BYTES: Final = 1 << 27
"""Default maximum size of a batch's decompressed records: 128 MiB."""


class RecordReader(Protocol):
    """Reads records into tables until ``stopped`` says why there are no more."""

    @property
    def position(self) -> int:
        """Position of the first batch with rows that were not returned yet; once ``stopped``, where reading stopped."""
        ...

    @property
    def stopped(self) -> Stopped | None:
        """Why reading stopped; ``None`` before that."""
        ...

    def read(self, max_records: int, max_bytes: int = MAX_READ_BYTES) -> pa.RecordBatch | None:
        """The next rows, at most ``max_records``, and fewer if their records exceed ``max_bytes``. ``None`` at the end."""
        ...


class BatchHeaders(NamedTuple):
    """Headers as a table of ``HEADER_SCHEMA``, the position where reading stopped, and the reason."""

    headers: pa.RecordBatch
    position: int
    stopped: Stopped


@cache
def _native() -> ModuleType | None:
    """The native engine, if it can read records."""
    engine = native_engine()
    return engine if hasattr(engine, "RecordReader") else None


def record_reader(
    buffer: bytes | memoryview,
    *,
    start: int = 0,
    end: int | None = None,
    verify_checksums: bool = True,
    columns: Sequence[str] | None = None,
    bounds: Bounds | None = None,
    max_batch_bytes: int = MAX_BATCH_BYTES,
) -> RecordReader:
    """A reader of the batches of magic 2 between ``start``, the start of a batch, and ``end``. The buffer must not change.

    The tables have the ``columns`` of ``RECORD_COLUMNS`` (default: all) in their order, and ``_error``. A batch that can't be
    read whole (checksum, codec, magic 0 or 1, lengths, counts, more than ``max_batch_bytes`` when decompressed) is one row with
    ``_error`` without its records; reading continues after it. Records outside of ``bounds`` are left out; batches that are outside
    according to their headers are skipped without a check. Records of control batches are marked, not left out.

    Raises ``ValueError`` for an unknown column.
    """
    within = bounds or Bounds()
    engine = _native()
    if engine is None:
        stop = len(buffer) if end is None else end
        return PureRecordReader(
            buffer,
            start=start,
            end=stop,
            verify_checksums=verify_checksums,
            columns=columns,
            bounds=within,
            max_batch_bytes=max_batch_bytes,
        )
    reader = engine.RecordReader(
        buffer,
        start=start,
        end=end,
        verify_checksums=verify_checksums,
        columns=columns,
        min_offset=within.min_offset,
        max_offset=within.max_offset,
        min_timestamp=within.min_timestamp,
        max_timestamp=within.max_timestamp,
        max_batch_bytes=max_batch_bytes,
    )
    return _NativeRecordReader(reader)


def batch_headers(
    buffer: bytes | memoryview, *, start: int = 0, end: int | None = None, max_batches: int = 1_000_000
) -> BatchHeaders:
    """Reads headers only, skipping from batch to batch by their lengths: nothing is checked or decompressed."""
    engine = _native()
    if engine is None:
        stop = len(buffer) if end is None else end
        rows, position, stopped = hop(memoryview(buffer), start, stop, max_batches)
        return BatchHeaders(rows_to_table(rows, HEADER_SCHEMA), position, stopped)
    found = engine.batch_headers(buffer, start=start, end=end, max_batches=max_batches)
    return BatchHeaders(pa.record_batch(found.headers), found.position, found.stopped)


def single_header(data: memoryview, frame: Frame) -> pa.RecordBatch:
    """The header of one batch as a table of ``HEADER_SCHEMA``; only its first 61 bytes must be there."""
    return rows_to_table([header_row(data, frame)], HEADER_SCHEMA)


class _NativeRecordReader:
    """The native reader, with tables of pyarrow."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader

    @property
    def position(self) -> int:
        return int(self._reader.position)

    @property
    def stopped(self) -> Stopped | None:
        stopped: Stopped | None = self._reader.stopped
        return stopped

    def read(self, max_records: int, max_bytes: int = MAX_READ_BYTES) -> pa.RecordBatch | None:
        batch = self._reader.read(max_records, max_bytes)
        return None if batch is None else pa.record_batch(batch)
