"""Record batches: which record comes first after an offset, whatever compresses them."""

from __future__ import annotations

import contextlib
import struct
import sys
import zlib
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import crc32c
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_client.records.batches import RecordTime, first_record
from messagegen_kafka import DecodeError

zstd: Any = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")

BASE_TIME = 1_600_000_000_000
LOG_APPEND_TIME, CONTROL = 0x08, 0x20


def gzip(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=31)
    return packer.compress(data) + packer.flush()


def snappy(data: bytes) -> bytes:
    return bytes(pa.compress(data, codec="snappy", asbytes=True))


def blocks_of_snappy_java(data: bytes) -> bytes:
    blocks = [snappy(data[at : at + 1000]) for at in range(0, len(data), 1000)]
    return b"\x82SNAPPY\0" + bytes(8) + b"".join(struct.pack(">i", len(block)) + block for block in blocks)


def lz4(data: bytes) -> bytes:
    return bytes(pa.compress(data, codec="lz4", asbytes=True))


CODECS: dict[str, tuple[int, Callable[[bytes], bytes]]] = {
    "none": (0, bytes),
    "gzip": (1, gzip),
    "snappy": (2, snappy),
    "snappy-java": (2, blocks_of_snappy_java),
    "lz4": (3, lz4),
    "zstd": (4, zstd.compress),
}
codecs = pytest.mark.parametrize("codec", CODECS)


def varint(value: int) -> bytes:
    value = (value << 1) ^ (value >> 63)
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def record(offset_delta: int, timestamp_delta: int, value: bytes = b"v") -> bytes:
    body = b"\0" + varint(timestamp_delta) + varint(offset_delta) + varint(-1) + varint(len(value)) + value + varint(0)
    return varint(len(body)) + body


def batch(
    base_offset: int,
    deltas: Sequence[tuple[int, int]],
    *,
    codec: str = "none",
    attributes: int = 0,
    last_delta: int | None = None,
    magic: int = 2,
    max_timestamp: int = BASE_TIME + 99,
) -> bytes:
    """A batch of records with these deltas of offsets and timestamps."""
    number, pack = CODECS[codec]
    last = deltas[-1][0] if last_delta is None else last_delta
    body = pack(b"".join(record(offset, time, b"value" * 20) for offset, time in deltas))
    head = struct.pack(">hiqqqhii", number | attributes, last, BASE_TIME, max_timestamp, -1, -1, -1, len(deltas))
    crc = crc32c.crc32c(head + body)
    return struct.pack(">qiibI", base_offset, 9 + len(head) + len(body), 0, magic, crc) + head + body


@codecs
def test_the_first_record_at_or_after_an_offset(codec: str) -> None:
    data = batch(10, [(0, 5), (1, -7), (4, 20)], codec=codec) + batch(20, [(0, 1)], codec=codec)
    expected = {10: (10, 5), 11: (11, -7), 12: (14, 20), 14: (14, 20), 15: (20, 1), 0: (10, 5), 20: (20, 1)}
    for offset, (found, delta) in expected.items():
        assert first_record(data, offset) == RecordTime(found, BASE_TIME + delta)
    assert first_record(data, 21) == 21


def test_control_records_and_what_compaction_left_do_not_count() -> None:
    control = batch(10, [(0, 5)], attributes=CONTROL)
    assert first_record(control, 10) == 11
    hollow = batch(11, [(0, 5)], last_delta=9)
    assert first_record(control + hollow, 12) == 21
    assert first_record(control + hollow + batch(21, [(0, 3)]), 12) == RecordTime(21, BASE_TIME + 3)


def test_a_time_of_the_broker_counts_for_the_whole_batch() -> None:
    whole = batch(10, [(0, 0), (1, 1)], attributes=LOG_APPEND_TIME, codec="gzip")
    assert first_record(whole, 11) == RecordTime(11, BASE_TIME + 99)
    gaps = batch(10, [(0, 0), (5, 1)], attributes=LOG_APPEND_TIME)
    assert first_record(gaps, 11) == RecordTime(15, BASE_TIME + 99)


def test_a_batch_that_was_cut_off_is_not_there() -> None:
    whole = batch(10, [(0, 5)])
    for size in range(len(whole)):
        assert first_record(whole[:size], 10) is None
    assert first_record(whole + whole[:40], 11) == 11


def test_what_can_not_be_read_is_an_error() -> None:
    with pytest.raises(DecodeError, match="no batches of magic 3"):
        first_record(batch(10, [(0, 5)], magic=3), 10)
    damaged = bytearray(batch(10, [(0, 5)]))
    damaged[-1] ^= 1
    with pytest.raises(DecodeError, match="checksum"):
        first_record(bytes(damaged), 10)


@given(st.binary(max_size=200), st.integers(0, 200))
def test_any_bytes_end_in_an_answer_or_one_error(noise: bytes, at: int) -> None:
    data = bytearray(batch(10, [(0, 5), (1, 6), (2, 7)]))
    data[at : at + len(noise)] = noise
    with contextlib.suppress(ValueError):
        first_record(bytes(data), 11)
