"""Builds rows of the history, with the previous commit, the group's type, the topic's name, and the end offset."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.histories.consumer_lag.columns import commit_columns, delivered_counts, is_state
from messagegen_arrow.histories.consumer_lag.end_offsets import EndOffsets
from messagegen_arrow.histories.consumer_lag.groups import KnownGroups
from messagegen_arrow.histories.consumer_lag.recreated import RecreatedTopics
from messagegen_arrow.histories.consumer_lag.schema import (
    COMMITS,
    LAG_HISTORY,
    MICROSECONDS_OF_MILLISECOND,
    STATES,
)


class _Commit(NamedTuple):
    """A commit, or the state of a share partition, with the values from its record."""

    group: str
    topic: str | None
    topic_id: str | None
    partition: int
    offset: int | None
    is_tombstone: bool
    is_state: bool
    delivered: int | None
    """The number of records after the start offset that a share group has finished; negative if unknown."""
    time: int | None
    """Microseconds since 1970."""
    log_offset: int


class _Known(NamedTuple):
    """The values of a commit that come from other records; the names are column names."""

    groupType: str | None  # noqa: N815
    topic: str | None
    offset: int | None
    previousOffset: int | None  # noqa: N815
    delta: int | None
    endOffset: int | None  # noqa: N815
    lag: int | None
    lagMs: int | None  # noqa: N815


_Partition = tuple[bool, str, str | None, int]
"""A partition of a group: whether it is a share group, the group, the topic's id or name, and the partition number."""


class CommitHistory:
    """The commits of groups, in the order of their offsets.

    First, ``learn`` receives all records about groups and topics, in any order. Then ``rows`` receives the commits.
    """

    def __init__(self, ends: EndOffsets, at: int | None = None) -> None:
        """Compute the lag at the time ``at`` in microseconds or, if that is ``None``, at the time of each commit."""
        self._ends = ends
        self._at = at
        self._groups = KnownGroups()
        self._recreated = RecreatedTopics()
        self._last: dict[_Partition, int] = {}
        """The last committed offset of each partition of a group, unless it was deleted."""

    def learn(self, batch: pa.RecordBatch) -> None:
        """Learn the types of groups, the names of topics, and the deletions and topic ids of commits."""
        self._groups.learn(batch)
        self._recreated.learn(batch)

    def rows(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return rows of ``LAG_HISTORY`` for commits, and for states of share partitions, which have start offsets."""
        batch = batch.filter(pc.is_in(batch.column("recordType"), pa.array([*COMMITS, *STATES])))
        columns = commit_columns(batch)
        known = [self._known(commit) for commit in _commits_of(batch, columns)]
        values = zip(*known, strict=True) if known else ([] for _ in _Known._fields)
        for name, of_rows in zip(_Known._fields, values, strict=True):
            columns[name] = pa.array(of_rows, LAG_HISTORY.field(name).type)

        arrays = [columns[each.name].cast(each.type) for each in LAG_HISTORY]
        found = pa.RecordBatch.from_arrays(arrays, schema=LAG_HISTORY)
        # Until a start offset is set for the first time, a state exists, but no commit.
        is_set = pc.or_(found.column("offset").is_valid(), found.column("isTombstone"))
        return found.filter(pc.or_(pc.invert(is_state(batch)), is_set))

    def _known(self, commit: _Commit) -> _Known:
        """Return the values of a commit that come from earlier commits and from the ends."""
        topic = self._groups.topic_name(commit.topic_id) if commit.is_state else commit.topic
        partition = _partition_of(commit)
        previous = self._last.pop(partition, None)
        offset = commit.offset
        if commit.is_state and offset is None and not commit.is_tombstone:
            # A share group only writes its start offset if it has changed.
            offset = previous
        if offset is not None:
            self._last[partition] = offset

        time = commit.time if self._at is None else self._at
        end = self._ends.at(topic, commit.partition, time, offset)
        written = self._ends.written_at(topic, commit.partition, time, offset)
        # Often no ends are known, so compare the topics last.
        is_known = end is not None or written is not None
        if is_known and self._is_of_another_topic(topic, commit):
            end = written = None
        lag = _lag(offset, end, commit.delivered if commit.is_state else 0)
        if end == 0 and offset and self._is_deleted_later(commit):
            # The partition has no records, so the committed offset belongs to an earlier topic with this name, which
            # was deleted.
            end = lag = written = None
        return _Known(
            groupType=self._groups.type_of(commit.group, is_share=commit.is_state),
            topic=topic,
            offset=offset,
            previousOffset=previous,
            delta=None if offset is None or previous is None else offset - previous,
            endOffset=end,
            lag=lag,
            lagMs=_lag_in_time(lag, time, written),
        )

    def _is_of_another_topic(self, topic: str | None, commit: _Commit) -> bool:
        """Whether the ends belong to a topic of the same name that was created after the commit."""
        if self._ends.are_of_another_topic(topic, commit.topic_id, commit.time):
            return True
        return not self._ends.has_id(topic) and self._recreated.has_later_id(topic, commit.topic_id)

    def _is_deleted_later(self, commit: _Commit) -> bool:
        return not commit.is_state and self._recreated.is_deleted_after(
            commit.group, commit.topic, commit.partition, commit.log_offset
        )


def _commits_of(batch: pa.RecordBatch, columns: dict[str, pa.Array]) -> Iterator[_Commit]:
    of_fields = {
        "group": columns["group"],
        "topic": columns["topic"],
        "topic_id": columns["topicId"],
        "partition": columns["partition"],
        "offset": columns["offset"],
        "is_tombstone": columns["isTombstone"],
        "is_state": is_state(batch),
        "delivered": delivered_counts(batch),
        "time": pc.coalesce(columns["commitTimestamp"], columns["logTimestamp"]).cast(pa.int64()),
        "log_offset": columns["logOffset"],
    }
    # Rows are tuples: creating a dictionary for each row would take as long as the rest of this function.
    values = [of_fields[name].to_pylist() for name in _Commit._fields]
    return map(_Commit._make, zip(*values, strict=True))


def _partition_of(commit: _Commit) -> _Partition:
    topic = commit.topic_id if commit.is_state else commit.topic
    return commit.is_state, commit.group, topic, commit.partition


def _lag(offset: int | None, end: int | None, delivered: int | None) -> int | None:
    """Return the number of records that are left, as Kafka's own tools count them, minus the ``delivered`` records.

    Returns ``None`` if an argument is unknown; a negative ``delivered`` is unknown, too.
    """
    if offset is None or end is None or delivered is None or delivered < 0:
        return None
    return end - offset - delivered


def _lag_in_time(lag: int | None, time: int | None, written: int | None) -> int | None:
    """Return the milliseconds from ``written`` to ``time``; 0 if ``lag`` is 0.

    ``written`` is the time when the first record after the commit was written.
    """
    if lag == 0:
        return 0
    if time is None or written is None:
        return None
    return time // MICROSECONDS_OF_MILLISECOND - written // MICROSECONDS_OF_MILLISECOND
