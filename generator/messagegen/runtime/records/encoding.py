"""The bytes of the records of a batch (upstream: ``DefaultRecord.writeTo``)."""

from __future__ import annotations

from ..errors import CodecFailure, EncodeError, WrongValue, is_a
from ..varints import signed, write_packed
from ..wire import NOTHING, array_of
from .values import LONGEST, Record, RecordHeader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _packed(value: int, bits: int = 32) -> bytes:
    out = bytearray()
    write_packed(out, value, bits)
    return bytes(out)


_SMALL = tuple([_packed(value) for value in range(1024)])
"""The varints of small numbers. Most lengths and differences are small."""
_NULL = _packed(-1)


def wrong(path: str, expected: str, value: object) -> EncodeError:
    """Return the error for a part of a batch that can't be written."""
    return EncodeError("RecordBatch", 2, path, str(WrongValue(f"expected {expected}, got {{}}", value)))


def encode_records(records: tuple[Record, ...], base_offset: int, base_timestamp: int) -> bytes:
    """Return the bytes of records. Raises ``EncodeError`` with the path of the part that can't be written."""
    out: list[bytes] = []
    small, join = _SMALL, b"".join
    for number, record in enumerate(records):
        if type(record) is not Record and not is_a(record, Record):
            raise wrong(f"records[{number}]", "a Record", record)
        timestamp, offset, key, value = record.timestamp, record.offset, record.key, record.value
        try:
            if type(timestamp) is int and 0 <= timestamp - base_timestamp < 1024:
                time = small[timestamp - base_timestamp]
            else:
                time = _delta(timestamp, base_timestamp, 64, "timestamp")
            if type(offset) is int and 0 <= offset - base_offset < 1024:
                place = small[offset - base_offset]
            else:
                place = _delta(offset, base_offset, 32, "offset")
            if type(key) is bytes and len(key) < 1024:
                key_size = small[len(key)]
            else:
                key_size, key = _sized(key, "key")
            if type(value) is bytes and len(value) < 1024:
                value_size = small[len(value)]
            else:
                value_size, value = _sized(value, "value")
            headers = record.headers
            written = b"\0" if headers is NOTHING else _headers(headers)
            body = join((b"\0", time, place, key_size, key, value_size, value, written))
            size = len(body)
            if size > LONGEST:
                raise wrong("length", f"at most {LONGEST} bytes", size)
        except EncodeError as problem:
            raise EncodeError("RecordBatch", 2, f"records[{number}].{problem.path}", problem.reason) from None
        out += (small[size] if size < 1024 else _packed(size), body)
    return join(out)


def _delta(value: Any, base: int, bits: int, path: str) -> bytes:
    try:
        return _packed(signed(value, 64) - base, bits)
    except (CodecFailure, TypeError):
        raise wrong(
            path, f"an int of 64 bits whose difference from the batch's base {path} fits in {bits} bits", value
        ) from None


def _headers(headers: Any) -> bytes:
    try:
        headers = array_of(headers)
    except CodecFailure:
        raise wrong("headers", "a tuple of headers", headers) from None
    parts = [_SMALL[len(headers)] if len(headers) < 1024 else _packed(len(headers))]
    small = _SMALL
    for index, header in enumerate(headers):
        if type(header) is not RecordHeader and not is_a(header, RecordHeader):
            raise wrong(f"headers[{index}]", "a RecordHeader", header)
        key, value = header.key, header.value
        if type(key) is str and key.isascii() and len(key) < 1024:
            key_size, key_bytes = small[len(key)], key.encode()
        else:
            key_size, key_bytes = _key(key, f"headers[{index}].key")
        if type(value) is bytes and len(value) < 1024:
            parts += (key_size, key_bytes, small[len(value)], value)
        else:
            parts += (key_size, key_bytes, *_sized(value, f"headers[{index}].value"))
    return b"".join(parts)


def _key(key: Any, path: str) -> tuple[bytes, bytes]:
    if not is_a(key, str):
        raise wrong(path, "a str", key)
    try:
        return _sized(str.encode(key), path)
    except UnicodeEncodeError:
        raise wrong(path, "a str that is valid Unicode", key) from None


def _sized(value: Any, path: str) -> tuple[bytes, bytes]:
    if value is None:
        return _NULL, b""
    try:
        data = bytes(memoryview(value))
    except TypeError:
        raise wrong(path, "bytes or None", value) from None
    return _packed(len(data)), data
