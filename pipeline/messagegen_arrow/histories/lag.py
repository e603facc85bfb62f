"""Commits with what was before them, the types of their groups, and how far behind they were."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.histories.commits import GONE, NAME, ROWS, STATE, TYPE
from messagegen_arrow.histories.end_offsets import EndOffsets, Questions
from messagegen_arrow.histories.keys import KeyGroups, LastValues
from messagegen_arrow.histories.records import POSITION
from messagegen_arrow.histories.states import State, parts_of

_SHARE: Final = "share"

ENDS_KEPT: Final = 3_600_000_000
"""For so many microseconds before a commit a history that goes on keeps ends: offsets that a transaction commits come late."""

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
        self._deleted: dict[tuple[str, str], int] = {}
        """Where groups of a type were deleted last."""
        self._names: dict[str, str] = {}
        self._topics: dict[str, tuple[int, set[str]]] = {}
        """The ids of the topics that each share group has, and the offset of the record that says so."""
        self._last_offsets = LastValues(pa.int64())
        self._last_starts = LastValues(pa.int64())

    def learn(self, rows: pa.RecordBatch) -> None:
        """Takes note of the types of groups and of the names of share groups' topics; ignores commits."""
        columns = ("kind", "group", "groupType", "isTombstone", "logOffset", "topicId", "topic")
        words = rows.filter(pc.is_in(rows.column("kind"), pa.array([TYPE, NAME])))
        values = (words.column(name).to_pylist() for name in columns)
        for kind, group, type_, is_tombstone, offset, topic_id, topic in zip(*values, strict=True):
            if kind == NAME:
                self._learn_topic(group, offset, topic_id, topic)
            else:
                # Deleted groups keep the type that they had.
                word = (not is_tombstone, offset, type_)
                self._types[group] = max(word, self._types.get(group, word))
                if is_tombstone:
                    self._deleted[group, type_] = max(offset, self._deleted.get((group, type_), offset))

    def _learn_topic(self, group: str, offset: int, topic_id: str | None, topic: str) -> None:
        """Takes note of a topic of a share group; without one, of a record that may name topics."""
        said, _ = self._topics.get(group, (-1, None))
        if offset > said:
            self._topics[group] = (offset, set())
        if topic_id is None:
            return
        self._names[topic_id] = max(topic, self._names.get(topic_id, topic))
        if offset >= said:
            self._topics[group][1].add(topic_id)

    def commits(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """The commits of a batch as rows of ``COMMITS``; ignores rows about groups and topics."""
        rows = rows.filter(pc.invert(pc.is_in(rows.column("kind"), pa.array([TYPE, NAME]))))
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

    def forget_deleted(self) -> None:
        """Forgets groups that were deleted and whose offsets are gone, share partitions that were deleted, and names of their topics.

        If a commit of such a group or partition follows all the same, its type or the name of its topic is unknown.
        """
        # A group that got another type is deleted in the old one; and one that was deleted may have come again.
        deleted = {key: offset for key, offset in self._deleted.items() if self._is_last(*key, offset)}
        with_offsets = {key.split("\0", 1)[1].rsplit("\0", 2)[0] for key in self._last_offsets.state()}
        self._deleted = {key: offset for key, offset in deleted.items() if key[0] in with_offsets}
        for group, _ in deleted.keys() - self._deleted.keys():
            del self._types[group]
        self._last_starts.forget(GONE)
        self._topics = {group: said for group, said in self._topics.items() if said[1]}
        # The state of a partition is in another log, which may be read later than that its group gave up the topic.
        with_state = {key.rsplit("\0", 2)[1] for key in self._last_starts.state()}
        named = with_state.union(*(topics for _, topics in self._topics.values()))
        self._names = {topic_id: name for topic_id, name in self._names.items() if topic_id in named}

    def state(self) -> State:
        """Types of groups, names of topics, and last offsets."""
        return {
            "types": {group: list(word) for group, word in self._types.items()},
            "deleted": [[*key, offset] for key, offset in self._deleted.items()],
            "names": dict(self._names),
            "topics": [[group, offset, sorted(topics)] for group, (offset, topics) in self._topics.items()],
            "offsets": self._last_offsets.state(),
            "starts": self._last_starts.state(),
        }

    def restore(self, state: State) -> None:
        """Goes on from what ``state`` gave."""
        types, deleted, names, topics, offsets, starts = parts_of(
            state, "types", "deleted", "names", "topics", "offsets", "starts"
        )
        self._types = {group: (is_there, offset, type_) for group, (is_there, offset, type_) in types.items()}
        self._deleted = {(group, type_): offset for group, type_, offset in deleted}
        self._names = dict(names)
        self._topics = {group: (offset, set(ids)) for group, offset, ids in topics}
        self._last_offsets.restore(offsets)
        self._last_starts.restore(starts)

    def _is_last(self, group: str, type_: str, offset: int) -> bool:
        """Whether nothing is known of a group after its deletion."""
        _, said, last = self._types[group]
        return last == type_ and said <= offset

    def _types_of(self, groups: pa.StringArray) -> pa.StringArray:
        encoded = groups.dictionary_encode()
        types = [self._types.get(group, (False, 0, None))[2] for group in encoded.dictionary.to_pylist()]
        return pa.array(types, pa.string()).take(encoded.indices)

    def _names_of(self, topic_ids: pa.StringArray) -> pa.StringArray:
        encoded = topic_ids.dictionary_encode()
        names = [self._names.get(topic_id) for topic_id in encoded.dictionary.to_pylist()]
        return pa.array(names, pa.string()).take(encoded.indices)


class LagHistory:
    """Turns rows of ``ROWS`` into rows of ``LAG_HISTORY``, as they come.

    What is said about groups and topics (``learn``) counts for the commits that are fed with it or later. ``ends`` are the end
    offsets that are known so far: an end that is added later than a commit does not change its lag.
    """

    def __init__(self) -> None:
        self._commits = CommitHistory()
        self.ends = EndOffsets()
        self._read_until: int | None = None

    def learn(self, rows: pa.RecordBatch) -> None:
        """Takes note of what is said about groups and topics, ahead of their commits."""
        self._commits.learn(rows)

    def feed(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """The commits among the rows, which come in the order of their offsets."""
        return self.with_lag(self.commits(rows))

    def commits(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """The first half of ``feed``: rows of ``COMMITS``, whose ends may be added then."""
        self.learn(rows)
        self._read_until = _read_until(rows)
        return self._commits.commits(rows)

    def questions(self, commits: pa.RecordBatch) -> Questions:
        """For which times ends have to be added: those of the commits, and all that ``forget_ends`` keeps."""
        later = None if self._read_until is None else self._read_until - ENDS_KEPT
        return Questions.of(commits.column("topic"), commits.column("partition"), _times_of(commits), later)

    def with_lag(self, commits: pa.RecordBatch) -> pa.RecordBatch:
        """The second half of ``feed``."""
        return with_lag(commits, self.ends)

    def forget_deleted(self) -> None:
        """Forgets deleted groups and deleted share partitions."""
        self._commits.forget_deleted()

    def forget_ends(self, before: int = ENDS_KEPT) -> None:
        """Forgets the ends at times more than so many microseconds before what each partition of the log was read up to.

        Later questions about them get null. Only the partitions of the last rows count: one that lags behind is among them.
        """
        if self._read_until is not None:
            self.ends.forget_before(self._read_until - before)

    def state(self) -> State:
        """What is known of groups, commits and ends."""
        return {"commits": self._commits.state(), "ends": self.ends.state()}

    def restore(self, state: State) -> None:
        """Goes on from what ``state`` gave."""
        commits, ends = parts_of(state, "commits", "ends")
        self._commits.restore(commits)
        self.ends.restore(ends)


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


def _read_until(rows: pa.RecordBatch) -> int | None:
    """The time in microseconds that the partition reached that is furthest behind; ``None`` without rows that have times."""
    # Rows about groups have times too: a partition may have nothing else for long.
    columns = {"topic": rows.column("logTopic"), "partition": rows.column("logPartition"), "time": _times_of(rows)}
    latest = pa.table(columns).group_by(["topic", "partition"]).aggregate([("time", "max")])
    time: int | None = pc.min(latest.column("time_max")).cast(pa.int64()).as_py()
    return time


def _times_of(commits: pa.RecordBatch) -> pa.Array:
    """The times for which ends are asked."""
    return pc.coalesce(commits.column("commitTimestamp"), commits.column("logTimestamp"))


def _keys(rows: pa.RecordBatch, is_share: pa.BooleanArray) -> pa.StringArray:
    """What tells partitions of groups apart: names of topics have no null characters, and names of groups come first."""
    topics = pc.if_else(is_share, rows.column("topicId"), rows.column("topic"))
    partitions = pc.fill_null(rows.column("partition"), -1).cast(pa.string())
    parts = [pc.fill_null(part, "") for part in (rows.column("kind"), rows.column("group"), topics)]
    return pc.binary_join_element_wise(*parts, partitions, "\0")
