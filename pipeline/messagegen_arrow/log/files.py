"""Which files hold the logs: folders named by topic and partition, segments named by their base offset, snapshots."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from messagegen_arrow.files import (
    Entry,
    Folders,
    is_pattern,
    is_url,
    joined,
    normal,
    parent_of,
    shown,
    with_suffix,
)
from messagegen_arrow.log.names import (
    SNAPSHOT_SUFFIX,
    LogName,
    base_offset_of,
    is_log_file,
    is_snapshot,
    is_tiered_segment,
    is_tiered_topic,
    log_name,
    parse_folder_name,
    segments_among,
)

CLUSTER_METADATA_TOPIC: Final = "__cluster_metadata"
MAX_OFFSET: Final = (1 << 63) - 1

_BROKER_FILE: Final = "meta.properties"
"""What every log folder of a broker has, with or without topics."""

Wanted = Callable[[str | None, int | None], bool]
"""Whether a topic and partition are to be read; ``None`` where they are not known."""


class LogPathError(ValueError):
    """Raised for a path that is not there, or holds no logs."""


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
    is_indexed: bool = False
    """Whether an object store has the segment's offset index too; nobody asks that of local files."""


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


def given_paths(path: str | None, paths: str | None) -> tuple[str, ...]:
    """The paths of ``load``: one, or several as JSON. Raises ``LogPathError`` where there is none, and ``FileUrlError``."""
    given = ([path] if path else []) + (json.loads(paths) if paths else [])
    if not given:
        raise LogPathError(
            'missing path of the logs: load("/var/lib/kafka/data"); a table needs it in each query, SELECT * FROM logs '
            "WITH (path '/var/lib/kafka/data'), since Spark keeps its options from the source; a temporary view does not"
        )
    return tuple(normal(each) for each in given)


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
    ``may_be_empty`` only for paths that are not there; and ``OSError``.
    """
    given = list(paths)
    folders = Folders()
    folders.expect(parent_of(path) for path in given if is_url(path) and is_log_file(path))
    # A folder may be asked for with each of its segments.
    search = _Search(folders, cache(lambda folder: segment_files(folder, folders)))
    files: dict[str, set[str]] = {}
    for path in given:
        found = list(search.files(path, wanted))
        if not found and not may_be_empty and not search.is_empty_broker(path) and not search.is_left_out(path, wanted):
            raise LogPathError(
                f"{shown(path)} holds no Kafka logs: neither folders such as orders-0 nor files such as {0:020}.log"
            )
        for file in found:
            files.setdefault(parent_of(file), set()).add(file)
    logs = (partition_log(folder, files[folder], search.segments(folder), folders) for folder in files)
    return sorted(logs, key=lambda log: (log.topic or "", log.partition or 0, log.folder))


def partition_log(
    folder: str, files: Iterable[str], neighbours: Iterable[str] = (), folders: Folders | None = None
) -> PartitionLog:
    """The log that segments and snapshots in a folder make. Files that are gone by now are left out.

    ``neighbours`` are the other segments of the folder, if ``files`` are not all: a segment with another after it is complete.
    """
    folders = folders or Folders()
    entries = [(file, entry) for file in sorted(files) if (entry := folders.entry(file)) is not None]
    topic, partition = _topic_of(folder, [file for file, _ in entries])
    every = {*(file for file, _ in entries), *neighbours}
    bases = sorted(offset for offset in map(base_offset_of, every) if offset is not None)
    return PartitionLog(folder, topic, partition, tuple(_segments(_without_copies(entries), bases, folders)))


def _topic_of(folder: str, files: Sequence[str]) -> tuple[str | None, int | None]:
    """The topic and partition of files in a folder, as far as names tell."""
    name = log_name(folder)
    if name is None and files and all(map(is_snapshot, files)):
        # The snapshot that a cluster begins with lies beside the partitions.
        return CLUSTER_METADATA_TOPIC, 0
    return (name.topic, name.partition) if name else (None, None)


def _without_copies(entries: Sequence[tuple[str, Entry]]) -> list[tuple[str, Entry]]:
    """The files in their order; of several copies of a segment in tiered storage the largest."""
    chosen: dict[int | str, tuple[str, Entry]] = {}
    for file, entry in entries:
        base_offset = base_offset_of(file)
        key = base_offset if base_offset is not None and is_tiered_segment(file) else file
        if key not in chosen or chosen[key][1].size <= entry.size:
            chosen[key] = file, entry
    # Names in tiered storage have no leading zeros.
    return sorted(
        chosen.values(),
        key=lambda each: (base_offset_of(each[0]) or 0, each[0]) if is_tiered_segment(each[0]) else (0, each[0]),
    )


def _segments(entries: Sequence[tuple[str, Entry]], bases: Sequence[int], folders: Folders) -> Iterator[Segment]:
    for file, entry in entries:
        if not is_snapshot(file):
            base = base_offset_of(file)
            after = len(bases) if base is None else bisect_right(bases, base)
            following = bases[after] if after < len(bases) else None
            is_complete = following is not None or is_tiered_segment(file)
            is_indexed = is_url(file) and folders.entry(with_suffix(file, ".index")) is not None
            yield Segment(file, entry.size, base, following, is_complete, entry.inode, is_indexed)
    for file, entry in entries:
        if is_snapshot(file):
            yield Segment(file, entry.size, None, None, is_complete=True)


def segment_files(folder: str, folders: Folders | None = None) -> set[str]:
    """The segments of a partition's folder; none if the folder is gone."""
    return {joined(folder, name) for name in segments_among((folders or Folders()).names(folder))}


