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


def encode_records(records: tuple[Record, ...], base_offset: int, base_timestamp: int) -> bytes:
    """The bytes of records. Raises ``EncodeError`` with the path of the part that can't be written."""
    out: list[bytes] = []
    small, join = _SMALL, b"".join
    for number, record in enumerate(records):
        if type(record) is not Record and not is_a(record, Record):
            reason = str(WrongValue("expected a Record, got {}", record))
            raise EncodeError("RecordBatch", 2, f"records[{number}]", reason)
        timestamp, offset, key, value = record.timestamp, record.offset, record.key, record.value
        if type(timestamp) is int and 0 <= timestamp - base_timestamp < 1024:
            time = small[timestamp - base_timestamp]
        else:
            time = _delta(timestamp, base_timestamp, 64, number, "timestamp")
        if type(offset) is int and 0 <= offset - base_offset < 1024:
            place = small[offset - base_offset]
        else:
            place = _delta(offset, base_offset, 32, number, "offset")
        if type(key) is bytes and len(key) < 1024:
            key_size = small[len(key)]
        else:
            key_size, key = _sized_or_null(key, number, "key")
        if type(value) is bytes and len(value) < 1024:
            value_size = small[len(value)]
        else:
            value_size, value = _sized_or_null(value, number, "value")
        headers = b"\0" if record.headers == () else _headers(record.headers, number)
        body = join((b"\0", time, place, key_size, key, value_size, value, headers))
        size = len(body)
        if size > LONGEST:
            raise _wrong(number, "length", f"a record of {size} bytes is too long; the maximum is {LONGEST}")
        out += (small[size] if size < 1024 else _packed(size), body)
    return join(out)


def _delta(value: Any, base: int, bits: int, number: int, path: str) -> bytes:
    try:
        delta = signed(value, 64) - base
    except (CodecFailure, TypeError):
        raise _wrong(number, path, str(WrongValue("expected an int of 64 bits, got {}", value))) from None
    try:
        return _packed(delta, bits)
    except CodecFailure:
        reason = f"the difference to the base {path} of the batch, {delta}, does not fit in {bits} bits"
        raise _wrong(number, path, reason) from None


def _headers(headers: Any, number: int) -> bytes:
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
        else:
            parts += (key_size, key_bytes, *_sized_or_null(value, number, f"headers[{index}].value"))
    return b"".join(parts)


def _key(key: Any, number: int, path: str) -> tuple[bytes, bytes]:
    if not is_a(key, str):
        raise _wrong(number, path, str(WrongValue("expected a str, got {}", key)))
    try:
        return _sized(str.encode(key), number, path)
    except UnicodeEncodeError as problem:
        raise _wrong(number, path, str(problem)) from None


def _sized_or_null(value: Any, number: int, path: str) -> tuple[bytes, bytes]:
    return (_NULL, b"") if value is None else _sized(value, number, path)


def _sized(value: Any, number: int, path: str) -> tuple[bytes, bytes]:
    try:
        data = bytes(memoryview(value))
    except TypeError:
        raise _wrong(number, path, str(WrongValue("expected bytes or None, got {}", value))) from None
    return _packed(len(data)), data


def _wrong(number: int, path: str, reason: str) -> EncodeError:
    return EncodeError("RecordBatch", 2, f"records[{number}].{path}", reason)
