"""Histories that go on: however a log is cut, and however often another process goes on, the rows are those of one run."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka as kafka
from messagegen_arrow import consumer_lag_history, metadata_history, transaction_history
from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.histories.end_offsets import EndOffsets, Questions
from messagegen_arrow.histories.keys import KeyGroups, LastValues
from messagegen_arrow.histories.kinds import CONSUMER_LAG, HISTORIES, METADATA, TRANSACTIONS, History, HistoryKind
from messagegen_arrow.histories.lag import LagHistory
from messagegen_arrow.histories.records import TIMESTAMP
from messagegen_arrow.histories.states import StateError
from messagegen_kafka.share_group_state_partition_metadata_value import TopicInfo, TopicPartitionsInfo
from tests.arrow.support.history_data import EPOCH, ORDERS, PAYMENTS, at_second, log_rows
from tests.arrow.support.internal_records import OFFSETS, Record, coordinator_record, metadata_record

SHARES, TRANSACTION_STATE = "__share_group_state", "__transaction_state"
DAMAGED = b"\0"
MAPS = ("types", "names", "offsets", "starts", "states")
"""Parts of states whose keys are those of groups, topics and others."""

cuts = st.lists(st.tuples(st.integers(0, 7), st.booleans()), max_size=30)
"""The sizes of batches, and whether another process goes on after each; one more batch has the rest."""
choices = st.lists(st.integers(0, 999), max_size=40)
"""Numbers that records are made of."""


def fed(
    kind: HistoryKind,
    log: pa.Table,
    cuts: Sequence[tuple[int, bool]],
    before: Callable[[History, pa.RecordBatch], None] = lambda _history, _rows: None,
) -> tuple[list[dict[str, Any]], HistoryCounts]:
    """The rows of a history that is fed a log in batches, and the counts; ``before`` is called before each is fed."""
    reader, history, counts = kind.reader("DROPMALFORMED"), kind.begin(), HistoryCounts()
    found: list[dict[str, Any]] = []
    place = 0
    for size, goes_on_elsewhere in [*cuts, (log.num_rows, False)]:
        for batch in log.slice(place, size).combine_chunks().to_batches():
            rows = kind.extract(reader.read(batch, counts))
            before(history, rows)
            given = history.feed(rows)
            assert given.schema == kind.schema
            found += given.to_pylist()
        place += size
        if goes_on_elsewhere:
            state = json.loads(json.dumps(history.state()))
            history = kind.begin()
            history.restore(state)
    return found, counts


def commits(numbers: Sequence[int]) -> list[Record]:
    """Commits and deletions of three groups, and states of a share group; what is said about the groups comes first."""
    named = TopicPartitionsInfo(topic_id=ORDERS, topic_name="orders", partitions=(0,))
    topics = kafka.ShareGroupStatePartitionMetadataValue(initialized_topics=(named,))
    records = [
        coordinator_record(OFFSETS, "GroupMetadata", {"group": "billing"}, kafka.GroupMetadataValue(), 3),
        coordinator_record(OFFSETS, "ShareGroupStatePartitionMetadata", {"group_id": "workers"}, topics),
    ]
    share = {"group_id": "workers", "topic_id": ORDERS, "partition": 0}
    for at, number in enumerate(numbers, start=len(records)):
        key = {"group": ("billing", "audits", "totals")[number % 3], "topic": "orders", "partition": number % 2}
        match number % 7:
            case 0:
                records.append(coordinator_record(OFFSETS, "OffsetCommit", key))
            case 1:
                start = number if number % 2 else -1
                update = kafka.ShareUpdateValue(start_offset=start, delivery_complete_count=1)
                records.append(coordinator_record(SHARES, "ShareUpdate", share, update))
            case 2:
                records.append(Record(OFFSETS, records[0].key, DAMAGED))
            case _:
                value = kafka.OffsetCommitValue(offset=number, commit_timestamp=1000 * at)
                records.append(coordinator_record(OFFSETS, "OffsetCommit", key, value, 3))
    return records


@given(choices, cuts)
def test_commits(numbers: list[int], cuts: list[tuple[int, bool]]) -> None:
    log, ends = log_rows(commits(numbers), batch=1000), ends_each_second(len(numbers) + 2)
    counts = HistoryCounts()
    expected = pa.table(consumer_lag_history(log, ends, counts=counts)).to_pylist()

    def add_ends(history: History, rows: pa.RecordBatch) -> None:
        """Ends are known up to the latest commit, and some of them were added before; those that nobody asks for are forgotten."""
        assert isinstance(history, LagHistory)
        history.forget_ends()
        history.forget_deleted()
        # Times of the log are those of the commits, a second for each record.
        last = max(rows.column("logOffset").to_pylist(), default=0) + 1
        for batch in ends.slice(0, 2 * last).to_batches():
            history.ends.add(batch)

    found, counted = fed(CONSUMER_LAG, log, cuts, add_ends)
    assert found == expected
    assert counted == counts
    assert (counted.types, counted.reasons, counted.bytes) == (counts.types, counts.reasons, counts.bytes)
    assert sum(counted.reasons.values()) == counted.malformed


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 12))), st.integers(0, 12) | st.none(), st.integers(1, 5))
def test_ends_that_answer_questions(asked: list[tuple[int, int]], later: int | None, size: int) -> None:
    """Whichever task reads an end, those that are needed give the answers of all."""
    topics, partitions = pa.array(["orders"] * len(asked), pa.string()), pa.array(
        [each for each, _ in asked], pa.int32()
    )
    times = pa.array([at_second(second) for _, second in asked], TIMESTAMP)
    since = None if later is None else later * 1_000_000
    questions = pickle.loads(pickle.dumps(Questions.of(topics, partitions, times, since)))
    every, needed = EndOffsets(), EndOffsets()
    for batch in ends_each_second(10).to_batches(size):
        every.add(batch)
        for found in questions.needed([batch]):
            needed.add(found)
    assert needed.at(topics, partitions, times) == every.at(topics, partitions, times)
    for ends in (every, needed):
        ends.forget_before(0 if since is None else since)
    assert needed.state() == every.state()


def test_ends_that_answer_nothing_are_left_out() -> None:
    asked = Questions.of(pa.array(["orders"]), pa.array([0]), pa.array([at_second(700)]), 998_500_000)
    found = pa.Table.from_batches(asked.needed(ends_each_second(1000).to_batches())).to_pylist()
    assert [row["endOffset"] for row in found] == [70_000, 99_800, 99_900, 99_801, 99_901]


def ends_each_second(seconds: int) -> pa.Table:
    """Ends of two partitions in each second."""
    rows = [
        {"topic": "orders", "partition": partition, "endOffset": 100 * at + partition, "timestamp": at_second(at)}
        for at in range(seconds)
        for partition in (0, 1)
    ]
    return pa.Table.from_pylist(rows)


@given(choices, cuts, st.booleans())
def test_metadata(numbers: list[int], cuts: list[tuple[int, bool]], begins_later: bool) -> None:
    marks = (kafka.BeginTransactionRecord(name="t"), kafka.EndTransactionRecord(), kafka.AbortTransactionRecord())
    records = []
    for number in numbers:
        name, topic_id = (("orders", ORDERS), ("payments", PAYMENTS), ("orders", UUID(int=3)))[number % 3]
        match number % 8:
            case 0 | 1:
                message: Any = kafka.TopicRecord(name=name, topic_id=topic_id)
            case 2:
                message = kafka.RemoveTopicRecord(topic_id=topic_id)
            case 3:
                message = kafka.PartitionRecord(partition_id=number % 2, topic_id=topic_id, replicas=(1,), leader=1)
            case 4:
                message = kafka.PartitionChangeRecord(partition_id=number % 2, topic_id=topic_id, leader=number)
            case 5 | 6:
                message = kafka.ConfigRecord(resource_type=2, resource_name=name, name="x", value=str(number))
            case _:
                message = marks[number % 3]
        records.append(metadata_record(message))
    topic = metadata_record(kafka.TopicRecord(name="orders", topic_id=ORDERS))
    snapshot = log_rows([topic], f"/data/__cluster_metadata-0/{50:020}-{3:010}.checkpoint", batch=1000)
    log = pa.concat_tables([snapshot, log_rows(records, start=50 if begins_later else 0, batch=1000)])
    found, _ = fed(METADATA, log, cuts)
    assert found == (pa.table(metadata_history(log)).to_pylist() if records else [])


@given(choices, cuts)
def test_transactions(numbers: list[int], cuts: list[tuple[int, bool]]) -> None:
    records = [
        coordinator_record(
            TRANSACTION_STATE,
            "TransactionLog",
            {"transactional_id": ("ledger", "audit")[number % 2]},
            kafka.TransactionLogValue(transaction_status=number % 9) if number % 5 else None,
        )
        for number in numbers
    ]
    log = log_rows(records, batch=1000)
    found, _ = fed(TRANSACTIONS, log, cuts)
    assert found == pa.table(transaction_history(log)).to_pylist()


def test_forgotten_ends_are_unknown() -> None:
    ends = EndOffsets()
    for batch in ends_each_second(10).to_batches():
        ends.add(batch)
    ends.forget_before(5_500_000)
    times = pa.array([EPOCH + timedelta(seconds=each) for each in (4.9, 5, 5.5, 6, 60)])
    assert ends.at(pa.array(["orders"] * 5), pa.array([1] * 5), times).to_pylist() == [None, 501, 501, 601, 901]
    assert ends.last() == {("orders", 0): 900, ("orders", 1): 901}


def test_a_partition_that_lags_behind_keeps_its_ends() -> None:
    """Quiet partitions of the log are read up to now while a busy one is far behind; ends of its commits are not read again."""
    log, ends = log_rows(commits([3] * 8), batch=1000), ends_each_second(1000)
    busy = log.slice(2)
    quiet = busy.slice(7).set_column(1, "partition", pa.array([1], pa.int32()))
    reader, history, counts = CONSUMER_LAG.reader("FAILFAST"), LagHistory(), HistoryCounts()
    for batch in ends.to_batches():
        history.ends.add(batch)
    lags = []
    for part in (pa.concat_tables([busy.slice(0, 2), quiet]), busy.slice(2, 2), busy.slice(4, 3)):
        for batch in part.combine_chunks().to_batches():
            found = history.feed(CONSUMER_LAG.extract(reader.read(batch, counts)))
            lags += [row["lag"] for row in found.to_pylist() if row["logPartition"] == 0]
        history.forget_ends(0)
    assert lags == [100 * second + 1 - 3 for second in range(2, 9)]
    times = pa.array([at_second(7), at_second(8)])
    assert history.ends.at(pa.array(["orders"] * 2), pa.array([1] * 2), times).to_pylist() == [None, 801]


def test_ends_are_forgotten_without_commits() -> None:
    """A log that only says things about groups lets the ends of old times go."""
    group, *_ = commits([])
    history = LagHistory()
    for batch in ends_each_second(10).to_batches():
        history.ends.add(batch)
    history.forget_ends(0)
    assert len(history.state()["ends"][0][2]) == 10
    (batch,) = log_rows([group] * 6, batch=1000).to_batches()
    history.feed(CONSUMER_LAG.extract(CONSUMER_LAG.reader("FAILFAST").read(batch, HistoryCounts())))
    history.forget_ends(0)
    assert len(history.state()["ends"][0][2]) == 5


def test_a_group_has_the_type_that_is_known_by_then() -> None:
    """A later process does not go back to the commits of an earlier one; in one run a type behind the commits counts."""
    first, *_ = commits([])
    log = log_rows([*commits([3])[2:], first, *commits([3])[2:]], batch=1000)
    found, _ = fed(CONSUMER_LAG, log, [(1, True)])
    assert [row["groupType"] for row in found] == [None, "classic"]
    assert [row["groupType"] for row in pa.table(consumer_lag_history(log)).to_pylist()] == ["classic", "classic"]


def test_deleted_groups_and_share_partitions_take_no_memory() -> None:
    """As long as the group has offsets, commits follow: those that delete them."""
    group, share, *_ = commits([])
    key, partition = {"group": "billing", "topic": "orders", "partition": 0}, {"topic_id": ORDERS, "partition": 0}
    committed = coordinator_record(OFFSETS, "OffsetCommit", key, kafka.OffsetCommitValue(offset=3), 3)
    started = kafka.ShareUpdateValue(start_offset=3)
    states = [
        coordinator_record(SHARES, "ShareUpdate", {"group_id": "workers", **partition}, started),
        coordinator_record(SHARES, "ShareUpdate", {"group_id": "workers", **partition}),
    ]
    deleted = coordinator_record(OFFSETS, "GroupMetadata", {"group": "billing"})
    without_offset = coordinator_record(OFFSETS, "OffsetCommit", key)
    again = coordinator_record(
        OFFSETS, "ConsumerGroupMetadata", {"group_id": "billing"}, kafka.ConsumerGroupMetadataValue()
    )
    history, reader = LagHistory(), CONSUMER_LAG.reader("FAILFAST")
    batches = ([group, share, committed, *states], [deleted], [without_offset], [deleted, again], [without_offset])
    types, known = [], []
    for number, records in enumerate(batches):
        (batch,) = log_rows(records, start=10 * number, batch=1000).to_batches()
        found = history.feed(CONSUMER_LAG.extract(reader.read(batch, HistoryCounts())))
        history.forget_deleted()
        types += [row["groupType"] for row in found.to_pylist() if row["group"] == "billing"]
        known.append(list(history.state()["commits"]["types"]))
    assert types == ["classic", "classic", "consumer"]
    assert known == [["billing"], ["billing"], [], ["billing"], ["billing"]]
    assert history.state()["commits"]["deleted"] == []
    assert history.state()["commits"]["starts"] == {}


@pytest.mark.parametrize("is_named_longer", [False, True])
def test_topics_that_share_groups_gave_up_take_no_memory(*, is_named_longer: bool) -> None:
    """The group and the state of the partition are in two logs, of which either can be read first."""

    def naming(group: str, **topics: TopicPartitionsInfo | TopicInfo) -> Record:
        named: Any = {name: (topic,) for name, topic in topics.items()}
        value = kafka.ShareGroupStatePartitionMetadataValue(**named)
        return coordinator_record(OFFSETS, "ShareGroupStatePartitionMetadata", {"group_id": group}, value)

    orders = TopicPartitionsInfo(topic_id=ORDERS, topic_name="orders", partitions=(0,))
    place = {"group_id": "workers", "topic_id": ORDERS, "partition": 0}
    started = coordinator_record(SHARES, "ShareUpdate", place, kafka.ShareUpdateValue(start_offset=3))
    gone = coordinator_record(SHARES, "ShareUpdate", place)
    given_up = coordinator_record(OFFSETS, "ShareGroupStatePartitionMetadata", {"group_id": "workers"})
    last = [gone, given_up] if is_named_longer else [given_up, gone]
    begin = [naming("workers", initializing_topics=orders), naming("others", initialized_topics=orders)]
    batches = [
        [*begin, started],
        [naming("workers", deleting_topics=TopicInfo(topic_id=ORDERS, topic_name="orders"))],
        [naming("others")],
        *([each] for each in last),
    ]
    history, reader = LagHistory(), CONSUMER_LAG.reader("FAILFAST")
    known, topics = [], []
    for number, records in enumerate(batches):
        (batch,) = log_rows(records, start=10 * number, batch=1000).to_batches()
        rows = history.feed(CONSUMER_LAG.extract(reader.read(batch, HistoryCounts())))
        history.forget_deleted()
        state = json.loads(json.dumps(history.state()))
        history.restore(state)
        known.append(list(state["commits"]["names"].values()))
        topics += rows.column("topic").to_pylist()
    assert known == [["orders"]] * 4 + [[]]
    assert topics == ["orders", "orders"]
    assert history.state()["commits"]["topics"] == []


def test_topics_that_were_removed_take_no_memory() -> None:
    topic = metadata_record(kafka.TopicRecord(name="orders", topic_id=ORDERS))
    config = metadata_record(kafka.ConfigRecord(resource_type=2, resource_name="orders", name="x", value="1"))
    removed = metadata_record(kafka.RemoveTopicRecord(topic_id=ORDERS))
    history = METADATA.begin()
    (batch,) = log_rows([topic, config, removed], batch=1000).to_batches()
    rows = history.feed(METADATA.extract(METADATA.reader("FAILFAST").read(batch, HistoryCounts())))
    assert {row["name"] for row in rows.to_pylist()} == {"orders", "topic orders"}
    assert str(ORDERS) not in json.dumps(history.state())
    assert "orders" not in json.dumps(history.state())


def parts_within(state: Any, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Where there are parts that a history names."""
    if isinstance(state, dict):
        yield above
        for name, part in state.items():
            yield from parts_within(part, (*above, name))


