"""Which records of a range belong to transactions that were committed: the next end marker of the producer decides."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.files import OpenFile, opened, parent_of, shown
from messagegen_arrow.log.files import Segment, partition_log, segment_files
from messagegen_arrow.log.recovery import headers_past_damage
from messagegen_arrow.log.transactions.batches import COMMIT, DATA, Numbers, TransactionalBatches, transactional_batches
from messagegen_arrow.log.transactions.snapshots import OpenTransactions, open_transactions_at
from messagegen_arrow.malformed import ERROR_NAME

_LOG: Final = logging.getLogger(__name__)
NEEDED_COLUMNS: Final = ("offset", "producer_id", "is_transactional")
"""The columns of the record reader that ``Decisions.take`` looks at."""


@dataclass(slots=True)
class Decisions:
    """For each producer its end markers, ascending, and whether they commit; records from ``read_until`` on are undecided."""

    read_until: int
    markers: dict[int, tuple[Numbers, Numbers]] = field(default_factory=dict)

    def take(self, table: pa.RecordBatch) -> pa.RecordBatch:
        """The rows of a table that a consumer of committed records gets; rows with ``_error`` stay."""
        offsets = table.column("offset").fill_null(-1).to_numpy()
        is_seen = offsets < self.read_until
        producers = table.column("producer_id").fill_null(-1).to_numpy()
        in_transaction = table.column("is_transactional").fill_null(fill_value=False).to_numpy(zero_copy_only=False)
        chosen = np.flatnonzero(in_transaction & is_seen)
        for producer in np.unique(producers[chosen]).tolist():
            rows = chosen[producers[chosen] == producer]
            is_seen[rows] = self._is_committed(producer, offsets[rows])
        if is_seen.all():
            return table
        return table.filter(pc.or_(pa.array(is_seen), table.column(ERROR_NAME).is_valid()))

    def _is_committed(self, producer: int, offsets: Numbers) -> np.ndarray[Any, np.dtype[np.bool_]]:
        markers, kinds = self.markers.get(producer, (np.empty(0, np.int64), np.empty(0, np.int64)))
        # Where no marker is known, for it is damaged or gone, neither is the end of the transaction.
        ends: Numbers = np.append(kinds, DATA)[markers.searchsorted(offsets)]
        committed: np.ndarray[Any, np.dtype[np.bool_]] = ends == COMMIT
        return committed


@dataclass(frozen=True, slots=True)
class Place:
    """A range of a file, and the log that it is of."""

    path: str
    start: int
    end: int
    is_complete: bool


def decisions(file: OpenFile, place: Place, read_until: int) -> Decisions:
    """What became of the transactions with records in a range of an open file.

    Its headers are read, and those after it until each transaction that reaches further has its end. ``read_until`` is the log's
    last stable offset; what begins there or later is undecided, and its end is not looked for. Records of a transaction without
    an end are left out.
    """
    found = [
        transactional_batches(file, headers)
        for headers in headers_past_damage(file, place.start, place.end, is_complete=place.is_complete)
    ]
    own = TransactionalBatches(*(np.concatenate(columns) for columns in zip(*found, strict=True))) if found else None
    if own is None:
        return Decisions(read_until)
    undecided = {producer: first for producer, first in _open_at_end(own).items() if first < read_until}
    later = list(_ends(file, place, undecided))
    return Decisions(read_until, _by_producer([own.chosen(own.kinds != DATA), *later]))


def _open_at_end(batches: TransactionalBatches) -> OpenTransactions:
    """The first offsets of transactions that have no marker among the batches after them."""
    is_data = batches.kinds == DATA
    found: OpenTransactions = {}
    for producer, numbers in _grouped(batches.producers):
        markers = numbers[~is_data[numbers]]
        after = numbers if len(markers) == 0 else numbers[numbers > markers[-1]]
        if len(after):
            found[producer] = int(batches.offsets[after[0]])
    return found


def _ends(file: OpenFile, place: Place, undecided: OpenTransactions) -> Iterator[TransactionalBatches]:
    """The markers after a range that end transactions, which are taken out of ``undecided``."""
    if not undecided:
        return
    folder = parent_of(place.path)
    segments = partition_log(folder, segment_files(folder)).segments
    own = next((number for number, each in enumerate(segments) if each.path == place.path), None)
    size = file.size()
    if own is None or not _are_open_after(folder, segments[own], undecided):
        yield from _ends_in(file, place.end, size, undecided, is_complete=place.is_complete)
    for segment in segments[own + 1 :] if own is not None else ():
        if not undecided:
            return
        if _are_open_after(folder, segment, undecided):
            continue
        try:
            with opened(segment.path) as following:
                yield from _ends_in(following, 0, segment.size, undecided, is_complete=segment.is_complete)
        except FileNotFoundError:
            _LOG.warning("%s is gone, so the ends of transactions in it are not known", shown(segment.path))
    if undecided:
        _LOG.warning(
            "%s: the ends of the transactions of %d producers are not known", shown(place.path), len(undecided)
        )


def _are_open_after(folder: str, segment: Segment, undecided: OpenTransactions) -> bool:
    """Whether a snapshot tells that all these transactions were still open after a segment, which then has none of their ends."""
    if segment.next_base_offset is None:
        return False
    known = open_transactions_at(folder, segment.next_base_offset)
    return known is not None and all(known.get(each, first + 1) <= first for each, first in undecided.items())


def _ends_in(
    file: OpenFile, start: int, end: int, undecided: OpenTransactions, *, is_complete: bool
) -> Iterator[TransactionalBatches]:
    for headers in headers_past_damage(file, start, end, is_complete=is_complete):
        batches = transactional_batches(file, headers)
        numbers = np.flatnonzero((batches.kinds != DATA) & np.isin(batches.producers, list(undecided)))
        # The first marker of each producer is the one that counts.
        first = numbers[np.sort(np.unique(batches.producers[numbers], return_index=True)[1])]
        for producer in batches.producers[first].tolist():
            del undecided[producer]
        if len(first):
            yield batches.chosen(first)
        if not undecided:
            return


def _by_producer(found: list[TransactionalBatches]) -> dict[int, tuple[Numbers, Numbers]]:
    markers = TransactionalBatches(*(np.concatenate(columns) for columns in zip(*found, strict=True)))
    return {
        producer: (markers.offsets[numbers], markers.kinds[numbers])
        for producer, numbers in _grouped(markers.producers)
    }


def _grouped(producers: Numbers) -> Iterator[tuple[int, Numbers]]:
    """Each producer with the numbers of its batches, in order."""
    order = np.argsort(producers, kind="stable")
    borders = np.flatnonzero(np.diff(producers[order])) + 1
    for numbers in np.split(order, borders) if len(order) else ():
        yield int(producers[numbers[0]]), numbers
