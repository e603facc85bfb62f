"""Running a history as a stream: each micro-batch is decoded by Spark, goes through the history here, and becomes a unit."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from messagegen_arrow.files import shown
from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.histories.end_offsets import END_COLUMNS, END_SCHEMA, Questions
from messagegen_arrow.histories.kinds import CONSUMER_LAG, METADATA, History, HistoryKind
from messagegen_arrow.histories.lag import LagHistory
from messagegen_arrow.histories.logs import RECORD_COLUMNS, check_one_replica, log_mode, with_snapshots
from messagegen_arrow.histories.records import HISTORY_MODES, HistoryReader
from messagegen_arrow.histories.states import StateError, parts_of
from messagegen_arrow.log.files import LogPathError, find_logs, given_paths
from messagegen_arrow.log.positions import CheckpointError, places_of
from messagegen_arrow.malformed import Mode, check_mode
from messagegen_arrow.streams.sources import read_log
from messagegen_spark.histories import end_offsets
from messagegen_spark.histories.common import collected
from messagegen_spark.jobs.decode import catalog_digest
from messagegen_spark.jobs.inputs import KAFKA_LOG, Input
from messagegen_spark.jobs.progress import shown_as
from messagegen_spark.jobs.runner import JobSummary
from messagegen_spark.jobs.tables import check_no_rows_left
from messagegen_spark.jobs.targets import Target, Writer, table_is_gone
from messagegen_spark.jobs.unit_store import OutputError, UnitCounts, begun_job
from messagegen_spark.jobs.units import Unit
from messagegen_spark.schemas import spark_struct
from messagegen_spark.sources.log.stream import Offsets
from messagegen_spark.streams.new_rows import new_rows, register_new_rows
from messagegen_spark.streams.store import StreamStore, stream_store, unit_of
from messagegen_spark.workers import is_remote

KAFKA: Final = "kafka"
_WAIT_SECONDS: Final = 1
_STREAMED: Final = "-stream"
_PER_TRIGGER: Final = "pertrigger"
_ISOLATION: Final = "kafka.isolation.level"
_SIZES: Final = {KAFKA_LOG: {"maxBytesPerTrigger": "64m"}, KAFKA: {"maxOffsetsPerTrigger": "1000000"}}
"""What a micro-batch reads at most, unless an option says it: its rows are in the memory of this process."""


@dataclass(frozen=True, slots=True)
class Done:
    """A micro-batch that became a unit."""

    number: int
    records: int
    malformed: int
    rows: int
    """Rows of the history."""
    seconds: float


def _silent(_: object) -> None:
    pass


@dataclass(frozen=True, kw_only=True)
class HistoryStream:
    """A history that goes on while its log grows."""

    kind: HistoryKind
    input: Input
    """``kafka-log``, or Spark's own ``kafka`` source, whose options say where the brokers are and what is read."""
    ends: Input | None = None
    """The logs of the topics that were read, for the lag at each commit."""
    mode: Mode = "DROPMALFORMED"

    def arguments(self) -> dict[str, Any]:
        """All that decides what the rows are, as JSON values. Raises ``ValueError`` for a mode that histories do not have."""
        check_mode(self.mode, HISTORY_MODES)
        described = self.input.described()
        # How much a micro-batch reads may be changed while the stream goes on, and how brokers are reached, which has passwords.
        options = {name: value for name, value in described["options"].items() if _decides_rows(name)}
        return {
            "input": {**described, "options": options},
            "ends": self.ends and self.ends.described(),
            "mode": self.mode,
            "catalog": catalog_digest(None),
        }

    def check_paths(self) -> None:
        """Raises ``LogPathError`` for paths without the history's topic, with several replicas of it, or without logs for its ends."""
        if self.ends is not None:
            find_logs(_paths_of(self.ends))
        if self.input.format != KAFKA_LOG:
            return
        found = self._logs()
        if not any(log.topic == self.kind.topics[0] for log in found):
            raise LogPathError(f"no {self.kind.topics[0]} in {', '.join(map(shown, self.input.paths))}")
        check_one_replica(segment.path for log in found for segment in log.segments)

    def log(self, spark: SparkSession) -> DataFrame:
        """The log as a stream."""
        is_sized = any(map(_is_size, self.input.options))
        sizes = {} if is_sized else _SIZES.get(self.input.format, {})
        if self.input.format != KAFKA_LOG:
            return spark.readStream.format(self.input.format).options(**{**sizes, **self.input.options}).load()
        options = {
            "topics": ",".join(self.kind.topics),
            "includeControl": "true",
            "columns": ",".join(_columns(self.kind)),
        }
        if self.kind is CONSUMER_LAG:
            options["isolationLevel"] = "read_committed"
        source = self.input.with_options(mode=log_mode(self.mode), **options, **sizes)
        return spark.readStream.format(KAFKA_LOG).options(**source.options, paths=json.dumps(source.paths)).load()

    def snapshots(self) -> list[str]:
        """The snapshots beside the segments of metadata, from which a log begins whose beginning was deleted."""
        if self.kind is not METADATA or self.input.format != KAFKA_LOG:
            return []
        segments = [segment.path for log in self._logs() for segment in log.segments]
        return [path for path in with_snapshots(segments) if path not in segments]

    def _logs(self) -> list[Any]:
        return find_logs(_paths_of(self.input), lambda topic, _: topic in self.kind.topics, may_be_empty=True)


