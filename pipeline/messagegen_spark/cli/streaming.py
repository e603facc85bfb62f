"""Running histories that go on, and writing the pages that sum up runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from messagegen_spark.cli.options import chosen_table, is_of_library, run_options_of
from messagegen_spark.cli.running import OnEnd, run_in_session, tell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from messagegen_spark.jobs.runner import JobSummary
    from messagegen_spark.jobs.sessions import Executors
    from messagegen_spark.jobs.targets import Target
    from messagegen_spark.streams.history import Done, HistoryStream


def write_stream(
    stream: HistoryStream, interval: float | None, options: dict[str, Any], partition_by: tuple[str, ...]
) -> None:
    """Runs a history as a stream, once or every ``interval`` seconds."""
    from messagegen_spark.streams.history import run_history_stream

    _check_output(options)
    output = options["output"]
    run_as = run_options_of(options["format_"], options)
    inputs = [each for each in (stream.input, stream.ends) if each is not None]

    def work(spark: SparkSession, executors: Executors) -> JobSummary:
        target = _target(spark, options, partition_by)
        show = _shown if sys.stderr.isatty() or interval is not None else lambda _: None
        return run_history_stream(
            spark, stream, output.absolute(), target, show, interval=interval, engines=executors.engines
        )

    try:
        summary, executors = run_in_session(work, inputs, output, run_as, report_of(options))
    except KeyboardInterrupt:
        raise KeyboardInterrupt("The same command continues after the last unit.") from None
    tell(summary, executors, run_as)


def _shown(done: Done) -> None:
    """Prints a line for each micro-batch."""
    malformed = f", {done.malformed} malformed" if done.malformed else ""
    click.echo(
        f"unit {done.number}: {done.records} records{malformed}, {done.rows} rows, {done.seconds:.1f} s", err=True
    )


def report_of(options: dict[str, Any]) -> OnEnd | None:
    """What writes the page that ``--report`` asks for, while the session is there; ``None`` if it does not.

    Raises ``click.UsageError`` for rows that Spark cannot read without more jars.
    """
    if options["report"] is None:
        return None
    if not isinstance(options["output"], Path) or is_of_library(options["table"]):
        raise click.UsageError("--report needs a folder as --output, and rows there or in a table of Spark's catalog.")

    def write_report(spark: SparkSession, summary: JobSummary, executors: Executors) -> None:
        from messagegen_arrow.cli.answers import write
        from messagegen_spark.report.page import run_page
        from messagegen_spark.report.runs import run_of

        run = run_of(spark, options["output"], summary, options["table"], executors.engines)
        write(options["report"], run_page(run))

    return write_report


def _target(spark: SparkSession, options: dict[str, Any], partition_by: tuple[str, ...]) -> Target:
    from messagegen_spark.jobs.table_commits import committed_target
    from messagegen_spark.jobs.tables import table_target
    from messagegen_spark.jobs.targets import parquet_target

    name, format_ = options["table"], options["table_format"] or "iceberg"
    table = chosen_table(options)
    if table is not None:
        return committed_target(table, partition_by)
    return table_target(spark, name, format_, partition_by) if name else parquet_target(partition_by)


def _check_output(options: dict[str, Any]) -> None:
    """Raises ``click.UsageError`` for an output that can't hold the state of a stream."""
    if not isinstance(options["output"], Path):
        raise click.UsageError("--follow and --catch-up need a folder as --output: it has the state of the stream.")
