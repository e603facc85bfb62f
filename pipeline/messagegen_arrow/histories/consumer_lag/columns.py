"""The columns of the history that only depend on a single record: a commit, or the state of a share partition."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import null_unless
from messagegen_arrow.histories.consumer_lag.schema import (
    COMMITS,
    LAG_HISTORY,
    MICROSECONDS_OF_MILLISECOND,
    MOST_MILLISECONDS,
    NO_ID,
    POSITION,
    STATES,
)
from messagegen_arrow.histories.records import TIMESTAMP, field


def is_state(batch: pa.RecordBatch) -> pa.BooleanArray:
    """Return whether each record is the state of a share partition."""
    return pc.is_in(batch.column("recordType"), pa.array(STATES))


def commit_columns(batch: pa.RecordBatch) -> dict[str, pa.Array]:
    """Return the columns of ``LAG_HISTORY`` that do not depend on other records.

    Only the newer record type of commits has an epoch, an expiry and a topic id.
    """
    columns = {
        "group": pc.coalesce(commit_field(batch, "key.group"), _of_state(batch, "key.groupId")),
        "topic": commit_field(batch, "key.topic"),
        "topicId": _topic_ids(batch),
        "partition": pc.coalesce(commit_field(batch, "key.partition"), _of_state(batch, "key.partition")),
        "offset": _offsets(batch),
        "leaderEpoch": _leader_epochs(batch),
        "metadata": commit_field(batch, "value.metadata"),
        "commitTimestamp": _commit_times(batch),
        "expireTimestamp": _time(field(batch, "OffsetCommit.value.expireTimestamp")),
        "isTombstone": batch.column("isTombstone"),
    }
    for name, title in POSITION.items():
        columns[title] = batch.column(name).cast(LAG_HISTORY.field(title).type)
    return columns


def delivered_counts(batch: pa.RecordBatch) -> pa.Array:
    """Return the number of records after the start offset that a share group has finished; negative if unknown."""
    return _of_state(batch, "value.deliveryCompleteCount")


def commit_field(batch: pa.RecordBatch, path: str) -> pa.Array:
    """Return a field that all record types of commits have."""
    return _first(batch, COMMITS, path)


def committed_topic_ids(batch: pa.RecordBatch) -> pa.Array:
    """Return the topic ids of commits, which only the newer type of commits may have."""
    of_commits = field(batch, "OffsetCommit.value.topicId")
    return null_unless(pc.not_equal(of_commits, NO_ID), of_commits)


def _topic_ids(batch: pa.RecordBatch) -> pa.Array:
    return pc.coalesce(committed_topic_ids(batch), _of_state(batch, "key.topicId"))


def _offsets(batch: pa.RecordBatch) -> pa.Array:
    committed = _not_negative(commit_field(batch, "value.offset"))
    start = _not_negative(_of_state(batch, "value.startOffset"))
    return pc.coalesce(committed, start)


def _leader_epochs(batch: pa.RecordBatch) -> pa.Array:
    of_commits = _not_negative(field(batch, "OffsetCommit.value.leaderEpoch"))
    return pc.coalesce(of_commits, _of_state(batch, "value.leaderEpoch"))


def _commit_times(batch: pa.RecordBatch) -> pa.Array:
    """Return the times of commits and states. A state without a time has the timestamp of its record."""
    of_commits = _time(commit_field(batch, "value.commitTimestamp"))
    of_snapshots = _time(field(batch, "ShareSnapshot.value.writeTimestamp"))
    written = pc.coalesce(of_snapshots, batch.column("timestamp").cast(TIMESTAMP))
    of_states = null_unless(pc.invert(batch.column("isTombstone")), written)
    return pc.if_else(is_state(batch), of_states, of_commits)


def _of_state(batch: pa.RecordBatch, path: str) -> pa.Array:
    """Return a field that all record types of states have."""
    return _first(batch, STATES, path)


def _first(batch: pa.RecordBatch, types: tuple[str, ...], path: str) -> pa.Array:
    """Return a field. In each row, it comes from the first record type that has a value."""
    return pc.coalesce(*(field(batch, f"{name}.{path}") for name in types))


def _not_negative(values: pa.Array) -> pa.Array:
    """Return the values, with null in place of negative numbers, which mean a missing value."""
    return null_unless(pc.greater_equal(values, 0), values)


def _time(milliseconds: pa.Array) -> pa.Array:
    """Return Kafka's milliseconds as timestamps, with null in place of negative numbers, which mean a missing time."""
    most = pa.scalar(MOST_MILLISECONDS, pa.int64())
    bounded = pc.min_element_wise(_not_negative(milliseconds), most, skip_nulls=False)
    return pc.multiply(bounded, MICROSECONDS_OF_MILLISECOND).view(TIMESTAMP)
