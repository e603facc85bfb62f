"""The first bytes of keys and values, which contain the types and versions of records, for a whole batch at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
import pyarrow as pa

from messagegen_arrow.arrays import Rows
from messagegen_arrow.engine import native_engine
from messagegen_arrow.internal_topics.record_types import Framing

TOMBSTONE: Final = 1 << 16
"""The version if the value is null. Real versions have 16 bits, so they are lower."""


class Problem(IntEnum):
    """The reason why the type or the version of a record is unknown."""

    NONE = 0
    NO_KEY = 1
    SHORT_KEY = 2
    NO_VALUE = 3
    SHORT_VALUE = 4
    BAD_VARINT = 5
    FRAME_VERSION = 6


@dataclass(frozen=True, slots=True)
class PrefixGroup:
    """Rows with the same prefix. If ``problem`` is set, the other numbers have no meaning."""

    problem: Problem
    key_version: int
    number: int
    version: int
    skip: int
    rows: Rows


def prefix_groups(framing: Framing, keys: pa.BinaryArray, values: pa.BinaryArray) -> Iterator[PrefixGroup]:
    """Yield the rows grouped by type, version and problem, in ascending order."""
    found, batch = native_engine().record_groups(framing, keys, values)
    group_of_row = pa.array(batch).field(0).to_numpy()
    # A damaged log may have a group for each row. So rows are sorted once, rather than compared with each group.
    order: Rows = np.argsort(group_of_row, kind="stable")
    ends = np.cumsum(np.bincount(group_of_row, minlength=len(found)))
    for group in sorted(range(len(found)), key=found.__getitem__):
        problem, key_version, number, version, skip = found[group]
        rows = order[ends[group - 1] if group else 0 : ends[group]]
        yield PrefixGroup(Problem(problem), key_version, number, version, skip, rows)
