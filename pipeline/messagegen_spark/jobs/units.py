"""Units of work: parts of the input that are read, written and committed each as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final

from messagegen_arrow.files import Folders, is_url, shown
from messagegen_arrow.log.files import PartitionLog, find_logs

GIBIBYTE: Final = 1 << 30
LEAST_UNIT_BYTES: Final = 16 * GIBIBYTE
TASK_BYTES: Final = 128 << 20
"""What a task reads, where its source is not told another size."""

_TASKS_PER_CORE: Final = 64
"""How many tasks of a unit a core does one after another: at the end of a unit cores wait for the last task, about half a task each."""

_UNKNOWN_SIZE: Final = 128 << 20
"""What a file counts whose size is not to be had here: as much as a task reads."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of the input. Its name is its place in the plan, so a plan that is kept gives the same units again."""

    name: str
    paths: tuple[str, ...]
    size: int
    """The bytes of its files when it was planned."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Files that stay together, and how many bytes they have."""

    paths: tuple[str, ...]
    size: int


def sized_by(cores: int, task_bytes: int = TASK_BYTES) -> int:
    """The bytes of a unit that keeps so many cores busy."""
    return max(LEAST_UNIT_BYTES, cores * _TASKS_PER_CORE * task_bytes)


def log_units(
    paths: Iterable[str],
    wanted: Callable[[str | None, int | None], bool],
    unit_bytes: int = LEAST_UNIT_BYTES,
    *,
    whole_partitions: bool = False,
) -> list[Unit]:
    """Units of Kafka's log folders and files, in the order of topic, partition and offset.

    Segments are the smallest part, so a partition that is larger than ``unit_bytes`` becomes several units; with
    ``whole_partitions`` each partition stays together, as everything must that looks back in a log. ``wanted`` chooses by topic and
    partition. Raises ``LogPathError`` where there is no log.
    """
    return packed(_log_pieces(find_logs(paths, wanted), whole_partitions=whole_partitions), unit_bytes)


def _log_pieces(logs: Iterable[PartitionLog], *, whole_partitions: bool) -> Iterator[Piece]:
    if not whole_partitions:
        yield from (Piece((segment.path,), segment.size) for log in logs for segment in log.segments)
        return
    # A partition may lie in several folders: on another disk, or on another broker whose logs are here too.
    for _, same in groupby(logs, key=lambda log: (log.topic, log.partition)):
        segments = [segment for log in same for segment in log.segments]
        yield Piece(tuple(segment.path for segment in segments), sum(segment.size for segment in segments))


def file_units(
    files: Iterable[str],
    unit_bytes: int = LEAST_UNIT_BYTES,
    *,
    whole_folders: bool = False,
    folders: Folders | None = None,
) -> list[Unit]:
    """Units of files, in the order of their names; each file is in one unit, with ``whole_folders`` together with its neighbours.

    ``folders`` know how large files in object stores are: without them nothing is asked of stores that Spark alone may be able to reach.
    Raises ``OSError`` where they can't be listed.
    """
    pieces = [Piece((file,), _size(file, folders)) for file in sorted(set(files), key=_folder_first)]
    if whole_folders:
        groups = groupby(pieces, key=lambda piece: _folder_first(piece.paths[0])[0])
        pieces = [_joined(list(group)) for _, group in groups]
    return packed(pieces, unit_bytes)


def _folder_first(file: str) -> tuple[str, str]:
    folder, _, name = shown(file).rpartition("/")
    return folder, name


def _joined(pieces: Sequence[Piece]) -> Piece:
    return Piece(tuple(path for piece in pieces for path in piece.paths), sum(piece.size for piece in pieces))


def packed(pieces: Iterable[Piece], unit_bytes: int) -> list[Unit]:
    """Neighbours together, as long as a unit stays within ``unit_bytes``; a piece that is larger is a unit of its own."""
    groups: list[list[Piece]] = []
    size = 0
    for piece in pieces:
        if not groups or size + piece.size > unit_bytes:
            groups.append([])
            size = 0
        groups[-1].append(piece)
        size += piece.size
    return [_unit(number, group) for number, group in enumerate(groups)]


def _unit(number: int, pieces: Sequence[Piece]) -> Unit:
    whole = _joined(pieces)
    return Unit(f"{number:06}", whole.paths, whole.size)


def _size(file: str, folders: Folders | None) -> int:
    """The bytes of a file, which Spark may call by a URI without escapes."""
    if is_url(file):
        entry = None if folders is None else folders.entry(file)
        return _UNKNOWN_SIZE if entry is None else entry.size
    try:
        return Path(re.sub(r"^file:(//)?(?=/)", "", file)).stat().st_size
    except OSError:
        return _UNKNOWN_SIZE
