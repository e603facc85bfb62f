"""Finds batches in bytes, and reads their headers (KIP-98; upstream: ``DefaultRecordBatch``)."""

from __future__ import annotations

from struct import Struct
from typing import Literal, NamedTuple

Stopped = Literal["end", "truncated", "preallocated", "damaged", "limit"]
"""Why there is no further batch.

``end``: all was read. ``truncated``: the bytes of the last batch are not all there. ``preallocated``: zeros follow.
``damaged``: a length that no batch has, so nobody knows where the next one begins. ``limit``: as many as were asked for.
"""

BEFORE_LENGTH = 12
"""The base offset and the length itself, which the length does not count."""
HEADER_SIZE = 61
"""The bytes of a batch of magic 2 before its records."""
MAGIC_AT = 16
CRC_AT = 17
CHECKED_FROM = 21
"""What the checksum is of begins here."""
COUNT_AT = 57

CODEC, LOG_APPEND_TIME, TRANSACTIONAL, CONTROL, DELETE_HORIZON = 0x07, 0x08, 0x10, 0x20, 0x40
"""The bits of the attributes (KIP-98, KIP-534)."""

_SHORTEST = 14
"""The least that a batch of any magic has after its length: a message of magic 0 without key and value."""
_ZEROS = bytes(HEADER_SIZE)
HEADER = Struct(">qiibIhiqqqhii")
START = Struct(">qi")
_SIGNED_64 = 1 << 63

CompressionType = Literal["none", "gzip", "snappy", "lz4", "zstd"]
CODEC_NAMES: tuple[CompressionType, ...] = ("none", "gzip", "snappy", "lz4", "zstd")


class Frame(NamedTuple):
    """A batch of any magic: where it begins, its bytes with the 12 before the length, its base offset and magic."""

    position: int
    length: int
    base_offset: int
    magic: int


class BatchHeader(NamedTuple):
    """The header of a batch of magic 2, as written."""

    base_offset: int
    length: int
    leader_epoch: int
    magic: int
    crc: int
    attributes: int
    last_offset_delta: int
    base_timestamp: int
    max_timestamp: int
    producer_id: int
    producer_epoch: int
    base_sequence: int
    record_count: int

    @property
    def codec_number(self) -> int:
        """The number of the compression."""
        return self.attributes & CODEC

    @property
    def last_offset(self) -> int:
        """The offset that the last record had when the batch was written; compaction may have removed that record."""
        return signed_64(self.base_offset + self.last_offset_delta)


def frame_at(data: memoryview, position: int, end: int) -> Frame | Stopped:
    """The batch that begins at ``position``, or the reason if no batch begins before ``end``."""
    left = end - position
    if left <= 0:
        return "end"
    if left < BEFORE_LENGTH:
        return "truncated"
    base_offset, length = START.unpack_from(data, position)
    if length < _SHORTEST:
        zeros = bytes(data[position : min(position + HEADER_SIZE, end)]) == _ZEROS[:left]
        return "preallocated" if zeros else "damaged"
    size = length + BEFORE_LENGTH
    if size <= left:
        return Frame(position, size, base_offset, _magic(data, position))
    # A batch that was cut off is still one of a magic that exists.
    return "damaged" if left > MAGIC_AT and not 0 <= _magic(data, position) <= 2 else "truncated"


def signed_64(value: int) -> int:
    """What is left of a sum in 64 bits, as Java's ``long`` has it."""
    return (value + _SIGNED_64) % (2 * _SIGNED_64) - _SIGNED_64


def _magic(data: memoryview, position: int) -> int:
    byte = data[position + MAGIC_AT]
    return byte - 256 if byte > 127 else byte
