"""Who committed what when, from ``__consumer_offsets`` and ``__share_group_state``, and how far behind they were."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.histories.end_offsets import END_COLUMNS, EndOffsets
from messagegen_arrow.histories.logs import Log, log_of, paths_of
from messagegen_arrow.histories.records import (
    TIMESTAMP,
    Batches,
    check_history_mode,
    counted,
    decoded_log,
    field,
    in_order,
    readable,
)
from messagegen_arrow.internal_topics.record_types import CONSUMER_OFFSETS, SHARE_GROUP_STATE
from messagegen_arrow.streams.sources import read_log
from messagegen_arrow.streams.stream import ColumnStream, require_columns, stream_of

TOPICS: Final = (CONSUMER_OFFSETS, SHARE_GROUP_STATE)
COMMITS: Final = ("OffsetCommit", "LegacyOffsetCommit")
STATES: Final = ("ShareSnapshot", "ShareUpdate")
GROUP_TYPES: Final = {
    "GroupMetadata": ("classic", "group"),
    "ConsumerGroupMetadata": ("consumer", "groupId"),
    "StreamsGroupMetadata": ("streams", "groupId"),
    "ShareGroupMetadata": ("share", "groupId"),
}
"""Record type to the type of its group, and the field of its key that names the group."""
NAMES: Final = "ShareGroupStatePartitionMetadata"
"""The record type that names the topics of a share group, whose states have topic ids only."""
LISTS_OF_NAMES: Final = ("initializingTopics", "initializedTopics", "deletingTopics")
ALL_TYPES: Final = (*COMMITS, *GROUP_TYPES, *STATES, NAMES)
"""The record types of which everything is decoded, so that damage anywhere in them counts."""
_ABOUT_GROUPS: Final = {**{name: [f"key.{key}"] for name, (_, key) in GROUP_TYPES.items()}, NAMES: None}
NO_ID: Final = "AAAAAAAAAAAAAAAAAAAAAA"
"""Kafka's zero topic id, which means no topic."""
MOST_MILLISECONDS: Final = ((1 << 63) - 1) // 1000
POSITION: Final = {
    "topic": "logTopic",
    "partition": "logPartition",
    "offset": "logOffset",
    "timestamp": "logTimestamp",
}
"""Columns of the log to the columns of the history."""
LAG_HISTORY: Final = pa.schema(
    [
        *((name, pa.string()) for name in ("group", "groupType", "topic")),
        *(("partition", pa.int32()), ("offset", pa.int64()), ("leaderEpoch", pa.int32()), ("metadata", pa.string())),
        *(("commitTimestamp", TIMESTAMP), ("expireTimestamp", TIMESTAMP), ("isTombstone", pa.bool_())),
        *((name, pa.int64()) for name in ("previousOffset", "delta", "endOffset", "lag")),
        *(("topicId", pa.string()), ("logTopic", pa.string()), ("logPartition", pa.int32())),
        *(("logOffset", pa.int64()), ("logTimestamp", TIMESTAMP)),
    ]
)
"""The columns of a history of commits."""
_COMMITTED: Final[dict[str, Any]] = {"isolationLevel": "read_committed", "untilLastStableOffset": "false"}
"""What a group coordinator reads: commits behind an open transaction count, those in it do not yet."""


