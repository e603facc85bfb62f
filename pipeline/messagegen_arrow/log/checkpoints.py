"""What a broker writes down of its logs beside them: the log start offsets and the high watermarks.

Upstream: ``OffsetCheckpointFile`` (version 0): a version, a count, and then a line of topic, partition and offset for each log.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Final

from messagegen_arrow.files import joined, parent_of, read_bytes, shown
from messagegen_arrow.log.files import LogPathError, PartitionLog
from messagegen_arrow.log.names import log_name

LOG_START_OFFSETS: Final = "log-start-offset-checkpoint"
HIGH_WATERMARKS: Final = "replication-offset-checkpoint"

_Offsets = dict[tuple[str, int], int]


def with_log_start(logs: Iterable[PartitionLog]) -> list[PartitionLog]:
    """The logs with their log start offsets, where the folder of their broker has them.

    Records before it were deleted (DeleteRecords, KIP-107) and may still lie in the first segment. Raises ``LogPathError`` for a
    checkpoint that can't be understood.
    """
    read = cache(_read)
    found = []
    for log in logs:
        file = _checkpoint(log, LOG_START_OFFSETS)
        offsets = (read(file) if file else None) or {}
        found.append(replace(log, start_offset=offsets.get((log.topic or "", log.partition or 0), 0)))
    return found


def with_high_watermark(logs: Iterable[PartitionLog]) -> list[PartitionLog]:
    """The logs, each up to its high watermark as the folder of its broker has it; 0 where that does not know the log.

    Raises ``LogPathError`` where there is no checkpoint, or one that can't be understood.
    """
    read = cache(_read)
    found = []
    for log in logs:
        file = _checkpoint(log, HIGH_WATERMARKS)
        offsets = read(file) if file else None
        if offsets is None:
            raise LogPathError(
                f"{shown(log.folder)} has no {HIGH_WATERMARKS} beside it, so the high watermark is not known; "
                "leave out the option untilHighWatermark, or read the folder of a broker"
            )
        found.append(replace(log, end_offset=offsets.get((log.topic or "", log.partition or 0), 0)))
    return found


def _checkpoint(log: PartitionLog, name: str) -> str | None:
    """The checkpoint that knows a log; none knows a folder that a broker marked as deleted or stray."""
    parsed = log_name(log.folder)
    if parsed is None or parsed.state in ("delete", "stray"):
        return None
    return joined(parent_of(log.folder), name)


def _read(file: str) -> _Offsets | None:
    try:
        text = read_bytes(file).decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        text = ""
    lines = text.splitlines()
    try:
        version, count = int(lines[0]), int(lines[1])
        rows = [line.split() for line in lines[2:] if line.strip()]
        offsets = {(topic, int(partition)): int(offset) for topic, partition, offset in rows}
    except (IndexError, ValueError):
        version, count, offsets = -1, 0, {}
    if version != 0 or len(offsets) != count:
        raise LogPathError(
            f"{shown(file)} is not an offset checkpoint: expected a line 0, a line with a count, and so many lines of topic, "
            "partition and offset; with fromLogStart=false, and without untilHighWatermark, it is not read"
        )
    return offsets
