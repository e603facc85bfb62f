"""The first record at or after an offset in what Fetch answers (KIP-98; upstream: ``DefaultRecordBatch``, ``DefaultRecord``)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from struct import Struct
from typing import Final, NamedTuple

from messagegen_client.records.compression import decompress

_HEADER: Final = Struct(">qiibIhiqqqhii")
_BEFORE_LENGTH: Final = 12
"""The base offset and the length itself, which the length does not count."""
_MAGIC_AT: Final = 16
_MAGIC: Final = 2
_CODEC, _LOG_APPEND_TIME, _CONTROL = 0x07, 0x08, 0x20
_LONGEST_START: Final = 26
"""The most bytes that a record's length, attributes, timestamp delta and offset delta take."""


class OldFormatError(ValueError):
    """Records in a format before magic 2 (Kafka 0.11)."""


class DamagedBatchError(ValueError):
    """Bytes that are no record batch."""


class RecordTime(NamedTuple):
    """A record's offset, and its timestamp in milliseconds since 1970; -1 where the producer gave none."""

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
        """Whether no record of the batch was compacted away."""
        return self.count == self.last_offset_delta + 1


def first_record(data: bytes, offset: int) -> RecordTime | int | None:
    """The first record at or after ``offset`` that is no control record.

    Without one it is the offset after the batches that were looked through; ``None`` where ``data`` has no whole batch.

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
            raise DamagedBatchError(f"the bytes at {position} are no record batch")
        if end > len(data):
            return  # Brokers cut off the last batch.
        body = data[position + _HEADER.size : end]
        yield _Batch(base_offset, attributes, delta, first, latest, count, body)
        position = end


def _records(batch: _Batch) -> Iterator[RecordTime]:
    """Offset and timestamp of each record; only as much is decompressed as is asked for."""
    reader = _Reader(decompress(batch.attributes & _CODEC, batch.body))
    log_append_time = batch.attributes & _LOG_APPEND_TIME
    for _ in range(batch.count):
        start = reader.peek(_LONGEST_START)
        length, at = _varint(start, 0)
        body = at
        timestamp_delta, at = _varint(start, at + 1)
        offset_delta, at = _varint(start, at)
        if length < at - body:
            raise DamagedBatchError(f"a record of {length} bytes")
        timestamp = batch.max_timestamp if log_append_time else batch.base_timestamp + timestamp_delta
        yield RecordTime(batch.base_offset + offset_delta, timestamp)
        reader.skip(body + length)


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """A zig-zag varint, and where it ends."""
    value = shift = 0
    while True:
        if position >= len(data) or shift > 63:
            raise DamagedBatchError("a record ends too early")
        byte = data[position]
        value |= (byte & 0x7F) << shift
        position, shift = position + 1, shift + 7
        if byte < 0x80:
            return (value >> 1) ^ -(value & 1), position


class _Reader:
    """Bytes that come in pieces, of which only those ahead are kept."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._data = b""
        self._position = 0

    def peek(self, size: int) -> bytes:
        """The next bytes: so many, or fewer where there are no more."""
        while len(self._data) - self._position < size:
            piece = next(self._pieces, None)
            if piece is None:
                break
            self._data, self._position = self._data[self._position :] + piece, 0
        return self._data[self._position : self._position + size]

    def skip(self, size: int) -> None:
        """Goes so many bytes on."""
        self._position += size
        while self._position > len(self._data):
            piece = next(self._pieces, None)
            if piece is None:
                raise DamagedBatchError("a record ends too early")
            self._position -= len(self._data)
            self._data = piece
