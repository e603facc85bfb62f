"""The logs of histories: folders of one broker, or rows that have already been read."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final

import pyarrow.compute as pc

from messagegen_arrow.files import Folders, joined, normal, shown
from messagegen_arrow.histories.counts import Progress
from messagegen_arrow.histories.records import REQUIRED, Batches
from messagegen_arrow.log.errors import LogPathError
from messagegen_arrow.log.planning import PartitionLog, find_logs
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, Mode
from messagegen_arrow.streams.sources import read_log
from messagegen_arrow.streams.stream import ColumnStream, stream_of

Log = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Any
"""Paths of logs, or rows with the columns of ``read_log``, which may be anything with Arrow columns."""

_SNAPSHOT: Final = ".checkpoint"
_SEGMENT: Final = ".log"
BOOTSTRAP: Final = "bootstrap.checkpoint"
"""The snapshot with which a new cluster begins, in each folder of a broker; it is no history and no state."""
HISTORY_COLUMNS: Final = (*REQUIRED, "isControl", "path", "batchOffset", ERROR_NAME, RAW_NAME)
"""The log columns that histories read."""


class NoTopicError(LogPathError):
    """Raised for paths without the topic that a history is based on."""


def log_of(
    log: Log,
    topics: Sequence[str],
    mode: Mode,
    *,
    snapshots: bool = False,
    several_brokers: bool = False,
    **options: Any,
) -> ColumnStream:
    """Return the records of these topics; the first topic must exist.

    With ``snapshots``, also return the records of snapshots: beside a log, in a folder without a log, or named by a
    path. With ``several_brokers``, a partition may be in several folders, and the folder with the newest record is
    read. Damaged batches are rows, so that they are counted, unless the mode is FAILFAST. Raises ``LogPathError``.
    """
    paths = paths_of(log)
    if paths is None:
        return stream_of(log)

    kept: Mode = "FAILFAST" if mode == "FAILFAST" else "PERMISSIVE"
    chosen = {"columns": HISTORY_COLUMNS, "include_control": True, "mode": kept, **options}
    choose = _newest_replicas if several_brokers else _only_replicas
    if not snapshots:
        there = _logs(paths, topics)
        found = choose(there)
        if len(found) < len(there):
            return read_log(*(file for each in found for file in _files(each)), **chosen)
        return read_log(*paths, topics=sorted({log.topic for log in found if log.topic is not None}), **chosen)

    def source() -> ColumnStream:
        logs = choose(_logs([place for path in paths for place in _path_or_snapshots(path, topics[0])], topics))
        return read_log(*(place for each in logs for place in _places(each)), **chosen)

    # The files are searched again each time the stream is read.
    return ColumnStream(source().schema, lambda: iter(source()))


def reported(log: ColumnStream, progress: Progress | None) -> ColumnStream:
    """Return the same rows, and call ``progress`` with the number of rows in each batch."""
    if progress is None:
        return log

    def batches() -> Batches:
        for batch in log:
            progress(batch.num_rows)
            yield batch

    return ColumnStream(log.schema, batches)


def _logs(paths: Sequence[str], topics: Sequence[str]) -> list[PartitionLog]:
    """Return the logs of the topics. Raises ``LogPathError``, and ``NoTopicError`` if the first topic is missing."""
    found = find_logs(paths, topics)
    if not any(log.topic == topics[0] for log in found):
        raise NoTopicError(f"no {topics[0]} in {', '.join(map(shown, paths))}")
    return found


def _only_replicas(found: list[PartitionLog]) -> list[PartitionLog]:
    """Return the logs.

    Raises ``LogPathError`` if a partition is in several folders: its records would be counted twice.
    """
    if all(map(_is_snapshots, found)):
        return found
    folders: dict[tuple[str | None, int | None], str] = {}
    for log in found:
        other = folders.setdefault((log.topic, log.partition), log.folder)
        if other != log.folder:
            raise LogPathError(
                f"{shown(log.folder)} and {shown(other)} are replicas of the same partition: pass the logs of one "
                "broker only"
            )
    return found


def _newest_replicas(found: list[PartitionLog]) -> list[PartitionLog]:
    """Return, for each partition, the replica with the newest record, which has the records of all other replicas."""
    if all(map(_is_snapshots, found)):
        return found
    replicas: dict[tuple[str | None, int | None], list[PartitionLog]] = {}
    for log in found:
        replicas.setdefault((log.topic, log.partition), []).append(log)
    return [logs[0] if len(logs) == 1 else max(logs, key=_end) for logs in replicas.values()]


def _end(log: PartitionLog) -> int:
    """Return the last offset in a log's last segment, or the offset in the segment's name if it has no records."""
    last = log.segments[-1]
    rows = read_log(last.path, columns=["offset"], include_control=True, mode="DROPMALFORMED")
    ends = (pc.max(batch.column("offset")).as_py() or 0 for batch in rows)
    return max(ends, default=last.base_offset or 0)


def _is_snapshots(log: PartitionLog) -> bool:
    return all(segment.path.endswith(_SNAPSHOT) for segment in log.segments)


def _path_or_snapshots(path: str, topic: str) -> list[str]:
    """Return the snapshots in the folder of a partition or broker that has no log of the topic; otherwise the path."""
    folders = Folders()
    for folder in (joined(normal(path), f"{topic}-0"), normal(path)):
        names = folders.names(folder)
        if any(name.endswith(_SEGMENT) for name in names):
            return [path]
        if found := sorted(name for name in names if name.endswith(_SNAPSHOT) and name != BOOTSTRAP):
            return [joined(folder, name) for name in found]
    return [path]


def _files(log: PartitionLog) -> list[str]:
    """Return the files of a log, or its folder if some of them are missing."""
    is_whole = all(segment.damage is None for segment in log.segments)
    return [segment.path for segment in log.segments] if is_whole else [log.folder]


def _places(log: PartitionLog) -> list[str]:
    """Return the files of a log, or its folder if some of them are missing; also return the snapshots in the folder.

    If the log consists only of snapshots, return only these.
    """
    if _is_snapshots(log):
        return [segment.path for segment in log.segments]
    names = sorted(name for name in Folders().names(log.folder) if name.endswith(_SNAPSHOT))
    return list(dict.fromkeys([*_files(log), *(joined(log.folder, name) for name in names)]))


def paths_of(log: Log) -> list[str] | None:
    """Return the paths of a log; ``None`` for rows."""
    if isinstance(log, str | os.PathLike):
        return [os.fspath(log)]
    if isinstance(log, list | tuple) and all(isinstance(each, str | os.PathLike) for each in log):
        return [os.fspath(each) for each in log]
    return None
