"""Checksums, compressions and control records, each alone."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

# Environments that only test generated code have neither.
pytest.importorskip("crc32c")
pytest.importorskip("pyarrow")

import crc32c
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from messagegen_kafka import (
    ControlRecord,
    DecodeError,
    EncodeError,
    EndTxnMarker,
    LeaderChangeMessage,
    Record,
    RecordBatch,
    UnsupportedCompressionError,
    UnsupportedVersionError,
    read_records,
)
from messagegen_kafka._runtime.records.checksums import python_crc32c
from messagegen_kafka._runtime.records.compression import compress, decompress
from tests.runtime.records.engines import ENGINES, engines, running
from tests.support.profiles import examples

zstd: Any = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
CODECS = ("gzip", "snappy", "lz4", "zstd")
MOST = 1 << 20


def test_the_checksum_in_python() -> None:
    assert python_crc32c(b"123456789") == 0xE3069283
    random = Random(3)
    for size in [*range(20), 9_999]:
        data = random.randbytes(size)
        assert python_crc32c(data) == python_crc32c(memoryview(data)) == crc32c.crc32c(data)


payloads = st.one_of(
    st.binary(max_size=300),
    st.lists(st.sampled_from([b"a", b"value 17 ", bytes(70), bytes(range(256))]), max_size=400).map(b"".join),
    st.binary(min_size=1, max_size=20).map(lambda piece: piece * 9000),
)


@pytest.mark.parametrize("codec", CODECS)
@examples(15)
@given(data=payloads)
def test_each_engine_reads_what_each_engine_compressed(codec: str, data: bytes) -> None:
    for writer in ENGINES:
        with running(writer):
            packed = compress(codec, data)
        for reader in ENGINES:
            with running(reader):
                assert decompress(codec, packed, MOST) == data


def plain_snappy(data: bytes) -> bytes:
    return bytes(pa.compress(data, codec="snappy", asbytes=True))


def twice(pack: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    return lambda data: pack(data[:50]) + pack(data[50:])


@engines
@pytest.mark.parametrize(
    ("codec", "pack"), [("snappy", plain_snappy), ("gzip", twice(gzip.compress)), ("zstd", twice(zstd.compress))]
)
def test_other_forms_of_compressed_bytes(engine: str, codec: str, pack: Callable[[bytes], bytes]) -> None:
    data = b"value " * 100
    with running(engine):
        assert decompress(codec, pack(data), MOST) == data


@pytest.mark.parametrize(("codec", "package"), [("snappy", "cramjam"), ("lz4", "lz4"), ("zstd", "backports.zstd")])
def test_a_missing_library_is_named(codec: str, package: str) -> None:
    batch = RecordBatch.of([Record(value=b"v")], compression=codec)  # type: ignore[arg-type]
    data = batch.to_bytes()
    missing = dict.fromkeys(["cramjam", "lz4.frame", "compression.zstd", "backports.zstd"])
    with running("python"), patch.dict(sys.modules, missing):
        text = f"pip install {package}, or pass a function of your own"
        with pytest.raises(UnsupportedCompressionError, match=text):
            batch.to_bytes()
        with pytest.raises(UnsupportedCompressionError, match=text):
            next(read_records(data))


def test_control_records_have_types_and_messages() -> None:
    marker = ControlRecord(type="COMMIT", message=EndTxnMarker(coordinator_epoch=7))
    record = marker.to_record(offset=3, timestamp=9)
    assert record == Record(offset=3, timestamp=9, key=b"\0\0\0\1", value=b"\0\0\0\0\0\7")
    assert ControlRecord.of(record) == marker
    leader = ControlRecord(type="LEADER_CHANGE", version=1, message=LeaderChangeMessage(version=1, leader_id=5))
    assert ControlRecord.of(leader.to_record()) == leader
    assert ControlRecord.of(Record(key=b"\0\0\0\x63", value=b"\0\2rest")) == ControlRecord(version=2)


@pytest.mark.parametrize(
    ("record", "error", "text"),
    [
        (Record(value=b"\0\0"), DecodeError, "the key of a control record has at least 4 bytes"),
        (Record(key=b"\xff\xff\0\0", value=b"\0\0"), DecodeError, "there is no version -1"),
        (Record(key=b"\0\0\0\0"), DecodeError, "begins with its version"),
        (Record(key=b"\0\0\0\0", value=b"\0\0\1"), DecodeError, "coordinator_epoch"),
        (Record(key=b"\0\0\0\0", value=b"\0\1\0\0\0\0"), UnsupportedVersionError, "has only version 0"),
    ],
)
def test_records_that_are_no_control_records(record: Record, error: type[ValueError], text: str) -> None:
    with pytest.raises(error, match=text):
        ControlRecord.of(record)


def test_control_records_that_can_not_be_written() -> None:
    with pytest.raises(EncodeError, match=r"expected one of ABORT, COMMIT, .*, got 'UNKNOWN'"):
        ControlRecord().to_record()
    other = ControlRecord(type="LEADER_CHANGE", version=1, message=LeaderChangeMessage())
    with pytest.raises(EncodeError, match="expected 1, which the control record has, got 0"):
        other.to_record()
    with pytest.raises(EncodeError, match="ABORT needs the message EndTxnMarker"):
        ControlRecord(type="ABORT", message=LeaderChangeMessage()).to_record()
