"""Lines ``group,topic,partition,offset``, as ``kafka-consumer-groups --reset-offsets`` reads and writes them.

They have no metadata, and no leader epochs.
"""

from __future__ import annotations

import csv
import io
from typing import Final

from messagegen_client.groups.calls import OffsetAndMetadata
from messagegen_client.groups.file.model import (
    MAX_OFFSET,
    MAX_PARTITION,
    GroupOffsets,
    OffsetFile,
    OffsetFileError,
    plain_offset,
    whole_number,
)
from messagegen_client.offsets.partitions import TopicPartition

_COLUMNS: Final = "group,topic,partition,offset"
_COLUMNS_OF_A_GROUP: Final = "topic,partition,offset"


def read_lines(text: str, name: str, *, group_id: str | None = None) -> OffsetFile:
    """The offsets in the text of a file of CSV.

    A file for one group may leave out the first column: then each line is ``topic,partition,offset``, and ``group_id``
    is the group. ``name`` is that of the file, for errors. Raises ``OffsetFileError`` with all errors.
    """
    reading = _Reading(name, group_id)
    rows = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    try:
        for row in rows:
            if row:
                reading.add(rows.line_num, row)
    except csv.Error as problem:
        raise OffsetFileError([f"{name}, line {rows.line_num}: invalid CSV: {problem}"]) from None
    if reading.problems:
        raise OffsetFileError(reading.problems)
    return OffsetFile(reading.offsets)


def lines_text(offsets: GroupOffsets) -> str:
    """The text of a file of CSV with these offsets, without their metadata and leader epochs."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    for group_id, partitions in offsets.items():
        for (topic, number), offset in partitions.items():
            writer.writerow((group_id, topic, number, plain_offset(offset)))
    return text.getvalue()


class _Reading:
    """Collects the offsets and the errors of a file."""

    def __init__(self, name: str, group_id: str | None) -> None:
        self.offsets: dict[str, dict[TopicPartition, int | OffsetAndMetadata]] = {}
        self.problems: list[str] = []
        self._name = name
        self._group_id = group_id

    def add(self, line: int, row: list[str]) -> None:
        """Takes the offset of a line, or notes what is wrong with it."""
        place = f"{self._name}, line {line}"
        try:
            group_id, partition, offset = self._parsed(row)
        except ValueError as problem:
            self.problems.append(f"{place}: {problem}")
            return
        partitions = self.offsets.setdefault(group_id, {})
        if partition in partitions:
            self.problems.append(f"{place}: duplicate offset of {partition} in group {group_id!r}")
        partitions[partition] = offset

    def _parsed(self, row: list[str]) -> tuple[str, TopicPartition, int]:
        columns = _COLUMNS if self._group_id is None else _COLUMNS_OF_A_GROUP
        if len(row) != len(columns.split(",")):
            raise ValueError(f"expected {columns}, found {len(row)} columns")
        group_id = row[0] if self._group_id is None else self._group_id
        topic, partition, offset = row[-3:]
        if not group_id or not topic:
            raise ValueError("the name of a group or topic is empty")
        place = TopicPartition(topic, whole_number(partition, "partition", MAX_PARTITION))
        return group_id, place, whole_number(offset, "offset", MAX_OFFSET)
