"""Histories that follow a log, as commands: what they refuse, what they write, and the page at the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.errors import PythonException

import messagegen_kafka as kafka
from messagegen_arrow.internal_topics.record_types import TRANSACTION_STATE
from tests.arrow.support.history_data import write_broker, write_log
from tests.arrow.support.internal_records import coordinator_record
from tests.broker.waiting import eventually
from tests.spark.support.history_command import Command, command
from tests.support.object_store import Bucket

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from messagegen_spark.cli.writing import RepeatedPage
from messagegen_spark.jobs.runner import JobSummary

__all__ = ["command"]  # a fixture

SUMMARY = JobSummary("transaction-history", 1, 0, 1, 0, 1.0)

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


def test_a_page_of_a_store_in_a_store(command: Command, bucket: Bucket, tmp_path: Path) -> None:
    output, page = bucket.url_with_settings("out"), bucket.url_with_settings("pages/transactions.html")
    arguments = (
        "transaction-history",
        "--input",
        write_broker(tmp_path),
        "--output",
        output,
        "--partition-by",
        "state",
    )
    done = command(*arguments, "--report", page)
    assert (done.code, done.err) == (0, "")
    assert bucket.content_type("pages/transactions.html") == "text/html; charset=utf-8"
    text = bucket.get("pages/transactions.html").decode()
    for said in ("All 2 records could be read.", "<h2>States over time</h2>", "CompleteCommit", "TransactionLog"):
        assert said in text


def test_a_page_that_can_not_be_written_is_told_first(command: Command, tmp_path: Path) -> None:
    arguments = ("transaction-history", "--input", write_broker(tmp_path / "logs"), "--output", tmp_path / "out")
    done = command(*arguments, "--report", "ftp://host/page.html")
    assert (done.code, "ftp:// can't be read" in done.err) == (1, True)
    assert not (tmp_path / "out").exists()


def test_a_page_is_renewed_for_a_tenth_of_the_time(capsys: pytest.CaptureFixture[str]) -> None:
    now, written = [0.0], list[float]()
    fails: list[Exception | None] = [None]

    def write(_: object) -> None:
        if fails[0]:
            raise fails[0]
        now[0] += 2
        written.append(now[0])

    page = RepeatedPage(write, lambda: now[0])

    def passes(seconds: int, summary: JobSummary = SUMMARY) -> list[float]:
        before = len(written)
        for _ in range(seconds):
            page.write(lambda: summary)
            now[0] += 1
        return written[before:]

    assert passes(5) == [2], "what an earlier process wrote"
    page.is_old = True
    assert passes(25) == [22]
    assert passes(5) == []
    page.is_old = True
    for problem in (PythonException("rows.parquet is gone"), OSError("the store\x1b is away")):
        fails[0] = problem
        assert passes(30) == []
        assert page.is_old
    said = capsys.readouterr().err
    assert "warning: the page was not written: rows.parquet is gone" in said
    assert "warning: the page was not written: the store\\x1b is away" in said
    fails[0] = None
    assert len(passes(1)) == 1
    page = RepeatedPage(write, lambda: now[0])
    assert passes(5, replace(SUMMARY, units=0)) == [], "there is nothing to show"
    page.is_old = True
    assert len(passes(5)) == 1


@pytest.mark.exhaustive
def test_following_until_ctrl_c(command: Command, tmp_path: Path) -> None:
    """What comes meanwhile is read in the next interval, and what comes later by the next process."""
    logs, output, said, page = (tmp_path / name for name in ("logs", "out", "said", "page.html"))
    arguments = ("transaction-history", "--input", str(logs), "--output", str(output))
    program = Path(sys.executable).with_name("messagegen-pipeline")
    write_transaction(logs, 0)
    with said.open("wb") as file:
        process = subprocess.Popen(
            [program, *arguments, "--follow", "--interval", "1", "--report", page],
            stdout=file,
            stderr=file,
            start_new_session=True,
            # Shells ignore it for what runs in the background.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - one thread
        )
    try:
        for unit in (0, 1):
            wait_for(f"unit {unit}:", said, process)
            write_transaction(logs, unit + 1)
        wait_for("unit 2:", said, process)
        eventually(lambda: page.exists() or process.poll() is not None, timeout=180)
        # A terminal sends it to the driver, its Java, and all that they started.
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=60) == 130
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    text = said.read_text()
    assert text.splitlines()[-1] == "Interrupted. The same command continues after the last unit."
    assert "Traceback" not in text
    assert "<h2>States over time</h2>" in page.read_text()
    write_transaction(logs, 3)
    done = command(*arguments, "--catch-up")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("transaction-history: 4 units (3 done before), 4 rows read, 0 of them malformed")


def wait_for(text: str, said: Path, process: subprocess.Popen[bytes]) -> None:
    """Waits until the process has said it, or has ended."""
    eventually(lambda: text in said.read_text() or process.poll() is not None, timeout=180)


def write_transaction(logs: Path, partition: int) -> None:
    """A partition of the topic, with one record."""
    key = {"transactional_id": f"ledger-{partition}"}
    record = coordinator_record(
        TRANSACTION_STATE, "TransactionLog", key, kafka.TransactionLogValue(transaction_status=1)
    )
    write_log(logs / f"{TRANSACTION_STATE}-{partition}", [record])
