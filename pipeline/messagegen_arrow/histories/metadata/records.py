"""Records of ``__cluster_metadata``: where each is, and what it changes."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.histories.metadata.changes import RECORD_TYPES, Change, changes_of
from messagegen_arrow.histories.records import Records

BEGIN, END, ABORT = "BeginTransactionRecord", "EndTransactionRecord", "AbortTransactionRecord"
"""The records around a metadata transaction (KIP-868)."""

_SNAPSHOT: Final = re.compile(r".*/(?P<end>\d{20})-\d{10}\.checkpoint", re.DOTALL)
_SUFFIX: Final = ".checkpoint"


@dataclass(frozen=True, slots=True)
class Record:
    """A record, with the changes that it makes."""

    offset: int
    timestamp: int
    """Microseconds since 1970."""
    row: int
    """Its place in a snapshot, otherwise 0."""
    is_snapshot: bool
    snapshot_end: int | None
    """The offset after the last record that the snapshot contains."""
    type: str | None
    """``None`` for a record that cannot be read."""
    changes: Sequence[Change]


def records_of(records: Records) -> Iterator[Record]:
    """The records of a batch in the order of their offsets. Those of the log that cannot be read change nothing."""
    found = list(_made(records, records.types.to_pylist(), _changes(records)))
    if records.malformed is not None:
        # The log begins with its first record, even if that cannot be read.
        unread = _made(records.malformed, [None] * len(records.malformed), [()] * len(records.malformed))
        found += [each for each in unread if not each.is_snapshot and each.offset is not None]
        found.sort(key=lambda each: each.offset)
    yield from found


def _made(records: Records, types: Sequence[str | None], changes: Sequence[Sequence[Change]]) -> Iterator[Record]:
    paths = [""] * len(records) if records.paths is None else records.paths.to_pylist()
    offsets = records.position.column("logOffset").to_pylist()
    times = records.position.column("logTimestamp").view(pa.int64()).to_pylist()
    for offset, time, path, type_, of_record in zip(offsets, times, paths, types, changes, strict=True):
        is_snapshot, end = _snapshot_of(path or "")
        yield Record(offset, time, offset if is_snapshot else 0, is_snapshot, end, type_, of_record)


@lru_cache(maxsize=64)
def _snapshot_of(path: str) -> tuple[bool, int | None]:
    """Whether a file is a snapshot, and the offset after the last record that it contains."""
    match = _SNAPSHOT.fullmatch(path)
    return path.endswith(_SUFFIX), int(match["end"]) if match else None


def _changes(records: Records) -> list[Sequence[Change]]:
    """The changes of each record; records of a type are turned into Python values together."""
    found: list[Sequence[Change]] = [()] * len(records)
    types = records.types
    for name in pc.unique(pc.drop_null(types)).to_pylist():
        if name in RECORD_TYPES:
            rows = np.flatnonzero(pc.fill_null(pc.equal(types, name), fill_value=False).to_numpy(zero_copy_only=False))
            values: list[dict[str, Any] | None] = records.decoded.field(name).take(pa.array(rows)).to_pylist()
            for row, value in zip(rows.tolist(), values, strict=True):
                # A record without a value, such as a tombstone, says nothing.
                found[row] = () if value is None else changes_of(name, value)
    return found
