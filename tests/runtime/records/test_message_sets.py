"""Messages of magic 0 and 1, written by the book."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import pytest

from messagegen_kafka import Record, RecordBatch
from messagegen_kafka._runtime.records.compression import compress
from tests.runtime.records.engines import agreed

CODECS = ("none", "gzip", "snappy", "lz4")


def sized(data: bytes | None) -> bytes:
    return struct.pack(">i", -1) if data is None else struct.pack(">i", len(data)) + data


def message(
    offset: int, magic: int, key: bytes | None, value: bytes | None, *, attributes: int = 0, timestamp: int = 0
) -> bytes:
    rest = struct.pack(">bb", magic, attributes)
    rest += struct.pack(">q", timestamp) if magic else b""
    rest += sized(key) + sized(value)
    return struct.pack(">qiI", offset, len(rest) + 4, zlib.crc32(rest)) + rest


def wrapped(codec: str, offset: int, magic: int, inner: bytes, **fields: Any) -> bytes:
    number = CODECS.index(codec)
    packed = compress(codec, inner) if number else inner
    attributes = fields.pop("attributes", 0) | number
    return message(offset, magic, None, packed, attributes=attributes, **fields)


def test_the_wrong_checksum_in_lz4_frames_of_magic_0() -> None:
    packed = bytearray(compress("lz4", message(0, 0, None, b"value")))
    packed[6] ^= 0x55
    data = message(0, 0, None, bytes(packed), attributes=3)
    batch, *_ = agreed(data)
    assert isinstance(batch, RecordBatch)
    assert batch.records == (Record(value=b"value"),)
    (_, text), *_ = agreed(message(0, 1, None, bytes(packed), attributes=3))
    assert "can't be decompressed (lz4)" in text


INNER = message(0, 1, None, b"v")


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (message(0, 1, None, b"v")[:-1] + b"w", "crc: the checksum is wrong: the message was damaged"),
        (wrapped("gzip", 0, 1, b""), "value: no messages are compressed here"),
        (message(0, 1, None, None, attributes=1), "value: null is not allowed where messages are compressed"),
        (message(0, 1, None, b"x", attributes=1), "value: the records can't be decompressed (gzip)"),
        (message(0, 1, None, b"x", attributes=4), "attributes: unknown compression type 4"),
        (wrapped("gzip", 0, 1, INNER[:-1]), "value[0]: the compressed messages are not complete"),
        (wrapped("gzip", 0, 1, INNER + bytes(40)), "value[1]: the compressed messages are not complete"),
        (wrapped("gzip", 0, 1, message(0, 0, None, b"")), "value[0].magic: a message of magic 0 in one of magic 1"),
        (wrapped("gzip", 0, 1, INNER[:-1] + b"w"), "value[0].crc: the checksum is wrong"),
        (wrapped("gzip", 0, 1, wrapped("gzip", 0, 1, INNER)), "value[0]: a compressed message in a compressed"),
    ],
)
def test_what_is_wrong_with_messages(data: bytes, error: str) -> None:
    (kind, text), *_ = agreed(data)
    assert (kind, text.startswith(error)) == ("DecodeError", True), text


def test_compressed_messages_are_limited() -> None:
    inner = b"".join(message(index, 1, None, b"v") for index in range(3))
    (_, text), *_ = agreed(wrapped("gzip", 2, 1, inner), max_records=2)
    assert text.startswith("value: more than 2 messages; to allow more, pass max_records=...")
    (_, text), *_ = agreed(wrapped("gzip", 2, 1, inner), max_batch_bytes=9)
    assert "take more than 9 bytes" in text
