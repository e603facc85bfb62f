"""What the first bytes of keys and values say, in numpy: the reference for the engine's ``record_groups``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from messagegen_arrow.internal_topics.prefixes import TOMBSTONE, Bytes, Flags, Numbers, Problem
from messagegen_arrow.internal_topics.record_types import Framing


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


def unsigned_varint(rows: Bytes, at: Numbers) -> tuple[Numbers, Numbers, Flags]:
    """The unsigned varint of at most 32 bits at a place of each row, the place after it, and which rows have none."""
    value = np.zeros_like(at)
    more = ~rows.is_null
    bad = rows.is_null.copy()
    for number in range(5):
        bad |= more & (at >= rows.end)
        more &= ~bad
        byte = rows.data[np.where(more, at, 0)].astype(np.int64)
        value = np.where(more, value | (byte & 0x7F) << 7 * number, value)
        at = at + more
        more &= byte >= 0x80
    return value, at, bad | more | (value >= 1 << 32)


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
        frame, at, bad_frame = unsigned_varint(value, at)
    number, at, bad_number = unsigned_varint(value, at)
    version, at, bad_version = unsigned_varint(value, at)
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
