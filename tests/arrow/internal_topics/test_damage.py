from __future__ import annotations

import json

import pytest

from messagegen_kafka import Limits
from tests.arrow.support.internal_records import (
    COMMIT_KEY,
    OFFSETS,
    Record,
    commit,
    group_record,
    int16,
    read,
)


@pytest.mark.parametrize(
    ("record", "path", "reason"),
    [
        (Record(OFFSETS, int16(99) + b"x", int16(0)), "", "__consumer_offsets: unknown record type 99"),
        (Record(OFFSETS, None, b"\0\0"), "key", "the key is null"),
        (Record(OFFSETS, b"\0", b"\0\0"), "key", "the key is too short"),
        (Record(OFFSETS, commit().key, b"\0"), "value", "the value is too short"),
        (Record(OFFSETS, commit().key, b""), "value", "the value is too short"),
        (
            Record(OFFSETS, commit().key, int16(5) + b"x"),
            "value",
            "OffsetCommitValue has versions 0 to 4 here, not 5",
        ),
        (Record(OFFSETS, commit().key, int16(-1) + b"x"), "value", "has versions 0 to 4 here, not -1"),
        (Record(OFFSETS, int16(1) + b"\0", commit().value), "key.group", ""),
        (Record(OFFSETS, (commit().key or b"") + b"!", commit().value), "key", "extra bytes after the message: 1"),
        (Record(OFFSETS, commit().key, (commit().value or b"")[:6]), "value.offset", ""),
        (Record("__cluster_metadata", None, None), "value", "the value is null"),
        (Record("__cluster_metadata", None, b""), "value", "the frame before the record is damaged"),
        (Record("__cluster_metadata", None, b"\0\2\0"), "value", "expected frame version 1"),
        (Record("__cluster_metadata", None, b"\2\2\0"), "value", "expected frame version 1"),
        (Record("__cluster_metadata", None, b"\1\2"), "value", "the frame before the record is damaged"),
        (Record("__cluster_metadata", None, b"\1" + b"\xff" * 5), "value", "the frame before the record is damaged"),
        (
            Record("__cluster_metadata", None, b"\1\xff\xff\xff\xff\x0f\0"),
            "value",
            "the frame before the record is damaged",
        ),
        (Record("__cluster_metadata", None, b"\1\xe7\7\0"), "", "__cluster_metadata: unknown record type 999"),
        (Record("orders", b"k", b"v"), "topic", "the topic orders is not an internal topic with known records"),
        (Record(None, b"k", b"v"), "topic", r"the topic (null) is not an internal topic"),
        (Record("orders", b"\0\0\0", b"\0\0", is_control=True), "key", "the key is too short"),
        (Record("orders", b"\0\0\0\1", None, is_control=True), "value", "the value is null"),
        (Record("orders", b"\0\0\0\x63", b"\0\0", is_control=True), "", "control records: unknown record type 99"),
    ],
)
def test_unreadable_records_are_kept_with_an_error(record: Record, path: str, reason: str) -> None:
    before, row, after = read([commit(1), record, commit(2)], ["OffsetCommit"])
    assert row["_error"]["path"] == path
    assert reason in row["_error"]["message"]
    # A record of an unknown type may contain secrets.
    hidden = record.topic == "__cluster_metadata" and record.value is not None
    assert row["_raw"] == {"key": record.key, "value": b"<redacted>" if hidden else record.value}
    assert [each["OffsetCommit"]["value"]["offset"] for each in (before, after)] == [1, 2]
    assert before["_error"] is before["_raw"] is None


def test_the_key_of_a_record_with_a_damaged_value_is_kept() -> None:
    (row,) = read([Record(OFFSETS, commit().key, int16(9))], ["OffsetCommit"])
    assert row["OffsetCommit"] == {"key": COMMIT_KEY, "value": None}
    assert (row["recordType"], row["valueVersion"]) == ("OffsetCommit", 9)
    (row,) = read([Record(OFFSETS, commit().key, (commit().value or b"")[:-1])])
    assert json.loads(row["key"]) == COMMIT_KEY
    assert row["value"] is None
    # The offset counts from the start of the record's value, including the prefix.
    assert row["_error"]["offset"] > 2


@pytest.mark.parametrize("types", [None, ["GroupMetadata"]])
def test_a_record_beyond_the_limits_is_a_row_with_an_error(types: list[str] | None) -> None:
    (row,) = read([group_record()], types, limits=Limits(array_length=0))
    assert "elements are more than 0; to allow more" in row["_error"]["message"]
    assert read([group_record()], types)[0]["_error"] is None
