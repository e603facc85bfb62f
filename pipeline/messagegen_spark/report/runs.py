"""What a page says of a run, out of its output."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as sql

from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.histories.kinds import HISTORIES
from messagegen_arrow.tables.table import Table
from messagegen_spark.jobs.outputs import Output, begun_in, counts_in, row_files_in
from messagegen_spark.jobs.runner import JobSummary
from messagegen_spark.jobs.table_commits import files_of_job
from messagegen_spark.jobs.targets import UNIT_COLUMN
from messagegen_spark.report.page import Run
from messagegen_spark.report.rows import FileInFolders, FileReader, FileRows, FrameRows, Rows

_NO_TYPES: Final = pa.schema([])


def run_of(
    spark: SparkSession,
    output: Output,
    summary: JobSummary,
    table: Table | str | None = None,
    engines: Sequence[str] = (),
) -> Run:
    """The run whose output this is, over all processes that worked on it.

    ``table`` is where its rows are, if not here: that of a library, or the name of one that Spark knows. Raises ``OutputError`` where
    the output can't be read, and what reading its files raises.
    """
    begun = begun_in(output)
    assert begun is not None, "a job has run here"
    counts = counts_in(output)
    details = [each.details for each in counts.values()]
    kind = HISTORIES.get(summary.job)
    types = _NO_TYPES if kind is None else kind.schema
    return Run(
        summary=summary,
        rows=_rows(spark, output, begun.id, counts, table, types),
        log_bytes=sum(unit.size for unit in begun.units) or None,
        counts=HistoryCounts.total(details) if kind is not None and all(details) else None,
        engines=engines,
    )


def _rows(
    spark: SparkSession, output: Output, id_: str, done: Collection[str], table: Table | str | None, types: pa.Schema
) -> Rows:
    if isinstance(table, str):
        return FrameRows(spark.table(table).where(sql.col(UNIT_COLUMN).startswith(id_)))
    if table is not None:
        place, names = table.place, files_of_job(table, id_, done)
        files = tuple(FileInFolders.of(place.full(name), name) for name in names)
        return FileRows(spark, files, FileReader(types, "UTC", place.filesystem))
    files = tuple(FileInFolders.of(path, name) for path, name in row_files_in(output))
    return FileRows(spark, files, FileReader(types, spark.conf.get("spark.sql.session.timeZone") or "UTC"))
