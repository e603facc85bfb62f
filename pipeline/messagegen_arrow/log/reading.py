"""Rows out of a range of a file: a window of whole batches at a time, so that memory does not depend on the file."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.files import OpenFile
from messagegen_arrow.log.recovery import after_damaged, batch_after, intact_batch_at
from messagegen_arrow.log.scan import Tail, shifted
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME
from messagegen_arrow.records.columns import RECORD_COLUMNS, wanted_columns
from messagegen_arrow.records.engine import MAX_BATCH_BYTES, batch_headers, record_reader
from messagegen_arrow.records.pure_reader import Bounds, rows_to_table
from messagegen_kafka._runtime.records.headers import (
    BEFORE_LENGTH,
    HEADER_SIZE,
    Frame,
    Stopped,
    announced_size,
    frame_at,
)

WINDOW_BYTES: Final = 1 << 23
"""So much of a file is held at a time, or one batch where it is larger: 8 MiB."""
_MOST_RAW_BYTES: Final = 1 << 24
_ENOUGH_BEYOND: Final = 2
_POSITION: Final = "batch_position"
_TAIL_REASONS: Final[dict[Stopped, str]] = {
    "truncated": "the bytes of the last batch are not all there",
    "preallocated": "there are zeros where a batch should begin, and other bytes after them",
}


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """How to read: which columns of the record reader, which records, what is checked, and how much at a time."""

    columns: tuple[str, ...] | None = None
    with_raw: bool = False
    bounds: Bounds = field(default_factory=Bounds)
    verify_checksums: bool = True
    max_batch_bytes: int = MAX_BATCH_BYTES
    max_records: int = 32_768
    max_bytes: int = 1 << 24

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the tables: those that are wanted, where the batch is, and what is wrong with it."""
        if self.columns is None:
            return tuple(RECORD_COLUMNS)
        return tuple(wanted_columns([*self.columns, _POSITION, "batch_length", "batch_offset"]))


def read_range(file: OpenFile, start: int, end: int, settings: ReadSettings) -> Generator[pa.RecordBatch, None, Tail]:
    """Tables of the records between two positions of a file; ``start`` is where a batch begins.

    They have the columns of ``settings.names``, positions from the start of the file, and ``_raw`` where it is wanted. A batch
    with a wrong checksum, or with a length that can't be right, is a row with ``_error``; then the next batch is searched for.
    Returns where it stopped: at ``end``, or before what is no whole batch. What a tail of zeros or a part of a batch means,
    the caller knows.
    """
    position, window = start, WINDOW_BYTES
    planned, end = end, min(end, file.size())
    while position < end:
        data = memoryview(file.read_at(min(window, end - position), position))
        found = batch_headers(data)
        beyond = _beyond(file, found.headers, position, end, settings.bounds.max_offset)
        whole = found.position if beyond is None else beyond
        distrusted = yield from _rows(file, data[:whole], position, end, settings)
        if distrusted is not None:
            position = distrusted
            continue
        if beyond is not None:
            return Tail(end, "end")
        rest = data[whole:]
        position += whole
        if len(rest) < min(HEADER_SIZE, end - position):
            if len(rest) == len(data):
                return Tail(position, "truncated")  # the file is shorter than it was
            continue
        frame = frame_at(rest, 0, end - position)
        if not isinstance(frame, Frame):
            following = batch_after(file, Tail(position, frame), end)
            if following != position and (following is not None or frame == "damaged"):
                yield _no_batch(rest, position, frame, settings)
            if following is None:
                return Tail(position, frame)
            position, window = following, WINDOW_BYTES
        elif frame.length - HEADER_SIZE > max(settings.max_batch_bytes, WINDOW_BYTES):
            yield _too_large(rest, frame, position, settings)
            position, window = after_damaged(file, position, frame.length, end), WINDOW_BYTES
        else:
            window = max(WINDOW_BYTES, frame.length)
    return Tail(position, "end" if end == planned else "truncated")


def _beyond(file: OpenFile, headers: pa.RecordBatch, position: int, end: int, max_offset: int) -> int | None:
    """Where the batches in a window begin that lie beyond an offset, if at least two do: nothing after them is wanted."""
    bases = headers.column("base_offset").to_numpy()
    first = int(np.flatnonzero(bases <= max_offset)[-1]) + 1 if (bases <= max_offset).any() else 0
    if len(bases) - first < _ENOUGH_BEYOND:
        return None
    places: list[int] = headers.column("position")[first : first + _ENOUGH_BEYOND].to_pylist()
    # A damaged header may name any offset.
    return places[0] if all(intact_batch_at(file, position + place, end) for place in places) else None


