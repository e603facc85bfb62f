"""Jobs that write tables of Iceberg and Delta: their rows are there once, whenever a process dies."""

from __future__ import annotations

import json
import shutil
import signal
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa
import pytest

from tests.arrow.tables.reading import FORMATS, files_below, options_of, referenced, rows_of, table_at
from tests.spark.support.history_command import Command, command
from tests.spark.support.job_data import group_record, read_output, unit_names, write_commits

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from messagegen_spark.cli.main import pipeline
from messagegen_spark.cli.running import run as cli_run
from messagegen_spark.jobs.inputs import Input
from messagegen_spark.jobs.runner import run_job
from messagegen_spark.jobs.table_commits import append_batch, committed_target
from messagegen_spark.jobs.targets import UnitWork, parquet_target
from messagegen_spark.jobs.unit_store import OutputError, UnitCounts, unit_store
from messagegen_spark.jobs.units import Unit
from tests.arrow.support.log_data import Batch, write_segment
from tests.spark.support.killed_job import Gateway, Work, decode, started

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["command"]  # a fixture

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

formats = pytest.mark.parametrize("format_", FORMATS)
PARTITION_BY = ("topic", "partition")


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> SparkSession:
    Input(()).register(spark)
    return spark


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two partitions of two segments each: four units."""
    folder = tmp_path_factory.mktemp("tables") / "logs"
    for partition in (0, 1):
        write_commits(folder / f"orders-{partition}", 40, segment_records=20, bad=[5])
    return folder


@pytest.fixture(scope="module")
def expected(session: SparkSession, logs: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The rows of an undisturbed job that writes a folder."""
    output = tmp_path_factory.mktemp("expected") / "out"
    summary = run_job(session, decode(logs, 1 << 30), output, parquet_target(PARTITION_BY))
    assert (summary.rows, summary.malformed) == (80, 2)
    return comparable(read_output(output))


