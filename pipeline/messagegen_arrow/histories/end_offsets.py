"""How far partitions were at which time."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.histories.keys import KeyGroups, Numbers
from messagegen_arrow.histories.records import TIMESTAMP, Batches
from messagegen_arrow.streams.stream import as_string

END_SCHEMA: Final = pa.schema(
    [
        pa.field("topic", pa.string()),
        pa.field("partition", pa.int32()),
        pa.field("endOffset", pa.int64()),
        pa.field("timestamp", TIMESTAMP),
    ]
)
END_COLUMNS: Final = ("topic", "partition", "offset", "timestamp", "batchOffset")
"""The columns of a log that end offsets are read from."""

_ALWAYS: Final = np.iinfo(np.int64).min
"""The time of an end offset without a time."""
_EMPTY: Final = np.empty(0, np.int64)


def ends_of_batches(batches: Iterable[pa.RecordBatch]) -> Batches:
    """A row of ``END_SCHEMA`` for each record batch of a log, whose rows come in order."""
    open_rows: pa.RecordBatch | None = None
    for batch in batches:
        rows = _rows_of_ends(batch)
        joined = rows if open_rows is None else pa.concat_batches([open_rows, rows])
        if not joined.num_rows:
            continue
        starts = np.flatnonzero(_begins(joined))
        # More rows of the last record batch may follow.
        yield _ends(joined.slice(0, starts[-1]), starts[:-1])
        open_rows = joined.slice(starts[-1])
    if open_rows is not None:
        yield _ends(open_rows, np.zeros(1, np.int64))


class EndOffsets:
    """The end offsets of partitions. Memory holds 16 bytes for each time at which one rose."""

    def __init__(self) -> None:
        self._added: dict[tuple[str, int], list[tuple[Numbers, Numbers]]] = {}
        self._known: dict[tuple[str, int], tuple[Numbers, Numbers]] = {}

    def add(self, rows: pa.RecordBatch) -> None:
        """Adds rows of ``END_SCHEMA``; ``timestamp`` may be missing or null for ends that hold at all times."""
        rows = rows.filter(pc.and_(rows.column("topic").is_valid(), rows.column("endOffset").is_valid()))
        if not rows.num_rows:
            return
        ends = rows.column("endOffset").cast(pa.int64()).to_numpy()
        times = _times(rows.column("timestamp")) if "timestamp" in rows.schema.names else np.full(len(ends), _ALWAYS)
        for key, places in _by_partition(rows.column("topic"), rows.column("partition")):
            self._added.setdefault(key, []).append((times[places], ends[places]))
            if len(self._added[key]) > _MANY:
                self._settle(key)

    def at(self, topics: pa.Array, partitions: pa.Array, times: pa.Array) -> pa.Int64Array:
        """The highest end offset of each row's partition up to its time; null where none is known."""
        moments = _times(times)
        found = np.zeros(len(topics), np.int64)
        is_known = np.zeros(len(topics), np.bool_)
        for key, places in _by_partition(topics, partitions):
            known_times, ends = self._settle(key)
            at = np.searchsorted(known_times, moments[places], side="right") - 1
            within = places[at >= 0]
            found[within] = ends[at[at >= 0]]
            is_known[within] = True
        return pa.array(found, mask=~is_known)

    def _settle(self, key: tuple[str, int]) -> tuple[Numbers, Numbers]:
        before = self._known.get(key, (_EMPTY, _EMPTY))
        added = self._added.pop(key, None)
        if added is None:
            return before
        times, ends = (np.concatenate(parts) for parts in zip(before, *added, strict=True))
        order = np.argsort(times, kind="stable")
        highest = np.maximum.accumulate(ends[order])
        times = times[order]
        rises = np.ones(len(highest), np.bool_)
        rises[1:] = highest[1:] > highest[:-1]
        self._known[key] = (times[rises], highest[rises])
        return self._known[key]


_MANY: Final = 256
"""After so many additions to a partition, only the times at which its end rose are kept."""


def _rows_of_ends(batch: pa.RecordBatch) -> pa.RecordBatch:
    batch_offset = batch.column("batchOffset" if "batchOffset" in batch.schema.names else "offset")
    arrays = [
        as_string(batch.column("topic")),
        batch.column("partition").cast(pa.int32()),
        batch.column("offset"),
        batch.column("timestamp").cast(TIMESTAMP),
        batch_offset,
    ]
    rows = pa.RecordBatch.from_arrays(arrays, names=list(END_COLUMNS))
    return rows.filter(rows.column("offset").is_valid())


def _begins(rows: pa.RecordBatch) -> Numbers:
    """For each row whether a record batch begins there."""
    begins = np.zeros(rows.num_rows, np.int64)
    begins[0] = 1
    for name in ("topic", "partition", "batchOffset"):
        codes = rows.column(name).dictionary_encode("encode").indices.to_numpy()
        begins[1:] |= codes[1:] != codes[:-1]
    return begins


def _ends(rows: pa.RecordBatch, starts: Numbers) -> pa.RecordBatch:
    if not rows.num_rows:
        return pa.RecordBatch.from_arrays([pa.nulls(0, field.type) for field in END_SCHEMA], schema=END_SCHEMA)
    ends = np.maximum.reduceat(rows.column("offset").to_numpy(), starts) + 1
    times = np.maximum.reduceat(_times(rows.column("timestamp")), starts)
    places = pa.array(starts)
    arrays = [
        rows.column("topic").take(places),
        rows.column("partition").take(places),
        pa.array(ends),
        pa.array(times, mask=times == _ALWAYS).view(TIMESTAMP),
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=END_SCHEMA)


def _times(array: pa.Array) -> Numbers:
    times: Numbers = pc.fill_null(array.cast(TIMESTAMP).view(pa.int64()), int(_ALWAYS)).to_numpy()
    return times


def _by_partition(topics: pa.Array, partitions: pa.Array) -> Sequence[tuple[tuple[str, int], Numbers]]:
    """The rows of each partition; those without a topic are left out."""
    numbers = pc.fill_null(partitions, -1).cast(pa.string())
    groups = KeyGroups.of(pc.binary_join_element_wise(pc.fill_null(topics, ""), numbers, "/"))
    bounds = np.append(np.flatnonzero(groups.is_first), len(groups.order)).tolist()
    found = []
    for first, end in pairwise(bounds):
        topic, _, partition = groups.keys[int(groups.codes[first])].rpartition("/")
        if topic:
            found.append(((topic, int(partition)), groups.order[first:end]))
    return found
