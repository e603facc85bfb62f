"""The first bytes of keys and values, for all rows of a batch at once: which type of record it is, and of which version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from messagegen_arrow.arrays import Rows
from messagegen_arrow.engine import native_engine
from messagegen_arrow.internal_topics.record_types import Framing

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

TOMBSTONE: Final = 1 << 16
"""In place of a version: the value is null. No version is so high, for it has 16 bits."""


class Problem(IntEnum):
    """Why nobody can say of which type, or of which version, a record is."""

    NONE = 0
    NO_KEY = 1
    SHORT_KEY = 2
    NO_VALUE = 3
    SHORT_VALUE = 4
    BAD_VARINT = 5
    FRAME_VERSION = 6


@dataclass(frozen=True, slots=True)
class PrefixGroup:
    """The rows that begin alike; where there is a problem, nothing else is known of them."""

    problem: Problem
    key_version: int
    number: int
    version: int
    skip: int
    rows: Rows


def prefix_groups(framing: Framing, keys: pa.BinaryArray, values: pa.BinaryArray) -> Iterator[PrefixGroup]:
    """The rows grouped by type, version and problem, in ascending order."""
    found, batch = native_engine().record_groups(framing, keys, values)
    group_of_row = pa.array(batch).field(0).to_numpy()
    # Damaged logs may have as many groups as rows, so no group looks at all rows.
    order: Rows = np.argsort(group_of_row, kind="stable")
    ends = np.cumsum(np.bincount(group_of_row, minlength=len(found)))
    for group in sorted(range(len(found)), key=found.__getitem__):
        problem, key_version, number, version, skip = found[group]
        rows = order[ends[group - 1] if group else 0 : ends[group]]
        yield PrefixGroup(Problem(problem), key_version, number, version, skip, rows)


@dataclass(frozen=True, slots=True)
class Bytes:
    """Where the bytes of each row begin and end in the data of an Arrow array. Nothing is copied."""

    data: npt.NDArray[np.uint8]
    start: Numbers
    end: Numbers
    is_null: Flags

    @classmethod
    def of(cls, array: pa.BinaryArray) -> Bytes:
        """The bytes of a ``binary`` array."""
        _, offsets, data = array.buffers()
        ends: Any = np.frombuffer(offsets, np.int32)[array.offset : array.offset + len(array) + 1].astype(np.int64)
        known = np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(1, np.uint8)
        return cls(known, ends[:-1], ends[1:], array.is_null().to_numpy(zero_copy_only=False))

    def has(self, count: int) -> Flags:
        """Which rows have at least so many bytes."""
        enough: Flags = ~self.is_null & (self.end - self.start >= count)
        return enough

    def int16(self, at: int) -> Numbers:
        """The big-endian int16 at a place of each row; 0 for rows that are too short."""
        place = np.where(self.has(at + 2), self.start + at, 0)
        high, low = self.data[place].astype(np.int8), self.data[np.minimum(place + 1, len(self.data) - 1)]
        return np.where(self.has(at + 2), high.astype(np.int64) << 8 | low, 0)


def within(numbers: Numbers, ranges: Sequence[range]) -> Flags:
    """Which numbers are in one of the ranges."""
    found: Flags = np.zeros(len(numbers), np.bool_)
    for each in ranges:
        found |= (numbers >= each.start) & (numbers < each.stop)
    return found
