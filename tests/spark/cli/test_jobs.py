"""The command ``messagegen-pipeline``: what it says, its exit codes, and a job whose process is killed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from pyspark.errors import PySparkException

from messagegen_arrow.catalog import default_catalog
from messagegen_spark.cli import main as cli
from messagegen_spark.cli.main import pipeline
from messagegen_spark.cli.options import RunOptions, SparkOptions, chosen_catalog
from messagegen_spark.cli.running import _explained, check_malformed, printable, run, spark_reason
from messagegen_spark.jobs.runner import Job, JobSummary
from tests.broker.waiting import eventually
from tests.spark.support.history_command import Command, command
from tests.spark.support.job_data import VERSION, read_output, unit_names, write_commits

__all__ = ["command"]

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["decode", "--input", "x"], "Missing option '--output'"),
        (
            ["decode", "--input", "x", "--output", "o", "--message", "OffsetCommitValue"],
            "--message needs --version",
        ),
        (["decode", "--input", "x", "--output", "o", "--version", "3"], "--version needs --message"),
        (
            ["decode", "--input", "x", "--output", "o", "--unit-bytes", "many"],
            "expected a number of bytes such as 67108864 or 64m",
        ),
        (["decode", "--input", "x", "--output", "o", "--option", "topics"], "'topics' is not KEY=VALUE"),
        (["decode", "--input", "x", "--output", "o", "--option", "topic=a"], "did you mean topics?"),
        (["conformance", "--input", "x", "--version", "3"], "--message and --version must be used together"),
        (["consumer-lag", "--input", "x"], "No such command"),
        (["decode", "--input", "", "--output", "o"], "'--input': must not be empty; is a shell variable not set?"),
        (
            ["decode", "--input", "x", "--output", ""],
            "'--output': must not be empty; is a shell variable not set? Use '.'",
        ),
        (["decode", "--input", "x", "--output", "o", "--specs", ""], "'--specs': must not be empty"),
        (["decode", "--input", "x", "--output", "o", "--table", ""], "'--table': must not be empty"),
        (["decode", "--input", "x", "--output", "o", "--master", ""], "'--master': must not be empty"),
        (["consumer-lag-history", "--input", "x", "--ends", "", "--output", "o"], "'--ends': must not be empty"),
        (["conformance", "--input", "x", "--output", ""], "'--output': must not be empty"),
        (
            ["decode", "--input", "a", "b", "--output", "o"],
            "argument (b). Give each path with its own option (--input a --input b)",
        ),
        (["package", ""], "'PATH': must not be empty; is a shell variable not set?"),
    ],
)
def test_wrong_usage(arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(pipeline, arguments) == 2
    assert reason in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    "arguments",
    [[], ["--message", "OffsetCommitValue", "--version", "3"], ["--input-format", "kafka-capture"]],
    ids=["internal topics", "messages", "frames"],
)
def test_limits_of_decoding_are_options(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Job] = []
    monkeypatch.setattr(cli, "write_job", lambda job, *_: jobs.append(job))
    command = ["decode", "--input", "x", "--output", "o", *arguments]
    limits = ["--array-length", "5", "--memory-factor", "20", "--memory-constant", "2m"]
    assert run(pipeline, [*command, *limits]) == 0
    assert run(pipeline, command) == 0
    given, none = (json.loads(json.dumps(job.arguments))["columns"] for job in jobs)
    assert given.pop("limits") == {
        "array_length": 5,
        "tagged_field_count": 10_000,
        "memory_factor": 20,
        "memory_constant": 2 << 20,
    }
    assert given == none


@pytest.mark.parametrize("name", [[], *([name] for name in sorted(pipeline.commands))])
def test_help_has_an_example(name: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(pipeline, [*name, "--help"]) == 0
    assert f"messagegen-pipeline {' '.join(name)}".strip() in capsys.readouterr().out.split("Example", 1)[1]


def test_help_loads_no_spark() -> None:
    code = "import sys; from messagegen_spark.cli.main import pipeline, run; run(pipeline, ['decode', '--help'])"
    found = "print([name for name in ('pyspark', 'pyarrow', 'numpy', 'rich') if name in sys.modules], file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", f"{code}; {found}"], check=True, capture_output=True, text=True)
    assert done.stderr.strip() == "[]"


def test_package_says_what_it_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(pipeline, ["package", str(tmp_path / "p.zip")]) == 0
    assert re.search(r"p\.zip: \d{3} files$", capsys.readouterr().out)
    assert run(pipeline, ["package", str(tmp_path / "nowhere" / "p.zip")]) == 1
    assert "No such file or directory" in capsys.readouterr().err


def test_what_terminals_obey_is_escaped() -> None:
    assert printable("a\x1b[31mb\nc") == "a\\x1b[31mb\nc"


def test_a_python_that_is_not_there_is_named_without_the_stack_of_the_jvm() -> None:
    raised = (
        "An error occurred while calling o79.load.\n"
        ': java.io.IOException: Cannot run program "./environment/bin/python": error=2, No such file or directory\n'
        "\tat java.base/java.lang.ProcessBuilder.start(ProcessBuilder.java:1143)\n"
        "Caused by: java.io.IOException: error=2, No such file or directory\n\t... 23 more\n"
    )
    said = spark_reason(raised).splitlines()
    assert said[0].startswith('java.io.IOException: Cannot run program "./environment/bin/python"')
    assert said[-1].startswith("PYSPARK_PYTHON must be the path of a Python here and on every executor")
    assert "\tat " not in "".join(said)


def test_an_error_of_a_data_source_is_one_line() -> None:
    raised = PySparkException(
        "An error occurred while calling o52.count.\n: org.apache.spark.sql.AnalysisException: [PYTHON_DATA_SOURCE_ERROR] Failed "
        "to plan Python data source kafka-log in Python: Traceback (most recent call last):\n"
        '  File "/x/log_files.py", line 133, in find_logs\n    raise LogPathError(\n'
        "messagegen_arrow.log.files.LogPathError: /empty holds no Kafka logs: neither folders nor files\n"
    )
    said = str(_explained(raised))
    assert said == "messagegen_arrow.log.files.LogPathError: /empty holds no Kafka logs: neither folders nor files"


@pytest.mark.parametrize(
    ("rows", "malformed", "allowed", "reason"),
    [
        (40_000, 40_000, None, "none of 40000 rows could be decoded: see _error"),
        (40_000, 39_999, None, None),
        (0, 0, None, None),
        (3, 3, 3, None),
        (3, 3, 2, "3 rows malformed; --max-malformed allows 2"),
    ],
)
def test_nothing_but_malformed_rows_is_a_failure(
    rows: int, malformed: int, allowed: int | None, reason: str | None
) -> None:
    summary = JobSummary("decode", 1, 0, rows, malformed, 1.0)
    options = RunOptions(spark=SparkOptions(master=None, conf=(), ship=None), format="text", max_malformed=allowed)
    if reason is None:
        check_malformed(summary, options)
        return
    with pytest.raises(click.ClickException, match=reason):
        check_malformed(summary, options)


def test_specs_win_over_messages_that_are_built_in(tmp_path: Path) -> None:
    """Api key 50 is that of a proposal here, and of another request in Kafka's releases."""
    (taken,) = default_catalog().by_api_key("request", 50)
    spec = {"type": "request", "apiKey": 50, "name": "OtherRequest", "validVersions": "0", "flexibleVersions": "0+"}
    (tmp_path / "OtherRequest.json").write_text(json.dumps({**spec, "listeners": ["broker"], "fields": []}))
    catalog = chosen_catalog([tmp_path])
    assert catalog is not None
    assert [table.name for table in catalog.by_api_key("request", 50)] == ["OtherRequest"]
    assert taken.name not in catalog
    assert "MetadataRequest" in catalog
    assert chosen_catalog([]) is None


