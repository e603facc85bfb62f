"""The first bytes of keys and values, for all rows of a batch at once: which type of record it is, and of which version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from messagegen_arrow.arrays import Rows
from messagegen_arrow.engine import native_engine

if TYPE_CHECKING:
    from messagegen.record_types import Framing

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
class Prefixes:
    """An entry for each row; where there is a problem, the others say nothing."""

    key_version: Numbers
    """The int16 that a key begins with; -1 where keys say nothing."""
    number: Numbers
    """The type of the record."""
    version: Numbers
    """The version of the value, or ``TOMBSTONE``."""
    skip: Numbers
    """How many bytes of the value stand before the message."""
    problem: Numbers


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
    """The rows grouped by what ``Prefixes`` says of them, in ascending order of that."""
    engine = native_engine()
    if engine is None:
        found, group_of_row = _groups(read_prefixes(framing, keys, values))
    else:
        found, batch = engine.record_groups(framing, keys, values)
        group_of_row = pa.array(batch).field(0).to_numpy()
    # Damaged logs may have as many groups as rows, so no group looks at all rows.
    order: Rows = np.argsort(group_of_row, kind="stable")
    ends = np.cumsum(np.bincount(group_of_row, minlength=len(found)))
    for group in sorted(range(len(found)), key=found.__getitem__):
        problem, key_version, number, version, skip = found[group]
        rows = order[ends[group - 1] if group else 0 : ends[group]]
        yield PrefixGroup(Problem(problem), key_version, number, version, skip, rows)


def _groups(prefixes: Prefixes) -> tuple[list[tuple[int, ...]], Numbers]:
    known = prefixes.problem == Problem.NONE
    columns = (prefixes.key_version, prefixes.number, prefixes.version, prefixes.skip)
    stacked = np.stack([prefixes.problem, *(np.where(known, column, 0) for column in columns)])
    found, group_of_row = np.unique(stacked, axis=1, return_inverse=True)
    return list(map(tuple, found.T.tolist())), group_of_row.reshape(-1)


def read_prefixes(framing: Framing, keys: pa.BinaryArray, values: pa.BinaryArray) -> Prefixes:
    """The prefixes of records whose types stand where ``framing`` says."""
    key, value = Bytes.of(keys), Bytes.of(values)
    match framing:
        case "coordinator":
            return _coordinator(key, value)
        case "control":
            return _control(key, value)
        case "metadata":
            return _framed(value, with_frame_version=True)
        case "remote-log-metadata":
            return _framed(value, with_frame_version=False)


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

    def unsigned_varint(self, at: Numbers) -> tuple[Numbers, Numbers, Flags]:
        """The unsigned varint of at most 32 bits at a place of each row, the place after it, and which rows have none."""
        value = np.zeros_like(at)
        more = ~self.is_null
        bad = self.is_null.copy()
        for number in range(5):
            bad |= more & (at >= self.end)
            more &= ~bad
            byte = self.data[np.where(more, at, 0)].astype(np.int64)
            value = np.where(more, value | (byte & 0x7F) << 7 * number, value)
            at = at + more
            more &= byte >= 0x80
        return value, at, bad | more | (value >= 1 << 32)


def within(numbers: Numbers, ranges: Sequence[range]) -> Flags:
    """Which numbers are in one of the ranges."""
    found: Flags = np.zeros(len(numbers), np.bool_)
    for each in ranges:
        found |= (numbers >= each.start) & (numbers < each.stop)
    return found


def _coordinator(key: Bytes, value: Bytes) -> Prefixes:
    number = key.int16(0)
    version = np.where(value.is_null, TOMBSTONE, value.int16(0))
    problem = _first_problem(
        (key.is_null, Problem.NO_KEY),
        (~key.has(2), Problem.SHORT_KEY),
        (~value.is_null & ~value.has(2), Problem.SHORT_VALUE),
    )
    return Prefixes(number, number, version, np.full_like(number, 2), problem)


def _control(key: Bytes, value: Bytes) -> Prefixes:
    version = value.int16(0)
    problem = _first_problem(
        (key.is_null, Problem.NO_KEY),
        (~key.has(4), Problem.SHORT_KEY),
        (value.is_null, Problem.NO_VALUE),
        (~value.has(2), Problem.SHORT_VALUE),
    )
    return Prefixes(key.int16(0), key.int16(2), version, np.full_like(version, 2), problem)


def _framed(value: Bytes, *, with_frame_version: bool) -> Prefixes:
    at = value.start
    frame = np.ones_like(at)
    bad_frame = value.is_null
    if with_frame_version:
        frame, at, bad_frame = value.unsigned_varint(at)
    number, at, bad_number = value.unsigned_varint(at)
    version, at, bad_version = value.unsigned_varint(at)
    problem = _first_problem(
        (value.is_null, Problem.NO_VALUE),
        (~bad_frame & (frame != 1), Problem.FRAME_VERSION),
        (bad_frame | bad_number | bad_version, Problem.BAD_VARINT),
        ((number >= TOMBSTONE) | (version >= TOMBSTONE), Problem.BAD_VARINT),
    )
    return Prefixes(np.full_like(at, -1), number, version, at - value.start, problem)


def _first_problem(*cases: tuple[Flags, Problem]) -> Numbers:
    problem: Numbers = np.select([rows for rows, _ in cases], [int(case) for _, case in cases], Problem.NONE)
    return problem.astype(np.int64)