def tail_row(file: OpenFile, tail: Tail, end: int, settings: ReadSettings) -> pa.RecordBatch:
    """The row of bytes at the end of a file that are no batch, where there should be nothing else than batches."""
    raw = file.read_at(min(end - tail.position, _MOST_RAW_BYTES), tail.position)
    base_offset = int.from_bytes(raw[:8], "big", signed=True) if len(raw) >= BEFORE_LENGTH else None
    place = {"batch_offset": base_offset, _POSITION: tail.position, "batch_length": end - tail.position}
    return _error_row(_TAIL_REASONS[tail.stopped], "length", tail.position, place, raw, settings)


def _rows(
    file: OpenFile, data: memoryview, position: int, end: int, settings: ReadSettings
) -> Generator[pa.RecordBatch, None, int | None]:
    """The records of whole batches. Returns where to go on if that is not behind them, for a length that was wrong."""
    reader = record_reader(
        data,
        verify_checksums=settings.verify_checksums,
        columns=_names_to_read(settings),
        bounds=settings.bounds,
        max_batch_bytes=settings.max_batch_bytes,
    )
    while (table := reader.read(settings.max_records, settings.max_bytes)) is not None:
        for row, start, length in _with_wrong_checksum(table):
            following = after_damaged(file, position + start, length, end)
            if following != position + start + length:
                yield _placed(table.slice(0, row + 1), data, position, settings)
                return following
        yield _placed(table, data, position, settings)
    return None


def _with_wrong_checksum(table: pa.RecordBatch) -> Iterator[tuple[int, int, int]]:
    """Row, position and length of the batches whose checksum is wrong, and perhaps their length too."""
    errors = table.column(ERROR_NAME)
    if errors.null_count == len(errors):
        return
    for row in pc.indices_nonzero(errors.is_valid()).to_pylist():
        if errors[row]["path"].as_py() == "crc":
            yield row, table.column(_POSITION)[row].as_py(), table.column("batch_length")[row].as_py()


def _no_batch(data: memoryview, position: int, stopped: Stopped, settings: ReadSettings) -> pa.RecordBatch:
    """The row of what ``data`` begins with: zeros, a length that no batch has, or one that goes too far."""
    length = announced_size(data, 0) - BEFORE_LENGTH if len(data) >= BEFORE_LENGTH else -1
    reason = f"no batch has a length of {length}, so where the next one begins is not known"
    if stopped == "truncated":
        reason = f"a length of {length} goes beyond the end, yet another batch follows"
    elif stopped == "preallocated":
        reason = _TAIL_REASONS[stopped]
    base_offset = int.from_bytes(data[:8], "big", signed=True)
    place = {"batch_offset": base_offset, _POSITION: position, "batch_length": BEFORE_LENGTH}
    return _error_row(reason, "length", position + 8, place, bytes(data[:BEFORE_LENGTH]), settings)


def _names_to_read(settings: ReadSettings) -> Sequence[str]:
    return [name for name in settings.names if name != ERROR_NAME]


def _placed(table: pa.RecordBatch, data: memoryview, position: int, settings: ReadSettings) -> pa.RecordBatch:
    """The table with positions that count from the start of the file, and the bytes of batches that can't be read."""
    errors = table.column(ERROR_NAME)
    is_clean = errors.null_count == len(errors)
    if settings.with_raw:
        raw = pa.nulls(len(errors), pa.binary()) if is_clean else _raw(table, data)
        table = table.append_column(RAW_NAME, raw)
    table = shifted(table, _POSITION, position)
    if is_clean or position == 0:
        return table
    message, path, offset = errors.flatten()
    moved = pa.StructArray.from_arrays(
        [message, path, pc.add(offset, position)], fields=list(errors.type), mask=errors.is_null()
    )
    return table.set_column(table.schema.get_field_index(ERROR_NAME), ERROR_NAME, moved)


def _raw(table: pa.RecordBatch, data: memoryview) -> pa.Array:
    rows = zip(
        table.column(ERROR_NAME).is_valid().to_pylist(),
        table.column(_POSITION).to_pylist(),
        table.column("batch_length").to_pylist(),
        strict=True,
    )
    return pa.array([bytes(data[at : at + length]) if is_wrong else None for is_wrong, at, length in rows], pa.binary())


def _too_large(data: memoryview, frame: Frame, position: int, settings: ReadSettings) -> pa.RecordBatch:
    reason = f"the batch has {frame.length} bytes; maxBatchBytes ({settings.max_batch_bytes}) sets a limit"
    place = {"batch_offset": frame.base_offset, _POSITION: position, "batch_length": frame.length}
    return _error_row(reason, "length", position + 8, place, bytes(data[:HEADER_SIZE]), settings)


def _error_row(
    reason: str, path: str, offset: int, place: dict[str, Any], raw: bytes, settings: ReadSettings
) -> pa.RecordBatch:
    row = {**place, ERROR_NAME: {"message": reason, "path": path, "offset": offset}, RAW_NAME: raw}
    types = [(name, RECORD_COLUMNS[name]) for name in settings.names]
    return rows_to_table([row], pa.schema(types + [(RAW_NAME, pa.binary())] * settings.with_raw))
