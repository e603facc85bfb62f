"""The message options of ``kafka-log`` mean the same in ``read_log(message=...)``, without Spark."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from messagegen_arrow import read_log
from messagegen_arrow.malformed import MalformedMessageError
from messagegen_arrow.streams.log_messages import take_messages
from messagegen_kafka import ConfigRecord, Limits, MetadataRequest, OffsetCommitKey, OffsetCommitValue
from messagegen_kafka.metadata_request import MetadataRequestTopic
from tests.arrow.support.log_data import Batch, Data, marker, write_segment

VALUES = [OffsetCommitValue(offset=number, metadata=f"m{number}", commit_timestamp=9) for number in range(4)]
BARE = [value.encode(version=3) for value in VALUES]


def framed(data: bytes, version: int = 3) -> bytes:
    """Return a value in the form of internal topics, after its version."""
    return version.to_bytes(2) + data


def log_of(folder: Path, *values: bytes | None, name: str = "commits-0") -> Path:
    write_segment(folder / name, 0, [Batch(records=[Data(value) for value in values]).encode()])
    return folder / name


def table(*places: Any, **options: Any) -> list[dict[str, Any]]:
    return [row for batch in read_log(*places, **options).reader() for row in batch.to_pylist()]


def test_log_options_are_not_mistaken_for_misspelt_message_options() -> None:
    page = (Path(__file__).parents[3] / "docs" / "spark.md").read_text(encoding="utf-8")
    page, _, _ = page.partition("## Functions in SQL")
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", page, re.MULTILINE)
    known = {name.lower() for row in rows for name in re.findall(r"\w+", row)}
    of_messages = {"message", "plan", "version", "names", "uuid", "unknowntaggedfields", "includesecrets", "limits"}
    assert known >= {"includesegments", "startingoffset", "topicspattern", *of_messages}
    others = dict.fromkeys(known - of_messages, "x")
    assert take_messages(others) == (None, others)


def test_the_message_column_replaces_the_value_column(tmp_path: Path) -> None:
    log = log_of(tmp_path, *BARE, None)
    plain = read_log(log).schema.names
    stream = read_log(log, message="OffsetCommitValue", version="3")
    assert stream.schema.names == ["message" if name == "value" else name for name in plain]
    rows = pa.table(stream).to_pylist()
    assert [row["message"] and row["message"]["metadata"] for row in rows] == ["m0", "m1", "m2", "m3", None]
    assert [row["_error"] for row in rows] == [None] * 5
    by_class = read_log(log, message=OffsetCommitValue, version=3, columns=["offset", "message"])
    assert by_class.schema.names == ["offset", "message"]
    assert pa.table(by_class).column("message").to_pylist() == [row["message"] for row in rows]
    with (log / f"{0:020}.log").open("rb") as file:
        assert table(file, message=OffsetCommitValue, version=3, columns="message") == [
            {"message": row["message"]} for row in rows
        ]


def test_values_begin_with_their_version_if_no_version_is_given(tmp_path: Path) -> None:
    values = [framed(BARE[0]), framed(VALUES[1].encode(version=1), 1), b"", None, framed(b"", 99)]
    log = log_of(tmp_path, *values)
    rows = table(log, message="OffsetCommitValue", mode="PERMISSIVE", columns="message,_error,_raw")
    assert [row["message"] and row["message"]["offset"] for row in rows] == [0, 1, None, None, None]
    assert [row["_error"] is not None for row in rows] == [False, False, True, False, True]
    assert [row["_raw"] for row in rows] == [None, None, b"", None, values[4]]


@pytest.mark.parametrize("mode", ["FAILFAST", "PERMISSIVE"])
@pytest.mark.parametrize("value", [BARE[0], b"", framed(b"x")], ids=["no version", "too short", "damaged"])
def test_errors_mention_a_missing_version(tmp_path: Path, value: bytes, mode: str) -> None:
    log = log_of(tmp_path, value)
    text = r"can't be decoded: .*; without the option version, each value begins with its version; mode DROPMALFORMED"
    with pytest.raises(MalformedMessageError, match=text):
        table(log, message="OffsetCommitValue", mode=mode, columns="message")
    with pytest.raises(MalformedMessageError, match=r"can't be decoded: (?!.*option version)"):
        table(log_of(tmp_path, b"x"), message="OffsetCommitValue", version=3, mode=mode, columns="message")


@pytest.mark.parametrize("number", [0, 2])
def test_modes_also_apply_to_unreadable_values(tmp_path: Path, number: int) -> None:
    values = [*BARE[:number], b"\1", *BARE[number:]]
    log = log_of(tmp_path, *values)
    of_message = {"message": "OffsetCommitValue", "version": "3"}
    text = f"the value of the record at offset {number} can't be decoded: offset: "
    with pytest.raises(MalformedMessageError, match=text):
        table(log, **of_message)
    with pytest.raises(MalformedMessageError, match=text):
        table(log, **of_message, mode="PERMISSIVE", columns="offset,message")
    kept = table(log, **of_message, mode="PERMISSIVE", columns="offset,message,_error,_raw")
    assert [row["offset"] for row in kept] == [0, 1, 2, 3, 4]
    assert {name: kept[number][name] for name in ("message", "_raw")} == {"message": None, "_raw": b"\1"}
    assert kept[number]["_error"]["path"] == "offset"
    left = table(log, **of_message, mode="DROPMALFORMED", columns="offset")
    assert [row["offset"] for row in left] == [offset for offset in range(5) if offset != number]


def test_transaction_markers_are_not_decoded_to_messages(tmp_path: Path) -> None:
    log = tmp_path / "commits-0"
    write_segment(log, 0, [Batch(records=[Data(BARE[0])]).encode(), marker(1, 5, commit=True)])
    rows = table(log, message="OffsetCommitValue", version=3, include_control=True, columns="message,isControl")
    assert [(row["message"] is None, row["isControl"]) for row in rows] == [(False, False), (True, True)]


def test_options_select_names_and_uuid_types_and_unknown_tags(tmp_path: Path) -> None:
    log = log_of(tmp_path, MetadataRequest(topics=()).encode(version=12))
    snake = read_log(log, message="MetadataRequest", version=12, names="snake", unknownTaggedFields=True)
    message = snake.schema.field("message").type
    assert "allow_auto_topic_creation" in {field.name for field in message}
    assert "unknown_tagged_fields" in {field.name for field in message}
    elements = message.field("topics").type.value_type
    assert elements.field("topic_id").type == pa.string()
    binary = read_log(log, message="MetadataRequest", version=12, uuid="binary").schema.field("message").type
    assert binary.field("topics").type.value_type.field("topicId").type == pa.binary()


def test_secrets_are_hidden_by_default(tmp_path: Path) -> None:
    config = ConfigRecord(resource_type=4, resource_name="1", name="ssl.key.password", value="hunter2")
    log = log_of(tmp_path, config.encode(version=0), b"hunter2")
    hidden = table(log, message="ConfigRecord", version=0, mode="PERMISSIVE", columns="message,_error,_raw")
    assert "hunter2" not in str(hidden)
    assert hidden[1]["_raw"] == b"<redacted>"
    shown = table(log, message="ConfigRecord", version=0, mode="PERMISSIVE", includeSecrets=True)
    assert shown[0]["message"]["value"] == "hunter2"
    assert shown[1]["_raw"] == b"hunter2"


@pytest.mark.parametrize("limits", ["1,10000,32,1000000", "array_length=1", Limits(array_length=1)])
def test_the_limits_option_refuses_messages_that_are_too_large(tmp_path: Path, limits: str | Limits) -> None:
    topics = (MetadataRequestTopic(name="a"), MetadataRequestTopic(name="b"))
    log = log_of(tmp_path, *(MetadataRequest(topics=topics[:count]).encode(version=1) for count in (1, 2)))
    asked: dict[str, Any] = {"message": "MetadataRequest", "version": 1, "mode": "PERMISSIVE"}
    assert [row["_error"] for row in table(log, **asked)] == [None, None]
    inside, outside = table(log, **asked, limits=limits)
    assert inside["_error"] is None
    assert outside["_error"]["message"].startswith("2 elements are more than 1; to allow more, pass limits=")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"version": "3"}, "option version needs message, such as message=OffsetCommitValue"),
        (
            {"message": "OffsetCommitValu"},
            "option message=OffsetCommitValu: unknown message 'OffsetCommitValu'; did you",
        ),
        (
            {"message": "OffsetCommitValue", "version": "x"},
            "option version: expected a number from 0 to 32767, not 'x'",
        ),
        (
            {"message": "OffsetCommitValue", "version": 99},
            "option message=OffsetCommitValue: OffsetCommitValue has ver",
        ),
        ({"message": "OffsetCommitValue", "names": "x"}, "option names: expected kafka or snake, not 'x'"),
        ({"message": "OffsetCommitValue", "plan": "x"}, "option message=OffsetCommitValue: "),
        (
            {"message": "OffsetCommitValue", "plan": OffsetCommitKey.CODEC.plan},
            "option message=OffsetCommitValue: found the plan of OffsetCommitKey",
        ),
        ({"message": "OffsetCommitValue", "columns": "value,message"}, "option columns: message is given twice"),
        (
            {"message": "OffsetCommitValue", "limits": "1,2"},
            "option limits: expected four numbers, or names such as arr",
        ),
        ({"message": "OffsetCommitValue", "limits": "length=1"}, "option limits: expected four numbers, or names such"),
        ({"message": "OffsetCommitValue", "limits": "array_length=x"}, "option limits: expected four numbers, or nam"),
        ({"limits": "1,2,3,4"}, "option limits needs message, such as message=OffsetCommitValue"),
        ({"message": "OffsetCommitValue", "verion": "3"}, "no option verion; did you mean"),
    ],
)
def test_wrong_options_are_reported(tmp_path: Path, options: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        read_log(log_of(tmp_path, BARE[0]), **options)
