"""Record batches by the native engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import pyarrow as pa

from messagegen_arrow.engine import native_engine
from messagegen_kafka._runtime.records.headers import Stopped

MAX_BATCH_BYTES: Final = 1 << 27
"""Default maximum size of a batch's decompressed records: 128 MiB."""
MAX_READ_BYTES: Final = 1 << 26
"""Default maximum size of the records of one table, in bytes."""


class RecordReader:
    """Reads records into tables until ``stopped`` says why there are no more."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader

    @property
    def position(self) -> int:
        """Position of the first batch with rows that were not returned yet; once ``stopped``, where reading stopped."""
        return int(self._reader.position)

    @property
    def stopped(self) -> Stopped | None:
        """Why reading stopped; ``None`` before that."""
        stopped: Stopped | None = self._reader.stopped
        return stopped

    def read(self, max_records: int, max_bytes: int = MAX_READ_BYTES) -> pa.RecordBatch | None:
        """The next rows, at most ``max_records``, and fewer if their records exceed ``max_bytes``. ``None`` at the end."""
        batch = self._reader.read(max_records, max_bytes)
        return None if batch is None else pa.record_batch(batch)


class BatchHeaders(NamedTuple):
    """Headers as a table of ``HEADER_SCHEMA``, the position where reading stopped, and the reason."""

    headers: pa.RecordBatch
    position: int
    stopped: Stopped


def record_reader(  # noqa: PLR0913 - keywords of a public function
    buffer: bytes | memoryview,
    *,
    start: int = 0,
    end: int | None = None,
    verify_checksums: bool = True,
    columns: Sequence[str] | None = None,
    min_offset: int | None = None,
    max_offset: int | None = None,
    min_timestamp: int | None = None,
    max_timestamp: int | None = None,
    max_batch_bytes: int = MAX_BATCH_BYTES,
) -> RecordReader:
    """A reader of the batches of magic 2 between ``start``, the start of a batch, and ``end``. The buffer must not change.

    The tables have the ``columns`` of ``RECORD_COLUMNS`` (default: all) in their order, and ``_error``. A batch that can't be
    read whole (checksum, codec, magic 0 or 1, lengths, counts, more than ``max_batch_bytes`` when decompressed) is one row with
    ``_error`` without its records; reading continues after it. Records outside of the bounds, which are inclusive, are left out; batches that are outside
    according to their headers are skipped without a check. Records of control batches are marked, not left out.

    Raises ``ValueError`` for an unknown column.
    """
    reader = native_engine().RecordReader(
        buffer,
        start=start,
        end=end,
        verify_checksums=verify_checksums,
        columns=columns,
        min_offset=min_offset,
        max_offset=max_offset,
        min_timestamp=min_timestamp,
        max_timestamp=max_timestamp,
        max_batch_bytes=max_batch_bytes,
    )
    return RecordReader(reader)


def batch_headers(
    buffer: bytes | memoryview, *, start: int = 0, end: int | None = None, max_batches: int = 1_000_000
) -> BatchHeaders:
    """Reads headers only, skipping from batch to batch by their lengths: nothing is checked or decompressed."""
    found = native_engine().batch_headers(buffer, start=start, end=end, max_batches=max_batches)
    return BatchHeaders(pa.record_batch(found.headers), found.position, found.stopped)