def consumer_lag_history(
    log: Log,
    ends: Log | None = None,
    mode: str = "DROPMALFORMED",
    *,
    counts: HistoryCounts | None = None,
    catalog: Catalog | None = None,
) -> ColumnStream:
    """A row for each commit of a group for a partition, and for each deletion of one (``isTombstone``), in the order of the log.

    ``log`` is the path of a broker's folder, or several paths; or the rows of ``read_log(...)``, in the order of offsets.
    ``groupType`` is classic, consumer, streams or share: the last one that the log names, null if it names none.
    ``offset`` is null where none is committed (-1). ``previousOffset`` is that of the record before which is still in the log,
    null after a deletion, and ``delta`` the difference. For share groups ``offset`` is the start offset (KIP-932).

    ``endOffset`` and ``lag`` are null without ``ends``, which says how far partitions were: paths of logs, or rows with
    ``topic``, ``partition``, ``endOffset``. With a column ``timestamp``, the end is that at the time of the commit, otherwise
    the highest one. Both are null where the logs do not tell the end at that time, which ``docs/logs-and-captures.md`` explains.
    ``lag`` is ``endOffset`` minus ``offset``, as in ``kafka-consumer-groups``: negative for a commit beyond the end.

    The log is read twice: the type of a group may come after its commits. Memory holds an offset for each partition of each
    group, and 17 bytes for each batch of ``ends``; the length of the log does not matter. Records that can't be read
    are left out (``counts`` has how many), or raise ``MalformedMessageError`` (``mode`` FAILFAST).

    Raises ``LogPathError`` for paths without these topics, ``ValueError`` for rows that lack columns, and for other modes.
    """
    checked = check_history_mode(mode)
    source = log_of(log, TOPICS, checked, **_COMMITTED)
    records = decoded_log(source, TOPICS, ALL_TYPES, catalog)
    about_groups = decoded_log(source, TOPICS, _ABOUT_GROUPS, catalog)
    given = ends is None or paths_of(ends) is None
    known_ends = stream_of(LAG_HISTORY.empty_table() if ends is None else ends) if given else _log_of_ends(ends, mode)
    if given:
        require_columns(known_ends, ["topic", "partition", "endOffset"])
    count = HistoryCounts() if counts is None else counts

    def rows() -> Batches:
        end_offsets = EndOffsets()
        for batch in known_ends:
            if given:
                end_offsets.add(batch)
            else:
                end_offsets.add_log(batch)
        history = _History(end_offsets)
        for batch in counted(about_groups, checked, HistoryCounts()):
            history.learn(readable(batch))
        count.clear()
        for batch in in_order(counted(records, checked, count)):
            yield history.commits(readable(batch))

    return ColumnStream(LAG_HISTORY, rows)


def _log_of_ends(ends: Log, mode: str) -> ColumnStream:
    """The logs of the consumed topics, with deleted records that are still there, because they tell when the end was theirs.

    Damaged batches are left out: later offsets still show how far a partition had got.
    """
    options: dict[str, Any] = {"include_control": True, "include_segments": True, "from_log_start": False}
    return read_log(*(paths_of(ends) or ()), columns=END_COLUMNS, mode=mode, **options)