def run_history_stream(  # noqa: PLR0913 - keyword arguments of a public function
    spark: SparkSession,
    stream: HistoryStream,
    output: Path,
    target: Target,
    on_done: Callable[[Done], None] = _silent,
    *,
    on_wait: Callable[[Callable[[], JobSummary]], None] = _silent,
    interval: float | None = None,
    engines: tuple[str, ...] | None = None,
) -> JobSummary:
    """Goes on with a history where the last process stopped: with all that is there now, or every ``interval`` seconds.

    Without ``interval`` it returns when all is read that was there when it began; with it, only when the query is stopped. Each
    micro-batch is written with the state after it, in one rename, so that a process that dies at any time leaves no row out and none twice.
    Meanwhile ``on_wait`` is called about once a second, in this thread, with what makes the summary so far.
    Raises ``LogPathError`` for paths without logs, ``OutputError`` for an output that is not this stream's, ``ValueError`` for Spark
    Connect, and what reading and writing raise.
    """
    if is_remote(spark):
        raise ValueError(
            "streams keep their state in this process, which Spark Connect has elsewhere: use another master"
        )
    stream.check_paths()
    if stream.ends is not None:
        register_new_rows(spark)
    started = time.monotonic()
    name = f"{stream.kind.name}{_STREAMED}"
    arguments = {**stream.arguments(), **target.described, "engines": engines}
    begun = begun_job(output)
    if begun is not None and begun.gives_way(name, arguments):
        check_no_rows_left(spark, begun, output, target.table)
    with stream_store(output, name, arguments) as store:
        _check_table(store, target)
        before = sum(1 for _ in store.counts())
        summary = partial(_summary, stream, store, before, started)
        step = _Step(stream, store, target.stream_writer(store.units), on_done)
        writer = stream.log(spark).writeStream.foreachBatch(step.run).queryName(stream.kind.name)
        writer = writer.option("checkpointLocation", f"file://{store.checkpoint}")
        store.checkpoint.mkdir(parents=True, exist_ok=True)
        timing: dict[str, Any] = (
            {"availableNow": True} if interval is None else {"processingTime": f"{interval} seconds"}
        )
        query = writer.trigger(**timing).start()
        try:
            while not query.awaitTermination(_WAIT_SECONDS):
                on_wait(summary)
        finally:
            # Nothing may be written any more when another process is let in.
            query.stop()
        return summary()


def _summary(stream: HistoryStream, store: StreamStore, before: int, started: float) -> JobSummary:
    counts = list(store.counts())
    return JobSummary(
        job=stream.kind.name,
        units=len(counts),
        units_done_before=before,
        rows=sum(each.rows for each in counts),
        malformed=sum(each.malformed for each in counts),
        seconds=time.monotonic() - started,
    )


def _check_table(store: StreamStore, target: Target) -> None:
    """Raises ``OutputError`` where the table is gone that has the rows of earlier micro-batches."""
    last = store.last()
    if target.table is not None and last is not None and not target.table.exists():
        raise table_is_gone(target.table.name, last + 1)


