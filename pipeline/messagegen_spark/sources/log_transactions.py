"""Which transactions of a log were aborted or are still open: what ``read_committed`` leaves out.

A transaction ends with the control batch (EndTxnMarker, KIP-98) of its producer. Where a log has been hopped through from the
first record that is wanted to its end, the marker after a record tells whether the record is to be seen.
"""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from typing import Final, TypeGuard

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_kafka import ControlRecordTypeSchema
from messagegen_spark.records.engine import record_reader
from messagegen_spark.schemas import ERROR_NAME
from messagegen_spark.sources.log_files import Segment
from messagegen_spark.sources.log_recovery import headers_past_damage
from messagegen_spark.sources.log_scan import opened

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
    end; a consumer sees nothing from there on, and with ``None`` only the records of open transactions are left out, of which
    ``undecided`` has producer ids and first offsets. The end of a transaction whose marker is damaged is not known, so its records
    are among the aborted.
    """

    aborted: dict[int, tuple[list[int], list[int]]] = field(default_factory=dict)
    last_stable_offset: int | None = None
    undecided: dict[int, int] = field(default_factory=dict)

    def take(self, table: pa.RecordBatch) -> pa.RecordBatch:
        """The rows of a table without those that are undecided or of aborted transactions; rows with ``_error`` stay."""
        if self.last_stable_offset is not None:
            is_decided = pc.fill_null(pc.less(table.column("offset"), self.last_stable_offset), fill_value=True)
            table = table.filter(pc.or_(is_decided, table.column(ERROR_NAME).is_valid()))
        if not self.aborted and not self.undecided:
            return table
        producers = table.column("producer_id").fill_null(-1).to_numpy()
        in_transaction = table.column("is_transactional").fill_null(fill_value=False).to_numpy(zero_copy_only=False)
        offsets = table.column("offset").fill_null(-1).to_numpy()
        left_out = np.zeros(len(offsets), dtype=bool)
        for producer in np.unique(producers[in_transaction]).tolist():
            rows = np.flatnonzero(in_transaction & (producers == producer))
            if producer in self.undecided:
                left_out[rows] = offsets[rows] >= self.undecided[producer]
            if producer not in self.aborted:
                continue
            markers, begins = (np.array(each) for each in self.aborted[producer])
            ends = markers.searchsorted(offsets[rows])
            has_end = ends < len(markers)
            left_out[rows[has_end]] |= offsets[rows[has_end]] > begins[ends[has_end]]
        if not left_out.any():
            return table
        return table.filter(pc.or_(pa.array(~left_out), table.column(ERROR_NAME).is_valid()))


@dataclass(slots=True)
class _Producer:
    """What is known of a producer while a log is hopped through."""

    last_marker: int = -1
    open_since: int | None = None
    open_at: tuple[str, int] | None = None
    """Path and position of the batch that opened its transaction."""
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
    undecided = {
        producer: offset
        for producer, state in producers.items()
        if state.is_open_at(last_offset) and (offset := _first_intact(segments, producer, state)) is not None
    }
    return Transactions(aborted, min(undecided.values(), default=None), undecided)


def _hop_through(segment: Segment, start: int, last_offset: int, producers: dict[int, _Producer]) -> bool:
    """Takes note of what happens in a segment. Gives whether all is known, so that later segments don't matter."""
    with opened(segment.path) as descriptor:
        for headers in headers_past_damage(descriptor, start, segment.size, is_complete=segment.is_complete):
            is_past = headers.column("base_offset")[0].as_py() > last_offset
            if is_past and not any(state.is_open_at(last_offset) for state in producers.values()):
                return True
            for row in _transactional(headers):
                base_offset, position, length, producer, is_control = row
                state = producers.setdefault(producer, _Producer())
                if not is_control:
                    if state.open_since is None:
                        state.open_since, state.open_at = base_offset, (segment.path, position)
                    continue
                markers = _markers(os.pread(descriptor, length, position))
                if markers is None:
                    _LOG.warning("%s: the marker at byte %d is damaged", segment.path, position)
                    state.end(base_offset, is_aborted=True)
                    continue
                for offset, kind in markers:
                    if kind in (_ABORT, _COMMIT):
                        state.end(offset, is_aborted=kind == _ABORT)
    return False


def _transactional(headers: pa.RecordBatch) -> Iterator[tuple[int, int, int, int, bool]]:
    chosen = headers.filter(pc.fill_null(headers.column("is_transactional"), fill_value=False))
    names = ("base_offset", "position", "length", "producer_id", "is_control")
    return zip(*(chosen.column(name).to_pylist() for name in names), strict=True)


def _markers(batch: bytes) -> list[tuple[int, int]] | None:
    """Offset and type of the control records in a batch; ``None`` if it is damaged."""
    table = record_reader(batch, columns=["offset", "key"]).read(1 << 16)
    if not _is_readable(table):
        return None
    rows = zip(table.column("offset").to_pylist(), table.column("key").to_pylist(), strict=True)
    # The key is the schema's version and then the type, in every version so far.
    return [
        (offset, ControlRecordTypeSchema.decode_from(key, 2, version=0)[0].type)
        for offset, key in rows
        if key is not None and len(key) >= 4
    ]


def _first_intact(segments: Sequence[Segment], producer: int, state: _Producer) -> int | None:
    """The base offset of the first batch of an open transaction that can be read.

    ``None`` if there is none: a damaged header must not make all that follows it look undecided.
    """
    assert state.open_at is not None
    path, start = state.open_at
    for segment in dropwhile(lambda each: each.path != path, segments):
        try:
            with opened(segment.path) as descriptor:
                for headers in headers_past_damage(descriptor, start, segment.size, is_complete=segment.is_complete):
                    for base_offset, position, length, owner, is_control in _transactional(headers):
                        if owner != producer or is_control:
                            continue
                        if _is_readable(record_reader(os.pread(descriptor, length, position), columns=[]).read(1)):
                            return base_offset
        except FileNotFoundError:
            _LOG.warning("%s is gone, so an open transaction in it is not known", segment.path)
        start = 0
    return None


def _is_readable(table: pa.RecordBatch | None) -> TypeGuard[pa.RecordBatch]:
    return table is not None and table.column(ERROR_NAME).null_count == table.num_rows
