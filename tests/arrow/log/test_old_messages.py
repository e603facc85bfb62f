"""Messages of magic 0 and 1, which brokers before Kafka 0.11 wrote, are read as by Kafka's own classes.

``old_messages.jsonl`` is the output of ``OldMessages.java``.
"""

from __future__ import annotations

import json
import struct
import zlib
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.arrow.log.old_messages import HERE, LINES
from tests.arrow.support.log_data import many_batches, write_index, write_segment
from tests.arrow.support.log_reading import Source, Stream, rows, tasks
from tests.native.record_batches import compress
from tests.oracle.jars import compiled_classes, java_command, run

SOURCE = HERE / "OldMessages.java"
IDS = [f"{line['magic']}-{line['codec']}-{line['timestampType']}" for line in LINES]

Row = tuple[Any, ...]


def text(value: bytes | None) -> str | None:
    return None if value is None else value.decode()


def found(path: Path, **options: str) -> list[Row]:
    """Return the rows in the form that Java prints."""
    return [
        (row["offset"], milliseconds(row), text(row["key"]), text(row["value"]), row["batchOffset"])
        for row in rows(path, mode="FAILFAST", **options)
    ]


def milliseconds(row: dict[str, Any]) -> int:
    moment: datetime = row["timestamp"]
    return round(moment.timestamp() * 1000)


def check(folder: Path, line: dict[str, Any]) -> None:
    data, expected = bytes.fromhex(line["hex"]), [tuple(row) for row in line["rows"]]
    segment = write_segment(folder / "orders-0", 100, [data])
    assert found(segment) == expected
    for row in rows(segment):
        assert (row["codec"], row["timestampType"]) == (line["codec"], line["timestampType"])
        assert (row["leaderEpoch"], row["producerId"], row["producerEpoch"], row["sequence"]) == (-1, -1, -1, -1)
        assert (row["headers"], row["isTransactional"], row["isControl"]) == ([], False, False)


@pytest.mark.parametrize("line", LINES, ids=IDS)
def test_rows_equal_the_recorded_output_of_java(tmp_path: Path, line: dict[str, Any]) -> None:
    check(tmp_path, line)


@pytest.mark.slow
@pytest.mark.java
def test_rows_equal_the_output_of_installed_java_classes(tmp_path: Path) -> None:
    classes = compiled_classes("old-messages", [SOURCE])
    printed = run(java_command("OldMessages", classes=[classes]), "OldMessages").splitlines()
    assert len(printed) == len(LINES)
    for number, line in enumerate(map(json.loads, printed)):
        check(tmp_path / str(number), line)


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES, ids=IDS)
def test_offsets_and_times_choose_records_within_compressed_messages(tmp_path: Path, line: dict[str, Any]) -> None:
    data, expected = bytes.fromhex(line["hex"]), [tuple(row) for row in line["rows"]]
    folder = tmp_path / "orders-0"
    segment = write_segment(folder, 100, [data])
    write_segment(folder, 120, many_batches(120, 1))
    last = expected[-1][0]
    # An index entry has the last offset of a message, compressed or not.
    positions = sorted({row["batchPosition"] for row in rows(segment)})
    ends = [max(row["offset"] for row in rows(segment) if row["batchPosition"] == each) for each in positions]
    for entries in ([], [(end - 100, position) for end, position in zip(ends, positions, strict=True)][1:]):
        write_index(segment, entries)
        for first in range(99, last + 2):
            for end in range(first, last + 2):
                some = found(folder, startingOffset=str(first), endingOffset=str(end), maxPartitionBytes="100")
                assert some == [row for row in expected if first <= row[0] < end]
        for time in {row[1] for row in expected if row[1] > 0}:
            some = found(folder, startingTimestamp=str(time), endingTimestamp=str(time + 2))
            assert some == [row for row in expected if time <= row[1] < time + 2]


@pytest.mark.parametrize("line", LINES, ids=IDS)
def test_streams_read_each_record_once(tmp_path: Path, line: dict[str, Any]) -> None:
    folder = tmp_path / "orders-0"
    expected = [row[0] for row in line["rows"]]
    write_segment(folder, 100, [bytes.fromhex(line["hex"])])
    for most in (1, 200, 1 << 20):
        stream, seen = Stream(tmp_path), []
        while (end := stream.plan(most)) != stream.offsets:
            seen += [row["offset"] for row in stream.rows(end)]
            stream.offsets = end
        assert seen == expected
    for first in expected[1:]:
        starts = json.dumps({"orders": {"0": first}})
        source = Source(tmp_path, startingOffsets=starts)
        begin = source.initial()
        got = source.rows(source.tasks_between(begin, source.latest(begin)))
        assert [row["offset"] for row in got] == [offset for offset in expected if offset >= first]


