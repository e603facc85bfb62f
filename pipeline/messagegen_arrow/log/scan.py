"""Hopping through the batches of a file by their headers, a window of bytes at a time."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Generator
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.files import OpenFile
from messagegen_arrow.records.engine import batch_headers, single_header
from messagegen_kafka._runtime.records.headers import HEADER_SIZE, Frame, Stopped, frame_at

WINDOW_BYTES: Final = 1 << 18
"""Large batches are hopped over without being read, small ones are read many at a time."""
_MOST_WINDOWS: Final = 16
_MANY: Final = 64
"""From so many batches in a window on, the next one is twice as large: a table of headers costs about as much as its rows do."""


class Tail(NamedTuple):
    """Where reading a file stopped, and why."""

    position: int
    stopped: Stopped


def headers_between(
    file: OpenFile, start: int, end: int, window: int = WINDOW_BYTES
) -> Generator[pa.RecordBatch, None, Tail]:
    """Tables of the headers (``HEADER_SCHEMA``, positions from the start of the file) of the batches that lie whole in a range.

    ``start`` must be where a batch begins. Returns where it stopped: at ``end``, or before what is no whole batch.
    """
    position, most = start, window * _MOST_WINDOWS
    planned, end = end, min(end, file.size())
    while position < end:
        data = memoryview(file.read_at(min(window, end - position), position))
        found = batch_headers(data)
        if found.headers.num_rows >= _MANY:
            window = min(2 * window, most)
        if found.headers.num_rows:
            yield shifted(found.headers, "position", position)
        rest = data[found.position :]
        position += found.position
        if len(rest) < min(HEADER_SIZE, end - position):
            if len(rest) == len(data):
                return Tail(position, "truncated")  # the file is shorter than it was
            continue
        frame = frame_at(rest, 0, end - position)
        if not isinstance(frame, Frame):
            return Tail(position, frame)
        yield shifted(single_header(rest, frame), "position", position)
        position += frame.length
    return Tail(position, "end" if end == planned else "truncated")


def shifted(table: pa.RecordBatch, column: str, by: int) -> pa.RecordBatch:
    """The table with a number added to a column."""
    if by == 0:
        return table
    number = table.schema.get_field_index(column)
    return table.set_column(number, table.schema.field(number), pc.add(table.column(number), by))