def lacking_one(part: dict[str, Any]) -> None:
    del part[next(iter(part))]


def having_more(part: dict[str, Any]) -> None:
    part["epoch"] = 1


@pytest.mark.parametrize("kind", HISTORIES.values(), ids=HISTORIES)
def test_states_of_other_versions_are_refused(kind: HistoryKind) -> None:
    history = kind.begin()
    places = [place for place in parts_within(history.state()) if not place or place[-1] not in MAPS]
    assert places
    for place in places:
        for change in (lacking_one, having_more):
            state = history.state()
            part: Any = state
            for name in place:
                part = part[name]
            change(part)
            with pytest.raises(StateError, match="another version of messagegen wrote it, so begin the history again"):
                kind.begin().restore(state)
    with pytest.raises(StateError, match="not nothing"):
        kind.begin().restore([])  # type: ignore[arg-type]


def test_deleted_keys_take_no_memory() -> None:
    last = LastValues(pa.int64())
    keys = KeyGroups.of(pa.array(["a", "b"]))
    last.previous(keys, pa.array([1, 2]))
    assert last.previous(keys, pa.array([None, 3], pa.int64())).to_pylist() == [1, 2]
    assert last.state() == {"b": 3}
    assert last.previous(keys, pa.array([4, 5])).to_pylist() == [None, 3]
