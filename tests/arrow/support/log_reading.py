"""Runs the steps of ``kafka-log`` and ``read_log``: the engine's planner and reader."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from messagegen_arrow.engine import native_engine
from messagegen_arrow.log.errors import engine_errors
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.planning import LogPlanner, LogTask, engine_filters
from messagegen_arrow.log.rows import RowReader
from messagegen_arrow.log.storage import Storage

Row = dict[str, Any]


class Source:
    """The logs at a path, planned and read as in Spark; by default, damage is kept as rows."""

    def __init__(self, path: Path | str, **options: str) -> None:
        self.options = LogOptions.parse({"path": str(path), "mode": "PERMISSIVE", **options})
        with engine_errors():
            self._planner = native_engine().LogPlanner(self.options.text, Storage())

    def tasks(self) -> tuple[LogTask, ...]:
        return LogPlanner(self.options).plan()

    @engine_errors()
    def initial(self) -> Any:
        """Return the position at which a stream begins."""
        return json.loads(self._planner.initial())

    @engine_errors()
    def stop_at_what_is_there(self) -> None:
        self._planner.available_now()

    @engine_errors()
    def latest(self, start: Any, max_bytes: int | None = None, max_offsets: int | None = None) -> Any:
        """Return the end of a micro-batch that begins at ``start``, limited by ``max_bytes`` or ``max_offsets``."""
        return json.loads(self._planner.latest(json.dumps(start), max_bytes, max_offsets)[0])

    @engine_errors()
    def ends(self, start: Any) -> Any:
        """Return the ends of the logs, as a stream at ``start`` reports them."""
        return json.loads(self._planner.latest(json.dumps(start), 1, None)[1])

    @engine_errors()
    def tasks_between(self, start: Any, end: Any) -> tuple[LogTask, ...]:
        tasks = self._planner.between(json.dumps(start), json.dumps(end), engine_filters())
        return tuple(LogTask(text) for text, *_ in tasks)

    def warnings(self) -> list[str]:
        """Return the warnings since the last call."""
        return list(self._planner.warnings())

    def read(self, task: LogTask) -> Iterator[pa.RecordBatch]:
        return RowReader(self.options.names, self.options).read(task)

    def rows(self, tasks: tuple[LogTask, ...]) -> list[Row]:
        return [row for task in tasks for batch in self.read(task) for row in batch.to_pylist()]


class Stream:
    """A streaming query as in Spark: only offsets survive a restart, and they are stored as JSON."""

    def __init__(self, path: Path, **options: str) -> None:
        self._path, self._options = path, options
        self.restart()
        self.offsets: Any = self.source.initial()

    def restart(self) -> None:
        self.source = Source(self._path, **self._options)

    def plan(self, most: int | None = None) -> Any:
        """Return the offsets at which the next micro-batch ends."""
        return json.loads(json.dumps(self.source.latest(self.offsets, max_bytes=most)))

    def rows(self, end: Any) -> list[Row]:
        return self.source.rows(self.source.tasks_between(self.offsets, end))

    def next(self, most: int | None = None) -> list[bytes | None]:
        """Return the values of the next micro-batch."""
        end = self.plan(most)
        found = [row["value"] for row in self.rows(end)]
        self.offsets = end
        return found


class Range(NamedTuple):
    """A range of bytes in a file that a task reads."""

    path: str
    start: int
    end: int


def ranges(task: LogTask) -> list[Range]:
    return [Range(each["segment"]["path"], each["start"], each["end"]) for each in json.loads(task.text)]


def tasks(path: Path | str, **options: str) -> tuple[LogTask, ...]:
    return Source(path, **options).tasks()


def rows(path: Path | str, **options: str) -> list[Row]:
    """Return all rows of all tasks."""
    source = Source(path, **options)
    return source.rows(source.tasks())


def values(path: Path | str, **options: str) -> list[bytes | None]:
    return [row["value"] for row in rows(path, **options)]


def numbers(first: int, last: int) -> list[bytes]:
    """Return the values that ``many_batches`` writes."""
    return [str(number).encode() for number in range(first, last)]
