"""The records of ``__cluster_metadata``: their places and changes, and which of them a history uses, in order."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import null_unless
from messagegen_arrow.histories.metadata.changes import RECORD_TYPES, Change, changes_of
from messagegen_arrow.histories.records import TIMESTAMP
from messagegen_arrow.malformed import ERROR_NAME

SNAPSHOT: Final = ".checkpoint"

# The records that begin and end a metadata transaction (KIP-868).
_BEGIN: Final = "BeginTransactionRecord"
_END: Final = "EndTransactionRecord"
_ABORT: Final = "AbortTransactionRecord"

_NAME: Final = re.compile(r"(?:.*/)?(?P<end>\d{20})-(?P<epoch>\d{10})\.checkpoint", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Record:
    """A record, with the changes that it makes."""

    offset: int | None
    """The offset; ``None`` in a snapshot without an offset in its name."""
    timestamp: int
    """Microseconds since 1970."""
    path: str
    """The path of the record's file; empty if it is unknown."""
    type: str | None
    """The type; ``None`` for a record that cannot be read."""
    changes: Sequence[Change]
    row: int = 0
    """The record's place in a snapshot; 0 in a log."""

    @property
    def is_snapshot(self) -> bool:
        """Whether the record is in a snapshot."""
        return self.path.endswith(SNAPSHOT)


def records_of(batch: pa.RecordBatch) -> Iterator[Record]:
    """Yield the records of a batch.

    Unreadable records change nothing, but are yielded, too, because the log may begin with an unreadable record.
    """
    is_read = batch.column(ERROR_NAME).is_null()
    types = null_unless(is_read, batch.column("recordType"))
    columns = (
        _offsets(batch),
        batch.column("timestamp").cast(TIMESTAMP).cast(pa.int64()).to_pylist(),
        _paths(batch),
        types.to_pylist(),
        _changes(batch, types),
    )
    for offset, time, path, type_, changes in zip(*columns, strict=True):
        if offset is not None:
            yield Record(offset, time, path or "", type_, changes)


def _offsets(batch: pa.RecordBatch) -> list[int | None]:
    """Return the offset of each record; for a damaged batch, the first offset of the batch."""
    offsets = batch.column("offset").cast(pa.int64())
    if "batchOffset" in batch.schema.names:
        offsets = pc.coalesce(offsets, batch.column("batchOffset").cast(pa.int64()))
    found: list[int | None] = offsets.to_pylist()
    return found


def _paths(batch: pa.RecordBatch) -> list[str | None]:
    if "path" not in batch.schema.names:
        return [None] * batch.num_rows
    found: list[str | None] = batch.column("path").to_pylist()
    return found


def _changes(batch: pa.RecordBatch, types: pa.StringArray) -> list[Sequence[Change]]:
    """Return the changes of each record. All records of a type are converted to Python values together."""
    changes: list[Sequence[Change]] = [()] * batch.num_rows
    for name in types.unique().drop_null().to_pylist():
        if name not in RECORD_TYPES:
            continue
        rows = pc.indices_nonzero(pc.fill_null(pc.equal(types, name), fill_value=False))
        values = batch.column(name).take(rows)
        for row, value in zip(rows.to_pylist(), values.to_pylist(), strict=True):
            # A record without a value, such as a tombstone, changes nothing.
            changes[row] = () if value is None else changes_of(name, value)
    return changes


def from_base(snapshots: Iterable[Record], log: Iterable[Record]) -> Iterator[Record]:
    """Yield the records of the snapshot that precedes the log, and then the records of the log after that snapshot.

    Without a log, yield the records of all snapshots. The records of a snapshot get the offset of the last record that
    the snapshot contains.
    """
    known: dict[str, list[Record]] = {}
    for record in snapshots:
        if record.type is not None:
            known.setdefault(record.path, []).append(record)
    found = sorted((_Snapshot.of(path, records) for path, records in known.items()), key=lambda each: each.place)
    segments = iter(log)
    first = next(segments, None)
    if first is None:
        yield from (record for snapshot in found for record in snapshot.records)
        return
    base = _base(found, first.offset or 0)
    if base is not None:
        yield from base.records
    for record in chain([first], segments):
        if base is None or (record.offset or 0) >= base.place[0]:
            yield record


def snapshot_place(path: str) -> tuple[int, int]:
    """Return the offset after the last record in a snapshot, and the epoch; -1 if the file's name lacks them."""
    match = _NAME.fullmatch(path)
    return (-1, -1) if match is None else (int(match["end"]), int(match["epoch"]))


class _Snapshot(NamedTuple):
    """The records of a snapshot."""

    place: tuple[int, int]
    """The offset after the last record that it contains, and the epoch; -1 if the file's name lacks them."""
    records: list[Record]

    @classmethod
    def of(cls, path: str, records: Sequence[Record]) -> _Snapshot:
        place = snapshot_place(path)
        last = None if place[0] < 0 else place[0] - 1
        return cls(place, [replace(record, offset=last, row=record.offset or 0) for record in records])


def _base(snapshots: Sequence[_Snapshot], first: int) -> _Snapshot | None:
    """Return the snapshot to read before a log whose first offset is ``first``.

    ``snapshots`` must be in the order of their places. If none ends at or before ``first``, return the first one.
    Returns ``None`` if the log begins at offset 0, or if no snapshot has an offset in its name.
    """
    named = [each for each in snapshots if each.place[0] >= 0]
    if first == 0 or not named:
        return None
    before = [each for each in named if each.place[0] <= first]
    return before[-1] if before else named[0]


def without_open_transactions(records: Iterable[Record]) -> Iterator[Record]:
    """Yield the records, except records of metadata transactions that were aborted or have not ended."""
    held: list[Record] | None = None
    for record in records:
        if record.is_snapshot:
            yield record
        elif record.type == _BEGIN:
            held = []
        elif record.type == _ABORT:
            held = None
        elif record.type == _END:
            yield from held or ()
            held = None
        elif held is None:
            yield record
        else:
            held.append(record)
