from __future__ import annotations

import gzip
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.native.record_batches import CODECS, HEADER_SIZE, Batch, Record, compress, in_order, log, varint
from tests.native.record_logs import LOGS, only_error, read
from tests.support.profiles import examples

Row = dict[str, Any]


@pytest.mark.slow
@examples(300)
@given(LOGS, st.integers(1, 20), st.integers(1, 2_000))
def test_columns_hold_the_written_records(made: list[Batch], max_records: int, batch_bytes: int) -> None:
    data, expected = log(made)
    assert read(data) == expected
    assert read(data, maxRecordsPerBatch=max_records) == expected
    assert read(data, batch_bytes=batch_bytes) == expected


@pytest.mark.parametrize("max_records", [1_000, 1_023, 1_024, 1_025, 5_000, 12_000])
def test_large_batches_are_split_without_losing_records(max_records: int) -> None:
    records = tuple(Record(delta, delta, b"%d" % delta, b"v" * (delta % 50)) for delta in range(5_000))
    data, expected = log(in_order([Batch(records, codec="lz4"), Batch(records)]))
    assert read(data, maxRecordsPerBatch=max_records) == expected


def test_several_gzip_members_are_read_as_one_stream() -> None:
    encoded = Record().encoded
    compressed = gzip.compress(encoded[:5]) + gzip.compress(encoded[5:])
    batch = Batch(codec="gzip", change={"compressed": compressed})
    assert read(batch.encoded) == batch.rows(0)


def test_checksums_are_verified_only_on_request() -> None:
    batch = Batch(change={"crc": 1})
    assert read(batch.encoded, verifyChecksum="false") == batch.rows(0)


def test_a_header_key_that_is_not_utf8_gets_replacement_characters() -> None:
    (row,) = read(Batch((Record(headers=((b"a\xff\xc3b", b"\xff"), ("é".encode(), None))),)).encoded)
    assert row["headers"] == [{"key": "a\ufffd\ufffdb", "value": b"\xff"}, {"key": "é", "value": None}]


@pytest.mark.slow
@examples(300)
@given(LOGS.filter(len), st.data())
def test_a_damaged_batch_affects_no_other_batch(made: list[Batch], draw: st.DataObject) -> None:
    _, expected = log(made)
    number = draw.draw(st.integers(0, len(made) - 1))
    position = sum(len(batch.encoded) for batch in made[:number])
    data = bytearray(b"".join(batch.encoded for batch in made))
    place = draw.draw(st.integers(16, len(made[number].encoded) - 1))
    data[position + place] ^= draw.draw(st.integers(1, 255))
    found = read(bytes(data))
    assert [row for row in found if row["_error"] is None] == [
        row for row in expected if row["batchPosition"] != position
    ]
    assert [row["batchPosition"] for row in found if row["_error"] is not None] == [position]


def test_the_last_offset_of_a_damaged_batch_is_ignored() -> None:
    data, expected = log(in_order([Batch(), Batch()]))
    found = read(data[:26] + b"\x26" + data[27:])
    assert [row["_error"] and row["_error"]["path"] for row in found] == ["crc", None]
    assert found[1:] == expected[1:]


@pytest.mark.slow
@examples(300)
@given(LOGS.filter(len), st.data())
def test_unchecked_batches_are_returned_whole_or_not_at_all(made: list[Batch], draw: st.DataObject) -> None:
    data = bytearray(log(made)[0])
    for _ in range(draw.draw(st.integers(1, 5))):
        place = draw.draw(st.integers(0, len(data) - 1))
        data[place] = draw.draw(st.sampled_from([0, 1, 0x7F, 0x80, 0xFF, data[place] ^ 1]))
    whole = read(bytes(data), verifyChecksum="false", maxBatchBytes=1 << 20)
    assert read(bytes(data), verifyChecksum="false", maxBatchBytes=1 << 20, maxRecordsPerBatch=2) == whole
    wrong = {row["batchPosition"] for row in whole if row["_error"] is not None}
    assert wrong.isdisjoint(row["batchPosition"] for row in whole if row["_error"] is None)


def test_a_batch_with_an_unsupported_magic_is_skipped_with_an_error() -> None:
    other = struct.pack(">qiIb", 9, 14, 0, 3) + bytes(9)
    made = Batch(base_offset=10)
    found = read(other + made.encoded)
    assert found[0]["_error"] == {
        "message": "unsupported magic 3; expected 0, 1 or 2",
        "path": "magic",
        "offset": 16,
    }
    assert found[1:] == made.rows(26)


