"""Finds the first record at or after an offset in a Fetch response (KIP-98; upstream: ``DefaultRecordBatch``, ``DefaultRecord``)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from struct import Struct
from typing import Final, NamedTuple

from messagegen_client.records.compression import decompress

_HEADER: Final = Struct(">qiibIhiqqqhii")
_BEFORE_LENGTH: Final = 12
"""The bytes that the length of a batch does not include."""
_MAGIC_AT: Final = 16
_MAGIC: Final = 2
_CODEC, _LOG_APPEND_TIME, _CONTROL = 0x07, 0x08, 0x20
_LONGEST_START: Final = 26
"""The most bytes that a record's length, attributes, timestamp delta and offset delta take."""


class OldFormatError(ValueError):
    """Records in a format before magic 2 (Kafka 0.11)."""


class DamagedBatchError(ValueError):
    """An invalid record batch."""


class RecordTime(NamedTuple):
    """The offset and the timestamp of a record, in milliseconds since 1970; -1 if it has none."""

    offset: int
    timestamp: int


@dataclass(frozen=True, slots=True)
class _Batch:
    base_offset: int
    attributes: int
    last_offset_delta: int
    base_timestamp: int
    max_timestamp: int
    count: int
    body: bytes

    @property
    def last_offset(self) -> int:
        return self.base_offset + self.last_offset_delta

    @property
    def complete(self) -> bool:
        """Whether no record of the batch was removed by compaction."""
        return self.count == self.last_offset_delta + 1


def first_record(data: bytes, offset: int) -> RecordTime | int | None:
    """The first record at or after ``offset``, without control records.

    If there is none, the offset after the last batch; ``None`` if ``data`` has no complete batch.

    Raises ``OldFormatError``, ``DamagedBatchError``, or ``DecompressionError`` (all are ``ValueError``).
    """
    behind: int | None = None
    for batch in _batches(data):
        behind = batch.last_offset + 1
        if behind <= offset or batch.attributes & _CONTROL:
            continue
        if batch.attributes & _LOG_APPEND_TIME and batch.complete:
            return RecordTime(max(offset, batch.base_offset), batch.max_timestamp)
        for found in _records(batch):
            if found.offset >= offset:
                return found
    return behind


def _batches(data: bytes) -> Iterator[_Batch]:
    position = 0
    while len(data) - position > _MAGIC_AT:
        if data[position + _MAGIC_AT] < _MAGIC:
            raise OldFormatError(f"records of magic {data[position + _MAGIC_AT]}")
        if len(data) - position < _HEADER.size:
            return
        base_offset, length, _, magic, _, attributes, delta, first, latest, _, _, _, count = _HEADER.unpack_from(
            data, position
        )
        end = position + _BEFORE_LENGTH + length
        if magic != _MAGIC or length < _HEADER.size - _BEFORE_LENGTH or delta < 0 or count < 0:
            raise DamagedBatchError(f"invalid record batch at byte {position}")
        if end > len(data):
            return  # Brokers truncate the last batch.
        body = data[position + _HEADER.size : end]
        yield _Batch(base_offset, attributes, delta, first, latest, count, body)
        position = end


def _records(batch: _Batch) -> Iterator[RecordTime]:
    """Offset and timestamp of each record, decompressed as needed."""
    reader = _Reader(decompress(batch.attributes & _CODEC, batch.body))
    log_append_time = batch.attributes & _LOG_APPEND_TIME
    for _ in range(batch.count):
        start = reader.peek(_LONGEST_START)
        length, at = _varint(start, 0)
        body = at
        timestamp_delta, at = _varint(start, at + 1)
        offset_delta, at = _varint(start, at)
        if length < at - body:
            raise DamagedBatchError(f"invalid record length {length}")
        timestamp = batch.max_timestamp if log_append_time else batch.base_timestamp + timestamp_delta
        yield RecordTime(batch.base_offset + offset_delta, timestamp)
        reader.skip(body + length)


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """A zig-zag varint, and its end."""
    value = shift = 0
    while True:
        if position >= len(data) or shift > 63:
            raise DamagedBatchError("truncated record")
        byte = data[position]
        value |= (byte & 0x7F) << shift
        position, shift = position + 1, shift + 7
        if byte < 0x80:
            return (value >> 1) ^ -(value & 1), position


class _Reader:
    """Reads bytes that arrive in pieces, and keeps only the next ones."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._data = b""
        self._position = 0

    def peek(self, size: int) -> bytes:
        """The next ``size`` bytes, or fewer at the end."""
        while len(self._data) - self._position < size:
            piece = next(self._pieces, None)
            if piece is None:
                break
            self._data, self._position = self._data[self._position :] + piece, 0
        return self._data[self._position : self._position + size]

    def skip(self, size: int) -> None:
        """Skips ``size`` bytes."""
        self._position += size
        while self._position > len(self._data):
            piece = next(self._pieces, None)
            if piece is None:
                raise DamagedBatchError("truncated record")
            self._position -= len(self._data)
            self._data = piece
