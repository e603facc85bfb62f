"""Which transactions of a log were aborted or are still open: what ``read_committed`` leaves out.

A transaction ends with the control batch (EndTxnMarker, KIP-98) of its producer. Where a log has been hopped through from the
first record that is wanted to its end, the marker after a record tells whether the record is to be seen.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_kafka import ControlRecordTypeSchema
from messagegen_spark.records.engine import record_reader
from messagegen_spark.records.pure_reader import Bounds
from messagegen_spark.schemas import ERROR_NAME
from messagegen_spark.sources.log_files import Segment
from messagegen_spark.sources.log_scan import headers_between, opened

_LOG: Final = logging.getLogger(__name__)
_ABORT: Final = 0
_COMMIT: Final = 1
NEEDED_COLUMNS: Final = ("offset", "producer_id", "is_transactional")
"""The columns of the record reader that ``Transactions.take`` looks at."""


@dataclass(frozen=True, slots=True)
class Transactions:
    """Of one log: the offsets between which a producer's records were aborted, and where what is undecided begins.

    ``aborted`` has for each producer id the offsets of the markers that ended aborted transactions, ascending, each with the
    offset after which its transaction begins. ``last_stable_offset`` is that of the first record of a transaction without an
    end; a consumer sees nothing from there on.
    """

    aborted: dict[int, tuple[list[int], list[int]]] = field(default_factory=dict)
    last_stable_offset: int | None = None

    def within(self, bounds: Bounds) -> Bounds:
        """The bounds, with nothing that is undecided."""
        if self.last_stable_offset is None:
            return bounds
        return bounds.within_offsets(bounds.min_offset, self.last_stable_offset - 1)

    def take(self, table: pa.RecordBatch) -> pa.RecordBatch:
        """The rows of a table without those of aborted transactions; rows with ``_error`` stay."""
        if not self.aborted:
            return table
        producers = table.column("producer_id").fill_null(-1).to_numpy()
        in_transaction = table.column("is_transactional").fill_null(fill_value=False).to_numpy(zero_copy_only=False)
        offsets = table.column("offset").fill_null(-1).to_numpy()
        is_aborted = np.zeros(len(offsets), dtype=bool)
        for producer in np.unique(producers[in_transaction]).tolist():
            if producer not in self.aborted:
                continue
            markers, begins = (np.array(each) for each in self.aborted[producer])
            rows = np.flatnonzero(in_transaction & (producers == producer))
            ends = markers.searchsorted(offsets[rows])
            has_end = ends < len(markers)
            is_aborted[rows[has_end]] = offsets[rows[has_end]] > begins[ends[has_end]]
        return table.filter(pa.array(~is_aborted)) if is_aborted.any() else table


@dataclass(slots=True)
class _Producer:
    """What is known of a producer while a log is hopped through."""

    last_marker: int = -1
    open_since: int | None = None
    open_at: tuple[str, int, int] | None = None
    """Path, position and length of the batch that opened its transaction."""
    markers: list[int] = field(default_factory=list)
    begins: list[int] = field(default_factory=list)

    def is_open_at(self, offset: int) -> bool:
        """Whether it has a transaction without an end that began at an offset or before it."""
        return self.open_since is not None and self.open_since <= offset

    def end(self, marker: int, *, is_aborted: bool) -> None:
        if is_aborted:
            self.markers.append(marker)
            self.begins.append(self.last_marker)
        self.last_marker = marker
        self.open_since = self.open_at = None


def find_transactions(segments: Sequence[Segment], last_offset: int, start: int = 0) -> Transactions:
    """What is to be known of records up to ``last_offset`` in a log, from ``start`` in the first of its ``segments`` on.

    Headers of batches are read, and the records of markers, until each transaction that began up to ``last_offset`` has its
    end, or else up to the end of the log. A segment that is gone is passed over.
    """
    producers: dict[int, _Producer] = {}
    for segment in segments:
        try:
            if _hop_through(segment, start, last_offset, producers):
                break
        except FileNotFoundError:
            _LOG.warning("%s is gone, so the ends of transactions in it are not known", segment.path)
        start = 0
    aborted = {producer: (state.markers, state.begins) for producer, state in producers.items() if state.markers}
    undecided = [
        state.open_since or 0
        for state in producers.values()
        if state.is_open_at(last_offset) and state.open_at is not None and _is_intact(*state.open_at)
    ]
    return Transactions(aborted, min(undecided, default=None))


def _hop_through(segment: Segment, start: int, last_offset: int, producers: dict[int, _Producer]) -> bool:
    """Takes note of what happens in a segment. Gives whether all is known, so that later segments don't matter."""
    with opened(segment.path) as descriptor:
        for headers in headers_between(descriptor, start, segment.size):
            is_past = headers.column("base_offset")[0].as_py() > last_offset
            if is_past and not any(state.is_open_at(last_offset) for state in producers.values()):
                return True
            for row in _transactional(headers):
                base_offset, position, length, producer, is_control = row
                state = producers.setdefault(producer, _Producer())
                if not is_control:
                    if state.open_since is None:
                        state.open_since, state.open_at = base_offset, (segment.path, position, length)
                    continue
                for offset, kind in _markers(os.pread(descriptor, length, position)):
                    if kind in (_ABORT, _COMMIT):
                        state.end(offset, is_aborted=kind == _ABORT)
    return False


def _transactional(headers: pa.RecordBatch) -> Iterator[tuple[int, int, int, int, bool]]:
    chosen = headers.filter(pc.fill_null(headers.column("is_transactional"), fill_value=False))
    names = ("base_offset", "position", "length", "producer_id", "is_control")
    return zip(*(chosen.column(name).to_pylist() for name in names), strict=True)


def _markers(batch: bytes) -> Iterator[tuple[int, int]]:
    """Offset and type of the control records in a batch; none if it is damaged."""
    table = record_reader(batch, columns=["offset", "key"]).read(1 << 16)
    if table is None:
        return
    for offset, key in zip(table.column("offset").to_pylist(), table.column("key").to_pylist(), strict=True):
        if key is not None and len(key) >= 4:
            # The key is the schema's version and then the type, in every version so far.
            schema, _ = ControlRecordTypeSchema.decode_from(key, 2, version=0)
            yield offset, schema.type


def _is_intact(path: str, position: int, length: int) -> bool:
    """Whether a batch can be read: a damaged header must not make all that follows it look undecided."""
    try:
        with opened(path) as descriptor:
            table = record_reader(os.pread(descriptor, length, position), columns=[]).read(1)
    except FileNotFoundError:
        return False
    return table is not None and table.column(ERROR_NAME).null_count == len(table.column(ERROR_NAME))
