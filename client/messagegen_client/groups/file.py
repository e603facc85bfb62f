"""Files of offsets: lines ``group,topic,partition,offset``, as ``kafka-consumer-groups --reset-offsets`` reads them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Final, TypeAlias

from messagegen_client.offsets.partitions import TopicPartition

GroupOffsets: TypeAlias = Mapping[str, Mapping[TopicPartition, int]]
"""The offset of each partition, by group."""

_COLUMNS: Final = "group,topic,partition,offset"
_COLUMNS_OF_A_GROUP: Final = "topic,partition,offset"
_MAX_PARTITION: Final = 2**31 - 1
_MAX_OFFSET: Final = 2**63 - 1
_LONGEST_NUMBER: Final = 20


class OffsetFileError(ValueError):
    """A file with errors. ``problems`` are their texts, each with the line."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


def read_offset_file(text: str, name: str, *, group_id: str | None = None) -> GroupOffsets:
    """The offsets in the text of a file.

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
    return reading.offsets


def offset_file_text(offsets: GroupOffsets) -> str:
    """The text of a file with these offsets."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    for group_id, partitions in offsets.items():
        writer.writerows((group_id, topic, number, offset) for (topic, number), offset in partitions.items())
    return text.getvalue()


class _Reading:
    """Collects the offsets and the errors of a file."""

    def __init__(self, name: str, group_id: str | None) -> None:
        self.offsets: dict[str, dict[TopicPartition, int]] = {}
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
        place = TopicPartition(topic, _number(partition, "partition", _MAX_PARTITION))
        return group_id, place, _number(offset, "offset", _MAX_OFFSET)


def _number(text: str, what: str, highest: int) -> int:
    if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER and int(text) <= highest:
        return int(text)
    raise ValueError(f"invalid {what} {text!r}: expected a whole number from 0 to {highest}")