def message(offset: int, magic: int, value: bytes | None, codec: int = 0, *, key: bytes | None = None) -> bytes:
    """Return a message that is encoded independently of our code."""
    body = struct.pack(">bb", magic, codec) + (struct.pack(">q", 1_500_000_000_000) if magic else b"")
    for part in (key, value):
        body += struct.pack(">i", -1 if part is None else len(part)) + (part or b"")
    return struct.pack(">qiI", offset, len(body) + 4, zlib.crc32(body)) + body


def wrapper(offset: int, magic: int, inner: bytes, codec: int = 1) -> bytes:
    return message(offset, magic, compress(("none", "gzip", "snappy", "lz4")[codec], inner), codec)


def plain(count: int, magic: int = 1) -> bytes:
    """Return messages with offsets from 0 on."""
    return b"".join(message(number, magic, b"%d" % number) for number in range(count))


@pytest.mark.parametrize(
    ("data", "path", "reason"),
    [
        (message(0, 1, b"x")[:-1] + b"y", "crc", "the checksum is wrong"),
        (message(0, 1, None, 1), "value", "null is not allowed where messages are compressed"),
        (message(0, 1, b"x", 1), "value", r"can't be decompressed \(gzip\)"),
        (message(0, 1, b"x", 4), "attributes", "unknown compression type 4"),
        (wrapper(3, 1, b""), "value", "no messages are compressed here"),
        (wrapper(3, 1, plain(2)[:-1]), r"value\[1\]", "the compressed messages are not complete"),
        (wrapper(3, 1, plain(2, magic=0)), r"value\[0\].magic", "a message of magic 0 in one of magic 1"),
        (wrapper(3, 1, wrapper(0, 1, plain(1))), r"value\[0\]", "a compressed message in a compressed message"),
        (wrapper(3, 1, plain(2)[:-1] + b"x"), r"value\[1\].crc", "the checksum is wrong"),
        (wrapper(3, 0, message(7, 0, b"") + message(2, 0, b"")), r"value\[1\].offset", "does not follow"),
        (
            struct.pack(">qiIbb", 0, 14, zlib.crc32(b"\1" + bytes(9)), 1, 0) + bytes(8),
            "length",
            "at least 34 bytes, not 26",
        ),
    ],
    # All workers must use the same names for the cases, but compressed bytes contain the time.
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_errors_contain_the_path_of_the_damaged_field(tmp_path: Path, data: bytes, path: str, reason: str) -> None:
    segment = write_segment(tmp_path / "orders-0", 0, [data, *many_batches(9, 1)])
    with pytest.raises(ValueError, match=f"{path}: .*{reason}"):
        rows(segment, mode="FAILFAST")
    assert [row["offset"] for row in rows(segment)] == [None, 9, 10, 11]


@given(st.data())
def test_damage_affects_no_other_message(data: st.DataObject) -> None:
    """The segment has batches of all magics, as after an upgrade."""
    made, expected = [], []
    offset = 0
    for magic in sorted(data.draw(st.lists(st.integers(0, 2), min_size=1, max_size=6))):
        if magic == 2:
            made.append(many_batches(offset, 1, size=2)[0])
        elif data.draw(st.booleans()):
            inner = plain(2) if magic == 1 else message(offset, 0, b"") + message(offset + 1, 0, b"")
            made.append(wrapper(offset + 1, magic, inner, data.draw(st.integers(1, 3))))
        else:
            made.append(message(offset, magic, b"") + message(offset + 1, magic, b""))
        expected.append([offset, offset + 1])
        offset += 2
    number = data.draw(st.integers(0, len(made) - 1))
    damaged = bytearray(made[number])
    place = data.draw(st.integers(16, len(damaged) - 1))
    damaged[place] ^= data.draw(st.integers(1, 255))
    with TemporaryDirectory() as folder:
        log = Path(folder, "orders-0")
        write_segment(log, 0, made)
        for options in ({}, {"maxPartitionBytes": "50"}):
            assert [row["offset"] for row in rows(log, **options)] == [offset for each in expected for offset in each]
        write_segment(log, 0, [*made[:number], bytes(damaged), *made[number + 1 :]])
        got = [row["offset"] for row in rows(log) if row["_error"] is None]
    others = [offset for index, each in enumerate(expected) if index != number for offset in each]
    assert [each for each in got if each not in expected[number]] == others


@pytest.mark.parametrize("codec", [0, 1])
def test_large_segments_are_split_only_where_offsets_are_known(tmp_path: Path, codec: int) -> None:
    one = [wrapper(2 * number + 1, 1, plain(2)) for number in range(50)]
    none = [message(number, 1, b"x") for number in range(100)]
    write_segment(tmp_path / "orders-0", 0, one if codec else none)
    assert (len(tasks(tmp_path, maxPartitionBytes="500")) > 1) is not bool(codec)
    assert [row["offset"] for row in rows(tmp_path, maxPartitionBytes="500")] == list(range(100))