@dataclass
class _Step:
    """What is done with a micro-batch."""

    stream: HistoryStream
    store: StreamStore
    write: Writer
    on_done: Callable[[Done], None]

    def run(self, log: DataFrame, number: int) -> None:
        """Makes a unit of a micro-batch, unless it is one already."""
        last = self.store.last()
        if last is not None and number <= last:
            return
        started = time.monotonic()
        spark, kind = log.sparkSession, self.stream.kind
        reader = kind.reader(self.stream.mode)
        history, before = history_before(kind, self.store, number)
        with self._shown(spark, number, "decode"):
            rows, counts = collected(log, reader, kind)
        parts = [] if before is not None else self._of_snapshots(history, reader, counts)
        fed, ends = self._fed(spark, history, rows, number, before or {})
        found = pa.Table.from_batches([*parts, fed], kind.schema)
        if isinstance(history, LagHistory):
            history.forget_ends()
            history.forget_deleted()
        self.store.commit(
            number,
            lambda unit, staged: self._write(spark, found, unit, staged),
            UnitCounts(counts.rows, counts.malformed, counts.as_json()),
            {"history": history.state(), "ends": ends},
        )
        seconds = time.monotonic() - started
        self.on_done(Done(number, counts.rows, counts.malformed, found.num_rows, seconds))

    def _write(self, spark: SparkSession, rows: pa.Table, unit: Unit, staged: Path) -> None:
        with self._shown(spark, int(unit.name), "write"):
            self.write(spark.createDataFrame(rows, spark_struct(rows.schema)).coalesce(1), unit, staged)

    def _shown(self, spark: SparkSession, number: int, step: str) -> AbstractContextManager[None]:
        return shown_as(spark, f"{self.stream.kind.name}: micro-batch {number}: {step}")

    def _of_snapshots(self, history: History, reader: HistoryReader, counts: HistoryCounts) -> list[pa.RecordBatch]:
        """What the snapshots say that lie beside the log when the history begins."""
        paths = self.stream.snapshots()
        if not paths:
            return []
        log = read_log(
            *paths, columns=_columns(self.stream.kind), include_control=True, mode=log_mode(self.stream.mode)
        )
        return [history.feed(self.stream.kind.extract(reader.read(batch, counts))) for batch in log]

    def _fed(
        self, spark: SparkSession, history: History, rows: pa.RecordBatch, number: int, start: Offsets
    ) -> tuple[pa.RecordBatch, Offsets]:
        """The rows of the history; and the place up to which the logs of ends were read."""
        ends = self.stream.ends
        if ends is None or not isinstance(history, LagHistory):
            return history.feed(rows), {}
        commits = history.commits(rows)
        with self._shown(spark, number, "read ends"):
            end = self._add_ends(spark, ends, history, history.questions(commits), start)
        return history.with_lag(commits), end

    def _add_ends(
        self, spark: SparkSession, logs: Input, history: LagHistory, questions: Questions, start: Offsets
    ) -> Offsets:
        """Adds how far the consumed topics are by now, which is later than all commits of the micro-batch.

        Gives the place up to which that was read.
        """
        # Damaged batches and deleted segments are passed over: offsets behind them say how far the partition was all the same.
        more = {"columns": ",".join(END_COLUMNS), "includeControl": "true", "failOnDataLoss": "false"}
        options = logs.with_options(mode=self.stream.mode, **more).options
        log, end = new_rows(spark, {**options, "paths": json.dumps(list(logs.paths))}, start)
        # Most ends of an old log are not needed, and would fill the memory of this process.
        needed = end_offsets(log).mapInArrow(questions.needed, spark_struct(END_SCHEMA))
        for batch in needed.toArrow().to_batches():
            history.ends.add(batch)
        return end


def history_before(kind: HistoryKind, store: StreamStore, number: int) -> tuple[History, Offsets | None]:
    """A history as it was before a micro-batch, and up to where the logs of ends were read; ``None`` before the first one.

    Raises ``OutputError`` for a state that is gone, and for one of another version of messagegen.
    """
    history, state = kind.begin(), store.state_before(number)
    if state is None:
        return history, None
    try:
        known, ends = parts_of(state, "history", "ends")
        history.restore(known)
        places_of(ends)
    except (StateError, CheckpointError) as problem:
        place = store.units.place(unit_of(number - 1))
        raise OutputError(
            f"another version of messagegen wrote the state in {place}, and this one can't go on from it: name a new output to start again"
        ) from problem
    return history, ends


def _is_size(option: str) -> bool:
    return option.lower().endswith(_PER_TRIGGER)


def _decides_rows(option: str) -> bool:
    of_client = option.lower().startswith("kafka.") and option.lower() != _ISOLATION
    return not _is_size(option) and not of_client


def _paths_of(logs: Input) -> list[str]:
    return [path for each in logs.paths for path in given_paths(each, None)]


def _columns(kind: HistoryKind) -> tuple[str, ...]:
    return (*RECORD_COLUMNS, "path", "batchOffset") if kind is METADATA else RECORD_COLUMNS
