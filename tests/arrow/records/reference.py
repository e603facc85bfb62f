"""The record reader in Python, slow and obvious, that the native one is held against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from messagegen_arrow.malformed import ERROR_NAME
from messagegen_arrow.records import HEADER_SCHEMA, RECORD_COLUMNS, BatchHeaders
from messagegen_kafka._runtime.errors import DecodeError
from messagegen_kafka._runtime.records.cursor import Record, RecordCursor
from messagegen_kafka._runtime.records.headers import (
    BEFORE_LENGTH,
    HEADER_SIZE,
    MAGIC_AT,
    BatchHeader,
    Frame,
    Stopped,
    announced_size,
    frame_at,
    header_at,
    header_of,
    signed_64,
)
from messagegen_kafka._runtime.records.payload import (
    check_crc,
    check_records,
    damaged,
    no_room_for_header,
    payload_of,
    unknown_length,
)
from tests.arrow.records.compression import decompress

Row = dict[str, Any]

MAX_READ_BYTES: Final = 1 << 26
"""Default maximum size of the records of one table, in bytes."""
_SEQUENCES: Final = 1 << 31
_NO_MINIMUM: Final = -(1 << 63)
_NO_MAXIMUM: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Bounds:
    """Which records are read; all bounds are inclusive."""

    min_offset: int = _NO_MINIMUM
    max_offset: int = _NO_MAXIMUM
    min_timestamp: int = _NO_MINIMUM
    max_timestamp: int = _NO_MAXIMUM

    def take_batch(self, header: BatchHeader) -> bool:
        """Whether a batch may have records within the bounds. Of its timestamps, only the largest is known."""
        is_too_late = header.timestamp_type == 1 and header.max_timestamp > self.max_timestamp
        return (
            header.last_offset >= self.min_offset
            and header.base_offset <= self.max_offset
            and header.max_timestamp >= self.min_timestamp
            and not is_too_late
        )

    def take_record(self, offset: int, timestamp: int) -> bool:
        """Whether a record is within the bounds."""
        return self.min_offset <= offset <= self.max_offset and self.min_timestamp <= timestamp <= self.max_timestamp


class PureRecordReader:
    """Reads the batches between ``start`` and ``end`` of a buffer; see ``record_reader`` for arguments and result."""

    def __init__(
        self,
        buffer: bytes | memoryview,
        *,
        start: int,
        end: int,
        verify_checksums: bool,
        columns: Sequence[str] | None,
        bounds: Bounds,
        max_batch_bytes: int,
    ) -> None:
        self._data = memoryview(buffer)
        self._at = start
        self._end = end
        self._verify_checksums = verify_checksums
        self._names = wanted_columns(None if columns is None else list(columns))
        self._bounds = bounds
        self._max_batch_bytes = max_batch_bytes
        self._open: int | None = None
        self._rows: Iterator[tuple[Row, int]] = iter(())
        self._held: tuple[Row, int] | None = None
        self.stopped: Stopped | None = None

    @property
    def position(self) -> int:
        """Position of the first batch with rows that were not returned yet; once ``stopped``, where reading stopped."""
        return self._at if self._open is None else self._open

    def read(self, max_records: int, max_bytes: int = MAX_READ_BYTES) -> pa.RecordBatch | None:
        """The next rows, at most ``max_records``, and fewer if their records exceed ``max_bytes``. ``None`` at the end."""
        taken: list[Row] = []
        room = max_bytes
        while len(taken) < max_records and (room or not taken) and (found := self._next_row()) is not None:
            row, size = found
            if taken and size > room and ERROR_NAME not in row:
                self._held = found
                break
            room = max(room - size, 0)
            taken.append(row)
        if self._held is None:
            self._held = next(self._rows, None)
        if self._held is None:
            self._open = None
        return self._table(taken) if taken else None

    def _next_row(self) -> tuple[Row, int] | None:
        """The next row of the current or a later batch. Rows are created one by one, because a batch may have more than fit in memory."""
        if self._held is not None:
            found, self._held = self._held, None
            return found
        while (row := next(self._rows, None)) is None:
            self._open = None
            if self.stopped is not None:
                return None
            self._open_next()
        return row

    def _open_next(self) -> None:
        frame = frame_at(self._data, self._at, self._end)
        if not isinstance(frame, Frame):
            self.stopped = frame
            if frame == "damaged":
                self._rows = iter([(damaged_length_row(self._data, self._at), 0)])
            return
        self._open, self._at = frame.position, frame.position + frame.length
        place = _place(frame.position, frame.length, frame.base_offset)
        try:
            self._rows = self._batch_rows(frame, place)
        except DecodeError as problem:
            size = len(f"{problem.reason}{problem.path}".encode())
            self._rows = iter([(place | {ERROR_NAME: _error(problem)}, size)])

    def _batch_rows(self, frame: Frame, place: Row) -> Iterator[tuple[Row, int]]:
        """The rows of a batch, one by one. The whole batch is checked before the first."""
        header = header_of(self._data, frame)
        if header is None:
            raise _without_header(frame)
        if not self._bounds.take_batch(header):
            return iter(())
        if self._verify_checksums:
            check_crc(self._data, frame, header)
        return self._rows_of(header, place | _of_batch(header), self._records(frame, header))

    def _rows_of(self, header: BatchHeader, common: Row, records: Iterator[Record]) -> Iterator[tuple[Row, int]]:
        for record in records:
            offset = signed_64(header.base_offset + record.offset_delta)
            timestamp = _timestamp(header, record)
            if self._bounds.take_record(offset, timestamp):
                yield common | _of_record(header, record, offset, timestamp), record.size

    def _records(self, frame: Frame, header: BatchHeader) -> Iterator[Record]:
        payload = payload_of(self._data, frame, header, self._decompress)
        check_records(payload, frame, header)
        cursor = RecordCursor(payload)
        return (cursor.read() for _ in range(header.record_count))

    def _decompress(self, codec_number: int, stored: memoryview) -> bytes:
        return decompress(codec_number, stored, self._max_batch_bytes)

    def _table(self, rows: Sequence[Row]) -> pa.RecordBatch:
        arrays = [pa.array([row.get(name) for row in rows], RECORD_COLUMNS[name]) for name in self._names]
        return pa.RecordBatch.from_arrays(arrays, self._names)


def damaged_length_row(data: memoryview, position: int) -> Row:
    """The row for an invalid batch length."""
    length = announced_size(data, position) - BEFORE_LENGTH
    base_offset = int.from_bytes(data[position : position + 8], "big", signed=True)
    return _place(position, BEFORE_LENGTH, base_offset) | {ERROR_NAME: _error(unknown_length(length, position))}


def _without_header(frame: Frame) -> DecodeError:
    if frame.magic == 2:
        return no_room_for_header(frame)
    reason = f"there are no batches of magic {frame.magic}, only 2 is read"
    if frame.magic in (0, 1):
        reason = f"messages of magic {frame.magic} (before Kafka 0.11) are not read, only batches of magic 2"
    return damaged(frame.magic, reason, "magic", frame.position + MAGIC_AT)


def _place(position: int, length: int, base_offset: int) -> Row:
    return {"batch_offset": base_offset, "batch_position": position, "batch_length": length}


def _error(problem: DecodeError) -> Row:
    return {"message": problem.reason, "path": problem.path, "offset": problem.offset}


def _of_batch(header: BatchHeader) -> Row:
    return {
        "timestamp_type": header.timestamp_type,
        "leader_epoch": header.leader_epoch,
        "producer_id": header.producer_id,
        "producer_epoch": header.producer_epoch,
        "is_transactional": header.is_transactional,
        "is_control": header.is_control,
        "codec": header.codec,
    }


def _of_record(header: BatchHeader, record: Record, offset: int, timestamp: int) -> Row:
    return {
        "offset": offset,
        "timestamp": timestamp,
        "key": record.key,
        "value": record.value,
        "headers": [{"key": key, "value": value} for key, value in record.headers],
        "sequence": _sequence(header, record),
    }


def _timestamp(header: BatchHeader, record: Record) -> int:
    if header.timestamp_type == 1:
        return header.max_timestamp
    return signed_64(header.base_timestamp + record.timestamp_delta)


def _sequence(header: BatchHeader, record: Record) -> int:
    """Sequence numbers wrap to 0; -1 means none (upstream: ``DefaultRecordBatch.incrementSequence``)."""
    return -1 if header.base_sequence < 0 else (header.base_sequence + record.offset_delta) % _SEQUENCES


def header_row(data: memoryview, frame: Frame) -> Row:
    """The header of a batch as a row of ``HEADER_SCHEMA``; needs only its first 61 bytes."""
    row: Row = {
        "position": frame.position,
        "length": frame.length,
        "base_offset": frame.base_offset,
        "magic": frame.magic,
    }
    if frame.magic != 2 or frame.length < HEADER_SIZE:
        return row
    header = header_at(data, frame.position)
    return row | {
        **_of_batch(header),
        "last_offset_delta": header.last_offset_delta,
        "base_timestamp": header.base_timestamp,
        "max_timestamp": header.max_timestamp,
        "base_sequence": header.base_sequence,
        "record_count": header.record_count,
    }


def hop(data: memoryview, start: int, end: int, max_batches: int) -> tuple[list[Row], int, Stopped]:
    """The headers from ``start`` on, the position where reading stopped, and the reason."""
    rows: list[Row] = []
    position = start
    while True:
        frame = frame_at(data, position, end)
        if not isinstance(frame, Frame):
            return rows, position, frame
        if len(rows) == max_batches:
            return rows, position, "limit"
        rows.append(header_row(data, frame))
        position += frame.length


def rows_to_table(rows: Iterable[Row], schema: pa.Schema) -> pa.RecordBatch:
    """Rows with or without some of their columns."""
    kept = list(rows)
    return pa.RecordBatch.from_arrays(
        [pa.array([row.get(field.name) for row in kept], field.type) for field in schema], schema=schema
    )


def wanted_columns(columns: list[str] | None) -> list[str]:
    """The named columns (``None``: all) in their order, and ``_error``. Raises ``ValueError`` for an unknown one."""
    known = [name for name in RECORD_COLUMNS if name != ERROR_NAME]
    for name in columns or ():
        if name not in known:
            raise ValueError(f'unknown column "{name}"; the columns are {", ".join(known)}')
    wanted = known if columns is None else [name for name in known if name in columns]
    return [*wanted, ERROR_NAME]


def record_reader(
    buffer: bytes | memoryview,
    *,
    start: int = 0,
    end: int | None = None,
    verify_checksums: bool = True,
    columns: Sequence[str] | None = None,
    min_offset: int = _NO_MINIMUM,
    max_offset: int = _NO_MAXIMUM,
    min_timestamp: int = _NO_MINIMUM,
    max_timestamp: int = _NO_MAXIMUM,
    max_batch_bytes: int = 1 << 27,
) -> PureRecordReader:
    """The reader, with the arguments of ``messagegen_arrow.records.record_reader``."""
    return PureRecordReader(
        buffer,
        start=start,
        end=len(buffer) if end is None else end,
        verify_checksums=verify_checksums,
        columns=columns,
        bounds=Bounds(min_offset, max_offset, min_timestamp, max_timestamp),
        max_batch_bytes=max_batch_bytes,
    )


def batch_headers(buffer: bytes, *, max_batches: int = 1_000_000) -> BatchHeaders:
    """The headers, as ``messagegen_arrow.records.batch_headers`` gives them."""
    rows, position, stopped = hop(memoryview(buffer), 0, len(buffer), max_batches)
    return BatchHeaders(rows_to_table(rows, HEADER_SCHEMA), position, stopped)
