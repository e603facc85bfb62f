"""The records of a batch as objects, quickly: what is wrong with their bytes is found by ``cursor.py``."""

from __future__ import annotations

from ..errors import CodecFailure
from ..varints import read_packed
from .cursor import LONGEST
from .headers import signed_64
from .values import Record, RecordHeader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FAILURES = (ValueError, LookupError)
"""The exceptions that ``decode_records`` raises for invalid bytes."""

_NEW: Any = object.__new__
_SAFE = 1 << 62
"""Below it, a number and a difference of 32 bits or one byte stay within 64 bits."""


def decode_records(  # noqa: C901, PLR0912, PLR0915 - calls would take as long as the rest
    data: bytes, count: int, base_offset: int, base_timestamp: int, append_time: int | None, max_headers: int
) -> tuple[Record, ...]:
    """Reads so many records, which are all of the bytes. Raises any of ``FAILURES``.

    With ``append_time``, it is the time of all of them.
    """
    records: list[Record] = []
    add = records.append
    position = 0
    # Most lengths and differences fit in one byte, and a call takes as long as all the rest of such a number.
    for _ in range(count):
        length = data[position]
        position += 1
        if length < 0x80:
            length = (length >> 1) ^ -(length & 1)
        else:
            length, position = read_packed(data, position - 1, 32)
            if length > LONGEST:
                raise CodecFailure("the record is too long")
        end = position + length
        delta = data[position + 1]
        position += 2  # Attributes are not used.
        if delta < 0x80:
            timestamp = base_timestamp + ((delta >> 1) ^ -(delta & 1))
        else:
            delta, position = read_packed(data, position - 1, 64)
            timestamp = base_timestamp + delta
            if not -_SAFE < timestamp < _SAFE:
                timestamp = signed_64(timestamp)
        delta = data[position]
        position += 1
        if delta < 0x80:
            delta = (delta >> 1) ^ -(delta & 1)
        else:
            delta, position = read_packed(data, position - 1, 32)
        size = data[position]
        position += 1
        if size < 0x80:
            size = (size >> 1) ^ -(size & 1)
        else:
            size, position = read_packed(data, position - 1, 32)
        if size < 0:
            key = None
        else:
            key = data[position : position + size]
            position += size
        size = data[position]
        position += 1
        if size < 0x80:
            size = (size >> 1) ^ -(size & 1)
        else:
            size, position = read_packed(data, position - 1, 32)
        if size < 0:
            value = None
        else:
            value = data[position : position + size]
            position += size
        headers: tuple[RecordHeader, ...] = ()
        if data[position]:
            headers, position = _headers(data, position, max_headers)
            max_headers -= len(headers)
        else:
            position += 1
        if position != end:
            raise CodecFailure("the record has another length")
        record: Any = _NEW(Record)
        record.offset = base_offset + delta
        record.timestamp = timestamp
        record.key = key
        record.value = value
        record.headers = headers
        add(record)
    if position != len(data):
        raise CodecFailure("the records have another length")
    return _adjusted(records, base_offset, base_timestamp, append_time)


def _headers(data: bytes, position: int, most: int) -> tuple[tuple[RecordHeader, ...], int]:
    count, position = read_packed(data, position, 32)
    if not 0 <= count <= min(most, len(data) - position):
        raise CodecFailure("too many headers")
    headers = []
    for _ in range(count):
        size, position = read_packed(data, position, 32)
        end = position + size
        if end < position:
            raise CodecFailure("a key is null")
        header: Any = _NEW(RecordHeader)
        header.key = data[position:end].decode("utf-8", "replace")
        size, position = read_packed(data, end, 32)
        header.value = None
        if size >= 0:
            header.value = data[position : position + size]
            position += size
        headers.append(header)
    return tuple(headers), position


def _adjusted(records: list[Any], base_offset: int, base_timestamp: int, append_time: int | None) -> tuple[Record, ...]:
    """The same records, with sums that exceed 64 bits as Java has them, and the time of the broker if it counts."""
    if append_time is not None:
        for record in records:
            record.timestamp = append_time
    elif not -_SAFE < base_timestamp < _SAFE:
        for record in records:
            record.timestamp = signed_64(record.timestamp)
    if not -_SAFE < base_offset < _SAFE:
        for record in records:
            record.offset = signed_64(record.offset)
    return tuple(records)
