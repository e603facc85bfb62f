"""The advisor on streams of columns: rows, logs, captures; and its command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from messagegen.cli import command as cli
from messagegen_arrow import Catalog, decode_messages, default_catalog
from messagegen_arrow.advisor import Advice, Statistics, advise, collect, records_of
from tests.arrow.support.advisor_data import SPEC, message, statistics, table
from tests.arrow.support.broker_folder import COMMITS, FRAMES, write_capture, write_log_dir

MESSAGES = [(number % 3, message({"id": number % 300, "numbers": [number, -1]}, number % 3)) for number in range(500)]
DAMAGED = [(1, b"\xff\xff"), (7, b""), (2, MESSAGES[2][1] + b"\0")]


def rows_of(messages: list[tuple[int, bytes]], batch: int = 64) -> pa.Table:
    whole = pa.table(
        {
            "value": pa.array([data for _, data in messages], pa.binary()),
            "version": pa.array([version for version, _ in messages], pa.int32()),
        }
    )
    return pa.Table.from_batches(whole.to_batches(max_chunksize=batch), whole.schema)


def test_batches_add_up_to_a_single_pass() -> None:
    everything = MESSAGES + DAMAGED
    for batch in (7, 1000):
        assert collect(rows_of(everything, batch), table()) == statistics(everything)
    assert collect(rows_of([]), table()) == Statistics("Sample", table().plan)


def test_one_version_for_all_and_other_columns() -> None:
    of_two = [one for one in MESSAGES if one[0] == 2]
    rows = rows_of(of_two).rename_columns(["body", "number"])
    assert collect(rows, table(), 2, column="body") == statistics(of_two)
    assert collect(rows, table(), "number", column="body") == statistics(of_two)


def test_decoded_columns() -> None:
    catalog = Catalog([table()])
    decoded = decode_messages(rows_of(MESSAGES + DAMAGED[:1]), "value", "Sample", "version", catalog=catalog)
    found, expected = collect(decoded, table(), column="message"), statistics(MESSAGES + DAMAGED[:1])
    assert {version: one.fields for version, one in found.versions.items()} == {
        version: one.fields for version, one in expected.versions.items()
    }
    assert (found.messages, found.malformed) == (500, 1)


def test_a_sample_is_a_share() -> None:
    found = collect(rows_of(MESSAGES), table(), sample=0.3)
    assert found.sample == 0.3
    assert 0 < found.messages < len(MESSAGES)
    assert collect(rows_of(MESSAGES), table(), sample=0.3) == found


def test_advise() -> None:
    found = advise(rows_of(MESSAGES), table())
    assert isinstance(found, Advice)
    assert found.encodings["Sample", "id"] == "upacked32"


@pytest.mark.parametrize(
    ("options", "error", "complaint"),
    [
        ({"version": 3}, LookupError, "has the versions 0 to 2, not 3"),
        ({"sample": 0}, ValueError, "sample must be above 0 and at most 1"),
        ({"column": "body"}, ValueError, "no column body; the columns are value, version"),
    ],
)
def test_what_cannot_be_asked(options: dict[str, Any], error: type[Exception], complaint: str) -> None:
    with pytest.raises(error, match=complaint):
        collect(rows_of([]), table(), **options)


def test_records_of_internal_topics() -> None:
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
        # A value that is too short for its version has none, and counts as malformed.
        "OffsetCommitValue": [(b"offset", 3), (b"", None)],
        "GroupMetadataKey": [(b"k", 0)],
        "TopicRecord": [(b"topic", 0)],
    }
    with pytest.raises(ValueError, match="logs do not have the version of MetadataResponse: use --version N"):
        records_of(rows, catalog.message("MetadataResponse"))


# The command.


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = cli.run(["advise", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_everything_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    specs, data = tmp_path / "specs", tmp_path / "data.parquet"
    specs.mkdir()
    (specs / "Sample.json").write_text(SPEC, encoding="utf-8")
    parquet.write_table(rows_of(MESSAGES + DAMAGED), data)
    flags: list[str | Path] = [
        "--message",
        "Sample",
        "--version",
        "version",
        "--specs",
        specs,
        "--trial",
        "5",
        "--output",
        "json",
    ]
    saved, diff = tmp_path / "all.json", tmp_path / "new.diff"
    code, out, err = outcome(capsys, data, *flags, "--save", saved, "--patch", diff)
    value = json.loads(out)
    assert (code, value["messages"], value["malformed"]) == (0, 500, 3)
    assert "warning: 1 messages of version 7 could not be decoded" in err
    assert Statistics.load(saved) == statistics(MESSAGES + DAMAGED)
    assert diff.read_text(encoding="utf-8") == value["patch"]
    assert [one["name"] for one in value["trial"]["rows"]] == ["now", "fixed", "packed", "upacked", "advised"]


def test_logs_and_captures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs, capture = write_log_dir(tmp_path / "logs"), write_capture(tmp_path / "traffic.pcap")
    for arguments, count in (
        ((logs, "--topic", "__consumer_offsets", "--message", "OffsetCommitValue"), COMMITS),
        ((capture, "--message", "MetadataResponse"), FRAMES // 2),
        ((logs / "orders-0", "--message", "OffsetCommitValue", "--version", "3"), 6),
    ):
        code, out, _ = outcome(capsys, *arguments, "--output", "json")
        assert (code, json.loads(out)["messages"]) == (0, count)


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["data.parquet", "--message", "Sampel", "--version", "1"], 2, "unknown message 'Sampel'"),
        (["data.parquet", "--message", "MetadataResponse"], 2, "missing version of the messages; pass --version N"),
        (["data.parquet", "--message", "MetadataResponse", "--version", "api"], 2, "no column api; the columns are"),
        (["data.parquet", "--message", "MetadataResponse", "--version", "1", "--trial", "1"], 2, "with --specs"),
        (["data.parquet", "--message", "MetadataResponse", "--version", "999"], 2, "not 999"),
        (["data.parquet", "--message", "OffsetCommitValue", "--version", "1"], 1, "could not be decoded"),
        (["nowhere", "--message", "MetadataResponse"], 2, "nowhere does not exist"),
    ],
)
def test_wrong_usage(
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
