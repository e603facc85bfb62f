"""The records of a batch as objects (upstream: ``DefaultRecord``)."""

from __future__ import annotations

from ..errors import CodecFailure
from ..varints import read_packed, read_varint_bits
from .values import LONGEST, Record, RecordHeader, signed_64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FAILURES = (ValueError, LookupError)
"""The exceptions that ``decode_records`` raises for invalid bytes."""

_NEW: Any = object.__new__
_MOST_NAMES = 16
_SAFE = 1 << 62
"""If an offset is below this, adding a 32-bit difference to it can't exceed 64 bits."""


def decode_records(  # noqa: C901, PLR0912, PLR0915 - three calls a record take at least 12 % longer
    data: bytes, count: int, base_offset: int, base_timestamp: int, append_time: int | None, max_headers: int
) -> tuple[Record, ...]:
    """Read ``count`` records that must fill ``data``. Raises any of ``FAILURES``.

    ``append_time``, if it is not ``None``, is the time of all records.
    """
    records: list[Record] = []
    add = records.append
    names: dict[bytes, str] = {}
    at = 0
    # Numbers are zig-zag varints: odd values stand for negative numbers. Nearly all have one or two bytes, which
    # are read here, because a function call would double the time.
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
            raise CodecFailure("invalid record length")
        end = at + (length >> 1)
        at += 1  # The attributes of a record are unused.

        # The timestamp, as the difference from the batch's
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

        # The offset, as the difference from the batch's
        offset = data[at]
        at += 1
        if offset > 0x7F:
            high = data[at]
            if high > 0x7F:
                offset, at = read_varint_bits(data, at - 1, 32)
            else:
                offset += (high << 7) - 0x80
                at += 1

        # The key: its length, or -1 for null, and its bytes
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

        # The value, in the same form
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
            raise CodecFailure(f"the record has {length >> 1} bytes, but its parts take {at - end + (length >> 1)}")

        record: Any = _NEW(Record)
        record.offset = base_offset + (~(offset >> 1) if offset & 1 else offset >> 1)
        record.timestamp = timestamp
        record.key = key
        record.value = value
        record.headers = headers
        add(record)

    if at != len(data):
        raise CodecFailure(f"extra bytes after the last record: {len(data) - at}")
    return _adjusted(records, base_offset, append_time)


def find_damage(data: bytes, count: int, max_headers: int) -> tuple[str, int, str]:
    """Locate the error that ``decode_records`` raised: return the path of the record, its byte, and the reason.

    This is slow, because it decodes each record separately.
    """
    from ..walk import reason

    at = 0
    for number in range(count):
        try:
            length, body = read_packed(data, at, 32)
            (record,) = decode_records(data[at : body + max(length, 0)], 1, 0, 0, None, max_headers)
        except FAILURES as problem:
            return f"records[{number}]", at, reason(problem)
        max_headers -= len(record.headers)
        at = body + length
    return "records", at, f"extra bytes after the last record: {len(data) - at}"


def _headers(data: bytes, at: int, most: int, names: dict[bytes, str]) -> tuple[tuple[RecordHeader, ...], int]:
    """Return the headers of a record.

    ``names`` caches header keys, because most records of a batch have the same keys.
    """
    count, at = read_packed(data, at, 32)
    if not 0 <= count <= len(data) - at:
        raise CodecFailure(f"invalid number of headers: {count}")
    if count > most:
        raise CodecFailure("the records of the batch have too many headers; to allow more, pass max_records=...")
    headers: list[RecordHeader] = []
    for _ in range(count):
        size = data[at]
        at += 1
        if size > 0x7F:
            size, at = read_varint_bits(data, at - 1, 32)
        if size & 1:
            raise CodecFailure("the key of a header is null")
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
    """Return a header key as text. Bytes that are not UTF-8 are replaced, as in Kafka's Java client."""
    name = key.decode("utf-8", "replace")
    if len(names) < _MOST_NAMES:
        names[key] = name
    return name


def _adjusted(records: list[Any], base_offset: int, append_time: int | None) -> tuple[Record, ...]:
    """Set the time of each record to ``append_time`` unless it is ``None``, and wrap offsets as Java does."""
    if append_time is not None:
        for record in records:
            record.timestamp = append_time
    if not -_SAFE < base_offset < _SAFE:
        for record in records:
            record.offset = signed_64(record.offset)
    return tuple(records)
