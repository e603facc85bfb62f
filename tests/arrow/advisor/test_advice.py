"""Tests of the advice and of its command. The predicted sizes must equal the sizes in the new version."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from messagegen_arrow import default_catalog
from messagegen_arrow.advisor import FieldAdvice, advise, records_of
from messagegen_arrow.cli import command as cli
from tests.arrow.support.advisor_data import SPEC, advice_on, load_class, load_table, message, rows_of, spec_of, table
from tests.arrow.support.broker_folder import COMMITS, FRAMES, write_capture, write_log_dir
from tests.arrow.support.spec_edits import pasted

MESSAGES = [(number % 3, message({"id": number % 300, "numbers": [number, -1]}, number % 3)) for number in range(500)]
DAMAGED = [(1, b"\xff\xff"), (7, b""), (2, MESSAGES[2][1] + b"\0")]
ONE = '{ "name": "A", "type": "int32", "versions": "0+" }'


def field_on(fields: str, values: list[dict[str, Any]], name: str = "a") -> FieldAdvice:
    text = spec_of(fields)
    cls = load_class(text)
    messages = [(0, cls.from_json(value, version=0).encode(version=0)) for value in values]
    return next(one for one in advice_on(messages, load_table(text)).fields if one.key == name)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 1, 2], "packed32"),  # Both varints take one byte, but only packed does so for -1, too.
        ([-1, 0, 1], "packed32"),
        ([64, 100, 127], "upacked32"),
        ([2**27 - 1] * 3, "fixed32"),  # All encodings take four bytes.
        ([2**30, 2**30 + 1], "fixed32"),
        ([-1, 2**30], "packed32"),
    ],
)
def test_the_shortest_encoding_is_advised(values: list[int], expected: str) -> None:
    found = field_on(ONE, [{"a": value} for value in values] * 50)
    assert (found.recommended, found.changes) == (expected, expected != "fixed32")


@pytest.mark.slow
def test_fields_with_rare_or_negative_values_get_remarks() -> None:
    assert field_on(ONE, [{"a": 5}] * 1000).remarks == ()
    assert field_on(ONE, [{"a": 5}] * 99).remarks == ("only 99 values of this field are in the data",)
    _, negative = field_on(ONE, [{"a": 100}] * 98 + [{"a": -1}]).remarks
    assert negative == "1.0% of the values are negative; in upacked32, negative values take the full length"
    unsigned = '{ "name": "A", "type": "uint32", "versions": "0+" }'
    assert field_on(unsigned, [{"a": 5}]).remarks == ("uint32 fields can't have an encoding",)


def test_predicted_sizes_equal_the_sizes_in_the_new_version() -> None:
    random = Random(7)
    values = [
        {
            "id": random.randrange(-5, 400),
            "numbers": [random.randrange(-(2**40), 2**40) for _ in range(random.randrange(5))],
            "points": [{"x": random.randrange(300), "y": random.randrange(-5, 9)} for _ in range(random.randrange(4))],
            "mapped": random.randrange(-9, 9),
            "spare": random.choice([-1, 4, 300]),
            "extra": random.choice([{"count": 7, "label": ""}, {"count": 8, "label": ""}, {"count": 7, "label": "x"}]),
            "depth": random.randrange(9),
        }
        for _ in range(200)
    ]
    messages = [(2, message(value, 2)) for value in values]
    advice = advice_on(messages)
    assert advice.changes
    edits = {(each.struct, each.key): each.edit for each in advice.changes if each.edit is not None}
    after = load_class(pasted(SPEC, table(), edits))
    sizes = [after.decode(data, version=2).size(version=3) for _, data in messages]
    assert advice.bytes == sum(len(data) for _, data in messages)
    assert advice.bytes_in["advised"] == sum(sizes)
    assert sum(each.saving_bytes for each in advice.fields) == advice.bytes - sum(sizes)


@pytest.mark.parametrize(
    ("options", "error", "complaint"),
    [
        ({"version": 3}, LookupError, "has versions 0 to 2, not 3"),
        ({"column": "body"}, ValueError, "no column body; the columns are value, version"),
    ],
)
def test_invalid_arguments_are_errors(options: dict[str, Any], error: type[Exception], complaint: str) -> None:
    with pytest.raises(error, match=complaint):
        advise(rows_of([]), table(), **options)


def test_records_of_internal_topics_are_selected_by_message() -> None:
    rows = pa.table(
        {
            "key": pa.array([b"\0\1k", b"\0\1k", b"\0\1k", b"\0\2k", b"", None], pa.binary()),
            "value": pa.array([b"\0\3offset", None, b"\0", b"\0\3group", b"\1\2\0topic", b"\1\3\1other"], pa.binary()),
        }
    )
    catalog = default_catalog()
    found = {
        name: [tuple(row.values()) for row in pa.table(records_of(rows, catalog.message(name))).to_pylist()]
        for name in ("OffsetCommitValue", "GroupMetadataKey", "TopicRecord")
    }
    assert found == {
        "OffsetCommitValue": [(b"offset", 3)],
        "GroupMetadataKey": [(b"k", 0)],
        "TopicRecord": [(b"topic", 0)],
    }
    with pytest.raises(ValueError, match="logs do not contain the version of MetadataResponse; pass --version N"):
        records_of(rows, catalog.message("MetadataResponse"))


# The command.


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = cli.run(["advise", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_command_prints_advice_in_both_formats(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("specs").mkdir()
    (Path("specs") / "Sample.json").write_text(SPEC, encoding="utf-8")
    parquet.write_table(rows_of(MESSAGES + DAMAGED), "data.parquet")
    asked = ("data.parquet", "--message", "Sample", "--version", "version", "--specs", "specs")
    code, out, err = outcome(capsys, *asked, "--format", "json")
    value = json.loads(out)
    assert (code, value["messages"], len(value["malformed"])) == (0, 500, 3)
    assert "warning: 1 messages of version 7 could not be decoded" in err
    changed = next(each for each in value["fields"] if each["key"] == "id")
    assert changed["edit"] == {"0-2": "fixed32", "3+": "upacked32"}
    code, out, _ = outcome(capsys, *asked)
    assert code == 0
    assert "\nversion 3 would save " in out
    assert 'Sample.id       "encoding": { "0-2": "fixed32", "3+": "upacked32" }\n' in out
    assert 'Sample.numbers  "elementEncoding": { "0-2": "fixed64", "3+": "packed64" }\n' in out


def test_no_new_version_is_advised_for_a_coordinator_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = pa.table({"value": pa.array([b"\0\1g\0\1t\0\0\0\1"], pa.binary())})
    parquet.write_table(rows, tmp_path / "keys.parquet")
    asked = (tmp_path / "keys.parquet", "--message", "OffsetCommitKey", "--version", "0")
    code, out, _ = outcome(capsys, *asked, "--format", "json")
    value = json.loads(out)
    assert (code, value["next_version"]) == (0, None)
    assert [each["edit"] for each in value["fields"]] == [None]
    assert outcome(capsys, *asked)[1].splitlines()[-1] == (
        "another layout would save 3.0 bytes a message; "
        "it needs a new API key, because a coordinator-key has only version 0"
    )


def test_the_command_reads_logs_and_captures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs, capture = write_log_dir(tmp_path / "logs"), write_capture(tmp_path / "traffic.pcap")
    for arguments, count in (
        ((logs, "--topic", "__consumer_offsets", "--message", "OffsetCommitValue"), COMMITS),
        ((capture, "--message", "MetadataResponse"), FRAMES // 2),
        ((logs / "orders-0", "--message", "OffsetCommitValue", "--version", "3"), 6),
    ):
        code, out, _ = outcome(capsys, *arguments, "--format", "json")
        assert (code, json.loads(out)["messages"]) == (0, count)


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["data.parquet", "--message", "Sampel", "--version", "1"], 2, "unknown message 'Sampel'"),
        (["data.parquet", "--message", "MetadataResponse"], 2, "missing version of the messages; pass --version N"),
        (["data.parquet", "--message", "MetadataResponse", "--version", "api"], 2, "no column api; the columns are"),
        (["data.parquet", "--message", "MetadataResponse", "--version", "999"], 2, "not 999"),
        (["data.parquet", "--message", "OffsetCommitValue", "--version", "1"], 1, "could not be decoded"),
        (["nowhere", "--message", "MetadataResponse"], 2, "nowhere does not exist"),
        (["", "--message", "MetadataResponse"], 2, "must not be empty"),
    ],
)
def test_wrong_usage_is_an_error(
    arguments: list[str],
    code: int,
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    parquet.write_table(rows_of(DAMAGED[:1]), "data.parquet")
    found, _, err = outcome(capsys, *arguments)
    assert (found, complaint in err) == (code, True), err
