"""The indexes that a broker keeps beside a segment: where batches lie by their offsets and times.

They have no checksum, so what they say is held against the batches themselves before it counts. Upstream: ``OffsetIndex``,
``TimeIndex``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from messagegen_arrow.files import OpenFile, read_bytes, with_suffix
from messagegen_arrow.log.files import Segment
from messagegen_arrow.log.recovery import headers_past_damage, intact_batch_at
from messagegen_arrow.log.scan import headers_between
from messagegen_kafka._runtime.records.headers import BEFORE_LENGTH, HEADER_SIZE, BatchHeader, header_at

_OFFSET_ENTRY: Final = np.dtype([("offset", ">i4"), ("position", ">i4")])
_TIME_ENTRY: Final = np.dtype([("timestamp", ">i8"), ("offset", ">i4")])
_LARGEST_ENTRY: Final = 2**31 - 1
_TRIES: Final = 8
"""So many entries are tried: the first one may lie within the batch that has the offset, and others may be damaged."""
_MOST_HOPPED: Final = 1 << 22
"""So many bytes after what the time index knows are looked through while a query is planned, no more."""

Entries = np.ndarray[Any, Any]


def offset_entries(segment: Segment) -> Entries:
    """The entries of a segment's offset index: offsets relative to the segment's base offset, and positions of batches."""
    entries = _entries(with_suffix(segment.path, ".index"), _OFFSET_ENTRY)
    # Where the positions stop rising, the rest of the file is not in use yet.
    return entries[: _rising(entries["position"])]


def position_before(file: OpenFile, segment: Segment, offset: int) -> int:
    """A place where a batch begins, with nothing of ``offset`` or later before it; 0 where no index tells more."""
    return last_indexed(file, segment, 0, segment.size, offset + 1) or 0


def position_after(file: OpenFile, segment: Segment, offset: int) -> int:
    """A place where a batch begins, with nothing up to ``offset`` from it on; the size of the file where no index tells less."""
    if segment.base_offset is None:
        return segment.size
    entries = offset_entries(segment)
    first = int(entries["offset"].searchsorted(offset - segment.base_offset, side="right"))
    for entry in entries[first : first + _TRIES]:
        position = int(entry["position"])
        header = _header(file, segment, position)
        if header is not None and header.base_offset > offset:
            return position
    return segment.size


def last_indexed(file: OpenFile, segment: Segment, start: int, end: int, offset: int) -> int | None:
    """Where the last batch begins that the index names between two positions, with all of its bytes and nothing of ``offset`` or later there.

    The bytes before ``start`` and at it are not looked at. ``None`` where no index tells.
    """
    if segment.base_offset is None:
        return None
    entries = offset_entries(segment)
    relative = min(offset - segment.base_offset, _LARGEST_ENTRY)
    count = min(int(entries["position"].searchsorted(end)), int(entries["offset"].searchsorted(relative)))
    # The offset of an entry is that of the last record of what begins at its position.
    for entry in entries[:count][: -_TRIES - 1 : -1]:
        position, last_offset = int(entry["position"]), segment.base_offset + int(entry["offset"])
        if position <= start:
            return None
        header = _header(file, segment, position)
        if header is not None and header.base_offset <= last_offset and position + BEFORE_LENGTH + header.length <= end:
            return position
    return None


def position_of_time(file: OpenFile, segment: Segment, timestamp: int) -> int:
    """A place where a batch begins, with nothing as late as ``timestamp`` before it; the size of the file if nothing is.

    An entry says up to which offset no record is later than its own timestamp. It counts if its batch has that timestamp; then the
    headers after it tell how much further that goes, as far as they are few. 0 where no index tells more.
    """
    if segment.base_offset is None:
        return 0
    entries = _entries(with_suffix(segment.path, ".timeindex"), _TIME_ENTRY)
    entries = entries[: _rising(entries["timestamp"])]
    number = int(entries["timestamp"].searchsorted(timestamp)) - 1
    for entry in entries[max(number, 0) :: -1][: _TRIES * (number >= 0)]:
        after = _after_latest(file, segment, segment.base_offset + int(entry["offset"]), int(entry["timestamp"]))
        if after is not None:
            return _hopped(file, segment, after, timestamp)
    return 0


def _after_latest(file: OpenFile, segment: Segment, offset: int, timestamp: int) -> int | None:
    """The end of the batch that has an offset, if it is intact and its largest timestamp is the one that is given."""
    start = position_before(file, segment, offset)
    for headers in headers_past_damage(file, start, segment.size, is_complete=segment.is_complete):
        last_offsets = (
            headers.column("base_offset").to_numpy() + headers.column("last_offset_delta").fill_null(0).to_numpy()
        )
        row = int((last_offsets >= offset).argmax())
        if last_offsets[row] < offset:
            continue
        found = headers.slice(row, 1).to_pylist()[0]
        if found["max_timestamp"] == timestamp and intact_batch_at(file, found["position"], segment.size):
            return int(found["position"] + found["length"])
        return None
    return None


def _hopped(file: OpenFile, segment: Segment, start: int, timestamp: int) -> int:
    """Where the first batch from ``start`` on begins that may be as late as ``timestamp``, or where hopping ended before it."""
    position = start
    hopping = headers_between(file, start, min(segment.size, start + _MOST_HOPPED))
    for headers in hopping:
        is_late = headers.column("max_timestamp").fill_null(timestamp).to_numpy() >= timestamp
        if is_late.any():
            return int(headers.column("position")[int(is_late.argmax())].as_py())
        position = headers.column("position")[-1].as_py() + headers.column("length")[-1].as_py()
    return int(position)


def indexed_positions(segment: Segment) -> Iterator[int]:
    """The positions of the batches that the segment's offset index names."""
    yield from offset_entries(segment)["position"].tolist()


def _header(file: OpenFile, segment: Segment, position: int) -> BatchHeader | None:
    """The header of the intact batch at a position, ``None`` where there is none."""
    if not intact_batch_at(file, position, segment.size):
        return None
    return header_at(memoryview(file.read_at(HEADER_SIZE, position)), 0)


def _entries(path: str, kind: np.dtype[Any]) -> Entries:
    try:
        data = read_bytes(path)
    except OSError:
        data = b""
    return np.frombuffer(data, kind, count=len(data) // kind.itemsize)


def _rising(values: Entries) -> int:
    """How many values are each larger than the one before, from 0 on."""
    if len(values) == 0 or values[0] < 0:
        return 0
    falls = np.flatnonzero(np.diff(values.astype(np.int64)) <= 0)
    return int(falls[0]) + 1 if len(falls) else len(values)
