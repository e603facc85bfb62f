"""The history commands: formats, counts, errors and exit codes. Other tests check the rows."""

from __future__ import annotations

import json
import re
import shutil
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest

from messagegen_arrow.cli import command as cli
from messagegen_arrow.cli import histories
from messagegen_arrow.cli.progress import RowProgress
from messagegen_arrow.histories.metadata import changes
from messagegen_arrow.log.errors import DataLossError, LogPathError
from messagegen_arrow.log.rows import RowReader
from tests.arrow.support.history_data import write_broker


@pytest.fixture
def broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "150")
    return write_broker(tmp_path / "kafka-logs")


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = cli.run([*map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_metadata_changes_are_printed_as_json_lines(broker: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = outcome(capsys, "metadata-history", broker, "--columns", "offset,name,value", "--limit", "2")
    assert code == 0
    assert [json.loads(line) for line in out.splitlines()] == [
        {"offset": 0, "name": "orders", "value": "AAAAAAAAAAAAAAAAAAAAAQ"},
        {"offset": 1, "name": "topic orders", "value": "3600000"},
    ]


def test_unreadable_records_are_counted(broker: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_broker(broker, damaged=True)
    code, out, err = outcome(capsys, "lag-history", broker)
    assert (code, len(out.splitlines())) == (1, 3)
    assert err == "1 of 5 records could not be read; messagegen-data dump shows them and their errors\n"


def test_a_history_without_rows_gets_a_note(broker: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for segment in broker.glob("__*/00000000000000000000.log"):
        segment.write_bytes(b"")
    for command in ("lag-history", "metadata-history"):
        assert outcome(capsys, command, broker) == (
            0,
            "",
            "no rows: the logs have no records that belong to this history\n",
        )


def test_the_lag_at_a_time_is_shown_for_selected_groups(broker: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("--ends", broker, "--at", "2023-11-14T22:13:27Z", "--format", "table")
    code, out, _ = outcome(capsys, "lag-history", broker, *at, "--group", "billing", "--group", "shipping")
    assert (code, [line.split() for line in out.splitlines()]) == (
        0,
        [
            ["group", "topic", "partition", "offset", "endOffset", "lag", "lagMs", "commitTimestamp"],
            ["billing", "orders", "0", "5", "8", "3", "2000", "2023-11-14T22:13:26.000Z"],
        ],
    )
    assert outcome(capsys, "lag-history", broker, *at, "--group", "shipping")[1] == ""


@pytest.mark.parametrize(("at", "rows"), [("-1h", 1), ("now", 1), ("-2000w", 0)])
def test_a_time_can_be_a_duration_before_now(
    broker: Path, at: str, rows: int, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = outcome(capsys, "lag-history", broker, "--at", at)
    assert (code, len(out.splitlines())) == (0, rows)
    assert ("no group had committed an offset at that time" in err) == (rows == 0)


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ((), [("topic", 0), ("config", 1), ("config", 2)]),
        (("--since", "2023-11-14T22:13:21Z"), [("config", 1), ("config", 2)]),
        (("--until", "1700000001000"), [("topic", 0)]),
        (("--since", "2023-11-14T22:13:21Z", "--until", "2023-11-14T22:13:22Z"), [("config", 1)]),
        (("--subject", "topic", "--subject", "quota"), [("topic", 0)]),
        (("--name", "topic orders"), [("config", 1), ("config", 2)]),
        (("--name", "orders", "--name", "topic orders", "--subject", "topic"), [("topic", 0)]),
        (("--since", "-1h"), []),
        (("--name", "payments"), []),
    ],
)
def test_options_select_changes_by_time_and_subject_and_name(
    broker: Path, options: tuple[str, ...], rows: list[tuple[str, int]], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = outcome(capsys, "metadata-history", broker, *options)
    found = [json.loads(line) for line in out.splitlines()]
    assert (code, [(each["subject"], each["offset"]) for each in found]) == (0, rows)
    assert ("no rows: the history has no such changes" in err) == (rows == [])


def test_the_list_of_selectable_subjects_is_complete() -> None:
    source = Path(changes.__file__).read_text(encoding="utf-8")
    assert set(re.findall(r"""(?:Change\(|subject=)\s*"([a-z-]+)\"""", source)) == set(changes.SUBJECTS)


def test_a_log_folder_with_only_a_bootstrap_checkpoint_has_no_metadata(
    broker: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Brokers write ``bootstrap.checkpoint`` into each of their folders."""
    shutil.copytree(broker / "orders-0", broker.parent / "second" / "orders-0")
    log = (broker / "__cluster_metadata-0" / f"{0:020}.log").read_bytes()
    bootstrap = broker.parent / "second" / "bootstrap.checkpoint"
    bootstrap.write_bytes(log)
    for command in ("metadata-history", "state"):
        code, out, err = outcome(capsys, command, broker.parent / "second")
        assert (code, out) == (2, "")
        assert f"Error: no __cluster_metadata in {broker.parent / 'second'}" in err
    # The file is read if the path of the file itself is passed.
    assert len(outcome(capsys, "metadata-history", bootstrap)[1].splitlines()) == 3


@pytest.mark.parametrize("command", ["lag-history", "metadata-history"])
def test_progress_counts_the_rows_of_logs(
    command: str, broker: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MESSAGEGEN_PROGRESS")
    monkeypatch.setattr(histories, "RowProgress", partial(RowProgress, patience=0))
    options = ["--ends", broker, "--at", "2000-01-01T00:00Z"] if command == "lag-history" else ["--limit", "0"]
    code, out, err = outcome(capsys, command, broker, *options)
    # No row is written.
    assert (code, out) == (0, "")
    shown = re.search(r"^Rows read: (\d+) in ", err, re.MULTILINE)
    assert shown is not None
    assert (int(shown[1]) > 0) == (command == "lag-history")


def test_a_time_that_looks_like_seconds_gets_a_warning(broker: Path, capsys: pytest.CaptureFixture[str]) -> None:
    err = outcome(capsys, "lag-history", broker, "--at", "1700000000")[2]
    assert err.startswith("warning: --at 1700000000 means 1970-01-20T16:13:20.000Z in milliseconds; for seconds, write")


@pytest.mark.parametrize("command", ["lag-history", "metadata-history"])
def test_overlapping_segments_are_reported_as_damage(
    broker: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for segment in broker.glob("__*/00000000000000000000.log"):
        segment.with_name("00000000000000000001.log").write_bytes(segment.read_bytes())
    code, _, err = outcome(capsys, command, broker)
    assert code == 1
    assert "records could not be read; messagegen-data dump shows them and their errors" in err


@pytest.mark.parametrize(
    "error", [DataLossError("the segment is gone"), LogPathError("kafka-logs holds no Kafka logs")]
)
def test_files_that_disappear_during_reading_are_an_error(
    broker: Path, error: Exception, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> NoReturn:
        raise error

    monkeypatch.setattr(RowReader, "read", gone)
    for command in ("metadata-history", "dump"):
        code, _, err = outcome(capsys, command, broker / "__cluster_metadata-0")
        assert (code, err) == (2, f"Error: {error}\n")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("lag-history", ""), "must not be empty"),
        (("metadata-history", "kafka-logs", ""), "must not be empty"),
        (("lag-history", "kafka-logs", "--ends", ""), "must not be empty"),
        (("lag-history", "nowhere"), "nowhere does not exist"),
        (("metadata-history", "kafka-logs/orders-0"), "no __cluster_metadata in kafka-logs/orders-0"),
        (("lag-history", "kafka-logs", "--ends", "nowhere"), "nowhere does not exist"),
        (("lag-history", "kafka-logs", "--at", "yesterday"), "--at: invalid time 'yesterday'"),
        (("lag-history", "kafka-logs", "--at", "-999999999999999w"), "--at: '-999999999999999w' is too long ago"),
        (
            ("metadata-history", "kafka-logs", "--subject", "topics"),
            "unknown subject 'topics'; expected one of topic, ",
        ),
        (("metadata-history", "kafka-logs", "--since", "yesterday"), "--since: invalid time 'yesterday'"),
        (("metadata-history", "kafka-logs", "--columns", "stat"), "a history has no column stat"),
        (("metadata-history", "kafka-logs", "--format", "parquet"), "pass --output FILE"),
    ],
)
@pytest.mark.usefixtures("broker")
def test_wrong_usage_is_an_error(arguments: tuple[str, ...], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = outcome(capsys, *arguments)
    assert (code, out) == (2, "")
    assert reason in err
