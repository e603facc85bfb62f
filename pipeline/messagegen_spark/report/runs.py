"""What a page says of a run, out of its output."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.histories.kinds import HISTORIES
from messagegen_spark.jobs.folders import as_hadoop_path
from messagegen_spark.jobs.runner import JobSummary
from messagegen_spark.jobs.targets import UNIT_COLUMN
from messagegen_spark.jobs.unit_store import begun_job
from messagegen_spark.report.page import Run

_COUNTS: Final = "unit=*/_unit.json"


def run_of(
    spark: SparkSession, output: Path, summary: JobSummary, table: str | None = None, engines: Sequence[str] = ()
) -> Run:
    """The run whose output this is, over all processes that worked on it; ``table`` is where its rows are, if not here."""
    begun = begun_job(output)
    assert begun is not None
    details = [json.loads(path.read_bytes())["details"] for path in sorted(output.glob(_COUNTS))]
    is_history = summary.job in HISTORIES
    return Run(
        summary=summary,
        rows=_rows(spark, output, begun.id, table),
        log_bytes=sum(unit.size for unit in begun.units) or None,
        counts=HistoryCounts.total(details) if is_history and all(details) else None,
        engines=engines,
    )


def _rows(spark: SparkSession, output: Path, id_: str, table: str | None) -> DataFrame:
    if table is not None:
        return spark.table(table).where(sql.col(UNIT_COLUMN).startswith(id_))
    if not any(output.glob("unit=*/**/*.parquet")):
        return spark.createDataFrame([], "none string").drop("none")
    return spark.read.parquet(as_hadoop_path(output))
