"""The bytes of the records of a batch (upstream: ``DefaultRecord.writeTo``)."""

from __future__ import annotations

from ..errors import CodecFailure, EncodeError, WrongValue, is_a
from ..varints import signed, write_packed
from .cursor import LONGEST
from .values import Record, RecordHeader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _packed(value: int, bits: int = 32) -> bytes:
    out = bytearray()
    write_packed(out, value, bits)
    return bytes(out)


_SMALL = tuple([_packed(value) for value in range(1024)])
"""The varints of the numbers that most lengths and differences are."""
_NULL = _packed(-1)


def encode_records(  # noqa: C901, PLR0912 - calls would take as long as the rest
    records: tuple[Record, ...], base_offset: int, base_timestamp: int
) -> bytes:
    """The bytes of records. Raises ``EncodeError`` with the path of the part that can't be written."""
    out = bytearray()
    small = _SMALL
    for number, record in enumerate(records):
        if type(record) is not Record and not is_a(record, Record):
            raise EncodeError(
                "RecordBatch", 2, f"records[{number}]", str(WrongValue("expected a Record, got {}", record))
            )
        timestamp, offset, key, value = record.timestamp, record.offset, record.key, record.value
        if type(timestamp) is int and type(offset) is int and 0 <= offset - base_offset < 1024:
            delta = timestamp - base_timestamp
            parts = [
                b"\0",
                small[delta] if 0 <= delta < 1024 else _delta(timestamp, base_timestamp, number),
                small[offset - base_offset],
            ]
        else:
            parts = [b"\0", *_positions(record, number, base_offset, base_timestamp)]
        if key is None:
            parts.append(_NULL)
        elif type(key) is bytes and len(key) < 1024:
            parts += (small[len(key)], key)
        else:
            parts += _sized(key, number, "key")
        if value is None:
            parts.append(_NULL)
        elif type(value) is bytes and len(value) < 1024:
            parts += (small[len(value)], value)
        else:
            parts += _sized(value, number, "value")
        if record.headers == ():
            parts.append(b"\0")
        else:
            parts += _headers(record.headers, number)
        body = b"".join(parts)
        size = len(body)
        if size < 1024:
            out += small[size]
        elif size <= LONGEST:
            write_packed(out, size, 32)
        else:
            raise _wrong(number, "length", f"a record of {size} bytes is too long, {LONGEST} are read")
        out += body
    return bytes(out)


def _delta(timestamp: int, base_timestamp: int, number: int) -> bytes:
    return _difference(_int64(timestamp, number, "timestamp") - base_timestamp, 64, number, "timestamp")


def _positions(record: Record, number: int, base_offset: int, base_timestamp: int) -> tuple[bytes, bytes]:
    offset = _int64(record.offset, number, "offset") - base_offset
    return _delta(record.timestamp, base_timestamp, number), _difference(offset, 32, number, "offset")


def _int64(value: Any, number: int, path: str) -> int:
    try:
        return signed(value, 64)
    except (CodecFailure, TypeError):
        raise _wrong(number, path, str(WrongValue("expected an int of 64 bits, got {}", value))) from None


def _difference(delta: int, bits: int, number: int, path: str) -> bytes:
    try:
        return _packed(delta, bits)
    except CodecFailure:
        reason = f"the difference to the base {path} of the batch, {delta}, does not fit in {bits} bits"
        raise _wrong(number, path, reason) from None


def _headers(headers: Any, number: int) -> list[bytes]:
    if not is_a(headers, tuple) and not is_a(headers, list):
        raise _wrong(number, "headers", str(WrongValue("expected a tuple of headers, got {}", headers)))
    parts = [_SMALL[len(headers)] if len(headers) < 1024 else _packed(len(headers))]
    small = _SMALL
    for index, header in enumerate(headers):
        if type(header) is not RecordHeader and not is_a(header, RecordHeader):
            raise _wrong(number, f"headers[{index}]", str(WrongValue("expected a RecordHeader, got {}", header)))
        key, value = header.key, header.value
        if type(key) is str and key.isascii() and len(key) < 1024:
            key_size, key_bytes = small[len(key)], key.encode()
        else:
            key_size, key_bytes = _key(key, number, f"headers[{index}].key")
        if type(value) is bytes and len(value) < 1024:
            parts += (key_size, key_bytes, small[len(value)], value)
        elif value is None:
            parts += (key_size, key_bytes, _NULL)
        else:
            parts += (key_size, key_bytes, *_sized(value, number, f"headers[{index}].value"))
    return parts


def _key(key: Any, number: int, path: str) -> tuple[bytes, bytes]:
    if not is_a(key, str):
        raise _wrong(number, path, str(WrongValue("expected a str, got {}", key)))
    try:
        return _sized(str.encode(key), number, path)
    except UnicodeEncodeError as problem:
        raise _wrong(number, path, str(problem)) from None


def _sized(value: Any, number: int, path: str) -> tuple[bytes, bytes]:
    try:
        data = bytes(memoryview(value))
    except TypeError:
        raise _wrong(number, path, str(WrongValue("expected bytes or None, got {}", value))) from None
    return _packed(len(data)), data


def _wrong(number: int, path: str, reason: str) -> EncodeError:
    return EncodeError("RecordBatch", 2, f"records[{number}].{path}", reason)
