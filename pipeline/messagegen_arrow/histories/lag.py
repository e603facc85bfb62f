"""Commits with what was before them, the types of their groups, and how far behind they were."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.histories.commits import GONE, ROWS, STATE, names_of_topics, types_of_groups
from messagegen_arrow.histories.end_offsets import EndOffsets
from messagegen_arrow.histories.keys import KeyGroups, LastValues
from messagegen_arrow.histories.records import POSITION, Records

_SHARE: Final = "share"

COMMITS: Final = pa.schema(
    [
        pa.field("group", pa.string()),
        pa.field("groupType", pa.string()),
        pa.field("topic", pa.string()),
        *(ROWS.field(name) for name in ("partition", "offset", "leaderEpoch", "metadata")),
        *(ROWS.field(name) for name in ("commitTimestamp", "expireTimestamp", "isTombstone")),
        pa.field("previousOffset", pa.int64()),
        pa.field("delta", pa.int64()),
        ROWS.field("topicId"),
        *POSITION,
        ROWS.field("deliveryCompleteCount"),
    ]
)
"""Commits without ends; ``deliveryCompleteCount`` is only needed for the lag."""

_LAST_BEFORE_ENDS: Final = COMMITS.get_field_index("delta") + 1
LAG_HISTORY: Final = pa.schema(
    [
        *list(COMMITS)[:_LAST_BEFORE_ENDS],
        pa.field("endOffset", pa.int64()),
        pa.field("lag", pa.int64()),
        *list(COMMITS)[_LAST_BEFORE_ENDS:-1],
    ]
)
"""The columns of a history of commits."""


class CommitHistory:
    """Turns rows of ``commits`` into commits that know the ones before.

    Memory holds the last offset of each partition of each group, a type for each group, and the names of share groups' topics. Rows about
    groups and topics (``learn``) come before the commits, in any order; commits in the order of their offsets.
    """

    def __init__(self) -> None:
        self._types: dict[str, tuple[bool, int, str]] = {}
        self._names: dict[str, str] = {}
        self._last_offsets = LastValues(pa.int64())
        self._last_starts = LastValues(pa.int64())

    def learn(self, records: Records) -> None:
        """Takes note of the types of groups and of the names of share groups' topics; ignores commits."""
        for group, said in types_of_groups(records):
            # Deleted groups keep the type that they had.
            self._types[group] = max(said, self._types.get(group, said))
        for topic_id, name in names_of_topics(records):
            self._names[topic_id] = max(name, self._names.get(topic_id, name))

    def commits(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """The commits of a batch as rows of ``COMMITS``."""
        is_share = pc.equal(rows.column("kind"), STATE)
        groups = KeyGroups.of(_keys(rows, is_share))
        offsets = rows.column("offset")
        if pc.any(is_share).as_py():
            # Share groups note a start offset only when it changed.
            starts = self._last_starts.filled(groups, pc.if_else(is_share, offsets, pa.scalar(None, pa.int64())))
            given = pc.and_(is_share, pc.not_equal(starts, GONE))
            offsets = pc.if_else(is_share, pc.if_else(given, starts, pa.scalar(None, pa.int64())), offsets)
        previous = self._last_offsets.previous(groups, offsets)
        columns = {
            **dict(zip(rows.schema.names, rows.columns, strict=True)),
            "offset": offsets,
            "previousOffset": previous,
            "delta": pc.subtract(offsets, previous),
            "groupType": pc.if_else(is_share, _SHARE, self._types_of(rows.column("group"))),
            "topic": pc.if_else(is_share, self._names_of(rows.column("topicId")), rows.column("topic")),
        }
        found = pa.RecordBatch.from_arrays([columns[field.name] for field in COMMITS], schema=COMMITS)
        # Before the first start offset is set, there is a state and no commit.
        is_commit = pc.or_(pc.invert(is_share), pc.or_(offsets.is_valid(), rows.column("isTombstone")))
        return found.filter(is_commit)

    def _types_of(self, groups: pa.StringArray) -> pa.StringArray:
        encoded = groups.dictionary_encode()
        types = [self._types.get(group, (False, 0, None))[2] for group in encoded.dictionary.to_pylist()]
        return pa.array(types, pa.string()).take(encoded.indices)

    def _names_of(self, topic_ids: pa.StringArray) -> pa.StringArray:
        encoded = topic_ids.dictionary_encode()
        names = [self._names.get(topic_id) for topic_id in encoded.dictionary.to_pylist()]
        return pa.array(names, pa.string()).take(encoded.indices)


def with_lag(commits: pa.RecordBatch, ends: EndOffsets) -> pa.RecordBatch:
    """Rows of ``COMMITS`` as rows of ``LAG_HISTORY``, with the end offsets at the time of each commit."""
    end = ends.at(commits.column("topic"), commits.column("partition"), _times_of(commits))
    delivered = pc.max_element_wise(pc.fill_null(commits.column("deliveryCompleteCount"), 0), 0).cast(pa.int64())
    behind = pc.subtract(end, pc.add(commits.column("offset"), delivered))
    columns = {
        **dict(zip(commits.schema.names, commits.columns, strict=True)),
        "endOffset": end,
        "lag": pc.max_element_wise(behind, 0, skip_nulls=False),
    }
    return pa.RecordBatch.from_arrays([columns[field.name] for field in LAG_HISTORY], schema=LAG_HISTORY)


def _times_of(commits: pa.RecordBatch) -> pa.Array:
    """The times for which ends are asked."""
    return pc.coalesce(commits.column("commitTimestamp"), commits.column("logTimestamp"))


def _keys(rows: pa.RecordBatch, is_share: pa.BooleanArray) -> pa.StringArray:
    """What tells partitions of groups apart: names of topics have no null characters, and names of groups come first."""
    topics = pc.if_else(is_share, rows.column("topicId"), rows.column("topic"))
    partitions = pc.fill_null(rows.column("partition"), -1).cast(pa.string())
    parts = [pc.fill_null(part, "") for part in (rows.column("kind"), rows.column("group"), topics)]
    return pc.binary_join_element_wise(*parts, partitions, "\0")
