from __future__ import annotations

import gzip
import mmap
from array import array
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.native.record_batches import COLUMNS, LOG_APPEND_TIME, Batch, Record, in_order, log, pa
from tests.native.record_logs import LOGS, read, rows
from tests.support.profiles import examples

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")

Row = dict[str, Any]


@examples(300)
@given(LOGS, st.integers(1, 20), st.integers(1, 2_000))
def test_columns_hold_what_was_written(made: list[Batch], max_records: int, max_bytes: int) -> None:
    data, expected = log(made)
    reader = native.RecordReader(data)
    assert rows(reader) == expected
    assert (reader.position, reader.stopped) == (len(data), "end")
    assert rows(native.RecordReader(data), max_records) == expected
    assert rows(native.RecordReader(data), 7, max_bytes=max_bytes) == expected


@given(LOGS, st.lists(st.sampled_from(COLUMNS[:-1])))
def test_wanted_columns_are_the_same_as_among_all(made: list[Batch], names: list[str]) -> None:
    data, expected = log(made)
    kept = [name for name in COLUMNS if name in {*names, "_error"}]
    assert read(data, columns=names) == [{name: row[name] for name in kept} for row in expected]


@examples(200)
@given(LOGS, st.data())
def test_filters_leave_out_what_lies_outside(made: list[Batch], draw: st.DataObject) -> None:
    data, expected = log(made)
    bounds: dict[str, int | None] = {}
    for name in ("offset", "timestamp"):
        near = [row[name] + step for row in expected for step in (-1, 0, 1)] or [0]
        bounds[f"min_{name}"], bounds[f"max_{name}"] = (draw.draw(st.none() | st.sampled_from(near)) for _ in "ab")

    def is_within(row: Row, name: str) -> bool:
        low, high = bounds[f"min_{name}"], bounds[f"max_{name}"]
        return (low is None or low <= row[name]) and (high is None or row[name] <= high)

    wanted = [row for row in expected if is_within(row, "offset") and is_within(row, "timestamp")]
    assert read(data, **bounds) == wanted
    assert rows(native.RecordReader(data, **bounds), 2) == wanted


def test_a_truncated_batch_is_left_for_later() -> None:
    made = in_order([Batch((Record(), Record(1))), Batch(codec="gzip")])
    data, expected = log(made)
    border = len(made[0].encoded)
    for end in range(1, len(data)):
        cut = native.RecordReader(data[:end])
        bounded = native.RecordReader(data, end=end)
        assert rows(cut) == rows(bounded) == (expected[:2] if end >= border else [])
        assert cut.position == bounded.position == (border if end >= border else 0)
        assert cut.stopped == bounded.stopped
        assert cut.stopped == ("end" if end == border else "truncated")


def test_reading_starts_where_it_is_told() -> None:
    made = in_order([Batch(), Batch(), Batch()])
    data, expected = log(made)
    size = len(made[0].encoded)
    reader = native.RecordReader(data, start=size, end=2 * size)
    assert reader.position == size
    assert rows(reader) == expected[1:2]
    assert (reader.position, reader.stopped) == (2 * size, "end")


def test_the_position_is_that_of_the_first_batch_with_more_rows() -> None:
    made = in_order([Batch((Record(), Record(1), Record(2))), Batch()])
    data, _ = log(made)
    size = len(made[0].encoded)
    reader = native.RecordReader(data)
    assert reader.stopped is None
    found = []
    while reader.read(1) is not None:
        found.append(reader.position)
    assert found == [0, 0, size, len(data)]


@pytest.mark.parametrize("zeros", [12, 60, 61, 500])
def test_zeros_are_a_file_made_longer_in_advance(zeros: int) -> None:
    data, expected = log([Batch()])
    reader = native.RecordReader(data + bytes(zeros))
    assert rows(reader) == expected
    assert (reader.position, reader.stopped) == (len(data), "preallocated")


@pytest.mark.parametrize("max_records", [1_000, 1_023, 1_024, 1_025, 4_999, 5_000, 5_001, 12_000])
def test_large_batches_are_cut(max_records: int) -> None:
    records = tuple(Record(delta, delta, b"%d" % delta, b"v" * (delta % 50)) for delta in range(5_000))
    data, expected = log(in_order([Batch(records, codec="lz4"), Batch(records)]))
    reader = native.RecordReader(data)
    sizes: list[int] = []
    while (batch := reader.read(max_records)) is not None:
        part = pa.array(batch).to_pylist()
        assert part == expected[sum(sizes) :][: len(part)]
        sizes.append(len(part))
    assert sum(sizes) == 10_000
    assert set(sizes[:-1]) <= {max_records}


def test_rows_end_before_their_bytes_exceed_the_limit_but_a_long_record_stands_alone() -> None:
    sizes = [10, 10, 500, 10, 10, 10]
    data, _ = log([Batch(tuple(Record(number, value=bytes(size)) for number, size in enumerate(sizes)))])
    reader = native.RecordReader(data)
    found = []
    while (batch := reader.read(100, max_bytes=60)) is not None:
        found.append([len(row["value"]) for row in pa.array(batch).to_pylist()])
    assert found == [[10, 10], [500], [10, 10, 10]]


def test_gzip_in_several_members_is_one_stream() -> None:
    encoded = Record().encoded
    compressed = gzip.compress(encoded[:5]) + gzip.compress(encoded[5:])
    batch = Batch(codec="gzip", change={"compressed": compressed})
    assert read(batch.encoded) == batch.rows(0)


