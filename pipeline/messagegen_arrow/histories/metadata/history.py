"""What changed in a cluster's metadata, from ``__cluster_metadata`` and its snapshots."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.histories.logs import Log, log_mode, metadata_log, paths_of
from messagegen_arrow.histories.metadata.changes import RECORD_TYPES
from messagegen_arrow.histories.metadata.order import BaseOfLog, OpenTransaction
from messagegen_arrow.histories.metadata.properties import METADATA_HISTORY, Properties, Row
from messagegen_arrow.histories.metadata.records import Record, records_of
from messagegen_arrow.histories.records import Batches, HistoryReader, in_order
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
    reader = HistoryReader.of((CLUSTER_METADATA,), RECORD_TYPES, mode, catalog)
    source = metadata_log(log, CLUSTER_METADATA, mode=log_mode(mode))
    counted = HistoryCounts() if counts is None else counts

    def records() -> Iterator[Record]:
        counted.clear()
        snapshots = (_part(batch, is_snapshot=True) for batch in source) if "path" in source.schema.names else ()
        segments = (_part(batch, is_snapshot=False) for batch in source)
        for parts in (snapshots, in_order(segments, paths_of(log))):
            for batch in parts:
                yield from records_of(reader.read(batch, counted))

    return ColumnStream(METADATA_HISTORY, lambda: _history(records()))


def _history(records: Iterable[Record]) -> Batches:
    """Rows of ``METADATA_HISTORY`` from records: first snapshots, then the log, each in the order of offsets."""
    base, open_transaction, properties = BaseOfLog(), OpenTransaction(), Properties()
    following = open_transaction.done(base.following(records))
    rows = (row for record in chain(following, base.without_log()) for row in properties.apply(record))
    while found := list(islice(rows, _ROWS)):
        yield _batch(found)


def _part(batch: pa.RecordBatch, *, is_snapshot: bool) -> pa.RecordBatch:
    """The rows of snapshots, or those of the log."""
    if "path" not in batch.schema.names:
        return batch
    found = pc.fill_null(pc.ends_with(batch.column("path"), ".checkpoint"), fill_value=False)
    return batch.filter(found if is_snapshot else pc.invert(found))


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
