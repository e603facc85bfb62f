"""Record batches as tables: both readers, on bytes that neither of them wrote."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_arrow import records
from messagegen_arrow.records import HEADER_SCHEMA, RECORD_COLUMNS
from tests.arrow.records import reference
from tests.arrow.support.log_data import (
    CODECS,
    TIME,
    Batch,
    Data,
    compressed,
    framed,
    many_batches,
    marker,
    old_message,
)

Rows = list[dict[str, Any]]

both_readers = pytest.mark.parametrize(
    "module", [pytest.param(reference, id="reference"), pytest.param(records, id="native")]
)


def rows_of(module: Any, data: bytes, *, max_records: int = 1000, max_bytes: int = 1 << 20, **options: Any) -> Rows:
    reader = module.record_reader(data, **options)
    rows: Rows = []
    while (table := reader.read(max_records, max_bytes)) is not None:
        assert 0 < table.num_rows <= max_records
        table.validate(full=True)
        rows += table.to_pylist()
    assert reader.stopped is not None
    return rows


def read_by(module: Any, data: bytes, **options: Any) -> tuple[Rows, list[int], str, int]:
    """All rows, how many each table has, and where and why reading ended."""
    reader = module.record_reader(data, **options)
    rows, sizes = [], []
    while (table := reader.read(3, 50)) is not None:
        assert table.schema.equals(pa.schema(list(RECORD_COLUMNS.items())))
        rows += table.to_pylist()
        sizes.append(table.num_rows)
    assert reader.stopped is not None
    return rows, sizes, reader.stopped, reader.position


def without_library_words(rows: Rows) -> Rows:
    """What libraries say of bytes that are not theirs is up to them."""
    for row in rows:
        if row["_error"] is not None and "can't be decompressed" in row["_error"]["message"]:
            row["_error"]["message"] = row["_error"]["message"].split(":")[0]
    return rows


@both_readers
@pytest.mark.parametrize("codec", CODECS)
def test_a_record_has_what_was_written(module: Any, codec: str) -> None:
    written = [
        Data(b"first", b"k", [("käse".encode(), b"\0\1"), (b"null", None)], timestamp_delta=5),
        Data(None, None, timestamp_delta=-2, offset_delta=4),
        Data(b"x" * 5000, b"", [(b"\xff", b"")], offset_delta=9),
    ]
    batch = Batch(
        7, written, codec, producer_id=44, producer_epoch=3, base_sequence=10, leader_epoch=6, transactional=True
    )
    data = batch.encode()
    common = {
        "timestamp_type": 0,
        "leader_epoch": 6,
        "producer_id": 44,
        "producer_epoch": 3,
        "is_transactional": True,
        "is_control": False,
        "codec": codec,
        "batch_offset": 7,
        "batch_position": 0,
        "batch_length": len(data),
        "_error": None,
    }
    first = {"offset": 7, "timestamp": TIME + 5, "key": b"k", "value": b"first", "sequence": 10}
    second = {"offset": 11, "timestamp": TIME - 2, "key": None, "value": None, "sequence": 14}
    third = {"offset": 16, "timestamp": TIME, "key": b"", "value": b"x" * 5000, "sequence": 19}
    assert rows_of(module, data) == [
        common | first | {"headers": [{"key": "käse", "value": b"\0\1"}, {"key": "null", "value": None}]},
        common | second | {"headers": []},
        common | third | {"headers": [{"key": "\ufffd", "value": b""}]},
    ]


@both_readers
def test_snappy_has_two_forms(module: Any) -> None:
    written = [Data(b"a repeated value " * 40) for _ in range(20)]
    plain, xerial = Batch(0, written, "snappy").encode(), Batch(0, written, "snappy", xerial=True).encode()
    assert plain != xerial
    assert [row["value"] for row in rows_of(module, plain)] == [row["value"] for row in rows_of(module, xerial)]


@both_readers
def test_log_append_time_is_that_of_all_records(module: Any) -> None:
    batch = Batch(0, [Data(timestamp_delta=3), Data()], max_timestamp=TIME + 99, log_append_time=True)
    assert [(row["timestamp"], row["timestamp_type"]) for row in rows_of(module, batch.encode())] == [
        (TIME + 99, 1)
    ] * 2


@both_readers
def test_a_sequence_starts_again_after_the_largest(module: Any) -> None:
    batch = Batch(0, [Data(), Data()], producer_id=1, producer_epoch=0, base_sequence=(1 << 31) - 1)
    assert [row["sequence"] for row in rows_of(module, batch.encode())] == [(1 << 31) - 1, 0]


@both_readers
def test_markers_are_marked(module: Any) -> None:
    (row,) = rows_of(module, marker(3, 9, commit=True))
    assert (row["offset"], row["is_control"], row["is_transactional"], row["key"]) == (3, True, True, b"\0\0\0\1")


@both_readers
def test_a_batch_that_compaction_emptied_has_no_rows(module: Any) -> None:
    assert [row["offset"] for row in rows_of(module, Batch(5, []).encode() + many_batches(9, 1, size=1)[0])] == [9]


@both_readers
@pytest.mark.parametrize(
    ("damage", "path", "message", "offset"),
    [
        (lambda data: data[:70] + bytes([data[70] ^ 1]) + data[71:], "crc", "the checksum is wrong", 17),
        (lambda data: old_message(0), "magic", "magic 1 (before Kafka 0.11)", 16),
        (lambda data: old_message(0, 0), "magic", "magic 0 (before Kafka 0.11)", 16),
        (lambda data: data[:16] + b"\7" + data[17:], "magic", "no batches of magic 7", 16),
        (lambda data: framed(0, 0, b"\0\7" + data[23:]), "records", "no compression of number 7", 61),
        (lambda data: framed(0, 0, b"\0\1" + data[23:]), "records", "can't be decompressed (gzip)", 61),
        (lambda data: framed(0, 0, data[21:57] + b"\xff" * 4 + data[61:]), "records", "-1 is not a number", 57),
        (lambda data: framed(0, 0, data[21:57] + b"\x7f" * 4 + data[61:]), "records", "only 24 bytes are left", 57),
        (
            lambda data: framed(0, 0, data[21:57] + struct.pack(">i", 2) + data[61:]),
            "records",
            "8 bytes are left after",
            77,
        ),
        (lambda data: framed(0, 0, data[21:] + b"\0"), "records", "1 bytes are left after the last record", 85),
        (
            lambda data: framed(0, 0, data[21:61] + b"\x7f" + data[62:]),
            "records[0].length",
            "-64 is not the length",
            61,
        ),
        (lambda data: framed(0, 0, data[21:66] + b"\x7e" + data[67:]), "records[0].value", "63 bytes", 66),
    ],
)
def test_a_batch_that_cannot_be_read_is_one_row(module: Any, damage: Any, path: str, message: str, offset: int) -> None:
    good = many_batches(0, 3)
    broken = damage(good[0])
    first, *others = rows_of(module, broken + good[1])
    assert first["_error"]["path"] == path
    assert message in first["_error"]["message"]
    assert first["_error"]["offset"] == offset
    assert {name for name, value in first.items() if value is not None} == {
        "_error",
        "batch_offset",
        "batch_position",
        "batch_length",
    }
    assert [row["offset"] for row in others] == [3, 4, 5]


@both_readers
def test_checksums_can_be_left_unchecked(module: Any) -> None:
    batch = bytearray(many_batches(0, 1)[0])
    batch[17] ^= 1
    assert rows_of(module, bytes(batch))[0]["_error"]["path"] == "crc"
    assert [row["value"] for row in rows_of(module, bytes(batch), verify_checksums=False)] == [b"0", b"1", b"2"]


@both_readers
@pytest.mark.parametrize(
    ("tail", "stopped"),
    [
        (b"", "end"),
        (many_batches(9, 1)[0][:-1], "truncated"),
        (many_batches(9, 1)[0][:11], "truncated"),
        (bytes(100), "preallocated"),
        (bytes(12), "preallocated"),
        (bytes(3), "truncated"),
    ],
)
def test_reading_stops_quietly_before_what_is_no_batch(module: Any, tail: bytes, stopped: str) -> None:
    data = b"".join(many_batches(0, 3))
    reader = module.record_reader(data + tail)
    table = reader.read(100)
    assert table is not None
    assert table.num_rows == 9
    assert reader.read(100) is None
    assert (reader.stopped, reader.position) == (stopped, len(data))
    found = module.batch_headers(data + tail)
    assert (found.stopped, found.position, found.headers.num_rows) == (stopped, len(data), 3)


@both_readers
def test_a_length_that_no_batch_has_ends_reading_with_a_row(module: Any) -> None:
    data = many_batches(0, 1)[0]
    *good, bad = rows_of(module, data + b"\1" * 8 + b"\xff" * 60)
    assert len(good) == 3
    assert bad["_error"]["message"].startswith("no batch has a length of -1")
    assert bad["_error"]["offset"] == len(data) + 8


@both_readers
@pytest.mark.parametrize("codec", CODECS[1:])
def test_a_batch_may_not_become_larger_than_is_allowed(module: Any, codec: str) -> None:
    batch = Batch(0, [Data(bytes(1 << 20))], codec).encode()
    (row,) = rows_of(module, batch, max_batch_bytes=1 << 19)
    assert f"more than {1 << 19} bytes" in row["_error"]["message"]
    assert len(rows_of(module, batch, max_batch_bytes=1 << 21)[0]["value"]) == 1 << 20


@both_readers
def test_columns_are_those_that_are_asked_for(module: Any) -> None:
    data = many_batches(0, 1)[0]
    table = module.record_reader(data, columns=["value", "offset"]).read(10)
    assert table is not None
    assert table.schema.names == ["offset", "value", "_error"]
    with pytest.raises(ValueError, match='unknown column "valeu"; the columns are offset, timestamp'):
        module.record_reader(data, columns=["valeu"])


@both_readers
def test_headers_say_what_batches_hold(module: Any) -> None:
    data = Batch(4, [Data(), Data()], "lz4", producer_id=8, producer_epoch=1, base_sequence=0).encode()
    found = module.batch_headers(old_message(3) + data)
    assert found.headers.schema.equals(HEADER_SCHEMA)
    old, new = found.headers.to_pylist()
    assert old["magic"] == 1
    assert old["codec"] is None
    assert new == {
        "position": len(old_message(3)),
        "length": len(data),
        "base_offset": 4,
        "magic": 2,
        "leader_epoch": 0,
        "codec": "lz4",
        "timestamp_type": 0,
        "is_transactional": False,
        "is_control": False,
        "last_offset_delta": 1,
        "base_timestamp": TIME,
        "max_timestamp": TIME,
        "producer_id": 8,
        "producer_epoch": 1,
        "base_sequence": 0,
        "record_count": 2,
    }
    assert module.batch_headers(data + data, max_batches=1).stopped == "limit"


maybe_bytes = st.none() | st.binary(max_size=40)
small = st.integers(0, 60)


@st.composite
def batches(draw: st.DrawFn) -> bytes:
    data = st.builds(
        Data,
        value=maybe_bytes,
        key=maybe_bytes,
        headers=st.lists(st.tuples(st.binary(max_size=6), maybe_bytes), max_size=3),
        timestamp_delta=st.integers(-50, 50) | st.integers(-(1 << 63), (1 << 63) - 1).map(lambda big: big >> 1),
        offset_delta=small,
    )
    batch = st.builds(
        Batch,
        base_offset=small | st.integers(-(1 << 63), (1 << 63) - 100),
        records=st.lists(data, max_size=5),
        codec=st.sampled_from(CODECS),
        base_timestamp=small,
        max_timestamp=small,
        log_append_time=st.booleans(),
        producer_id=st.integers(-1, 5),
        producer_epoch=st.integers(-1, 5),
        base_sequence=st.integers(-1, 5) | st.just((1 << 31) - 1),
        leader_epoch=st.integers(-1, 5),
        transactional=st.booleans(),
        control=st.booleans(),
        xerial=st.booleans(),
    )
    return draw(batch).encode()


NAMES = ("min_offset", "max_offset", "min_timestamp", "max_timestamp")
limits = st.just(dict[str, int]()) | st.tuples(*[small] * 4).map(lambda values: dict(zip(NAMES, values, strict=True)))


@given(st.lists(batches(), max_size=4), limits, st.sampled_from([b"", bytes(9), bytes(70), b"\1" * 70]))
def test_both_readers_give_the_same(parts: Sequence[bytes], bounds: dict[str, int], tail: bytes) -> None:
    data = b"".join(parts) + tail
    assert read_by(records, data, **bounds) == read_by(reference, data, **bounds)


@given(
    st.lists(batches(), min_size=1, max_size=3),
    st.lists(st.tuples(st.integers(0, 1 << 30), st.integers(0, 255)), max_size=4),
    small,
)
def test_both_readers_give_the_same_for_damaged_bytes(
    parts: Sequence[bytes], damage: Sequence[tuple[int, int]], cut: int
) -> None:
    data = bytearray(b"".join(parts))
    for place, byte in damage:
        data[place % len(data)] = byte
    damaged = bytes(data[: len(data) - cut])
    native, pure = read_by(records, damaged), read_by(reference, damaged)
    assert (without_library_words(native[0]), *native[1:]) == (without_library_words(pure[0]), *pure[1:])


@given(st.binary(max_size=60), st.integers(0, 5))
def test_both_readers_give_the_same_for_records_of_any_bytes(payload: bytes, count: int) -> None:
    """The checksum is right, so that what lies behind it is read."""
    header = Batch(0, []).encode()[21:57] + struct.pack(">i", count)
    data = framed(0, 0, header + payload)
    assert read_by(records, data) == read_by(reference, data)


@given(st.lists(batches(), max_size=4), st.binary(max_size=80))
def test_any_bytes_end_in_rows(parts: Sequence[bytes], junk: bytes) -> None:
    rows, _, stopped, position = read_by(records, b"".join(parts) + junk)
    assert stopped in ("end", "truncated", "preallocated", "damaged")
    assert position <= sum(map(len, parts)) + len(junk)
    assert all((row["_error"] is None) == (row["offset"] is not None) for row in rows)


def test_compressed_data_is_what_it_says() -> None:
    """The writer of these tests compresses indeed."""
    assert all(len(compressed(bytes(1000), codec)) < 200 for codec in CODECS[1:])
