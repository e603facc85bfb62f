"""Jobs that are killed again and again have the rows of undisturbed ones, each of them once.

``make test-thorough`` leaves out Spark; run this file with ``MESSAGEGEN_HYPOTHESIS=thorough`` for more kills.
"""

from __future__ import annotations

import signal
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests.spark.support.job_data import read_output, unit_names, write_commits

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from messagegen_spark.jobs.inputs import Input
from messagegen_spark.jobs.runner import run_job
from messagegen_spark.jobs.tables import table_target
from messagegen_spark.jobs.targets import parquet_target
from tests.spark.support.killed_job import TRY_AGAIN, Gateway, Work, decode, started

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.exhaustive, pytest.mark.xdist_group("spark")]

KILLS, KILLS_OF_TABLE = (40, 10) if settings().max_examples > 100 else (8, 4)
STEPS = 60
"""A process takes 8 steps to begin a job or to go on with it, and about 26 for each unit."""
TABLE = "killed_commits"
PATIENCE = 300


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> SparkSession:
    Input(()).register(spark)
    return spark


def run_until(work: Work, moment: float | None = None) -> bool:
    """Runs a job in a process of its own, which is killed at a moment unless it kills itself; whether it was."""
    process, begins = started(work)
    try:
        if moment is not None:
            assert begins.wait(PATIENCE)
            process.join(moment)
            process.kill()
        process.join(PATIENCE)
        assert process.exitcode in (0, TRY_AGAIN, -signal.SIGKILL)
        return process.exitcode == -signal.SIGKILL
    finally:
        process.kill()
        process.join()


def finish(work: Work, units: int) -> None:
    """Lets a job come to its end."""
    for _ in range(3):
        if len(unit_names(work.output)) < units:
            assert not run_until(work)


def comparable(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name != "unit"} for row in rows]


def test_kills_change_nothing(session: SparkSession, tmp_path: Path) -> None:
    """Half of them at any moment, half at a step of those that commit units; Spark goes on for a moment, as executors do."""
    random = Random(40)
    logs = tmp_path / "logs"
    for partition in (0, 1):
        write_commits(logs / f"orders-{partition}", 240, segment_records=20, bad=[5, 77])
    whole = decode(logs, unit_bytes=1 << 30)
    undisturbed = run_job(session, whole, tmp_path / "whole", parquet_target(("topic", "partition")))
    # The first job of a session takes longer than others.
    unit_seconds = run_job(session, whole, tmp_path / "again", parquet_target(("topic", "partition"))).seconds
    expected = comparable(read_output(tmp_path / "whole"))
    assert len(expected) == undisturbed.rows == 480

    gateway = Gateway.of(session)
    kills, finished = [0, 0], 0
    while sum(kills) < KILLS:
        work = Work(gateway, logs, tmp_path / f"out-{finished}")
        by_step = kills[0] <= kills[1]
        if by_step:
            was_killed = run_until(work._replace(last_step=random.randint(1, STEPS)))
        else:
            was_killed = run_until(work, random.uniform(0, 1.5 * unit_seconds))
        kills[not by_step] += was_killed
        finished += len(unit_names(work.output)) == 24
    for number in range(finished + 1):
        out = tmp_path / f"out-{number}"
        finish(Work(gateway, logs, out), 24)
        summary = run_job(session, decode(logs), out, parquet_target(("topic", "partition")))
        assert (summary.units, summary.rows, summary.malformed) == (24, 480, undisturbed.malformed)
        assert len(unit_names(out)) == 24
        assert comparable(read_output(out)) == expected
        assert not (out / "_staging").exists()


def test_kills_change_nothing_in_a_table(session: SparkSession, tmp_path: Path) -> None:
    """Between the table's commits and ours, where each unit is in one of them only."""
    random = Random(10)
    logs = tmp_path / "logs"
    write_commits(logs / "orders-0", 80, segment_records=10, bad=[5])
    work = Work(Gateway.of(session), logs, tmp_path / "state", TABLE)
    kills = 0
    try:
        while kills < KILLS_OF_TABLE:
            kills += run_until(work._replace(last_step=random.randint(1, 20)))
            assert len(unit_names(work.output)) < 8, "the job was killed less often than it should be"
        finish(work, 8)
        target = table_target(session, TABLE, "parquet", ("topic", "partition"))
        summary = run_job(session, decode(logs), work.output, target)
        assert (summary.units, summary.rows, summary.malformed) == (8, 80, 1)
        rows = session.table(TABLE).select("offset", "unit").collect()
        assert sorted(row.offset for row in rows) == list(range(80))
        assert len({row.unit for row in rows}) == 8
    finally:
        session.sql(f"DROP TABLE IF EXISTS {TABLE}")