@pytest.mark.parametrize(
    ("change", "path", "offset", "message"),
    [
        ({"crc": 0}, "crc", 17, "the checksum is wrong: the batch was damaged"),
        ({"count": 3}, "records", 57, "invalid number of records, 3; bytes left: 12"),
        ({"count": 2, "payload": Record(value=bytes(9)).encoded}, "records[1].length", 77, "the bytes end early"),
        ({"count": 0}, "records", 61, "extra bytes after the last record: 12"),
        ({"codec_number": 5}, "records", 61, "unknown compression type 5"),
        ({"payload": Record().encoded + b"\0"}, "records", 73, "extra bytes after the last record: 1"),
        ({"payload": varint(5) + bytes(6)}, "records[0].length", 61, "the record has 5 bytes, but its parts take 6"),
        (
            {"payload": varint(10) + b"\0\0\0\1\1" + varint(3) + bytes(4)},
            "records[0].headers",
            67,
            "invalid number of headers, 3; bytes left: 4",
        ),
        (
            {"payload": varint(8) + b"\0\0\0\1\1" + varint(1) + varint(-1) + varint(-1)},
            "records[0].headers.key",
            68,
            "null is not allowed here",
        ),
    ],
)
def test_errors_have_a_path_and_a_byte(change: Row, path: str, offset: int, message: str) -> None:
    assert only_error(Batch(change=change).encoded) == {"message": message, "path": path, "offset": offset}


@pytest.mark.parametrize("codec", CODECS[1:])
def test_errors_within_compressed_records_point_at_the_first_compressed_byte(codec: str) -> None:
    broken = Batch((Record(), Record(1)), codec=codec, change={"payload": Record().encoded + varint(-1) + bytes(6)})
    assert only_error(broken.encoded) == {
        "message": "invalid record length -1",
        "path": "records[1].length",
        "offset": HEADER_SIZE,
    }


@pytest.mark.parametrize("codec", CODECS[1:])
def test_records_that_cannot_be_decompressed_are_an_error(codec: str) -> None:
    compressed = compress(codec, Record().encoded)
    for payload in (b"", b"\xff" * 40, compressed[:-9], b"\x82SNAPPY\0", b"\x82SNAPPY\0" + b"\xff" * 20):
        error = only_error(Batch(codec=codec, change={"compressed": payload}).encoded)
        assert error["offset"] in {57, HEADER_SIZE}
        assert error["path"].startswith("records")


@pytest.mark.parametrize("codec", CODECS[1:])
def test_a_batch_that_grows_beyond_the_limit_is_an_error(codec: str) -> None:
    payload = Record(value=bytes(1 << 21)).encoded
    bomb = Batch(codec=codec, snappy_block=1 << 15, change={"payload": payload}).encoded
    for limit in (1 << 20, len(payload) - 1):
        message = only_error(bomb, maxBatchBytes=limit)["message"]
        assert message.endswith(f": they take more than {limit} bytes; maxBatchBytes sets this limit")
    assert len(read(bomb, maxBatchBytes=len(payload))) == 1


def test_several_snappy_java_streams_are_read_as_one() -> None:
    """After a flush, a client writes a second stream, with a header of its own."""
    first, second = Record().encoded, Record(1, value=bytes(5_000)).encoded
    streams = [compress("snappy", part, snappy_block=1 << 10) for part in (first, second, b"")]
    batch = Batch((Record(), Record(1, value=bytes(5_000))), codec="snappy", change={"compressed": b"".join(streams)})
    assert read(batch.encoded) == batch.rows(0)
    cut = Batch(codec="snappy", change={"compressed": streams[0] + streams[1][:12]})
    assert "unexpected end of file" in only_error(cut.encoded)["message"]


def test_a_false_decompressed_length_is_an_error() -> None:
    claim = b"\xff\xff\x3f" + bytes(21)
    error = only_error(Batch(codec="snappy", change={"compressed": claim}).encoded)
    assert error["message"] == "the records can't be decompressed (snappy): 24 bytes can't hold 1048575"


def test_an_lz4_frame_without_its_end_mark_is_an_error() -> None:
    """Kafka and Arrow read up to the end mark; if it is missing, blocks may be missing, too."""
    whole = Batch(codec="lz4")
    payload = whole.encoded[HEADER_SIZE:]
    assert [row["value"] for row in read(whole.encoded)] == [b"value"]
    for cut in range(1, len(payload) + 1):
        error = only_error(Batch(codec="lz4", change={"compressed": payload[:-cut]}).encoded)
        assert error["path"] == "records"
    error = only_error(Batch(codec="lz4", change={"compressed": payload[:-4]}).encoded)
    assert error["message"] == "the records can't be decompressed (lz4): unexpected end of file"
