"""The records that a history of commits is based on, and its columns."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

from messagegen_arrow.histories.records import TIMESTAMP
from messagegen_arrow.internal_topics.record_types import CONSUMER_OFFSETS, SHARE_GROUP_STATE

TOPICS: Final = (CONSUMER_OFFSETS, SHARE_GROUP_STATE)

COMMITS: Final = ("OffsetCommit", "LegacyOffsetCommit")
"""The record types of commits."""
STATES: Final = ("ShareSnapshot", "ShareUpdate")
"""The record types for states of share partitions, which contain the start offsets of share groups (KIP-932)."""
SHARE: Final = "share"
"""The type of share groups."""
GROUP_TYPES: Final = {
    "GroupMetadata": ("classic", "group"),
    "ConsumerGroupMetadata": ("consumer", "groupId"),
    "StreamsGroupMetadata": ("streams", "groupId"),
    "ShareGroupMetadata": (SHARE, "groupId"),
}
"""For each of these record types, the type of the group, and the field of the key that names the group."""
NAMES: Final = "ShareGroupStatePartitionMetadata"
"""The record type that names the topics of a share group, whose states only contain topic ids."""
LISTS_OF_NAMES: Final = ("initializingTopics", "initializedTopics", "deletingTopics")
"""The fields of ``NAMES`` that contain topics."""
ALL_TYPES: Final = (*COMMITS, *GROUP_TYPES, *STATES, NAMES)
"""The record types that are decoded completely, so that damage anywhere in them is detected."""

NO_ID: Final = "AAAAAAAAAAAAAAAAAAAAAA"
"""Kafka's zero topic id, which means no topic."""
MICROSECONDS_OF_MILLISECOND: Final = 1000
MOST_MILLISECONDS: Final = ((1 << 63) - 1) // MICROSECONDS_OF_MILLISECOND
"""The latest time in milliseconds that can be expressed in microseconds."""

POSITION: Final = {
    "topic": "logTopic",
    "partition": "logPartition",
    "offset": "logOffset",
    "timestamp": "logTimestamp",
}
"""The column of the history for each of these log columns."""

LAG_HISTORY: Final = pa.schema(
    [
        pa.field("group", pa.string()),
        pa.field("groupType", pa.string()),
        pa.field("topic", pa.string()),
        pa.field("partition", pa.int32()),
        pa.field("offset", pa.int64()),
        pa.field("leaderEpoch", pa.int32()),
        pa.field("metadata", pa.string()),
        pa.field("commitTimestamp", TIMESTAMP),
        pa.field("expireTimestamp", TIMESTAMP),
        pa.field("isTombstone", pa.bool_()),
        pa.field("previousOffset", pa.int64()),
        pa.field("delta", pa.int64()),
        pa.field("endOffset", pa.int64()),
        pa.field("lag", pa.int64()),
        pa.field("lagMs", pa.int64()),
        pa.field("topicId", pa.string()),
        pa.field("logTopic", pa.string()),
        pa.field("logPartition", pa.int32()),
        pa.field("logOffset", pa.int64()),
        pa.field("logTimestamp", TIMESTAMP),
    ]
)
"""The columns of a history of commits."""
