"""The commits of groups at a point in time: the last row of each partition of a group up to then."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.histories.consumer_lag.schema import LAG_HISTORY, SHARE
from messagegen_arrow.histories.positions import Partition, PartitionPosition, partition_of
from messagegen_arrow.histories.records import Batches

_PARTITION_OF_GROUP: Final = ("isShare", "group", "topicOrId", "partition")
_ORDER: Final = ("group", "topic", "partition")


def last_commits(
    history: Iterable[pa.RecordBatch], at: int, positions: Mapping[Partition, PartitionPosition]
) -> Batches:
    """Yield the rows of a history that were in effect at a time in microseconds, except deletions.

    Rows are sorted by group, topic and partition. ``positions`` are the positions at this time: commits in transactions
    that had not ended did not hold yet. Memory usage is a row for each partition of each group.
    """
    kept = LAG_HISTORY.empty_table()
    for batch in history:
        times = pc.coalesce(batch.column("commitTimestamp"), batch.column("logTimestamp")).cast(pa.int64())
        until_then = _without_pending(batch.filter(pc.less_equal(times, at)), positions)
        kept = _last(pa.concat_tables([kept, pa.table(until_then)]))
    held = kept.filter(pc.invert(kept.column("isTombstone")))
    yield from held.sort_by([(name, "ascending") for name in _ORDER]).to_batches()


def _without_pending(batch: pa.RecordBatch, positions: Mapping[Partition, PartitionPosition]) -> pa.RecordBatch:
    """Return the rows, except commits in transactions that had not ended."""
    columns = (batch.column(name).to_pylist() for name in ("logTopic", "logPartition", "logOffset"))
    have_ended = []
    for topic, number, offset in zip(*columns, strict=True):
        position = positions.get(partition_of(topic, number))
        have_ended.append(position is None or not position.is_pending(offset))
    return batch.filter(pa.array(have_ended, pa.bool_()))


def _last(rows: pa.Table) -> pa.Table:
    """Return the last row of each partition of a group, in the order of the log."""
    is_share = pc.equal(rows.column("groupType"), SHARE).fill_null(fill_value=False)
    # A topic that was created again has a new id, and the name of a share group's topic is not always known.
    topics = pc.if_else(is_share, rows.column("topicId"), rows.column("topic"))
    row_numbers = pa.array(range(rows.num_rows), pa.int64())
    columns = [is_share, rows.column("group"), topics, rows.column("partition"), row_numbers]
    keys = pa.table(columns, names=[*_PARTITION_OF_GROUP, "row"])
    last = keys.group_by(list(_PARTITION_OF_GROUP), use_threads=False).aggregate([("row", "max")])
    return rows.take(last.sort_by("row_max").column("row_max"))
