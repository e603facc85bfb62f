"""What changed in a cluster's metadata, from ``__cluster_metadata`` and its snapshots."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.logs import Log, log_mode, metadata_log, paths_of
from messagegen_arrow.histories.metadata.properties import METADATA_HISTORY, Properties, Row
from messagegen_arrow.histories.metadata.records import ABORT, BEGIN, END, TOPICS, TYPES, rows_of
from messagegen_arrow.histories.records import Batches, HistoryCounts, HistoryReader, in_order
from messagegen_arrow.internal_topics.record_types import CLUSTER_METADATA
from messagegen_arrow.streams.stream import ColumnStream

_ROWS: Final = 16_384
"""How many rows a batch of the result has, about."""


def metadata_history(
    log: Log, mode: str = "DROPMALFORMED", *, counts: HistoryCounts | None = None, catalog: Catalog | None = None
) -> ColumnStream:
    """A row for each property of something that was created, changed or removed, in the order of the log.

    ``subject`` is one of topic, partition, config, quota, feature, acl, scram, token, broker, controller, quorum, producer-ids
    and zk-migration; ``name`` says which one (``orders``, ``orders-0``, ``topic orders``, ``client-id=reports,user=ann``),
    ``property`` what of it, ``value`` what it is from then on and ``previous`` what it was before, both as text and null for
    nothing. ``action`` is created, changed, removed, or present for what a snapshot says. ``offset`` and ``timestamp`` are
    those of the record; ``place`` orders the rows of an offset.

    ``log`` is the path of a broker's folder, or several paths; or the rows of ``read_log(...)`` with the columns ``path`` and
    ``batchOffset``, if there are snapshots among them. If the log begins behind offset 0, the last snapshot from before begins
    the history, with the offset of the last record that it contains; other snapshots say nothing new. Metadata transactions
    that were aborted or not ended are left out (KIP-868). Secrets are never shown: of SCRAM users there are the mechanism and
    the iterations, and configs that are passwords are ``<redacted>``.

    Memory holds the properties that the cluster has at a time, and the snapshots beside the log; the length of the log does
    not matter. Records that can't be read are left out (``counts`` has how many), or raise ``MalformedMessageError``
    (``mode`` FAILFAST). Raises ``LogPathError`` for paths without this topic, ``ValueError`` for rows that lack columns, and
    for other modes.
    """
    reader = HistoryReader.of(TOPICS, TYPES, mode, catalog)
    source = metadata_log(log, CLUSTER_METADATA, mode=log_mode(mode))
    counted = HistoryCounts() if counts is None else counts

    def records() -> Batches:
        counted.rows = counted.malformed = 0
        snapshots = (_part(batch, is_snapshot=True) for batch in source) if "path" in source.schema.names else ()
        segments = (_part(batch, is_snapshot=False) for batch in source)
        for parts in (snapshots, in_order(segments, paths_of(log))):
            yield from (rows_of(reader.read(batch, counted)) for batch in parts)

    return ColumnStream(METADATA_HISTORY, lambda: history_of_metadata(records()))


def history_of_metadata(batches: Iterable[pa.RecordBatch]) -> Batches:
    """Rows of ``METADATA_HISTORY`` from rows of ``records.ROWS``: first snapshots, then the log, each in the order of offsets."""
    properties, found = Properties(), list[Row]()
    for record in _without_undone(_from_base(_records(batches))):
        found += properties.apply(record)
        if len(found) >= _ROWS:
            yield _batch(found)
            found = []
    yield _batch(found)


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
    mark: str | None
    changes: list[dict[str, Any]]


def _part(batch: pa.RecordBatch, *, is_snapshot: bool) -> pa.RecordBatch:
    """The rows of snapshots, or those of the log."""
    if "path" not in batch.schema.names:
        return batch
    found = pc.fill_null(pc.ends_with(batch.column("path"), ".checkpoint"), fill_value=False)
    return batch.filter(found if is_snapshot else pc.invert(found))


def _records(batches: Iterable[pa.RecordBatch]) -> Iterator[Record]:
    for batch in batches:
        names = ("offset", "isSnapshot", "snapshotEnd", "mark", "changes")
        times = batch.column("timestamp").view(pa.int64()).to_pylist()
        columns = (batch.column(name).to_pylist() for name in names)
        for time, offset, is_snapshot, end, mark, changes in zip(times, *columns, strict=True):
            yield Record(offset, time, offset if is_snapshot else 0, is_snapshot, end, mark, changes)


def _from_base(records: Iterable[Record]) -> Iterator[Record]:
    """The records of the one snapshot that comes before the log, with the offset of the last record in it, and of the log."""
    snapshots: dict[int, list[Record]] = {}
    base: int | None = None
    has_log = False
    for record in records:
        if record.is_snapshot:
            if record.snapshot_end is not None:
                snapshots.setdefault(record.snapshot_end, []).append(record)
            continue
        if not has_log:
            has_log = True
            base = _base(snapshots, record.offset)
            yield from _of_base(snapshots, base)
            snapshots.clear()
        if base is None or record.offset >= base:
            yield record
    if not has_log:
        yield from _of_base(snapshots, _base(snapshots, None))


def _base(snapshots: Iterable[int], first: int | None) -> int | None:
    """The snapshot that a log from this offset on continues; ``None`` if the log has everything, or there is none."""
    if first == 0:
        return None
    before = [end for end in snapshots if first is None or end <= first]
    return max(before) if before else min(snapshots, default=None)


def _of_base(snapshots: dict[int, list[Record]], base: int | None) -> Iterator[Record]:
    if base is None:
        return
    for record in snapshots[base]:
        yield Record(base - 1, record.timestamp, record.row, record.is_snapshot, base, record.mark, record.changes)


def _without_undone(records: Iterable[Record]) -> Iterator[Record]:
    """The records without those of transactions that were aborted, or that nothing ended."""
    held: list[Record] | None = None
    for record in records:
        if record.is_snapshot:
            yield record
        elif record.mark == BEGIN:
            held = []
        elif record.mark == ABORT:
            held = None
        elif record.mark == END:
            yield from held or ()
            held = None
        elif held is None:
            yield record
        else:
            held.append(record)


def _batch(rows: list[Row]) -> pa.RecordBatch:
    names = METADATA_HISTORY.names[:-1]
    columns = {name: [getattr(row, name) for row in rows] for name in names}
    place = METADATA_HISTORY.field("place").type
    numbers = ([getattr(row, name) for row in rows] for name in ("row", "within"))
    places = pa.StructArray.from_arrays(
        [pa.array(each, field.type) for each, field in zip(numbers, place, strict=True)], fields=list(place)
    )
    arrays = [pa.array(columns[name], METADATA_HISTORY.field(name).type) for name in names]
    return pa.RecordBatch.from_arrays([*arrays, places], schema=METADATA_HISTORY)
