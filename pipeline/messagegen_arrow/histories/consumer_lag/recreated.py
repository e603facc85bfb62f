"""Topics that were deleted and created again, according to the log of commits.

A broker that deletes a topic writes a tombstone for each commit for that topic. Commits have topic ids since Kafka 4.1.
"""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.histories.consumer_lag.columns import commit_field, committed_topic_ids
from messagegen_arrow.histories.consumer_lag.schema import COMMITS

KEY_FIELDS: Final = ("key.group", "key.topic", "key.partition")
"""The key fields of a commit."""

_Partition = tuple[str, str, int]
"""A group, a topic and a partition."""


class RecreatedTopics:
    """The last tombstone of each partition of a group, and the latest id of each topic."""

    def __init__(self) -> None:
        self._tombstones: dict[_Partition, int] = {}
        """The log offset of the last tombstone of each partition of a group."""
        self._ids: dict[str, tuple[int, str]] = {}
        """For each topic, the time of the latest commit with a topic id, in microseconds, and that id."""

    def learn(self, batch: pa.RecordBatch) -> None:
        """Learn from the commits and tombstones among decoded records."""
        commits = batch.filter(pc.is_in(batch.column("recordType"), pa.array(COMMITS)))
        self._learn_tombstones(commits.filter(commits.column("isTombstone")))
        self._learn_ids(commits)

    def _learn_tombstones(self, tombstones: pa.RecordBatch) -> None:
        columns = [*(commit_field(tombstones, path) for path in KEY_FIELDS), tombstones.column("offset")]
        for group, topic, partition, offset in zip(*(column.to_pylist() for column in columns), strict=True):
            place = (group, topic, partition)
            self._tombstones[place] = max(offset, self._tombstones.get(place, offset))

    def _learn_ids(self, commits: pa.RecordBatch) -> None:
        times = pc.fill_null(commits.column("timestamp").cast(pa.int64()), 0)
        columns = {"topic": commit_field(commits, "key.topic"), "id": committed_topic_ids(commits), "time": times}
        with_ids = pa.table(columns).filter(pc.field("id").is_valid())
        # Nearly all commits for a topic have the same id.
        latest = with_ids.group_by(["topic", "id"]).aggregate([("time", "max")])
        values = (latest.column(name).to_pylist() for name in ("topic", "time_max", "id"))
        for topic, time, topic_id in zip(*values, strict=True):
            found = (time, topic_id)
            self._ids[topic] = max(found, self._ids.get(topic, found))

    def has_later_id(self, topic: str | None, topic_id: str | None) -> bool:
        """Whether later commits for a topic with this name have a different id."""
        latest = self._ids.get(topic or "")
        return topic_id is not None and latest is not None and latest[1] != topic_id

    def is_deleted_after(self, group: str, topic: str | None, partition: int, log_offset: int) -> bool:
        """Whether the commit at an offset of the log was deleted later."""
        return self._tombstones.get((group, topic or "", partition), -1) > log_offset
