"""Logs that are decoded where they are read: the same rows as reading first and decoding then, and only those that are wanted."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import messagegen_kafka as kafka
from messagegen_arrow import decode_messages, read_log
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.source import LogSource
from messagegen_arrow.malformed import MalformedMessageError
from messagegen_arrow.options import OptionError
from tests.arrow.support.internal_records import Record, commit, coordinator_record, group_record
from tests.arrow.support.log_data import Batch, Data, marker, write_segment

OFFSETS = "__consumer_offsets"
MESSAGE: dict[str, Any] = {"message": "OffsetCommitValue", "version": 3}


def committed(offset: int, version: int = 3) -> bytes:
    return kafka.OffsetCommitValue(offset=offset, metadata=f"m{offset}", commit_timestamp=1000).encode(version=version)


def prefixed(offset: int, version: int) -> bytes:
    return struct.pack(">h", version) + committed(offset, version)


def log(folder: Path, records: Sequence[Data], *more: bytes) -> Path:
    """A log with these records, in batches of two, and what follows them."""
    batches = [Batch(at, records[at : at + 2], codec="lz4").encode() for at in range(0, len(records), 2)]
    write_segment(folder, 0, [*batches, *more])
    return folder


def rows(folder: Path, **options: Any) -> list[dict[str, Any]]:
    given = {"mode": "PERMISSIVE", **options}
    return [row for batch in read_log(folder, **given) for row in batch.to_pylist()]


def damaged(offset: int) -> bytes:
    """A batch whose last byte was changed."""
    data = bytearray(Batch(offset, [Data(value=committed(offset))]).encode())
    data[-1] ^= 1
    return bytes(data)


@pytest.fixture
def commits(tmp_path: Path) -> Path:
    values = [committed(0), b"", None, committed(3)[:-1], committed(4), committed(5)]
    return log(tmp_path / "commits-0", [Data(value=value, key=b"\0\1") for value in values], damaged(6))


def test_values_are_what_decoding_gives_that_comes_after_reading(commits: Path) -> None:
    found = pa.table(read_log(commits, columns="offset,message,_error,_raw", mode="PERMISSIVE", **MESSAGE))
    there = pa.table(
        decode_messages(read_log(commits, ending_offset=6), "value", "OffsetCommitValue", 3, keep=("offset",))
    )
    *read, broken = found.to_pylist()
    for row, expected in zip(read, there.to_pylist(), strict=True):
        message = expected["message"]
        error, raw = (message.pop(name) if message else None for name in ("_error", "_raw"))
        assert row == {
            "offset": expected["offset"],
            "message": None if error or not message else message,
            "_error": error,
            "_raw": raw,
        }
    assert (broken["message"], broken["offset"], broken["_error"]["path"], broken["_raw"]) == (
        None,
        None,
        "crc",
        damaged(6),
    )
    assert [bool(row["_error"]) for row in read] == [False, True, False, True, False, False]


def test_fields_alone_are_decoded(commits: Path) -> None:
    found = rows(commits, columns="message", fields="offset", mode="dropmalformed", **MESSAGE)
    assert [row["message"] for row in found] == [{"offset": 0}, None, {"offset": 4}, {"offset": 5}]
    snake = rows(commits, columns="message", fields="commitTimestamp", names="snake", mode="dropmalformed", **MESSAGE)
    assert snake[0]["message"] == {"commit_timestamp": 1000}


def test_modes_judge_messages_as_batches(commits: Path) -> None:
    with pytest.raises(MalformedMessageError, match=r"the record at offset 1 can't be decoded: .*byte 0"):
        rows(commits, mode="failfast", ending_offset=6, **MESSAGE)
    with pytest.raises(MalformedMessageError, match=r"the batch at byte \d+ .* can't be read"):
        rows(commits, mode="failfast", starting_offset=4, **MESSAGE)
    with pytest.raises(MalformedMessageError, match=r"offset 1 can't be decoded.*with the column _error"):
        rows(commits, columns="offset,message", ending_offset=6, **MESSAGE)
    assert [row["offset"] for row in rows(commits, mode="dropmalformed", **MESSAGE)] == [0, 2, 4, 5]


def test_a_time_that_python_lacks_does_not_hide_what_is_wrong(tmp_path: Path) -> None:
    batch = Batch(0, [Data(value=committed(0)[:-1])], base_timestamp=300_000_000_000_000)
    write_segment(tmp_path / "commits-0", 0, [batch.encode()])
    with pytest.raises(MalformedMessageError, match="the record at offset 0 can't be decoded"):
        rows(tmp_path, columns="timestamp,message", **MESSAGE)


def test_values_may_begin_with_their_version(tmp_path: Path) -> None:
    values = [prefixed(0, 1), prefixed(1, 3), b"\0", None, prefixed(4, 4), prefixed(5, 3), prefixed(6, 3)[:-1]]
    folder = log(tmp_path / "commits-0", [Data(value=value) for value in values])
    options = {"message": "OffsetCommitValue", "columns": "offset,message,_error,_raw"}
    found = rows(folder, **options)
    assert [row["message"] and row["message"]["offset"] for row in found] == [0, 1, None, None, 4, 5, None]
    assert found[2]["_error"] == {"message": "the value is too short for its version", "path": "", "offset": 0}
    assert found[2]["_raw"] == b"\0"
    assert found[6]["_error"]["offset"] >= 2
    assert found[6]["_raw"] == values[6]
    # Values of other versions are not looked at, and so can't be wrong.
    chosen = rows(folder, versions="3", **options)
    assert [row["offset"] for row in chosen] == [1, 2, 5, 6]
    assert chosen[0]["message"].keys() == {"offset", "leaderEpoch", "metadata", "commitTimestamp"}


def test_keys_of_other_types_are_left_out(tmp_path: Path) -> None:
    keys = [b"\0\1a", b"\0\2", None, b"\0", b"\0\3"]
    folder = log(tmp_path / "commits-0", [Data(value=committed(at), key=key) for at, key in enumerate(keys)])
    assert [row["offset"] for row in rows(folder, key_types="1,3", columns="offset,message", **MESSAGE)] == [0, 3, 4]
    assert [row["offset"] for row in rows(folder, key_types=2, starting_offset=1, **MESSAGE)] == [1, 3]


def test_secrets_have_no_column_unless_they_are_asked_for(tmp_path: Path) -> None:
    record = kafka.UserScramCredentialRecord(
        name="ada", mechanism=1, salt=b"salt", stored_key=b"stored", server_key=b"server", iterations=4096
    )
    values = [record.encode(version=0), b"secret"]
    folder = log(tmp_path / "users-0", [Data(value=value) for value in values])
    options = {"message": "UserScramCredentialRecord", "version": 0, "columns": "message,_error,_raw"}
    hidden, wrong = rows(folder, **options)
    assert "storedKey" not in hidden["message"]
    assert wrong["_raw"] == b"<redacted>"
    shown, wrong = rows(folder, include_secrets=True, **options)
    assert shown["message"]["storedKey"] == b"stored"
    assert wrong["_raw"] == b"secret"


@pytest.mark.parametrize("values", [[], [b"secret"]])
def test_damaged_batches_are_secret_as_their_messages_are(tmp_path: Path, values: list[bytes]) -> None:
    folder = log(tmp_path / "users-0", [Data(value=value) for value in values], damaged(len(values)))
    options = {"message": "UserScramCredentialRecord", "version": 0, "columns": "_error,_raw"}
    assert [row["_raw"] for row in rows(folder, **options)] == [b"<redacted>"] * (len(values) + 1)
    assert rows(folder, include_secrets=True, **options)[-1]["_raw"] == damaged(len(values))


def of_records(records: Sequence[Record]) -> list[Data]:
    return [Data(value=record.value, key=record.key) for record in records]


@pytest.fixture
def broker(tmp_path: Path) -> Path:
    """A broker's folder: an internal topic with commits, groups and damage, and an ordinary one with a transaction."""
    deleted = coordinator_record(OFFSETS, "OffsetCommit", {"group": "billing", "topic": "orders", "partition": 3})
    wrong = commit()
    wrong = Record(OFFSETS, wrong.key, (wrong.value or b"")[:-1])
    records = [commit(5, 3), group_record(), commit(6, 4), deleted, wrong, Record(OFFSETS, b"\0", b"")]
    log(tmp_path / f"{OFFSETS}-0", of_records(records), damaged(6))
    log(tmp_path / "orders-0", [Data(), Data()], marker(2, 7, commit=True))
    return tmp_path


