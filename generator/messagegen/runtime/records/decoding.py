"""The records of a batch as objects, quickly: what is wrong with their bytes is found by ``cursor.py``."""

from __future__ import annotations

from ..errors import CodecFailure
from ..varints import read_packed, read_varint_bits
from .cursor import LONGEST
from .headers import signed_64
from .values import Record, RecordHeader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FAILURES = (ValueError, LookupError)
"""The exceptions that ``decode_records`` raises for invalid bytes."""

_NEW: Any = object.__new__
_MOST_NAMES = 16
_SAFE = 1 << 62
"""Below it, an offset and a difference of 32 bits stay within 64 bits."""


def decode_records(  # noqa: C901, PLR0912, PLR0915 - calls would take as long as the rest
    data: bytes, count: int, base_offset: int, base_timestamp: int, append_time: int | None, max_headers: int
) -> tuple[Record, ...]:
    """Reads so many records, which are all of the bytes. Raises any of ``FAILURES``.

    With ``append_time``, it is the time of all of them.
    """
    records: list[Record] = []
    add = records.append
    names: dict[bytes, str] = {}
    at = 0
    # A call takes as long as all the rest of a number, and nearly all have one byte or two.
    for _ in range(count):
        length = data[at]
        at += 1
        if length > 0x7F:
            high = data[at]
            if high > 0x7F:
                length, at = read_varint_bits(data, at - 1, 32)
            else:
                length += (high << 7) - 0x80
                at += 1
        if length & 1 or length >> 1 > LONGEST:
            raise CodecFailure("the length of the record")
        end = at + (length >> 1)
        at += 1  # Attributes are not used.
        delta = data[at]
        at += 1
        if delta > 0x7F:
            high = data[at]
            if high > 0x7F:
                delta, at = read_varint_bits(data, at - 1, 64)
            else:
                delta += (high << 7) - 0x80
                at += 1
        timestamp = base_timestamp + (~(delta >> 1) if delta & 1 else delta >> 1)
        if not -_SAFE < timestamp < _SAFE:
            timestamp = signed_64(timestamp)
        offset = data[at]
        at += 1
        if offset > 0x7F:
            high = data[at]
            if high > 0x7F:
                offset, at = read_varint_bits(data, at - 1, 32)
            else:
                offset += (high << 7) - 0x80
                at += 1
        size = data[at]
        at += 1
        if size > 0x7F:
            high = data[at]
            if high > 0x7F:
                size, at = read_varint_bits(data, at - 1, 32)
            else:
                size += (high << 7) - 0x80
                at += 1
        if size & 1:
            key = None
        else:
            start = at
            at += size >> 1
            key = data[start:at]
        size = data[at]
        at += 1
        if size > 0x7F:
            high = data[at]
            if high > 0x7F:
                size, at = read_varint_bits(data, at - 1, 32)
            else:
                size += (high << 7) - 0x80
                at += 1
        if size & 1:
            value = None
        else:
            start = at
            at += size >> 1
            value = data[start:at]
        headers: tuple[RecordHeader, ...] = ()
        if data[at]:
            headers, at = _headers(data, at, max_headers, names)
            max_headers -= len(headers)
        else:
            at += 1
        if at != end:
            raise CodecFailure("the record has another length")
        record: Any = _NEW(Record)
        record.offset = base_offset + (~(offset >> 1) if offset & 1 else offset >> 1)
        record.timestamp = timestamp
        record.key = key
        record.value = value
        record.headers = headers
        add(record)
    if at != len(data):
        raise CodecFailure("the records have another length")
    return _adjusted(records, base_offset, append_time)


def _headers(data: bytes, at: int, most: int, names: dict[bytes, str]) -> tuple[tuple[RecordHeader, ...], int]:
    """The headers of a record; ``names`` are keys of earlier ones, because records of a batch mostly have the same."""
    count, at = read_packed(data, at, 32)
    if not 0 <= count <= min(most, len(data) - at):
        raise CodecFailure("too many headers")
    headers: list[RecordHeader] = []
    for _ in range(count):
        size = data[at]
        at += 1
        if size > 0x7F:
            size, at = read_varint_bits(data, at - 1, 32)
        if size & 1:
            raise CodecFailure("a key is null")
        start = at
        at += size >> 1
        key = data[start:at]
        header: Any = _NEW(RecordHeader)
        header.key = names.get(key) or _name(key, names)
        size = data[at]
        at += 1
        if size > 0x7F:
            size, at = read_varint_bits(data, at - 1, 32)
        if size & 1:
            header.value = None
        else:
            start = at
            at += size >> 1
            header.value = data[start:at]
        headers.append(header)
    return tuple(headers), at


def _name(key: bytes, names: dict[bytes, str]) -> str:
    """The text of a key. Bytes that are not UTF-8 are replaced, as Kafka's Java client does."""
    name = key.decode("utf-8", "replace")
    if len(names) < _MOST_NAMES:
        names[key] = name
    return name


def _adjusted(records: list[Any], base_offset: int, append_time: int | None) -> tuple[Record, ...]:
    """The same records, with the time of the broker if it counts, and with offsets that exceed 64 bits as Java has them."""
    if append_time is not None:
        for record in records:
            record.timestamp = append_time
    if not -_SAFE < base_offset < _SAFE:
        for record in records:
            record.offset = signed_64(record.offset)
    return tuple(records)
