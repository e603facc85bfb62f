"""What names of folders and files say: of a broker's log folders (``log.dirs``), and of remote log segments in tiered storage (KIP-405).

| | folder of a partition | segment |
|---|---|---|
| a broker | ``orders-0`` | ``00000000000000000100.log`` |
| Kafka's LocalTieredStorage | ``orders-0-<topic id>`` | ``100-<segment id>.log`` |
| Aiven's plugin | ``orders-<topic id>/0`` | ``00000000000000000100-<segment id>.log`` |

Ids are UUIDs as Kafka writes them: 22 letters, of which the last one is A, Q, g or w, so no name fits two rows.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from messagegen_arrow.files import name_of, parent_of

SNAPSHOT_SUFFIX: Final = ".checkpoint"

_ID: Final = r"[\w-]{21}[AQgw]"
_FOLDER: Final = re.compile(
    r"(?P<topic>[\w.-]+)-(?P<partition>\d+)(?:\.[0-9a-f]{32}-(?P<state>delete|stray|future))?", re.ASCII
)
_TIERED_FOLDER: Final = re.compile(rf"(?P<topic>[\w.-]+)-(?P<partition>\d+)-{_ID}", re.ASCII)
_TIERED_TOPIC: Final = re.compile(rf"(?P<topic>[\w.-]+)-{_ID}", re.ASCII)
_PARTITION: Final = re.compile(r"\d+", re.ASCII)
_SEGMENT: Final = re.compile(r"(?P<base_offset>\d{20})\.log(?P<swap>\.swap)?", re.ASCII)
_TIERED_SEGMENT: Final = re.compile(rf"(?P<base_offset>\d{{1,20}})-{_ID}\.log", re.ASCII)
_SEGMENT_SUFFIXES: Final = (".log", ".log.swap", ".log.deleted", ".log.cleaned")


class LogName(NamedTuple):
    """What the name of a folder says. ``state`` is ``delete``, ``stray`` or ``future`` where the replica is not in use."""

    topic: str
    partition: int
    state: str | None


def parse_folder_name(name: str) -> LogName | None:
    """What the name of a partition's folder says; ``None`` if it is not one.

    ``orders-0`` is a partition in use. A broker marks folders of deleted topics (``orders-0.<32 digits>-delete``), of replicas
    that it should not have (``-stray``), and copies on their way to another disk (``-future``).
    """
    match = _FOLDER.fullmatch(name)
    if match is not None:
        return LogName(match["topic"], int(match["partition"]), match["state"])
    match = _TIERED_FOLDER.fullmatch(name)
    return match and LogName(match["topic"], int(match["partition"]), None)


def log_name(folder: str) -> LogName | None:
    """The same for a path, whose last but one part may name the topic."""
    name = name_of(folder)
    if not _PARTITION.fullmatch(name):
        return parse_folder_name(name)
    match = _TIERED_TOPIC.fullmatch(name_of(parent_of(folder)))
    return match and LogName(match["topic"], int(name), None)


def is_tiered_topic(name: str) -> bool:
    """Whether a folder has folders of partitions that are named by their numbers alone."""
    return _TIERED_TOPIC.fullmatch(name) is not None


def segments_among(names: set[str]) -> list[str]:
    """The names of segments.

    A cleaned segment is renamed to ``.log.swap`` and then to ``.log``; in between the first name is the only one.
    """
    matches = (match for name in names if (match := _SEGMENT.fullmatch(name)))
    own = [match.string for match in matches if not match["swap"] or match.string.removesuffix(".swap") not in names]
    return own + [name for name in names if _TIERED_SEGMENT.fullmatch(name)]


def base_offset_of(file: str) -> int | None:
    """The offset that a segment's name says, ``None`` for files that are not named so."""
    name = name_of(file)
    match = re.match(r"(\d{20})\.log", name) or _TIERED_SEGMENT.fullmatch(name)
    return int(match[1]) if match else None


def is_tiered_segment(file: str) -> bool:
    """Whether a segment is named as in tiered storage."""
    return _TIERED_SEGMENT.fullmatch(name_of(file)) is not None


def is_log_file(file: str) -> bool:
    """Whether a file is named as segments and snapshots are."""
    return name_of(file).endswith(_SEGMENT_SUFFIXES) or is_snapshot(file)


def is_snapshot(file: str) -> bool:
    """Whether a file is named as a snapshot of cluster metadata."""
    return name_of(file).endswith(SNAPSHOT_SUFFIX)
