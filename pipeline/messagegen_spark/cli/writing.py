"""Running what writes rows, jobs and histories that go on, and writing the pages that sum up runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from messagegen_spark.cli.options import chosen_table, run_options_of
from messagegen_spark.cli.running import OnEnd, printable, run_and_tell, run_in_session, spark_reason, tell

_HTML: Final = "text/html; charset=utf-8"
_REST: Final = 9
"""So many times as long as writing a page takes, the next one waits."""

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from messagegen_spark.jobs.inputs import Input
    from messagegen_spark.jobs.runner import Job, JobSummary
    from messagegen_spark.jobs.sessions import Executors
    from messagegen_spark.jobs.targets import Target
    from messagegen_spark.streams.history import Done, HistoryStream


def write_job(job: Job, inputs: Sequence[Input], options: dict[str, Any], partition_by: tuple[str, ...]) -> None:
    """Runs a job whose rows are written where ``--output`` and ``--table`` say."""
    run_as = run_options_of(options["format_"], options)
    target = target_of(options, partition_by)
    try:
        summary, executors = run_and_tell(
            job, inputs, options["output"], run_as, target, on_end=report_of(options), is_shared=not options["table"]
        )
    except KeyboardInterrupt:
        raise KeyboardInterrupt("The same command continues after the units that are done.") from None
    tell(summary, executors, run_as)


def write_stream(
    stream: HistoryStream, interval: float | None, options: dict[str, Any], partition_by: tuple[str, ...]
) -> None:
    """Runs a history as a stream, once or every ``interval`` seconds."""
    from messagegen_spark.streams.history import run_history_stream

    _check(options)
    output = options["output"]
    run_as = run_options_of(options["format_"], options)
    inputs = [each for each in (stream.input, stream.ends) if each is not None]
    target, report = target_of(options, partition_by), report_of(options)

    def work(spark: SparkSession, executors: Executors) -> JobSummary:
        show = _shown if sys.stderr.isatty() or interval is not None else lambda _: None
        # A stream that ends has its page then.
        page = None if report is None or interval is None else RepeatedPage(partial(_told, report, spark, executors))

        def on_done(done: Done) -> None:
            show(done)
            if page is not None:
                page.is_old = True

        return run_history_stream(
            spark,
            stream,
            output.absolute(),
            target(spark),
            on_done,
            on_wait=_nothing if page is None else page.write,
            interval=interval,
            engines=executors.engines,
        )

    try:
        summary, executors = run_in_session(work, inputs, output, run_as, report, is_shared=not options["table"])
    except KeyboardInterrupt:
        raise KeyboardInterrupt("The same command continues after the last unit.") from None
    tell(summary, executors, run_as)


def _told(report: OnEnd, spark: SparkSession, executors: Executors, summary: JobSummary) -> None:
    report(spark, summary, executors)


def _nothing(_: object) -> None:
    pass


class RepeatedPage:
    """The page of a run that goes on: written at once if there are rows, and again for new ones, but only for a tenth of the time."""

    def __init__(self, write: Callable[[JobSummary], None], clock: Callable[[], float] = time.monotonic) -> None:
        self.is_old = True
        """Whether there may be rows that it does not have."""
        self._write = write
        self._clock = clock
        self._next = clock()

    def write(self, summary: Callable[[], JobSummary]) -> None:
        """Writes the page if it is time. Where that fails, it says so on standard error: the run goes on without."""
        started = self._clock()
        if not self.is_old or started < self._next:
            return
        # A micro-batch that ends from here on may not be on the page.
        self.is_old = False
        try:
            found = summary()
            if found.units:
                self._write(found)
        except Exception as problem:  # noqa: BLE001 - a page is never a reason to end a stream
            self.is_old = True
            click.echo(f"warning: the page was not written: {printable(spark_reason(str(problem)))}", err=True)
        ended = self._clock()
        self._next = ended + _REST * (ended - started)


def _shown(done: Done) -> None:
    """Prints a line for each micro-batch."""
    malformed = f", {done.malformed} malformed" if done.malformed else ""
    click.echo(
        f"unit {done.number}: records: {done.records}{malformed}, rows: {done.rows}, {done.seconds:.1f} s", err=True
    )


def report_of(options: dict[str, Any]) -> OnEnd | None:
    """What writes the page that ``--report`` asks for, while the session is there; ``None`` if it does not.

    Raises ``FileUrlError`` and ``StoreError`` for a URL that can't be written, before anything is done.
    """
    report = options["report"]
    if report is None:
        return None
    if isinstance(report, str):
        from messagegen_arrow.files.stores import located

        located(report)
    table = chosen_table(options) or options["table"]
    output = options["output"]

    def write_report(spark: SparkSession, summary: JobSummary, executors: Executors) -> None:
        from messagegen_arrow.cli.answers import write
        from messagegen_spark.report.page import run_page
        from messagegen_spark.report.runs import run_of

        place = output if isinstance(output, str) else output.absolute()
        write(report, run_page(run_of(spark, place, summary, table, executors.engines)), _HTML)

    return write_report


def target_of(options: dict[str, Any], partition_by: tuple[str, ...]) -> Callable[[SparkSession], Target]:
    """What makes the target that ``--output`` and ``--table`` say. Raises ``click.UsageError`` for options that do not go together."""
    from messagegen_spark.jobs.stored_files import stored_target
    from messagegen_spark.jobs.table_commits import committed_target
    from messagegen_spark.jobs.tables import table_target
    from messagegen_spark.jobs.targets import parquet_target

    output, name, format_ = options["output"], options["table"], options["table_format"] or "iceberg"
    table = chosen_table(options)
    if table is not None and isinstance(output, str):
        raise click.UsageError(
            f"--output must be a path with --table {table.name}: it only holds the state of the job."
        )

    def target(spark: SparkSession) -> Target:
        if table is not None:
            return committed_target(table, partition_by)
        if name:
            return table_target(spark, name, format_, partition_by)
        return stored_target(partition_by) if isinstance(output, str) else parquet_target(partition_by)

    return target


def _check(options: dict[str, Any]) -> None:
    """Raises ``click.UsageError`` for an output that can't hold the state of a stream."""
    if not isinstance(options["output"], Path):
        raise click.UsageError("--follow and --catch-up need a folder as --output: it has the state of the stream.")
