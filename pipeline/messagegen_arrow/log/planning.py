"""The native engine's planner, which chooses the files of logs for tasks and micro-batches."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import astuple, dataclass, field, fields
from typing import Any, Final, TypeVar

from messagegen_arrow.engine import native_engine
from messagegen_arrow.log.errors import engine_errors
from messagegen_arrow.log.options import Bounds, LogOptions
from messagegen_arrow.log.storage import Storage

_LOG: Final = logging.getLogger(__name__)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class LogTask:
    """Ranges of files that are read one after another."""

    text: str = field(repr=False)
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Segment:
    """A file of record batches."""

    path: str
    size: int
    base_offset: int | None
    """The offset in the file's name; ``None`` if the name contains no offset."""
    next_base_offset: int | None
    """The base offset of the next segment; ``None`` for the last segment."""
    is_complete: bool
    """Whether nothing is ever appended to it."""
    damage: str | None
    """The reason if it cannot be read: it is missing, or not a regular file."""


@dataclass(frozen=True, slots=True)
class PartitionLog:
    """The files of one partition in one folder, sorted by offset."""

    folder: str
    topic: str | None
    partition: int | None
    segments: tuple[Segment, ...]


class LogPlanner:
    """A planner for the logs that the options name. Each call lists folders again.

    Raises ``LogPathError`` and ``OptionError``, and ``OSError``.
    """

    def __init__(self, options: LogOptions) -> None:
        with engine_errors():
            self._native = native_engine().LogPlanner(options.text, Storage())

    def plan(self, bounds: Bounds | None = None, topics: Collection[str | None] | None = None) -> tuple[LogTask, ...]:
        """Return the tasks of a query, in the order of topic, partition and offset.

        ``bounds`` and ``topics`` limit the tasks in addition to the options; ``None`` adds no limit.
        """
        found = self._run(lambda: self._native.plan(engine_filters(bounds, topics)))
        return tuple(LogTask(text, size) for text, size in found)

    def logs(self) -> list[PartitionLog]:
        """Return the logs that the options select, in the order of topic, partition and folder."""
        found = json.loads(self._run(self._native.logs))
        return [
            PartitionLog(log["folder"], log["topic"], log["partition"], tuple(map(_segment, log["segments"])))
            for log in found
        ]

    def _run(self, work: Callable[[], _T]) -> _T:
        try:
            with engine_errors():
                return work()
        finally:
            for warning in self._native.warnings():
                _LOG.warning("%s", warning)


def _segment(found: dict[str, Any]) -> Segment:
    return Segment(**{each.name: found[each.name] for each in fields(Segment)})


def find_logs(paths: Sequence[str], topics: Collection[str | None] | None = None) -> list[PartitionLog]:
    """Return the logs at paths, or only the logs of ``topics`` if given. Raises what ``LogPlanner`` raises."""
    options = LogOptions.parse({"paths": json.dumps(list(paths))})
    return [log for log in LogPlanner(options).logs() if topics is None or log.topic in topics]


def engine_filters(bounds: Bounds | None = None, topics: Collection[str | None] | None = None) -> str:
    """Return bounds and topics as JSON for the engine."""
    within = astuple(Bounds() if bounds is None else bounds)
    return json.dumps({"bounds": within, "topics": None if topics is None else list(topics), "partitions": None})