def arguments(logs: Path, output: Path) -> list[str]:
    decode = ["decode", "--message", "OffsetCommitValue", "--version", str(VERSION), "--format", "json"]
    return [*decode, "--input", str(logs), "--output", str(output), "--unit-bytes", "1"]


def process(logs: Path, output: Path, *more: str) -> list[str]:
    """The command in a process of its own."""
    conf = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.sql.session.timeZone": "UTC"}
    settings = [part for name, value in conf.items() for part in ("--conf", f"{name}={value}")]
    decode = [*arguments(logs, output), "--master", "local[2]"]
    return [sys.executable, "-m", "messagegen_spark.cli", *decode, *settings, *more]


@pytest.mark.spark
@pytest.mark.exhaustive
def test_a_killed_job_is_started_again(tmp_path: Path) -> None:
    logs, output = tmp_path / "logs", tmp_path / "out"
    write_commits(logs / "orders-0", 3_000, segment_records=200, bad=[17])
    with (tmp_path / "log").open("wb") as log:
        killed = subprocess.Popen(process(logs, output), stdout=log, stderr=log, start_new_session=True)
    try:
        eventually(lambda: len(unit_names(output)) >= 2 or killed.poll() is not None, timeout=180)
    finally:
        # The driver's Java is of the same session, and dies with it, as in a power cut.
        os.killpg(killed.pid, signal.SIGKILL)
        killed.wait()
    done_before = len(unit_names(output))
    assert 2 <= done_before < 15
    again = subprocess.run(process(logs, output, "--max-malformed", "0"), capture_output=True, text=True, check=False)
    assert again.returncode == 1
    assert "1 row malformed; --max-malformed allows 0" in again.stderr
    summary = json.loads(again.stdout)
    assert (summary["units"], summary["units_done_before"]) == (15, done_before)
    assert (summary["rows"], summary["malformed"]) == (3_000, 1)
    assert [row["offset"] for row in read_output(output)] == list(range(3_000))
    assert not (output / "_staging").exists()


