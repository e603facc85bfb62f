"""What a file of offsets says, in each of its formats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from messagegen_client.documents.checking import DocumentError, short
from messagegen_client.groups.calls import OffsetAndMetadata
from messagegen_client.offsets.partitions import TopicPartition

GroupOffsets: TypeAlias = Mapping[str, Mapping[TopicPartition, int | OffsetAndMetadata]]
"""The offset of each partition, by group. A plain number says nothing about metadata and the leader epoch."""

MAX_PARTITION: Final = 2**31 - 1
MAX_OFFSET: Final = 2**63 - 1
MAX_LEADER_EPOCH: Final = 2**31 - 1
_LONGEST_NUMBER: Final = 20


class OffsetFileError(DocumentError):
    """A file with errors. ``problems`` are their texts, each with the line."""


@dataclass(frozen=True, slots=True)
class OffsetFile:
    """A file of offsets."""

    offsets: GroupOffsets
    left_out: tuple[str, ...] = ()
    """The commits in the file that can't be made again, and why, a sentence each."""


def plain_offset(offset: int | OffsetAndMetadata) -> int:
    """The offset alone."""
    return offset.offset if isinstance(offset, OffsetAndMetadata) else offset


def whole_number(value: str, what: str, highest: int) -> int:
    """The number that a cell of CSV or a number of a document is. Raises ``ValueError``."""
    if value.isascii() and value.isdigit() and len(value) <= _LONGEST_NUMBER:
        number = int(value)
        if number <= highest:
            return number
    raise ValueError(f"invalid {what} {short(value)}: expected a whole number from 0 to {highest}")