class _History:
    """Turns records into commits that know the ones before.

    What is said about groups and topics is learned before the commits, in any order; commits come in the order of their offsets.
    """

    def __init__(self, ends: EndOffsets) -> None:
        self._ends = ends
        self._types: dict[str, tuple[bool, int, str]] = {}
        self._names: dict[str, str] = {}
        self._last: dict[tuple[Any, ...], int] = {}
        """The last offset of each partition of a group, unless it was deleted."""

    def learn(self, batch: pa.RecordBatch) -> None:
        """Takes note of the types of groups and of the names of share groups' topics; ignores commits."""
        for name, (type_, key) in GROUP_TYPES.items():
            rows = batch.filter(pc.equal(batch.column("recordType"), name))
            columns = (field(rows, f"{name}.key.{key}"), rows.column("isTombstone"), rows.column("offset"))
            for group, is_gone, offset in zip(*(column.to_pylist() for column in columns), strict=True):
                # Deleted groups keep the type that they had.
                said = (not is_gone, offset, type_)
                self._types[group] = max(said, self._types.get(group, said))
        for name in LISTS_OF_NAMES:
            for topics in field(batch, f"{NAMES}.value.{name}").drop_null().to_pylist():
                for topic in topics:
                    known = self._names.get(topic["topicId"], "")
                    self._names[topic["topicId"]] = max(topic["topicName"], known)

    def commits(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Rows of ``LAG_HISTORY`` for commits and for states of share partitions, which say where these start."""
        batch = batch.filter(pc.is_in(batch.column("recordType"), pa.array([*COMMITS, *STATES])))
        columns = _columns(batch)
        is_state = pc.is_in(batch.column("recordType"), pa.array(STATES))
        given = {name: columns[name] for name in ("group", "topic", "topicId", "partition", "offset", "isTombstone")}
        given["isState"] = is_state
        given["delivered"] = _either(batch, STATES, "value.deliveryCompleteCount")
        given["time"] = pc.coalesce(columns["commitTimestamp"], columns["logTimestamp"]).cast(pa.int64())
        made = [self._commit(**row) for row in pa.table(given).to_pylist()]
        for name in ("groupType", "topic", "offset", "previousOffset", "delta", "endOffset", "lag"):
            columns[name] = pa.array([row[name] for row in made], LAG_HISTORY.field(name).type)
        arrays = [columns[each.name].cast(each.type) for each in LAG_HISTORY]
        found = pa.RecordBatch.from_arrays(arrays, schema=LAG_HISTORY)
        # Before the first start offset is set, there is a state and no commit.
        is_commit = pc.or_(pc.invert(is_state), pc.or_(found.column("offset").is_valid(), found.column("isTombstone")))
        return found.filter(is_commit)

    def _commit(self, group: str, topic: str | None, partition: int, offset: int | None, **row: Any) -> dict[str, Any]:
        """What a row has of those before it, and of the ends."""
        key = (row["isState"], group, row["topicId"] if row["isState"] else topic, partition)
        previous = self._last.pop(key, None)
        if row["isState"]:
            topic = self._names.get(row["topicId"])
            # Share groups note a start offset only when it changed.
            offset = previous if offset is None and not row["isTombstone"] else offset
        if offset is not None:
            self._last[key] = offset
        end = self._ends.at(topic, partition, row["time"], offset)
        done = row["delivered"] if row["isState"] else 0
        return {
            "groupType": "share" if row["isState"] else self._types.get(group, (False, 0, None))[2],
            "topic": topic,
            "offset": offset,
            "previousOffset": previous,
            "delta": None if offset is None or previous is None else offset - previous,
            "endOffset": end,
            "lag": _lag(offset, end, done),
        }


def _lag(offset: int | None, end: int | None, done: int | None) -> int | None:
    """How many records are left, as Kafka's own tools count them; ``done`` of them are behind a share group's start offset.

    ``None`` where one of the three is not known: a negative ``done`` means that.
    """
    if offset is None or end is None or done is None or done < 0:
        return None
    return end - offset - done


def _columns(batch: pa.RecordBatch) -> dict[str, pa.Array]:
    """What records say themselves. Only the newer type of commits has an epoch, an expiry and a topic id."""
    epoch, topic_id = field(batch, "OffsetCommit.value.leaderEpoch"), field(batch, "OffsetCommit.value.topicId")
    committed, start = _either(batch, COMMITS, "value.offset"), _either(batch, STATES, "value.startOffset")
    is_tombstone = batch.column("isTombstone")
    is_state = pc.is_in(batch.column("recordType"), pa.array(STATES))
    position = {title: batch.column(name) for name, title in POSITION.items()}
    position["logTimestamp"] = position["logTimestamp"].cast(TIMESTAMP)
    written = pc.coalesce(_time(field(batch, "ShareSnapshot.value.writeTimestamp")), position["logTimestamp"])
    commit_time = _time(_either(batch, COMMITS, "value.commitTimestamp"))
    return {
        "group": pc.coalesce(_either(batch, COMMITS, "key.group"), _either(batch, STATES, "key.groupId")),
        "topic": _either(batch, COMMITS, "key.topic"),
        "partition": _either(batch, (*COMMITS, *STATES), "key.partition"),
        "offset": pc.coalesce(_not_negative(committed), _not_negative(start)),
        "leaderEpoch": pc.coalesce(_not_negative(epoch), _either(batch, STATES, "value.leaderEpoch")),
        "metadata": _either(batch, COMMITS, "value.metadata"),
        "commitTimestamp": pc.if_else(is_state, _where(pc.invert(is_tombstone), written), commit_time),
        "expireTimestamp": _time(field(batch, "OffsetCommit.value.expireTimestamp")),
        "isTombstone": is_tombstone,
        "topicId": pc.coalesce(_where(pc.not_equal(topic_id, NO_ID), topic_id), _either(batch, STATES, "key.topicId")),
        **position,
    }


def _either(batch: pa.RecordBatch, types: tuple[str, ...], path: str) -> pa.Array:
    """The field of the record types that is not null."""
    return pc.coalesce(*(field(batch, f"{name}.{path}") for name in types))


def _where(condition: pa.Array, values: pa.Array) -> pa.Array:
    """The values where the condition holds; null elsewhere."""
    return pc.if_else(condition, values, pa.scalar(None, values.type))


def _not_negative(values: pa.Array) -> pa.Array:
    """The values; null for negative ones, which mean none."""
    return _where(pc.greater_equal(values, 0), values)


def _time(milliseconds: pa.Array) -> pa.Array:
    """Kafka's milliseconds as timestamps; null for negative ones, which mean no time."""
    given = _not_negative(milliseconds)
    most = pa.scalar(MOST_MILLISECONDS, pa.int64())
    return pc.multiply(pc.min_element_wise(given, most, skip_nulls=False), 1000).view(TIMESTAMP)
