"""Histories that follow a log, as commands: what they refuse, what they write, and the page at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.arrow.support.history_data import write_broker
from tests.spark.support.history_command import Command, command

__all__ = ["command"]  # a fixture

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("--output out", "Missing option '--input'."),
        ("--input in --output out --follow --catch-up", "cannot be used together"),
        ("--input in --output out --follow --input-format parquet", "read kafka-log and kafka, not parquet"),
        ("--output out --input-format kafka", "--input-format kafka needs --follow or --catch-up"),
        ("--input in --output out --input-format kafka --follow", "name the brokers with --option"),
        ("--input in --output s3://lake/out --follow", "need a folder as --output"),
        ("--input in --output out --follow --report page.html", "--report cannot be used with --follow"),
        ("--input in --output out --table delta:table --report page.html", "--report needs a folder as --output"),
        ("--input in --output s3://lake/out --table delta:table", "--output must be a path with --table delta:"),
        ("--input-format kafka --output out --follow --unit-bytes 1m", "use --option maxOffsetsPerTrigger"),
        ("--input in --output out --follow --interval 0", "0 is not in the range x>0"),
    ],
)
def test_wrong_usage(command: Command, arguments: str, reason: str) -> None:
    done = command("transaction-history", *arguments.split())
    assert (done.code, done.out) == (2, "")
    assert reason in done.err


def test_catching_up_and_the_page(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    logs, page = write_broker(tmp_path / "logs"), tmp_path / "page.html"
    arguments = ("--input", logs, "--output", "out", "--report", page)
    done = command("transaction-history", *arguments, "--catch-up")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("transaction-history: 1 unit, 2 rows read, 0 of them malformed")
    text = page.read_text()
    for said in ("All 2 records could be read.", "<h2>States over time</h2>", "CompleteCommit", "TransactionLog"):
        assert said in text
