"""Offsets of groups as CSV, in the format of ``kafka-consumer-groups --export`` and ``--from-file``."""

from __future__ import annotations

import csv
import io
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from messagegen_client.net.partitions import TopicPartition, topic_partition

_OFFSET: Final = 2**63
_WITHOUT_GROUP, _WITH_GROUP = 3, 4


class OffsetFileError(ValueError):
    """An invalid file of offsets. The text has the line, and what to write instead."""


def csv_text(offsets: Mapping[TopicPartition, int]) -> str:
    """A line ``topic,partition,offset`` for each partition, sorted and without a header."""
    return "".join(f"{topic},{number},{offset}\n" for (topic, number), offset in sorted(offsets.items()))


def read_csv(text: str, group_id: str) -> dict[TopicPartition, int]:
    """The offsets in a file with lines of topic, partition and offset, or of group, topic, partition and offset.

    In a file with groups only the lines of ``group_id`` are used. Raises ``OffsetFileError``.
    """
    offsets: dict[TopicPartition, int] = {}
    others: set[str] = set()
    rows = csv.reader(io.StringIO(text.removeprefix("\ufeff")))
    width = 0
    for number, row in enumerate(rows, 1):
        if not any(cell.strip() for cell in row):
            continue
        width = width or len(row)
        if len(row) != width or width not in (_WITHOUT_GROUP, _WITH_GROUP):
            raise OffsetFileError(f"line {number}: expected topic,partition,offset or group,topic,partition,offset")
        *group, topic, partition, offset = (cell.strip() for cell in row)
        if group and group[0] != group_id:
            others.add(group[0])
            continue
        place = _place(topic, partition, number)
        if place in offsets:
            raise OffsetFileError(f"line {number}: duplicate partition {place}")
        offsets[place] = _number(offset, _OFFSET, f"line {number}: invalid offset")
    if others and not offsets:
        raise OffsetFileError(f"no line for group {group_id}, only for {', '.join(sorted(others))}")
    return offsets


def write_new(path: Path, text: str) -> None:
    """Writes a new file atomically. Raises ``FileExistsError`` if it exists, or another ``OSError``."""
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", newline="", dir=path.parent, prefix=f".{path.name}.", delete=False
    ) as file:
        whole = Path(file.name)
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            # Unlike a rename, a link never replaces a file.
            path.hardlink_to(whole)
        finally:
            whole.unlink(missing_ok=True)


def _place(topic: str, partition: str, line: int) -> TopicPartition:
    number = _number(partition, 2**31, f"line {line}: invalid partition")
    try:
        return topic_partition((topic, number))
    except ValueError as problem:
        raise OffsetFileError(f"line {line}: {problem}") from None


def _number(text: str, limit: int, doing: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) < limit):
        raise OffsetFileError(f"{doing}: expected a whole number below {limit}, not {text!r}")
    return int(text)
