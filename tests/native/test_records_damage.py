from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.native.random_messages import HAS_STATM, resident
from tests.native.record_batches import CODECS, HEADER_SIZE, Batch, Record, compress, in_order, log, varint
from tests.native.record_logs import LOGS, only_error, read, rows
from tests.support.profiles import examples

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")

Row = dict[str, Any]


@examples(300)
@given(LOGS.filter(len), st.data())
def test_a_damaged_batch_costs_no_other_one(made: list[Batch], draw: st.DataObject) -> None:
    _, expected = log(made)
    number = draw.draw(st.integers(0, len(made) - 1))
    position = sum(len(batch.encoded) for batch in made[:number])
    data = bytearray(b"".join(batch.encoded for batch in made))
    place = draw.draw(st.integers(12, len(made[number].encoded) - 1))
    data[position + place] ^= draw.draw(st.integers(1, 255))
    found = read(bytes(data))
    assert [row for row in found if row["batch_position"] != position] == [
        row for row in expected if row["batch_position"] != position
    ]
    damaged = [row for row in found if row["batch_position"] == position]
    if place >= 16:
        assert len(damaged) == 1
        assert damaged[0]["_error"]["path"] in {"crc", "magic"}
    else:  # the leader epoch, which brokers change without a new checksum
        assert [row["value"] for row in damaged] == [record.value for record in made[number].records]


@examples(300)
@given(LOGS.filter(len), st.data())
def test_unchecked_batches_are_given_whole_or_not_at_all(made: list[Batch], draw: st.DataObject) -> None:
    data = bytearray(log(made)[0])
    for _ in range(draw.draw(st.integers(1, 5))):
        place = draw.draw(st.integers(0, len(data) - 1))
        data[place] = draw.draw(st.sampled_from([0, 1, 0x7F, 0x80, 0xFF, data[place] ^ 1]))
    whole = read(bytes(data), verify_checksums=False, max_batch_bytes=1 << 20)
    reader = native.RecordReader(bytes(data), verify_checksums=False, max_batch_bytes=1 << 20)
    assert rows(reader, 2) == whole
    assert reader.stopped in {"end", "truncated", "preallocated", "damaged"}
    wrong = [row["batch_position"] for row in whole if row["_error"] is not None]
    right = {row["batch_position"] for row in whole if row["_error"] is None}
    assert len(wrong) == len({*wrong} - right)


@examples(200)
@given(st.binary(max_size=400) | st.binary(max_size=400).map(lambda tail: Batch().encoded[:17] + tail))
def test_any_bytes_end(data: bytes) -> None:
    for verify in (True, False):
        reader = native.RecordReader(data, verify_checksums=verify, max_batch_bytes=1 << 16)
        assert len(rows(reader)) <= len(data)
        assert reader.stopped is not None


@pytest.mark.parametrize("length", [-1, 0, 13, -(1 << 31)])
def test_a_length_that_no_batch_has_ends_reading_with_an_error(length: int) -> None:
    data, expected = log([Batch()])
    bad = struct.pack(">qi", 5, length) + bytes(60)
    reader = native.RecordReader(data + bad)
    *good, last = rows(reader)
    assert good == expected
    assert (reader.position, reader.stopped) == (len(data), "damaged")
    assert (last["batch_offset"], last["batch_position"], last["batch_length"]) == (5, len(data), 12)
    assert last["_error"] == {
        "message": f"invalid batch length {length}; the position of the next batch is unknown",
        "path": "length",
        "offset": len(data) + 8,
    }


def test_a_batch_beyond_the_end_of_a_magic_that_does_not_exist_is_damage() -> None:
    reader = native.RecordReader(struct.pack(">qiib", 5, 1 << 30, 0, 77) + bytes(60))
    (row,) = rows(reader)
    assert (row["_error"]["path"], reader.stopped) == ("length", "damaged")


@pytest.mark.parametrize(
    ("magic", "message"),
    [
        (0, "messages of magic 0 (before Kafka 0.11) are not supported, only batches of magic 2"),
        (1, "messages of magic 1 (before Kafka 0.11) are not supported, only batches of magic 2"),
        (3, "unsupported magic 3; expected 2"),
    ],
)
def test_other_magics_are_passed_over_with_an_error(magic: int, message: str) -> None:
    other = struct.pack(">qiIb", 9, 14, 0, magic) + bytes(9)
    made = Batch(base_offset=10)
    found = read(other + made.encoded)
    assert found[0]["_error"] == {"message": message, "path": "magic", "offset": 16}
    assert (found[0]["batch_offset"], found[0]["batch_length"]) == (9, 26)
    assert found[1:] == made.rows(26)


def test_a_batch_of_magic_2_needs_room_for_its_header() -> None:
    short = struct.pack(">qiIb", 9, 14, 0, 2) + bytes(9)
    assert only_error(short) == {
        "message": "a batch has at least 61 bytes, not 26",
        "path": "length",
        "offset": 8,
    }


