"""Running a job: unit after unit, each committed as a whole, going on where a process before has stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pyspark.sql import DataFrame, Observation, SparkSession

from messagegen_spark.jobs.unit_store import OutputError, UnitCounts, UnitStore, planned_before, unit_store
from messagegen_spark.jobs.units import Unit

Planner = Callable[[SparkSession], Sequence[Unit]]
FrameMaker = Callable[[SparkSession, Unit, Observation], DataFrame]
"""The rows of a unit, with an observation that counts ``rows`` and ``malformed`` of what was read."""
Writer = Callable[[DataFrame, Unit, Path], None]
"""Writes the rows of a unit, into the staged folder or elsewhere; a second time replaces the first."""

UNIT_COLUMN: Final = "unit"


@dataclass(frozen=True)
class Job:
    """What is done with each unit of an input."""

    name: str
    arguments: Mapping[str, Any]
    """All that decides what the rows are, as JSON values: a job goes on only where these are the same."""
    plan: Planner
    frame: FrameMaker


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is."""

    units: int
    units_done: int
    unit: str
    """The unit that is worked on; empty after the last one."""


@dataclass(frozen=True, slots=True)
class JobSummary:
    """What a job did, over all processes that worked on it."""

    job: str
    units: int
    units_done_before: int
    rows: int
    malformed: int
    seconds: float


def _silent(_: object) -> None:
    pass


def run_job(
    spark: SparkSession,
    job: Job,
    output: Path,
    write: Callable[[UnitStore], Writer],
    on_progress: Callable[[Progress], None] = _silent,
    on_done: Callable[[UnitStore], None] = _silent,
) -> JobSummary:
    """Does all units that are not done; what was done before, in this process or another, stays as it is.

    ``write`` makes the writer for the job's output, ``on_done`` gets the output when all units are done. Raises ``OutputError`` for an output that is not this job's, and what planning,
    reading and writing raise: then the units that are done are there, and the same call goes on after them.
    """
    started = time.monotonic()
    planned = () if planned_before(output) else job.plan(spark)
    with unit_store(output, job.name, job.arguments, planned) as store:
        counts = store.done()
        before = len(counts)
        writer = write(store)
        for unit in store.units:
            on_progress(Progress(len(store.units), len(counts), unit.name))
            if unit.name not in counts:
                counts[unit.name] = _do_unit(spark, job, unit, store, writer)
        on_progress(Progress(len(store.units), len(counts), ""))
        on_done(store)
    return JobSummary(
        job=job.name,
        units=len(counts),
        units_done_before=before,
        rows=sum(each.rows for each in counts.values()),
        malformed=sum(each.malformed for each in counts.values()),
        seconds=time.monotonic() - started,
    )


def _do_unit(spark: SparkSession, job: Job, unit: Unit, store: UnitStore, write: Writer) -> UnitCounts:
    with store.staged(unit) as staged:
        observation = Observation()
        write(job.frame(spark, unit, observation), unit, staged)
        found = observation.get
        counts = UnitCounts(int(found.get("rows", 0)), int(found.get("malformed", 0)))
        store.commit(unit, staged, counts)
        return counts


def parquet_writer(partition_by: Sequence[str]) -> Callable[[UnitStore], Writer]:
    """Writes units as Parquet files, in folders by columns."""

    def writer(_: UnitStore) -> Writer:
        def write(frame: DataFrame, _: Unit, staged: Path) -> None:
            check_columns(frame, partition_by)
            frame.write.partitionBy(*partition_by).parquet(staged.as_uri())

        return write

    return writer


def check_columns(frame: DataFrame, partition_by: Sequence[str]) -> None:
    """Raises ``OutputError`` for columns to partition by that there are not, and for one with the name of ours."""
    missing = [name for name in partition_by if name not in frame.columns]
    if missing:
        raise OutputError(
            f"there is no column {', '.join(missing)} to partition by; there are {', '.join(frame.columns)}"
        )
    if UNIT_COLUMN in frame.columns:
        raise OutputError(f"the rows have a column {UNIT_COLUMN}, which is the name of the folders: rename or drop it")


def unit_folders(store: UnitStore) -> Iterator[Path]:
    """The folders of the units that are done."""
    return (store.place(unit) for unit in store.units if store.place(unit).is_dir())