def test_a_copy_in_a_folder_of_another_name_is_of_the_one_topic(tmp_path: Path) -> None:
    log(tmp_path / "copy", of_records([commit(), group_record()]))
    assert [row["recordType"] for row in rows(tmp_path / "copy", types="GroupMetadata")] == ["GroupMetadata"]
    assert [row["_error"]["path"] for row in rows(tmp_path / "copy", types="OffsetCommit,TopicRecord")] == ["topic"] * 2


def test_fields_of_columns_that_hold_no_messages_choose_nothing() -> None:
    source = LogSource.of(LogOptions.parse({"path": "commits-0", "message": "OffsetCommitValue", "version": "3"}))
    assert source.with_fields({"_error": ["message"]}) == source
    both = source.with_fields({"_error": ["message"], "message": ["offset"]})
    assert both == source.with_fields({"message": ["offset"]}) != source


def test_types_that_no_chosen_topic_holds_are_refused(broker: Path) -> None:
    with pytest.raises(
        OptionError, match="topics and types: records of OffsetCommit are in __consumer_offsets; remove topics"
    ):
        read_log(broker, types="OffsetCommit", topics="orders")
    assert len(rows(broker, types="OffsetCommit", topics=f"orders,{OFFSETS}")) == 6


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (
            {"fields": "offset"},
            "options fields: name what records hold, message=OffsetCommitValue or types=OffsetCommit",
        ),
        ({"message": "OffsetCommitValue", "types": "OffsetCommit"}, "only one of them says what records hold"),
        ({**MESSAGE, "versions": "1"}, "with version=3 all messages have that version"),
        ({"types": "OffsetCommit", "version": 3}, "option version: .*versions=0-3 chooses"),
        ({"types": "OffsetCommit", "key_types": 3}, "option keyTypes: types=OffsetCommit chooses"),
        ({"types": "OffsetCommit", "fields": "value.offset"}, r"option fields: expected TYPE.PATH .* OffsetCommit"),
        ({**MESSAGE, "uuid": "text"}, "option uuid: expected string or binary, not 'text'"),
    ],
)
def test_options_that_say_nothing_are_refused(tmp_path: Path, options: dict[str, Any], problem: str) -> None:
    with pytest.raises(OptionError, match=problem):
        read_log(tmp_path, **options)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"message": "OffsetCommitValu", "version": 3}, "did you mean OffsetCommitValue"),
        ({"types": "OffsetCommits"}, "did you mean OffsetCommit"),
        (
            {"message": "OffsetCommitValue", "versions": "77"},
            "option versions: OffsetCommitValue has versions 0 to 4",
        ),
        ({**MESSAGE, "columns": "value"}, "kafka-log has no column value"),
    ],
)
def test_what_does_not_exist_is_named(tmp_path: Path, options: dict[str, Any], problem: str) -> None:
    with pytest.raises((LookupError, ValueError), match=problem):
        read_log(tmp_path, **options)