@pytest.mark.spark
@pytest.mark.exhaustive
def test_ctrl_c_leaves_whole_units_and_a_line(tmp_path: Path) -> None:
    logs, output = tmp_path / "logs", tmp_path / "out"
    write_commits(logs / "orders-0", 30_000, segment_records=200)
    with (tmp_path / "log").open("wb") as log:
        driver = subprocess.Popen(process(logs, output), stdout=log, stderr=log, start_new_session=True)
    try:
        eventually(lambda: len(unit_names(output)) >= 2 or driver.poll() is not None, timeout=180)
        # A terminal sends it to the driver, its Java, and all that they started.
        os.killpg(driver.pid, signal.SIGINT)
        assert driver.wait(timeout=60) == 130
    finally:
        if driver.poll() is None:
            os.killpg(driver.pid, signal.SIGKILL)
            driver.wait()
    said = (tmp_path / "log").read_text()
    assert said.splitlines()[-1] == "Interrupted. The same command continues after the units that are done."
    assert "Traceback" not in said
    assert "Exception" not in said
    rows = read_output(output)
    assert [row["offset"] for row in rows] == list(range(200 * len(unit_names(output))))
    assert not (output / "_staging").exists()


@pytest.mark.slow
def test_what_fails_is_said_in_a_line(command: Command, tmp_path: Path) -> None:
    done = command(*arguments(tmp_path / "no", tmp_path / "out"))
    assert done.code == 1
    assert done.err.splitlines()[-1] == f"Error: {tmp_path}/no does not exist here"
    write_commits(tmp_path / "logs" / "orders-0", 100, bad=[5])
    done = command(*arguments(tmp_path / "logs", tmp_path / "out"), "--mode", "failfast")
    assert done.code == 1
    last = done.err.splitlines()[-1]
    assert last.startswith("Error: messagegen_arrow.malformed.MalformedMessageError: commit_timestamp: ")
