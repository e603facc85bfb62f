"""Checksums, compressions and control records, each tested separately."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

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
from messagegen_kafka._runtime.records import compression
from messagegen_kafka._runtime.records.checksums import python_crc32c
from messagegen_kafka._runtime.records.compression import compress, decompress
from tests.runtime.records.made import CODECS

# Environments that only test generated code do not have these packages.
crc32c: Any = pytest.importorskip("crc32c")
pa: Any = pytest.importorskip("pyarrow")


def test_python_computes_the_same_checksums_as_crc32c() -> None:
    assert python_crc32c(b"123456789") == 0xE3069283
    random = Random(3)
    for size in [*range(20), 9_999]:
        data = random.randbytes(size)
        assert python_crc32c(data) == python_crc32c(memoryview(data)) == crc32c.crc32c(data)


@pytest.mark.parametrize("codec", CODECS[1:])
@pytest.mark.parametrize("data", [b"", b"value", bytes(range(256)) * 9, bytes(1 << 20)])
def test_compressed_records_are_decompressed(codec: str, data: bytes) -> None:
    assert decompress(codec, compress(codec, data), 1 << 20) == data


def by_arrow(codec: str) -> Callable[[bytes], bytes]:
    return lambda data: bytes(pa.compress(data, codec=codec, asbytes=True))


def twice(pack: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    return lambda data: pack(data[:50]) + pack(data[50:])


OTHER_FORMS = [
    ("gzip", twice(gzip.compress)),
    ("snappy", by_arrow("snappy")),
    ("lz4", by_arrow("lz4")),
    ("zstd", twice(by_arrow("zstd"))),
]


@pytest.mark.parametrize(("codec", "pack"), [form for form in OTHER_FORMS if form[0] in CODECS])
def test_unusual_forms_of_compressed_bytes_are_read(codec: str, pack: Callable[[bytes], bytes]) -> None:
    data = b"value " * 100
    assert decompress(codec, pack(data), 1 << 20) == data


@pytest.mark.parametrize("codec", ["snappy", "lz4", "zstd"])
def test_compressions_of_the_native_engine_are_refused_without_it(codec: Any) -> None:
    batch = RecordBatch.of([Record(value=b"v")], compression=codec)
    data = batch.to_bytes(compressors={codec: bytes})
    with patch.object(compression, "native_part", return_value=None):
        with pytest.raises(UnsupportedCompressionError, match=rf"{codec} needs messagegen-native; .* compressors="):
            batch.to_bytes()
        with pytest.raises(UnsupportedCompressionError, match=rf"{codec} needs messagegen-native; .* decompressors="):
            next(read_records(data))


def test_control_records_are_written_and_read_with_type_and_message() -> None:
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
        (Record(value=b"\0\0"), DecodeError, "a control record has a key of at least 4 bytes"),
        (Record(key=b"\xff\xff\0\0", value=b"\0\0"), DecodeError, "there is no version -1"),
        (Record(key=b"\0\0\0\0"), DecodeError, "a control record has a value of at least 2"),
        (Record(key=b"\0\0\0\0", value=b"\0\0\1"), DecodeError, "coordinator_epoch"),
        (Record(key=b"\0\0\0\0", value=b"\0\1\0\0\0\0"), UnsupportedVersionError, "has only version 0"),
    ],
)
def test_records_that_are_not_control_records_are_refused(record: Record, error: type[ValueError], text: str) -> None:
    with pytest.raises(error, match=text):
        ControlRecord.of(record)


def test_unwritable_control_records_are_errors() -> None:
    for wrong in (ControlRecord(), ControlRecord(type="ABORT", message=LeaderChangeMessage())):
        with pytest.raises(EncodeError, match="expected ABORT with EndTxnMarker, COMMIT with EndTxnMarker, LEADER_"):
            wrong.to_record()
    other = ControlRecord(type="LEADER_CHANGE", version=1, message=LeaderChangeMessage())
    with pytest.raises(EncodeError, match="expected 1, the version of the control record, got 0"):
        other.to_record()
