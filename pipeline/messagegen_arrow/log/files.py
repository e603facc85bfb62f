"""Which files hold the logs: folders named by topic and partition, segments named by their base offset, snapshots."""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from glob import glob, has_magic
from pathlib import Path
from typing import Final, NamedTuple

CLUSTER_METADATA_TOPIC: Final = "__cluster_metadata"
MAX_OFFSET: Final = (1 << 63) - 1

_FOLDER: Final = re.compile(
    r"(?P<topic>[\w.-]+)-(?P<partition>\d+)(?:\.[0-9a-f]{32}-(?P<state>delete|stray|future))?", re.ASCII
)
_SEGMENT: Final = re.compile(r"(?P<base_offset>\d{20})\.log(?P<swap>\.swap)?")
_SNAPSHOT_SUFFIX: Final = ".checkpoint"
_SEGMENT_SUFFIXES: Final = (".log", ".log.swap", ".log.deleted", ".log.cleaned")
_BROKER_FILE: Final = "meta.properties"
"""What every log folder of a broker has, with or without topics."""

Wanted = Callable[[str | None, int | None], bool]
"""Whether a topic and partition are to be read; ``None`` where they are not known."""


class LogPathError(ValueError):
    """Raised for a path that is not there, is not local, or holds no logs."""


class LogName(NamedTuple):
    """What the name of a folder says. ``state`` is ``delete``, ``stray`` or ``future`` where the replica is not in use."""

    topic: str
    partition: int
    state: str | None


@dataclass(frozen=True, slots=True)
class Segment:
    """One file of record batches, at most ``size`` bytes of it."""

    path: str
    size: int
    base_offset: int | None
    """The offset that its name says, ``None`` for files that are not named so."""
    next_base_offset: int | None
    """The base offset of the segment after it; ``None`` for the last one, which may still grow."""
    is_complete: bool
    """Whether nothing is ever appended to it: a segment with another after it, and a snapshot."""
    inode: int = 0
    """Tells the file from one that has its name later."""


@dataclass(frozen=True, slots=True)
class PartitionLog:
    """The files of one partition (or single files of it) in one folder, in order of offsets."""

    folder: str
    topic: str | None
    partition: int | None
    segments: tuple[Segment, ...]
    start_offset: int = 0
    """The log start offset: what lies before it was deleted."""
    end_offset: int = MAX_OFFSET
    """The first offset that is not to be read: the high watermark, where that is wanted."""

    @property
    def offsets(self) -> tuple[int, int] | None:
        """The first and the last offset that are to be read, ``None`` for all."""
        if (self.start_offset, self.end_offset) == (0, MAX_OFFSET):
            return None
        return self.start_offset, self.end_offset - 1


def parse_folder_name(name: str) -> LogName | None:
    """What the name of a partition's folder says; ``None`` if it is not one.

    ``orders-0`` is a partition in use. A broker marks folders of deleted topics (``orders-0.<32 digits>-delete``), of replicas
    that it should not have (``-stray``), and copies on their way to another disk (``-future``).
    """
    match = _FOLDER.fullmatch(name)
    return match and LogName(match["topic"], int(match["partition"]), match["state"])


def given_paths(path: str | None, paths: str | None) -> tuple[str, ...]:
    """The paths of ``load``: one, or several as JSON. Raises ``LogPathError`` where there is none."""
    given = ([path] if path else []) + (json.loads(paths) if paths else [])
    if not given:
        raise LogPathError(
            'missing path of the logs: load("/var/lib/kafka/data"); a table needs it in each query, SELECT * FROM logs '
            "WITH (path '/var/lib/kafka/data'), since Spark keeps its options from the source; a temporary view does not"
        )
    return tuple(_local(each) for each in given)


def _local(path: str) -> str:
    plain = re.sub(r"^file:(//)?(?=/)", "", path)
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:/", plain):
        raise LogPathError(f"{path} is not a local path; mount it where the driver and every executor see it")
    return plain


def _all(_topic: str | None, _partition: int | None) -> bool:
    return True


def find_logs(
    paths: Iterable[str],
    wanted: Wanted = _all,
    *,
    may_be_empty: bool = False,
) -> list[PartitionLog]:
    """The logs in folders of brokers or partitions, and in single ``.log`` and ``.checkpoint`` files; globs are allowed.

    ``wanted`` chooses by topic and partition. Folders marked as deleted, stray or future are left out unless a path names them.
    A partition's folder gives its segments; its snapshots are read where paths name them. Raises ``LogPathError``, unless
    ``may_be_empty`` only for paths that are not there.
    """
    files: dict[str, set[str]] = {}
    # A folder may be asked for with each of its segments.
    listed = cache(segment_files)
    for path in paths:
        found = list(_files(path, wanted, listed))
        if not found and not may_be_empty and not _is_empty_broker(path) and not _is_left_out(path, wanted):
            raise LogPathError(
                f"{path} holds no Kafka logs: neither folders such as orders-0 nor files such as {0:020}.log"
            )
        for file in found:
            files.setdefault(file.rpartition("/")[0] or "/", set()).add(file)
    logs = (partition_log(folder, files[folder], listed(folder)) for folder in files)
    return sorted(logs, key=lambda log: (log.topic or "", log.partition or 0, log.folder))


