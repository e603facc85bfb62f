"""Running a job: unit after unit, each committed as a whole, going on where a process before has stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, Observation, SparkSession

from messagegen_spark.jobs.observed_counts import observed
from messagegen_spark.jobs.outputs import Output, begun_in, output_of
from messagegen_spark.jobs.progress import shown_as
from messagegen_spark.jobs.stored_files import take
from messagegen_spark.jobs.stored_units import StoredUnits
from messagegen_spark.jobs.tables import check_no_rows_left
from messagegen_spark.jobs.targets import Target, UnitWork, Writer
from messagegen_spark.jobs.unit_store import LocalUnits, UnitCounts, UnitStore
from messagegen_spark.jobs.units import Unit
from messagegen_spark.jobs.written_files import LogFiles, counts_of, finished_files, write_files

Planner = Callable[[SparkSession], Sequence[Unit]]
FilesOfUnit = Callable[[Unit, tuple[str, ...]], LogFiles | None]
"""What workers write of a unit, in folders by these columns; ``None`` if Spark has to write it."""
RowsOfUnit = Callable[[SparkSession, Unit, Observation], DataFrame]
"""The rows of a unit, with an observation that counts ``rows`` and ``malformed`` of what was read."""


@dataclass(frozen=True)
class Job:
    """What is done with each unit of an input."""

    name: str
    arguments: Mapping[str, Any]
    """All that decides what the rows are, as JSON values: a job goes on only where these, its target and the engines are the same."""
    plan: Planner
    rows: RowsOfUnit
    files: FilesOfUnit | None = None
    """How workers write the same rows without Spark's help, where they can."""


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
    output: Output,
    target: Target,
    on_progress: Callable[[Progress], None] = _silent,
    on_done: Callable[[UnitStore], None] = _silent,
    *,
    engines: Sequence[str] | None = None,
) -> JobSummary:
    """Does all units that are not done; what was done before, in this process or another, stays as it is.

    ``target`` is where rows go, ``on_done`` gets the output when all units are done. ``engines`` are those that executors decode with,
    where that is known. Raises ``OutputError`` for an output that is not this job's, and what planning,
    reading and writing raise: then the units that are done are there, and the same call goes on after them.
    """
    started = time.monotonic()
    arguments = {**job.arguments, **target.described, "engines": engines}
    planned = _planned(spark, job, arguments, output, target)
    with output_of(output, job.name, arguments, planned) as store:
        counts = store.done()
        before = len(counts)
        do = _by_unit(spark, job, store, target)
        for unit in store.units:
            on_progress(Progress(len(store.units), len(counts), unit.name))
            if unit.name not in counts:
                with shown_as(spark, f"{job.name}: unit {len(counts) + 1} of {len(store.units)}"):
                    counts[unit.name] = do(unit)
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


def _planned(
    spark: SparkSession, job: Job, arguments: Mapping[str, Any], output: Output, target: Target
) -> Sequence[Unit] | None:
    """The units of a job that begins; ``None`` for one that goes on with those that it had."""
    begun = begun_in(output)
    if begun is not None:
        if not begun.gives_way(job.name, arguments):
            return None
        check_no_rows_left(spark, begun, output, target.table)
    return job.plan(spark)


def _by_unit(spark: SparkSession, job: Job, store: UnitStore, target: Target) -> Callable[[Unit], UnitCounts]:
    """What does a unit, and gives its counts."""

    def files_of(unit: Unit, folders: tuple[str, ...] | None) -> LogFiles | None:
        return job.files(unit, folders) if job.files and folders is not None else None

    if target.writer is None:
        commit = target.commit
        assert commit is not None
        assert isinstance(store, LocalUnits), "the state of a job that writes a table is in a folder"
        return lambda unit: commit(
            UnitWork(spark, unit, store, partial(job.rows, spark, unit), partial(files_of, unit))
        )
    writer = target.writer(store)

    def do(unit: Unit) -> UnitCounts:
        files = files_of(unit, target.folders)
        return _do_unit(spark, job, unit, store, writer) if files is None else _do_files(spark, files, unit, store)

    return do


def _do_unit(spark: SparkSession, job: Job, unit: Unit, store: UnitStore, write: Writer) -> UnitCounts:
    with store.staged(unit) as staged:
        observation = Observation()
        write(job.rows(spark, unit, observation), unit, staged)
        counts = observed(observation)
        store.commit(unit, staged, counts)
        return counts


def _do_files(spark: SparkSession, files: LogFiles, unit: Unit, store: UnitStore) -> UnitCounts:
    with store.staged(unit) as staged:
        counts = (
            _write_stored(spark, files, store, staged)
            if isinstance(store, StoredUnits)
            else write_files(spark, files, staged)
        )
        store.commit(unit, staged, counts)
        return counts


def _write_stored(spark: SparkSession, files: LogFiles, store: StoredUnits, staged: Path) -> UnitCounts:
    finished = finished_files(spark, files, store.attempt(staged))
    take(store, staged, (file.path for file in finished), files.schema, files.writer.folders)
    return counts_of(finished)
