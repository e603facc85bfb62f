"""The logs that histories are read from: folders of one broker, or rows that somebody has read already."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, Final

from messagegen_arrow.files import Folders, joined, shown
from messagegen_arrow.histories.records import REQUIRED, check_log
from messagegen_arrow.log.errors import LogPathError
from messagegen_arrow.log.planning import PartitionLog, find_logs
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, Mode
from messagegen_arrow.streams.sources import read_log
from messagegen_arrow.streams.stream import ColumnStream, stream_of

Log = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Any
"""Paths of logs, or rows with the columns of ``read_log``: anything with Arrow columns."""

COMMITTED: Final = {"isolationLevel": "read_committed", "untilLastStableOffset": "false"}
"""What a group coordinator reads: commits behind an open transaction count, those in it do not yet."""

_SNAPSHOT: Final = ".checkpoint"

RECORD_COLUMNS: Final = (*REQUIRED, "isControl", ERROR_NAME, RAW_NAME)
"""What histories read of a log."""


def log_of(log: Log, topics: Sequence[str], **options: Any) -> ColumnStream:
    """The records of these topics, of which the first must be there. Raises ``LogPathError`` and ``ValueError``."""
    paths = paths_of(log)
    if paths is None:
        stream = stream_of(log)
        check_log(stream.schema.names)
        return stream
    found = sorted({log.topic for log in _check_topics(paths, topics) if log.topic is not None})
    return read_log(*paths, topics=found, columns=RECORD_COLUMNS, include_control=True, **options)


def metadata_log(log: Log, topic: str, **options: Any) -> ColumnStream:
    """The records of a topic and of the snapshots beside its segments; raises the same."""
    paths = paths_of(log)
    if paths is None:
        return log_of(log, [topic])
    columns = (*RECORD_COLUMNS, "path", "batchOffset")

    def source() -> ColumnStream:
        found = _check_topics(paths, [topic])
        places = [place for each in found for place in _places(each)]
        return read_log(
            *with_snapshots(places, [each.folder for each in found]), columns=columns, include_control=True, **options
        )

    return ColumnStream(source().schema, lambda: iter(source()))


def log_mode(mode: str) -> Mode:
    """The mode in which a log is read: damaged batches are rows, so that they are counted."""
    return "FAILFAST" if mode.upper() == "FAILFAST" else "PERMISSIVE"


def check_one_replica(logs: Iterable[PartitionLog]) -> None:
    """Raises ``LogPathError`` for files of a partition in several folders: each of its records would count several times."""
    folders: dict[tuple[str, int | None], str] = {}
    for log in logs:
        if log.topic is None:
            continue
        other = folders.setdefault((log.topic, log.partition), log.folder)
        if other != log.folder:
            raise LogPathError(
                f"{shown(log.folder)} and {shown(other)} are replicas of the same partition: give the logs of one broker"
            )


def with_snapshots(paths: Sequence[str], folders: Sequence[str]) -> tuple[str, ...]:
    """The paths, and the snapshots in folders."""
    known = Folders()
    snapshots = [
        joined(folder, name)
        for folder in dict.fromkeys(folders)
        for name in sorted(known.names(folder))
        if name.endswith(_SNAPSHOT)
    ]
    return tuple(dict.fromkeys([*paths, *snapshots]))


def _places(log: PartitionLog) -> list[str]:
    """The files of a log, or its folder if some of them are missing."""
    is_whole = all(segment.damage is None for segment in log.segments)
    return [segment.path for segment in log.segments] if is_whole else [log.folder]


def _check_topics(paths: Sequence[str], topics: Sequence[str]) -> list[PartitionLog]:
    """The logs of the topics. Raises ``LogPathError``."""
    found = find_logs(paths, topics)
    if not any(log.topic == topics[0] for log in found):
        raise LogPathError(f"no {topics[0]} in {', '.join(map(shown, paths))}")
    check_one_replica(found)
    return found


def paths_of(log: Log) -> list[str] | None:
    """The paths of a log; ``None`` for rows."""
    if isinstance(log, str | os.PathLike):
        return [os.fspath(log)]
    if isinstance(log, list | tuple) and all(isinstance(each, str | os.PathLike) for each in log):
        return [os.fspath(each) for each in log]
    return None
