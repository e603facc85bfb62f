"""What records of groups say: commits, states of share partitions, types of groups, names of topics."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.histories.records import (
    NO_ID,
    POSITION,
    TIMESTAMP,
    Records,
    coalesced,
    when_milliseconds,
)
from messagegen_arrow.internal_topics.record_types import CONSUMER_OFFSETS, SHARE_GROUP_STATE

TOPICS: Final = (CONSUMER_OFFSETS, SHARE_GROUP_STATE)

COMMIT, STATE = "commit", "state"
"""The kinds of rows: commits, states of share partitions."""

GONE: Final = -1
"""The offset of a share partition whose state was deleted."""

ROWS: Final = pa.schema(
    [
        pa.field("kind", pa.string()),
        pa.field("group", pa.string()),
        pa.field("topic", pa.string()),
        pa.field("partition", pa.int32()),
        pa.field("offset", pa.int64()),
        pa.field("leaderEpoch", pa.int32()),
        pa.field("metadata", pa.string()),
        pa.field("commitTimestamp", TIMESTAMP),
        pa.field("expireTimestamp", TIMESTAMP),
        pa.field("topicId", pa.string()),
        pa.field("deliveryCompleteCount", pa.int32()),
        pa.field("isTombstone", pa.bool_()),
        *POSITION,
    ]
)
"""The rows of all kinds; what a kind does not have is null."""

_COMMITS: Final = ("OffsetCommit", "LegacyOffsetCommit")
_STATES: Final = ("ShareSnapshot", "ShareUpdate")
_NAMES: Final = "ShareGroupStatePartitionMetadata"
_GROUP_TYPES: Final = {
    "GroupMetadata": ("classic", "group"),
    "ConsumerGroupMetadata": ("consumer", "groupId"),
    "StreamsGroupMetadata": ("streams", "groupId"),
    "ShareGroupMetadata": ("share", "groupId"),
}
"""Record type to the type of its group, and the field of its key that names the group."""


ALL_TYPES: Final = (*_COMMITS, *_GROUP_TYPES, *_STATES, _NAMES)
"""The record types of which everything is decoded, so that damage anywhere in them counts."""
KEYS_OF_GROUPS: Final = {**{name: [f"key.{field}"] for name, (_, field) in _GROUP_TYPES.items()}, _NAMES: None}
"""The record types, and their fields, that are enough for ``types_of_groups`` and ``names_of_topics``."""


def types_of_groups(records: Records) -> Iterator[tuple[str, tuple[bool, int, str]]]:
    """For each record about a group the group, and whether it is there (not deleted), the offset and the type."""
    offsets = records.position.column("logOffset")
    for name, (type_, field) in _GROUP_TYPES.items():
        rows = pc.indices_nonzero(pc.fill_null(pc.equal(records.types, name), fill_value=False))
        columns = (records.field(f"{name}.key.{field}"), pc.invert(records.is_tombstone), offsets)
        for group, is_there, offset in zip(*(column.take(rows).to_pylist() for column in columns), strict=True):
            yield group, (is_there, offset, type_)


def names_of_topics(records: Records) -> Iterator[tuple[str, str]]:
    """The id and the name of each topic that a record about a share group names."""
    for field in ("initializingTopics", "initializedTopics", "deletingTopics"):
        for topics in pc.drop_null(records.field(f"{_NAMES}.value.{field}")).to_pylist():
            yield from ((topic["topicId"], topic["topicName"]) for topic in topics)


def commits_of(records: Records) -> pa.RecordBatch:
    """Rows of commits and of states of share partitions, in the order of the records."""
    commits, states = pc.is_in(records.types, pa.array(_COMMITS)), pc.is_in(records.types, pa.array(_STATES))
    parts = [_commits(records.of(commits))]
    if pc.any(states).as_py():
        parts.append(_states(records.of(states)))
    rows = pa.concat_batches(parts)
    if len(parts) == 1:
        return rows
    order = pc.array_sort_indices(pa.concat_arrays([pc.indices_nonzero(commits), pc.indices_nonzero(states)]))
    return rows.take(order)


def _commits(records: Records) -> pa.RecordBatch:
    """Commits of the group coordinator. Only the newer of both types has an epoch, an expiry and a topic id."""

    def either(field: str) -> pa.Array:
        return coalesced(records, [f"{name}.{field}" for name in _COMMITS])

    epoch, topic_id = records.field("OffsetCommit.value.leaderEpoch"), records.field("OffsetCommit.value.topicId")
    return _rows(
        records,
        COMMIT,
        group=either("key.group"),
        topic=either("key.topic"),
        partition=either("key.partition"),
        offset=either("value.offset"),
        leaderEpoch=_where(pc.greater_equal(epoch, 0), epoch),
        metadata=either("value.metadata"),
        commitTimestamp=when_milliseconds(either("value.commitTimestamp")),
        expireTimestamp=when_milliseconds(records.field("OffsetCommit.value.expireTimestamp")),
        topicId=_where(pc.not_equal(topic_id, NO_ID), topic_id),
    )


def _states(records: Records) -> pa.RecordBatch:
    """Where share partitions start; null where a record does not say it. Their topics have ids only."""

    def either(field: str) -> pa.Array:
        return coalesced(records, [f"{name}.{field}" for name in _STATES])

    start = either("value.startOffset")
    written = when_milliseconds(records.field("ShareSnapshot.value.writeTimestamp"))
    at = pc.coalesce(written, records.position.column("logTimestamp"))
    return _rows(
        records,
        STATE,
        group=either("key.groupId"),
        topicId=either("key.topicId"),
        partition=either("key.partition"),
        offset=pc.if_else(records.is_tombstone, GONE, _where(pc.greater_equal(start, 0), start)),
        leaderEpoch=either("value.leaderEpoch"),
        commitTimestamp=_where(pc.invert(records.is_tombstone), at),
        deliveryCompleteCount=either("value.deliveryCompleteCount"),
    )


def _where(condition: pa.Array, values: pa.Array) -> pa.Array:
    """The values where the condition holds; null elsewhere."""
    return pc.if_else(condition, values, pa.scalar(None, values.type))


def _rows(records: Records, kind: str, **columns: pa.Array) -> pa.RecordBatch:
    """Rows of ``ROWS`` with these columns; others are null."""
    count = len(records)
    known = {
        **columns,
        "kind": pa.repeat(pa.scalar(kind), count),
        "isTombstone": records.is_tombstone,
        **dict(zip(POSITION.names, records.position.columns, strict=True)),
    }
    arrays = [known.get(field.name, pa.nulls(count, field.type)) for field in ROWS]
    return pa.RecordBatch.from_arrays(
        [
            array if array.type == field.type else array.cast(field.type)
            for array, field in zip(arrays, ROWS, strict=True)
        ],
        schema=ROWS,
    )
