"""The logs that histories are read from: folders of one broker, or rows that somebody has read already."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from messagegen_arrow.files import Folders, joined, parent_of, shown
from messagegen_arrow.histories.records import REQUIRED, check_log
from messagegen_arrow.log.files import LogPathError, PartitionLog, find_logs, given_paths
from messagegen_arrow.log.names import is_snapshot, log_name
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, Mode
from messagegen_arrow.streams.sources import read_log
from messagegen_arrow.streams.stream import ColumnStream, stream_of

Log = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Any
"""Paths of logs, or rows with the columns of ``read_log``: anything with Arrow columns."""

COMMITTED: Final = {"isolationLevel": "read_committed", "untilLastStableOffset": "false"}
"""What a group coordinator reads: commits behind an open transaction count, those in it do not yet."""

RECORD_COLUMNS: Final = (*REQUIRED, "isControl", ERROR_NAME, RAW_NAME)
"""What histories read of a log."""


def log_of(log: Log, topics: Sequence[str], **options: Any) -> ColumnStream:
    """The records of these topics, of which the first must be there. Raises ``LogPathError`` and ``ValueError``."""
    paths = paths_of(log)
    if paths is None:
        stream = stream_of(log)
        check_log(stream.schema.names)
        return stream
    _check_topics(paths, topics)
    return read_log(*paths, topics=list(topics), columns=RECORD_COLUMNS, include_control=True, **options)


def metadata_log(log: Log, topic: str, **options: Any) -> ColumnStream:
    """The records of a topic and of the snapshots beside its segments; raises the same."""
    paths = paths_of(log)
    if paths is None:
        return log_of(log, [topic])
    columns = (*RECORD_COLUMNS, "path", "batchOffset")

    def source() -> ColumnStream:
        found = _check_topics(paths, [topic])
        segments = [segment.path for each in found for segment in each.segments]
        return read_log(*with_snapshots(segments), columns=columns, include_control=True, **options)

    return ColumnStream(source().schema, lambda: iter(source()))


def log_mode(mode: str) -> Mode:
    """The mode in which a log is read: damaged batches are rows, so that they are counted."""
    return "FAILFAST" if mode.upper() == "FAILFAST" else "PERMISSIVE"


def check_one_replica(paths: Iterable[str]) -> None:
    """Raises ``LogPathError`` for files of a partition in several folders: each of its records would count several times."""
    folders: dict[tuple[str, int], str] = {}
    for folder in dict.fromkeys(map(parent_of, paths)):
        name = log_name(folder)
        if name is None:
            continue
        other = folders.setdefault((name.topic, name.partition), folder)
        if other != folder:
            raise LogPathError(
                f"{shown(folder)} and {shown(other)} are replicas of the same partition: give the logs of one broker"
            )


def with_snapshots(paths: Sequence[str]) -> tuple[str, ...]:
    """The files, and the snapshots in the same folders."""
    known = Folders()
    snapshots = [
        joined(folder, name)
        for folder in dict.fromkeys(map(parent_of, paths))
        for name in sorted(known.names(folder))
        if is_snapshot(name)
    ]
    return tuple(dict.fromkeys([*paths, *snapshots]))


def _check_topics(paths: Sequence[str], topics: Sequence[str]) -> list[PartitionLog]:
    """The logs of the topics. Raises ``LogPathError``."""
    local = [each for path in paths for each in given_paths(path, None)]
    found = find_logs(local, _is_one_of(topics))
    if not any(log.topic == topics[0] for log in found):
        raise LogPathError(f"no {topics[0]} in {', '.join(map(shown, paths))}")
    check_one_replica(segment.path for log in found for segment in log.segments)
    return found


def _is_one_of(topics: Sequence[str]) -> Callable[[str | None, int | None], bool]:
    return lambda topic, _partition: topic in topics


def paths_of(log: Log) -> list[str] | None:
    """The paths of a log; ``None`` for rows."""
    if isinstance(log, str | os.PathLike):
        return [os.fspath(log)]
    if isinstance(log, list | tuple) and all(isinstance(each, str | os.PathLike) for each in log):
        return [os.fspath(each) for each in log]
    return None