@pytest.mark.parametrize(
    ("change", "path", "offset", "message"),
    [
        ({"crc": 0}, "crc", 17, "the checksum is wrong: the batch was damaged"),
        ({"count": -1}, "records", 57, "invalid number of records: -1"),
        ({"count": 3}, "records", 57, "invalid number of records, 3; bytes left: 12"),
        ({"count": 2, "payload": Record(value=bytes(9)).encoded}, "records[1].length", 77, "the bytes end early"),
        ({"count": 0}, "records", 61, "extra bytes after the last record: 12"),
        ({"codec_number": 5}, "records", 61, "unknown compression type 5"),
        ({"payload": Record().encoded + b"\0"}, "records", 73, "extra bytes after the last record: 1"),
        (
            {"payload": varint(9) + bytes(6)},
            "records[0].length",
            61,
            "invalid number of bytes, 9; bytes left: 6",
        ),
        ({"payload": varint(-2) + bytes(6)}, "records[0].length", 61, "invalid record length -2"),
        ({"payload": varint(5) + bytes(6)}, "records[0].length", 61, "the record has 5 bytes, but its parts take 6"),
        (
            {"payload": varint(6) + b"\0\0\0\1\1" + varint(-1)},
            "records[0].headers",
            67,
            "invalid number of headers: -1",
        ),
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
def test_what_is_wrong_has_a_path_and_a_byte(change: Row, path: str, offset: int, message: str) -> None:
    assert only_error(Batch(change=change).encoded) == {"message": message, "path": path, "offset": offset}


def test_a_count_that_no_bytes_could_hold_is_refused_at_once() -> None:
    error = only_error(Batch(change={"count": (1 << 31) - 1}).encoded)
    assert error["message"] == "invalid number of records, 2147483647; bytes left: 12"


@pytest.mark.parametrize("codec", CODECS[1:])
def test_what_is_wrong_within_compressed_records_is_at_the_first_of_their_bytes(codec: str) -> None:
    broken = Batch((Record(), Record(1)), codec=codec, change={"payload": Record().encoded + varint(-1) + bytes(6)})
    assert only_error(broken.encoded) == {
        "message": "invalid record length -1",
        "path": "records[1].length",
        "offset": HEADER_SIZE,
    }


@pytest.mark.parametrize("codec", CODECS[1:])
def test_records_that_can_not_be_decompressed_are_an_error(codec: str) -> None:
    compressed = compress(codec, Record().encoded)
    for payload in (b"", b"\xff" * 40, compressed[:-9], b"\x82SNAPPY\0", b"\x82SNAPPY\0" + b"\xff" * 20):
        error = only_error(Batch(codec=codec, change={"compressed": payload}).encoded)
        assert error["offset"] in {57, HEADER_SIZE}
        assert error["path"].startswith("records")


@pytest.mark.parametrize("position", [0, 1])
def test_no_record_is_given_of_a_batch_that_turns_out_damaged(position: int) -> None:
    payload = Record().encoded * 5_000 + varint(6) + b"\0\0\0\1\1\1"
    broken = Batch((Record(),) * 5_001, base_offset=7, codec="zstd", change={"payload": payload})
    other = Batch(base_offset=90_000)
    data = b"".join([other.encoded, broken.encoded][:: 1 if position else -1])
    for max_records in (1, 100, 100_000):
        found = rows(native.RecordReader(data), max_records)
        assert [row["offset"] for row in found] == ([90_000, None] if position else [None, 90_000])
        assert found[position]["_error"]["path"] == "records[5000].headers"


@pytest.mark.parametrize("codec", CODECS[1:])
def test_a_batch_that_grows_beyond_the_limit_is_an_error(codec: str) -> None:
    payload = Record(value=bytes(1 << 21)).encoded
    bomb = Batch(codec=codec, snappy_block=1 << 15, change={"payload": payload}).encoded
    for limit in (1 << 20, len(payload) - 1):
        message = only_error(bomb, max_batch_bytes=limit)["message"]
        assert message.endswith(f": they take more than {limit} bytes; max_batch_bytes sets this limit")
    assert len(read(bomb, max_batch_bytes=len(payload))) == 1


def test_a_decompressed_length_that_is_only_claimed_costs_nothing() -> None:
    claim = b"\xff\xff\x3f" + bytes(21)
    error = only_error(Batch(codec="snappy", change={"compressed": claim}).encoded)
    assert error["message"] == "the records can't be decompressed (snappy): 24 bytes can't hold 1048575"


def test_a_frame_of_lz4_without_its_end_is_damage() -> None:
    """Kafka's reader and Arrow's go on to the end mark; blocks may be missing where there is none."""
    whole = Batch(codec="lz4")
    payload = whole.encoded[HEADER_SIZE:]
    assert [row["value"] for row in read(whole.encoded)] == [b"value"]
    for cut in range(1, len(payload) + 1):
        error = only_error(Batch(codec="lz4", change={"compressed": payload[:-cut]}).encoded)
        assert error["path"] == "records"
    error = only_error(Batch(codec="lz4", change={"compressed": payload[:-4]}).encoded)
    assert error["message"] == "the records can't be decompressed (lz4): unexpected end of file"


def test_a_batch_may_grow_to_128_mib() -> None:
    bomb = Batch((Record(value=bytes(130 << 20)),), codec="zstd").encoded
    assert len(bomb) < 1 << 20
    error = only_error(bomb)
    assert error["message"].endswith("they take more than 134217728 bytes; max_batch_bytes sets this limit")
    assert [len(row["value"]) for row in read(bomb, max_batch_bytes=1 << 28)] == [130 << 20]


@examples(300)
@given(LOGS.filter(len), st.data())
def test_recovery_loses_no_batch_but_the_damaged_one(made: list[Batch], draw: st.DataObject) -> None:
    data, expected = log(made)
    number = draw.draw(st.integers(0, len(made) - 1))
    position = sum(len(batch.encoded) for batch in made[:number])
    hurt = bytearray(data)
    place = position + draw.draw(st.integers(8, len(made[number].encoded) - 1))
    hurt[place] ^= draw.draw(st.integers(1, 255))
    reader = native.RecordReader(bytes(hurt), recover=True)
    found = rows(reader, draw.draw(st.sampled_from([1, 1_000])))
    assert [row for row in found if row["_error"] is None and row["batch_position"] != position] == [
        row for row in expected if row["batch_position"] != position
    ]
    wrong = [row["batch_position"] for row in found if row["_error"] is not None]
    if place >= position + 16 or (number < len(made) - 1 and place < position + 12):
        assert wrong == [position]


def test_recovery_after_a_length_that_is_shorter_than_a_header() -> None:
    made = in_order([Batch()] * 3)
    data, _ = log(made)
    size = len(data) // 3
    hurt = bytearray(data)
    hurt[size + 11] = HEADER_SIZE - 12 - 1
    found = rows(native.RecordReader(bytes(hurt), recover=True), 1_000)
    assert [(row["batch_position"], row["_error"] is None) for row in found] == [
        (0, True),
        (size, False),
        (2 * size, True),
    ]


def test_without_recovery_a_length_is_believed() -> None:
    made = in_order([Batch()] * 4)
    data, expected = log(made)
    size = len(data) // 4
    hurt = bytearray(data)
    hurt[size + 11] += size  # two batches now look like one
    assert [row["offset"] for row in read(bytes(hurt))] == [0, None, 3]
    assert [row["offset"] for row in read(bytes(hurt), recover=True)] == [0, None, 2, 3]
    hurt[size + 8] = 0x7F
    reader = native.RecordReader(bytes(hurt))
    assert (rows(reader), reader.position, reader.stopped) == (expected[:1], size, "truncated")
    found = read(bytes(hurt), recover=True)
    assert [row["offset"] for row in found] == [0, None, 2, 3]
    assert "goes beyond the end, yet another batch follows" in found[1]["_error"]["message"]


def test_a_search_among_bytes_that_look_like_batches_ends() -> None:
    header = Batch(change={"crc": 0}).encoded[:HEADER_SIZE]
    hostile = b"".join(header[:8] + struct.pack(">i", 61 * left - 12) + header[12:] for left in range(3_000, 0, -1))
    found = read(hostile, recover=True)
    assert {row["_error"]["path"] for row in found} == {"crc"}
    found = read(b"\xff" * 12 + hostile, recover=True)
    assert [row["_error"]["path"] for row in found] == ["length"]


def test_a_batch_within_a_value_is_no_batch_of_the_log() -> None:
    inner = Batch(base_offset=77).encoded
    made = in_order([Batch((Record(value=inner), Record(1, value=inner))), Batch()])
    data, expected = log(made)
    hurt = bytearray(data)
    hurt[HEADER_SIZE] ^= 1
    found = read(bytes(hurt), recover=True)
    assert found[0]["_error"]["path"] == "crc"
    assert found[1:] == expected[2:]


@pytest.mark.skipif(not HAS_STATM, reason="only Linux tells the resident memory of a process this way")
@pytest.mark.parametrize("codec", CODECS[1:])
def test_what_decompressors_and_errors_take_is_given_back(codec: str) -> None:
    bomb = Batch(codec=codec, snappy_block=1 << 20, change={"payload": bytes(1 << 24)}).encoded
    broken = Batch(codec=codec, change={"payload": b"\xff" * 5_000}).encoded
    data = (bomb + broken) * 5

    def read_often() -> None:
        for limit in (1 << 20, 1 << 25):
            assert len(read(data, max_batch_bytes=limit)) == 10

    read_often()
    before = resident()
    for _ in range(10):
        read_often()
    assert resident() - before < 32 << 20
