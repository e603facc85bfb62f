"""The last stable offset of a log: that of the first record of a transaction without an end."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import pyarrow as pa

from messagegen_arrow.files import OpenFile, opened, shown
from messagegen_arrow.log.files import PartitionLog, Segment
from messagegen_arrow.log.indexes import position_before
from messagegen_arrow.log.recovery import headers_past_damage
from messagegen_arrow.log.transactions.batches import DATA, TransactionalBatches, transactional_batches
from messagegen_arrow.log.transactions.snapshots import OpenTransactions, open_transactions_at, snapshot_offsets
from messagegen_arrow.malformed import ERROR_NAME
from messagegen_arrow.records.engine import record_reader
from messagegen_kafka._runtime.records.headers import HEADER_SIZE

_LOG: Final = logging.getLogger(__name__)


@dataclass(slots=True)
class OpenAt:
    """The transactions that were open at a place of a log; a later search goes on from there."""

    segment: int
    """The number of the segment in the log."""
    position: int
    open: OpenTransactions = field(default_factory=dict)
    seen: tuple[int, int, bytes] | None = None
    """Inode, position and header of the last batch before the place that was read."""


def last_stable_offset(log: PartitionLog, last_offset: int, known: OpenAt | None = None) -> tuple[int | None, OpenAt]:
    """The offset of the first record of a transaction that begins up to ``last_offset`` and has no end in the log.

    ``None`` if there is no such transaction. Headers are read from ``known`` on, or from the last place that an intact snapshot of
    the producers' states tells of, or else from the beginning; up to the end of the log, or until each transaction that begins up
    to ``last_offset`` has its end. A segment that is gone is passed over. Gives the place that was reached too.
    """
    at = (known and _again(log, known)) or _from_snapshot(log) or OpenAt(0, 0)
    _advance(log, at, last_offset)
    undecided = sorted((first, producer) for producer, first in at.open.items() if first <= last_offset)
    found: int | None = None
    for first, producer in undecided:
        if found is not None and found <= first:
            break
        offset = _first_intact(log.segments, producer, first)
        if offset is not None and offset <= last_offset:
            found = offset if found is None else min(found, offset)
    return found, at


def _from_snapshot(log: PartitionLog) -> OpenAt | None:
    """The latest place for which a snapshot is there, is intact, and does not tell of what lies after the log's end."""
    bases = [segment.base_offset for segment in log.segments]
    following = [segment.next_base_offset for segment in log.segments]
    if not bases or None in bases or following[:-1] != bases[1:]:
        return None
    for offset in reversed(snapshot_offsets(log.folder)):
        place = _place_of(log.segments, offset)
        known = None if place is None else open_transactions_at(log.folder, offset)
        if place is not None and known is not None:
            return OpenAt(*place, known)
    return None


def _place_of(segments: Sequence[Segment], offset: int) -> tuple[int, int] | None:
    """Number of the segment and position at which the batches from an offset on begin."""
    for number, segment in enumerate(segments):
        if segment.base_offset == offset:
            return number, 0
    last = segments[-1]
    if last.base_offset is None or offset < last.base_offset:
        return None
    try:
        with opened(last.path) as file:
            start = position_before(file, last, offset - 1)
            end = None
            for headers in headers_past_damage(file, start, last.size, is_complete=False):
                bases = headers.column("base_offset").to_numpy()
                deltas = headers.column("last_offset_delta").fill_null(0).to_numpy()
                before = int((bases < offset).sum())
                if before:
                    is_reached = bases[before - 1] + deltas[before - 1] == offset - 1
                    row = headers.slice(before - 1, 1)
                    end = row.column("position")[0].as_py() + row.column("length")[0].as_py() if is_reached else None
                if before < len(bases):
                    break
    except FileNotFoundError:
        return None
    return None if end is None else (len(segments) - 1, end)


def _again(log: PartitionLog, known: OpenAt) -> OpenAt | None:
    """The same place, if the log is what it was up to there, as far as its last header tells."""
    inode, position, header = known.seen or (None, 0, b"")
    for number, segment in enumerate(log.segments):
        if segment.inode != inode or segment.size < known.position:
            continue
        try:
            with opened(segment.path) as file:
                if file.read_at(HEADER_SIZE, position) == header:
                    return OpenAt(number, known.position, dict(known.open), known.seen)
        except FileNotFoundError:
            return None
    return None


def _advance(log: PartitionLog, at: OpenAt, last_offset: int) -> None:
    """Takes note of what begins and ends after a place, as far as that matters."""
    for number in range(at.segment, len(log.segments)):
        segment = log.segments[number]
        if number > at.segment:
            at.segment, at.position, at.seen = number, 0, None
        try:
            with opened(segment.path) as file:
                for headers in headers_past_damage(file, at.position, segment.size, is_complete=segment.is_complete):
                    is_past = headers.column("base_offset")[0].as_py() > last_offset
                    if is_past and not any(first <= last_offset for first in at.open.values()):
                        return
                    _note(at.open, transactional_batches(file, headers))
                    _reach(at, file, segment, headers)
        except FileNotFoundError:
            _LOG.warning("%s is gone, so the ends of transactions in it are not known", shown(segment.path))


def _reach(at: OpenAt, file: OpenFile, segment: Segment, headers: pa.RecordBatch) -> None:
    position = headers.column("position")[-1].as_py()
    at.position = position + headers.column("length")[-1].as_py()
    at.seen = segment.inode, position, file.read_at(HEADER_SIZE, position)


def _note(open_transactions: OpenTransactions, batches: TransactionalBatches) -> None:
    for producer, kind, offset in zip(
        batches.producers.tolist(), batches.kinds.tolist(), batches.offsets.tolist(), strict=True
    ):
        if kind == DATA:
            open_transactions.setdefault(producer, offset)
        else:
            open_transactions.pop(producer, None)


def _first_intact(segments: Sequence[Segment], producer: int, first: int) -> int | None:
    """The base offset of the first batch of an open transaction that can be read.

    ``None`` if there is none: a damaged header must not make all that follows it look undecided.
    """
    for segment in segments:
        if segment.next_base_offset is not None and segment.next_base_offset <= first:
            continue
        try:
            with opened(segment.path) as file:
                start = position_before(file, segment, first)
                for headers in headers_past_damage(file, start, segment.size, is_complete=segment.is_complete):
                    batches = transactional_batches(file, headers)
                    is_own = (batches.producers == producer) & (batches.kinds == DATA) & (batches.offsets >= first)
                    own = batches.chosen(is_own)
                    for offset, position, length in zip(own.offsets, own.positions, own.lengths, strict=True):
                        if _is_readable(file.read_at(int(length), int(position))):
                            return int(offset)
        except FileNotFoundError:
            _LOG.warning("%s is gone, so an open transaction in it is not known", shown(segment.path))
    return None


def _is_readable(batch: bytes) -> bool:
    table = record_reader(batch, columns=[]).read(1)
    return table is not None and table.column(ERROR_NAME).null_count == table.num_rows