def comparable(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(
        ({name: value for name, value in row.items() if name != "unit"} for row in rows),
        key=lambda row: (row["partition"], row["offset"]),
    )


@pytest.mark.slow
@formats
def test_kills_change_nothing(
    session: SparkSession, logs: Path, expected: list[dict[str, Any]], tmp_path: Path, format_: str
) -> None:
    table = table_at(tmp_path, format_)
    work = Work(Gateway.of(session), logs, tmp_path / "state", str(table.name), options_of(tmp_path, format_))
    # The table has a unit that the output does not know of.
    assert run(work._replace(dies_at="after commit 1")) == []
    assert [row["offset"] for row in rows_of(table)] == list(range(20))
    # The next process learns of it, and leaves files of another unit that nobody knows.
    assert run(work._replace(dies_at="before list 1")) == ["unit=000000"]
    lost = files_below(tmp_path) - referenced(table)
    assert lost
    # These are gone when the unit is written again, and are about to be committed.
    assert run(work._replace(dies_at="before commit 1")) == ["unit=000000"]
    listed = files_below(tmp_path) - referenced(table)
    assert listed
    assert not listed & lost
    # They are committed as they are, and so is one more unit that the output does not know of.
    assert run(work._replace(dies_at="after commit 2")) == ["unit=000000", "unit=000001"]
    assert listed <= referenced(table)
    assert run(work) == [f"unit={number:06}" for number in range(4)]
    assert comparable(rows_of(table)) == expected
    assert files_below(tmp_path) == referenced(table)
    counts = [json.loads(path.read_text()) for path in (tmp_path / "state").glob("unit=*/_unit.json")]
    assert (sum(count["rows"] for count in counts), sum(count["malformed"] for count in counts)) == (80, 2)
    assert not (tmp_path / "state" / "_commit.json").exists()


def run(work: Work) -> list[str]:
    """Lets a process work until it dies at its moment or is done; gives the units that the output has then."""
    process, _ = started(work)
    process.join(300)
    assert process.exitcode == (0 if work.dies_at is None else -signal.SIGKILL)
    return unit_names(work.output)


@formats
def test_rows_of_all_jobs(command: Command, tmp_path: Path, format_: str) -> None:
    """What Spark makes is written by workers too, sorted by the columns of partitions."""
    groups = [group_record(group, "orders", partition, 5) for partition in (0, 1) for group in ("b", "a", "b")]
    write_segment(tmp_path / "logs" / "__consumer_offsets-7", 0, [Batch(0, groups).encode()])
    table = table_at(tmp_path, format_)
    settings = [part for pair in options_of(tmp_path, format_).items() for part in ("--table-option", "=".join(pair))]
    place = ("--output", tmp_path / "state", "--table", table.name, *settings, "--format", "json")
    arguments = ("consumer-lag-history", "--input", tmp_path / "logs", "--partition-by", "group", *place)
    done = command(*arguments)
    assert done.code == 0, done.err
    assert json.loads(done.out)["rows"] == 6
    rows = rows_of(table, "logOffset")
    assert [(row["group"], row["partition"], row["previousOffset"]) for row in rows] == [
        ("b", 0, None),
        ("a", 0, None),
        ("b", 0, 5),
        ("b", 1, None),
        ("a", 1, None),
        ("b", 1, 5),
    ]
    page = tmp_path / "page.html"
    again = command(*arguments, "--report", page)
    assert again.code == 0, again.err
    assert len(rows_of(table, "logOffset")) == 6
    for said in ("All 6 records could be read.", "commits of groups over time", '<td class="text">b</td>'):
        assert said in page.read_text()
    other = command(*arguments, "--mode", "failfast")
    assert "is the output of a job with other arguments (mode)" in other.err


@formats
def test_a_batch_of_a_stream_is_there_once(session: SparkSession, tmp_path: Path, format_: str) -> None:
    table = table_at(tmp_path, format_)
    rows = session.range(6).selectExpr("id as offset", "if(id % 2 = 0, null, id % 3) as group")
    for number in (0, 1, 1, 0):
        append_batch(rows, table, "stream", number, ["group"])
    append_batch(rows.limit(0), table, "stream", 2, ["group"])
    append_batch(rows, table, "other", 0, ["group"])
    assert [row["offset"] for row in rows_of(table)] == sorted([*range(6)] * 3)
    assert {(row["offset"], row["group"]) for row in rows_of(table)} == {
        *((number, None) for number in (0, 2, 4)),
        *((number, number % 3) for number in (1, 3, 5)),
    }
    assert files_below(tmp_path) == referenced(table)
    with pytest.raises(OutputError, match="there is no column topic to partition by"):
        append_batch(rows, table, "stream", 3, ["topic"])


def test_a_table_that_is_gone_is_missed(
    session: SparkSession, logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_at(tmp_path, "delta")
    target = committed_target(table, ())

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(table, "commit", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run_job(session, decode(logs), tmp_path / "state", target)
    with pytest.raises(OutputError, match="has begun to write into delta:"):
        run_job(session, decode(logs), tmp_path / "state", parquet_target())
    done: list[UnitCounts] = []

    def first(work: UnitWork) -> UnitCounts:
        if done:
            raise KeyboardInterrupt
        assert target.commit is not None
        done.append(target.commit(work))
        return done[0]

    with pytest.raises(KeyboardInterrupt):
        run_job(session, decode(logs), tmp_path / "state", replace(target, commit=first))
    shutil.rmtree(tmp_path / "delta")
    with pytest.raises(OutputError, match="does not exist, but 1 unit was written to it"):
        run_job(session, decode(logs), tmp_path / "state", target)


class WrittenAgainError(Exception):
    """What a unit meets whose files are not taken as they are."""


@pytest.mark.parametrize("job", [None, "of another job"])
@formats
def test_files_that_cannot_be_committed_are_written_again(format_: str, job: str | None, tmp_path: Path) -> None:
    """They are of another job, or of a table that is gone."""
    (tmp_path / "state").mkdir()
    table = table_at(tmp_path, format_)

    def never(*_: object) -> Any:
        raise WrittenAgainError

    unit = Unit("000000", (), 0)
    with unit_store(tmp_path / "state", "decode", {}, [unit]) as store:
        if job:
            table.prepare(pa.schema([("offset", pa.int64())]), ())
        pending = {"job": job or store.id, "unit": unit.name, "counts": {"rows": 0, "malformed": 0}, "files": []}
        store.pending.write_text(json.dumps(pending))
        commit = committed_target(table, ()).commit
        assert commit is not None
        with pytest.raises(WrittenAgainError):
            commit(UnitWork(cast("Any", None), unit, store, never, never))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--table", "iceberg:commits"], "invalid table 'iceberg:commits': expected iceberg:CATALOG.NAMESPACE.TABLE"),
        (["--table", "hudi:x"], "or the name of a table in Spark's catalog"),
        (["--table", "delta:x", "--table-format", "orc"], "--table-format cannot be used with --table delta:"),
        (["--table", "x", "--table-option", "a=b"], "--table-option needs --table iceberg:"),
        (["--table-option", "a=b"], "--table-option needs --table iceberg:"),
    ],
)
def test_wrong_usage(arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli_run(pipeline, ["metadata-history", "--input", "x", "--output", "o", *arguments]) == 2
    assert reason in " ".join(capsys.readouterr().err.split())


def test_the_command_names_the_extra(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("messagegen_arrow.tables.opening.find_spec", lambda _: None)
    assert cli_run(pipeline, ["metadata-history", "--input", "x", "--output", "o", "--table", "delta:x"]) == 1
    assert "needs the module deltalake; install it: pip install 'messagegen[spark,delta]'" in capsys.readouterr().err