def test_checksums_are_only_looked_at_if_wanted() -> None:
    batch = Batch(change={"crc": 1})
    assert read(batch.encoded, verify_checksums=False) == batch.rows(0)


def test_batches_outside_the_bounds_are_passed_over_unread() -> None:
    bad = {"crc": 0}
    made = [Batch(base_offset=0, change=bad), Batch(base_offset=10), Batch(base_offset=20, change=bad)]
    data = log(made)[0]
    assert [row["offset"] for row in read(data, min_offset=10, max_offset=19)] == [10]
    late = [Batch(attributes=LOG_APPEND_TIME, base_timestamp=time, change=bad) for time in (5, 50)]
    assert read(log(late)[0], min_timestamp=6, max_timestamp=49) == []


def test_an_empty_batch_as_compaction_leaves_it_has_no_rows() -> None:
    made = in_order([Batch((), codec="none", change={"last_offset_delta": 9}), Batch(base_offset=10)])
    data, expected = log(made)
    assert len(read(data)) == len(expected) == 1


def test_a_header_key_that_is_not_utf_8_is_mended() -> None:
    (row,) = read(Batch((Record(headers=((b"a\xff\xc3b", b"\xff"), ("é".encode(), None))),)).encoded)
    assert row["headers"] == [{"key": "a\ufffd\ufffdb", "value": b"\xff"}, {"key": "é", "value": None}]


def test_types_do_not_depend_on_the_records() -> None:
    good, bad = (pa.record_batch(native.RecordReader(data).read(9)) for data in (Batch().encoded, b"\xff" * 12))
    assert good.schema == bad.schema
    types = {field.name: str(field.type) for field in good.schema}
    assert list(types) == COLUMNS
    assert types["headers"] == "list<item: struct<key: string, value: binary>>"
    assert types["_error"] == "struct<message: string, path: string, offset: int64>"
    assert {types[name] for name in ("offset", "timestamp", "producer_id", "batch_offset", "batch_length")} == {"int64"}
    assert {types[name] for name in ("timestamp_type", "leader_epoch", "producer_epoch", "sequence")} == {"int32"}
    assert {types[name] for name in ("key", "value")} == {"binary"}
    assert all(field.nullable for field in good.schema)


@pytest.mark.parametrize("make", [bytes, bytearray, memoryview, lambda data: memoryview(b"x" + data)[1:]])
def test_anything_with_the_buffer_protocol_is_read(make: Any) -> None:
    data, expected = log([Batch()])
    assert read(make(data)) == expected


def test_a_mapped_file_is_read_and_stays_open_meanwhile(tmp_path: Path) -> None:
    data, expected = log([Batch()])
    (tmp_path / "log").write_bytes(data)
    with (tmp_path / "log").open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        reader = native.RecordReader(mapped)
        assert rows(reader) == expected
        with pytest.raises(BufferError):
            mapped.close()
        del reader


def test_a_constant_buffer_is_held_while_it_is_read() -> None:
    encoded = Batch().encoded
    view = memoryview(encoded)
    reader = native.RecordReader(view)
    with pytest.raises(BufferError):
        view.release()
    assert len(rows(reader)) == 1


def as_numpy(data: bytearray) -> Any:
    return pytest.importorskip("numpy", reason="numpy is not installed").frombuffer(data, "uint8")


@pytest.mark.parametrize("view", [lambda data: data, memoryview, lambda data: memoryview(data).toreadonly(), as_numpy])
def test_a_buffer_that_others_write_to_is_copied(view: Any) -> None:
    """Bytes that change while they are read without the interpreter's lock would be undefined behaviour."""
    expected = read(Batch((Record(), Record(1))).encoded)
    data = bytearray(Batch((Record(), Record(1))).encoded)
    reader = native.RecordReader(view(data))
    found = rows_of_one(reader)
    data[:] = bytes(len(data))
    assert found + rows(reader) == expected
    assert native.batch_headers(data).stopped == "preallocated"


def rows_of_one(reader: Any) -> list[Any]:
    found: list[Any] = pa.array(reader.read(1)).to_pylist()
    return found


def test_nothing_is_read_of_an_empty_buffer() -> None:
    reader = native.RecordReader(b"")
    assert (rows(reader), reader.stopped) == ([], "end")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": 2, "end": 1}, r"start \(2\) and end \(1\) must lie in the buffer of 4 bytes, in that order"),
        ({"end": 5}, r"start \(0\) and end \(5\) must lie in the buffer of 4 bytes, in that order"),
        ({"columns": ["keys"]}, 'unknown column "keys"; the columns are offset, timestamp, .*, batch_length'),
        ({"max_batch_bytes": 0}, "max_batch_bytes must be between 1 and 2147483647, not 0"),
    ],
)
def test_wrong_options_are_named(options: Row, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        native.RecordReader(b"abcd", **options)


@pytest.mark.parametrize("limits", [{"max_records": 0}, {"max_records": 1, "max_bytes": 0}])
def test_limits_are_above_zero(limits: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"must be between 1 and \d+, not 0"):
        native.RecordReader(b"").read(**limits)


@pytest.mark.parametrize("buffer", ["text", 5, None, array("i", [1, 2])])
def test_other_buffers_are_refused(buffer: Any) -> None:
    with pytest.raises((TypeError, BufferError)):
        native.RecordReader(buffer)