def partition_log(folder: str, files: Iterable[str], neighbours: Iterable[str] = ()) -> PartitionLog:
    """The log that segments and snapshots in a folder make. Files that are gone by now are left out.

    ``neighbours`` are the other segments of the folder, if ``files`` are not all: a segment with another after it is complete.
    """
    sized = [(file, stat) for file in sorted(files) if (stat := _stat(file)) is not None]
    topic, partition = _topic_of(folder, [file for file, _ in sized])
    every = {*(file for file, _ in sized), *neighbours}
    bases = sorted(offset for offset in map(_base_offset, every) if offset is not None)
    return PartitionLog(folder, topic, partition, tuple(_segments(sized, bases)))


def _topic_of(folder: str, files: Sequence[str]) -> tuple[str | None, int | None]:
    """The topic and partition of files in a folder, as far as names tell."""
    name = parse_folder_name(_name(folder))
    if name is None and files and all(map(_is_snapshot, files)):
        # The snapshot that a cluster begins with lies beside the partitions.
        return CLUSTER_METADATA_TOPIC, 0
    return (name.topic, name.partition) if name else (None, None)


def _segments(sized: Sequence[tuple[str, os.stat_result]], bases: Sequence[int]) -> Iterator[Segment]:
    for file, stat in sized:
        if not _is_snapshot(file):
            base = _base_offset(file)
            after = len(bases) if base is None else bisect_right(bases, base)
            following = bases[after] if after < len(bases) else None
            yield Segment(file, stat.st_size, base, following, following is not None, stat.st_ino)
    for file, stat in sized:
        if _is_snapshot(file):
            yield Segment(file, stat.st_size, None, None, is_complete=True)


def segment_files(folder: str) -> set[str]:
    """The segments of a partition's folder; none if the folder is gone.

    A cleaned segment is renamed to ``.log.swap`` and then to ``.log``; in between the first name is the only one.
    """
    try:
        names = {entry.name for entry in Path(folder).iterdir()}
    except (FileNotFoundError, NotADirectoryError):
        return set()
    matches = (match for name in names if (match := _SEGMENT.fullmatch(name)))
    above = folder.rstrip("/")
    return {
        f"{above}/{match.string}"
        for match in matches
        if not match["swap"] or match.string.removesuffix(".swap") not in names
    }


def _files(path: str, wanted: Wanted, listed: Callable[[str], set[str]] = segment_files) -> Iterator[str]:
    is_pattern = has_magic(path)
    for each in sorted(glob(path)) if is_pattern else [path]:  # noqa: PTH207 - patterns may be absolute
        full = Path(each).absolute()
        name = parse_folder_name(full.name)
        if is_pattern and name and name.state and not path.rstrip("/").endswith(f"-{name.state}"):
            continue
        if full.is_dir():
            yield from _files_in(str(full), wanted, listed)
        elif not full.exists():
            raise LogPathError(f"{path} does not exist here")
        elif not is_pattern or is_log_file(str(full)):
            yield from _single_file(str(full), wanted)


def _files_in(folder: str, wanted: Wanted, listed: Callable[[str], set[str]]) -> Iterator[str]:
    name = parse_folder_name(_name(folder))
    own = listed(folder)
    # A folder of a broker may be called as a partition's is: kafka-logs-1.
    if own:
        topic, partition = (name.topic, name.partition) if name else (None, None)
        yield from own if wanted(topic, partition) else ()
        return
    for entry in Path(folder).iterdir():
        inner = parse_folder_name(entry.name)
        if inner and not inner.state and wanted(inner.topic, inner.partition):
            yield from listed(str(entry))


def _single_file(file: str, wanted: Wanted) -> Iterator[str]:
    if not is_log_file(file):
        raise LogPathError(f"{file} is not a log: segments are named *.log, snapshots *{_SNAPSHOT_SUFFIX}")
    if wanted(*_topic_of(file.rpartition("/")[0], [file])):
        yield file


def is_log_file(file: str) -> bool:
    """Whether a file is named as segments and snapshots are."""
    return file.endswith(_SEGMENT_SUFFIXES) or _is_snapshot(file)


def _is_snapshot(file: str) -> bool:
    return file.endswith(_SNAPSHOT_SUFFIX)


def _base_offset(file: str) -> int | None:
    match = re.match(r"\d{20}\.log", _name(file))
    return int(match[0][:20]) if match else None


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _is_empty_broker(path: str) -> bool:
    return not has_magic(path) and (Path(path) / _BROKER_FILE).exists()


def _is_left_out(path: str, wanted: Wanted) -> bool:
    """Whether there are logs, none of which is wanted."""
    return any(True for _ in _files(path, lambda topic, partition: not wanted(topic, partition)))


def _stat(file: str) -> os.stat_result | None:
    try:
        return Path(file).stat()
    except FileNotFoundError:
        return None
