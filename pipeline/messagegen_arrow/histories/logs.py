"""The logs that histories are read from: folders of one broker, or rows that somebody has read already."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final

from messagegen_arrow.files import Folders, joined, normal, shown
from messagegen_arrow.histories.records import REQUIRED
from messagegen_arrow.log.errors import LogPathError
from messagegen_arrow.log.planning import PartitionLog, find_logs
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, Mode
from messagegen_arrow.streams.sources import read_log
from messagegen_arrow.streams.stream import ColumnStream, stream_of

Log = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Any
"""Paths of logs, or rows with the columns of ``read_log``: anything with Arrow columns."""

_SNAPSHOT: Final = ".checkpoint"
_SEGMENT: Final = ".log"
_COLUMNS: Final = (*REQUIRED, "isControl", "path", "batchOffset", ERROR_NAME, RAW_NAME)
"""What histories read of a log."""


def log_of(log: Log, topics: Sequence[str], mode: Mode, *, snapshots: bool = False, **options: Any) -> ColumnStream:
    """The records of these topics, of which the first must be there.

    With ``snapshots`` also those of the snapshots beside a log, and of snapshots that have no log or are named alone.
    Damaged batches are rows, so that they are counted, unless the mode is FAILFAST. Raises ``LogPathError``.
    """
    paths = paths_of(log)
    if paths is None:
        return stream_of(log)

    kept: Mode = "FAILFAST" if mode == "FAILFAST" else "PERMISSIVE"
    chosen = {"columns": _COLUMNS, "include_control": True, "mode": kept, **options}
    if not snapshots:
        found = _logs(paths, topics)
        return read_log(*paths, topics=sorted({log.topic for log in found if log.topic is not None}), **chosen)

    def source() -> ColumnStream:
        logs = _logs([place for path in paths for place in _path_or_snapshots(path, topics[0])], topics)
        return read_log(*(place for each in logs for place in _places(each)), **chosen)

    # Each reading finds what is there by then.
    return ColumnStream(source().schema, lambda: iter(source()))


def _logs(paths: Sequence[str], topics: Sequence[str]) -> list[PartitionLog]:
    """The logs of the topics.

    Raises ``LogPathError``, also for a partition in several folders: its records would count twice.
    """
    found = find_logs(paths, topics)
    if not any(log.topic == topics[0] for log in found):
        raise LogPathError(f"no {topics[0]} in {', '.join(map(shown, paths))}")
    if all(map(_is_snapshots, found)):
        return found
    folders: dict[tuple[str | None, int | None], str] = {}
    for log in found:
        other = folders.setdefault((log.topic, log.partition), log.folder)
        if other != log.folder:
            raise LogPathError(
                f"{shown(log.folder)} and {shown(other)} are replicas of the same partition: give the logs of one "
                "broker"
            )
    return found


def _is_snapshots(log: PartitionLog) -> bool:
    return all(segment.path.endswith(_SNAPSHOT) for segment in log.segments)


def _path_or_snapshots(path: str, topic: str) -> list[str]:
    """The snapshots in a folder of a partition or broker that has no log of the topic; otherwise the path."""
    folders = Folders()
    for folder in (joined(normal(path), f"{topic}-0"), normal(path)):
        names = folders.names(folder)
        if any(name.endswith(_SEGMENT) for name in names):
            return [path]
        if found := sorted(name for name in names if name.endswith(_SNAPSHOT)):
            return [joined(folder, name) for name in found]
    return [path]


def _places(log: PartitionLog) -> list[str]:
    """The files of a log, or its folder if some of them are missing; and the snapshots there.

    Snapshots alone are read alone.
    """
    if _is_snapshots(log):
        return [segment.path for segment in log.segments]
    is_whole = all(segment.damage is None for segment in log.segments)
    found = [segment.path for segment in log.segments] if is_whole else [log.folder]
    names = sorted(name for name in Folders().names(log.folder) if name.endswith(_SNAPSHOT))
    return list(dict.fromkeys([*found, *(joined(log.folder, name) for name in names)]))


def paths_of(log: Log) -> list[str] | None:
    """The paths of a log; ``None`` for rows."""
    if isinstance(log, str | os.PathLike):
        return [os.fspath(log)]
    if isinstance(log, list | tuple) and all(isinstance(each, str | os.PathLike) for each in log):
        return [os.fspath(each) for each in log]
    return None