@dataclass(frozen=True, slots=True)
class _Search:
    """Looks for the files that paths name."""

    folders: Folders
    segments: Callable[[str], set[str]]
    """The segments of a folder, which is listed once."""

    def files(self, path: str, wanted: Wanted) -> Iterator[str]:
        matches = is_pattern(path)
        for each in self.folders.expanded(path) if matches else [path]:
            full = each if is_url(each) else str(Path(each).absolute())
            name = log_name(full)
            if matches and name and name.state and not path.rstrip("/").endswith(f"-{name.state}"):
                continue
            kind = self.folders.kind(full)
            if kind == "folder":
                yield from self._in_folder(full, wanted)
            elif kind is None:
                raise LogPathError(f"{shown(path)} does not exist here")
            elif not matches or is_log_file(full):
                yield from self._single(full, wanted)

    def is_empty_broker(self, path: str) -> bool:
        return not is_pattern(path) and self.folders.entry(joined(path, _BROKER_FILE)) is not None

    def is_left_out(self, path: str, wanted: Wanted) -> bool:
        """Whether there are logs, none of which is wanted."""
        return any(True for _ in self.files(path, lambda topic, partition: not wanted(topic, partition)))

    def _in_folder(self, folder: str, wanted: Wanted) -> Iterator[str]:
        name = log_name(folder)
        own = self.segments(folder)
        # A folder of a broker may be called as a partition's is: kafka-logs-1.
        if own:
            topic, partition = (name.topic, name.partition) if name else (None, None)
            yield from own if wanted(topic, partition) else ()
            return
        inner = list(self._partitions(folder))
        chosen = [each for each, name in inner if not name.state and wanted(name.topic, name.partition)]
        self.folders.expect(chosen)
        for each in chosen:
            yield from self.segments(each)

    def _partitions(self, folder: str) -> Iterator[tuple[str, LogName]]:
        """The folders of partitions in a folder, by what their names say."""
        names = self.folders.names(folder)
        of_topics = [joined(folder, name) for name in names if is_tiered_topic(name) and not parse_folder_name(name)]
        self.folders.expect(of_topics)
        numbered = [joined(each, name) for each in of_topics for name in self.folders.names(each)]
        for each in (*(joined(folder, name) for name in names), *numbered):
            name = log_name(each)
            if name is not None:
                yield each, name

    def _single(self, file: str, wanted: Wanted) -> Iterator[str]:
        if not is_log_file(file):
            raise LogPathError(f"{shown(file)} is not a log: segments are named *.log, snapshots *{SNAPSHOT_SUFFIX}")
        if wanted(*_topic_of(parent_of(file), [file])):
            yield file
