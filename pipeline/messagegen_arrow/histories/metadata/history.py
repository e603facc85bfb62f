"""The history of a cluster's metadata, from ``__cluster_metadata`` and its snapshots."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.counts import HistoryCounts, Progress
from messagegen_arrow.histories.logs import Log, log_of, reported
from messagegen_arrow.histories.metadata.changes import RECORD_TYPES
from messagegen_arrow.histories.metadata.properties import METADATA_HISTORY, Properties
from messagegen_arrow.histories.metadata.records import (
    SNAPSHOT,
    Record,
    from_base,
    records_of,
    without_open_transactions,
)
from messagegen_arrow.histories.records import Batches, check_history_mode, counted, decoded_log, in_order
from messagegen_arrow.internal_topics.record_types import CLUSTER_METADATA
from messagegen_arrow.malformed import Mode
from messagegen_arrow.streams.stream import ColumnStream

TOPICS: Final = (CLUSTER_METADATA,)
_ROWS: Final = 16_384
"""The approximate number of rows in a batch of the result."""


def metadata_history(
    log: Log,
    mode: str = "DROPMALFORMED",
    *,
    counts: HistoryCounts | None = None,
    catalog: Catalog | None = None,
    progress: Progress | None = None,
) -> ColumnStream:
    """Return a row for each property that was created, changed or removed, in the order of the log.

    ``subject`` is one of topic, partition, config, quota, feature, acl, scram, token, broker, controller, quorum,
    producer-ids and zk-migration. ``name`` is its name: ``orders``, ``orders-0``, ``topic orders``,
    ``client-id=reports,user=ann``. ``property`` is the changed property, ``value`` its new value and ``previous`` its
    value before, both as text, or null for a missing property. ``action`` is created, changed, removed, or present for
    the properties in a snapshot. ``offset`` and ``timestamp`` belong to the record; ``place`` orders the rows with the
    same offset. A record that does not change any value has no row. The names of quota entities and config resources
    are percent-encoded, as in ``kafka-client-quotas``; ``<default>`` means the default entity or resource.

    ``log`` is the path of a broker's folder, or several paths. Or it is the rows of ``read_log(...)``, which need the
    columns ``path`` and ``batchOffset`` if they contain snapshots. If the log begins after offset 0, the history begins
    with the last earlier snapshot. Its rows have the offset of the last record that the snapshot contains. Other
    snapshots contain nothing new. Without a log, all snapshots have rows; their offset is null if it is not in the
    file's name. Metadata transactions that were aborted or have not ended are left out (KIP-868). Secrets are never
    shown: SCRAM users only have the mechanism and the iterations, and configs that are passwords are ``<redacted>``.

    Memory holds the cluster's current properties and the snapshots beside the log, whatever the length of the log.
    ``progress`` is called with the number of rows in each batch that was read. Records that can't be read are left out
    (``counts`` has their number), or raise ``MalformedMessageError`` (``mode`` FAILFAST). Raises ``LogPathError`` for
    paths without this topic, and ``ValueError`` for rows that lack columns and for other modes.
    """
    checked = check_history_mode(mode)
    source = reported(log_of(log, TOPICS, checked, snapshots=True), progress)
    count = HistoryCounts() if counts is None else counts
    records = metadata_records(source, checked, count, catalog)

    def batches() -> Batches:
        rows = _rows_of(records())
        while some := list(islice(rows, _ROWS)):
            yield pa.RecordBatch.from_pylist(some, METADATA_HISTORY)

    return ColumnStream(METADATA_HISTORY, batches)


def metadata_records(
    source: ColumnStream, mode: Mode, counts: HistoryCounts, catalog: Catalog | None
) -> Callable[[], Iterator[Record]]:
    """Return a function that reads the records to use: first the records of a snapshot, then later records of the log.

    Raises ``ValueError`` for rows that lack columns.
    """
    snapshots = decoded_log(_part(source, is_snapshot=True), TOPICS, RECORD_TYPES, catalog)
    segments = decoded_log(_part(source, is_snapshot=False), TOPICS, RECORD_TYPES, catalog)

    def records(batches: Iterable[pa.RecordBatch]) -> Iterator[Record]:
        for batch in counted(batches, mode, counts):
            yield from records_of(batch)

    def read() -> Iterator[Record]:
        counts.clear()
        return without_open_transactions(from_base(records(snapshots), records(in_order(segments))))

    return read


def _rows_of(records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the history for the changes of records."""
    properties = Properties()
    for record in records:
        yield from properties.apply(record)


def _part(log: ColumnStream, *, is_snapshot: bool) -> ColumnStream:
    """Return the rows of snapshots, or the rows of the log."""

    def batches() -> Batches:
        if "path" not in log.schema.names:
            if not is_snapshot:
                yield from log
            return
        for batch in log:
            found = pc.fill_null(pc.ends_with(batch.column("path"), SNAPSHOT), fill_value=False)
            yield batch.filter(found if is_snapshot else pc.invert(found))

    return ColumnStream(log.schema, batches)
