"""Offsets by time without a broker: grouping, retries, errors, and arguments that are refused before any request."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messagegen_client.errors import (
    BootstrapError,
    BrokerConnectionError,
    BrokerError,
    ClientClosedError,
    KafkaTimeoutError,
    NoCommonVersionError,
    ProtocolError,
    UnknownTopicOrPartitionError,
    UnsupportedForMessageFormatError,
)
from messagegen_client.offsets.calls import (
    ListOffsetsError,
    beginning_offsets,
    end_offsets,
    list_offsets,
    offsets_for_times,
)
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.offsets.search import LEADERLESS_ATTEMPTS, OffsetAndTimestamp
from messagegen_client.offsets.specs import IsolationLevel, OffsetSpec
from messagegen_kafka import ErrorCode
from tests.client.support.offset_cluster import Log, OffsetCluster, OffsetStore

A0 = TopicPartition("a", 0)
A1 = TopicPartition("a", 1)
A2 = TopicPartition("a", 2)
B0 = TopicPartition("b", 0)


@pytest.fixture
def store() -> OffsetStore:
    store = OffsetStore()
    store.add("a", Log(1, 5, [10, 20, 30]), Log(2, 6, [10, 20]), Log(1, 7))
    store.add("b", Log(2, 8, [15], start=100))
    return store


def run(store: OffsetStore, call: Callable[..., Awaitable[Any]], *arguments: Any, **others: Any) -> Any:
    async def work() -> Any:
        async with OffsetCluster(store) as cluster:
            return await call(cluster, *arguments, **others)

    return asyncio.run(work())


def failure(
    store: OffsetStore, call: Callable[..., Awaitable[Any]], *arguments: Any, **others: Any
) -> ListOffsetsError:
    with pytest.raises(ListOffsetsError) as caught:
        run(store, call, *arguments, **others)
    return caught.value


def test_the_first_record_at_or_after_a_time_is_found(store: OffsetStore) -> None:
    found = run(store, offsets_for_times, {A0: 20, A1: 21, ("b", 0): datetime(1970, 1, 1, tzinfo=UTC)})
    assert found == {A0: OffsetAndTimestamp(1, 20, 5), A1: None, B0: OffsetAndTimestamp(100, 15, 8)}
    assert list(found) == [A0, A1, B0]
    assert all(isinstance(partition, TopicPartition) for partition in found)


def test_an_empty_partition_has_beginning_and_end_offsets_but_no_offset_for_a_time(store: OffsetStore) -> None:
    assert run(store, offsets_for_times, {A2: 0}) == {A2: None}
    assert run(store, beginning_offsets, [A2, B0]) == {A2: 0, B0: 100}
    assert run(store, end_offsets, [A2, ("b", 0)]) == {A2: 0, B0: 101}
    assert run(store, list_offsets, {A0: OffsetSpec.max_timestamp(), A2: OffsetSpec.max_timestamp()}) == {
        A0: OffsetAndTimestamp(2, 30, 5),
        A2: None,
    }


@pytest.mark.parametrize(
    "times",
    [
        {A0: -1},
        {A0: 0, A1: -2},
        {A0: True},
        {A0: 1.5},
        {A0: datetime(2026, 1, 1)},  # noqa: DTZ001 - that is what is refused
        {("a", -1): 0},
        {("a", True): 0},
    ],
)
def test_an_invalid_time_or_partition_is_an_error_before_anything_is_sent(store: OffsetStore, times: Any) -> None:
    with pytest.raises(ValueError, match=r"time|partition"):
        run(store, offsets_for_times, times)
    assert (store.requests, store.refreshes) == ([], 0)


@pytest.mark.parametrize("pair", [("", 0), (5, 0), ("a", "0"), ("a", 2**31), ("a", 1.0)])
def test_an_invalid_partition_is_an_error(store: OffsetStore, pair: Any) -> None:
    with pytest.raises(ValueError, match=r"invalid topic name|invalid partition .* of topic a"):
        run(store, end_offsets, [pair])


def test_each_leader_is_asked_once_for_all_of_its_partitions(store: OffsetStore) -> None:
    run(store, end_offsets, [A0, A1, A2, B0])
    assert sorted(store.asked()) == [(1, [A0, A2]), (2, [A1, B0])]
    epochs = {
        (topic.name, one.partition_index): one.current_leader_epoch
        for _, _, request in store.requests
        for topic in request.topics
        for one in topic.partitions
    }
    assert epochs == {A0: 5, A1: 6, A2: 7, B0: 8}
    assert {request.replica_id for _, _, request in store.requests} == {-1}


def test_only_partitions_whose_leader_moved_are_requested_again(store: OffsetStore) -> None:
    moved = store.logs[A0]

    def move(broker: int) -> None:
        moved.leader = 3

    store.before = move
    assert run(store, end_offsets, [A0, A1, A2]) == {A0: 3, A1: 2, A2: 0}
    assert sorted(store.asked()[:2]) == [(1, [A0, A2]), (2, [A1])]
    assert store.asked()[2:] == [(3, [A0])]
    assert store.refreshes == 2


def test_a_call_waits_until_a_partition_has_a_leader(store: OffsetStore) -> None:
    log = store.logs[A0]
    log.leader = -1
    log.metadata_error = int(ErrorCode.LEADER_NOT_AVAILABLE)
    waits = itertools.count()

    def elect() -> None:
        if next(waits) == 2:
            log.leader = 2
            log.metadata_error = 0

    store.before_metadata = elect
    assert run(store, end_offsets, [A0]) == {A0: 3}
    assert store.asked() == [(2, [A0])]


def test_a_partition_without_a_leader_does_not_delay_other_partitions(store: OffsetStore) -> None:
    log = store.logs[A0]
    log.leader = -1
    log.metadata_error = int(ErrorCode.LEADER_NOT_AVAILABLE)
    problem = failure(store, end_offsets, [A0, A1, A2], timeout=10_000)
    assert problem.results == {A1: OffsetAndTimestamp(2, -1, 6), A2: OffsetAndTimestamp(0, -1, 7)}
    error = problem.errors[A0]
    assert isinstance(error, BrokerError)
    assert error.code is ErrorCode.LEADER_NOT_AVAILABLE
    assert store.refreshes == LEADERLESS_ATTEMPTS


def test_unknown_topics_are_requested_a_few_times_and_named_in_the_error(store: OffsetStore) -> None:
    unknown = TopicPartition("nowhere", 0)
    beyond = TopicPartition("a", 9)
    problem = failure(store, end_offsets, [A0, unknown, beyond])
    assert set(problem.errors) == {unknown, beyond}
    assert all(isinstance(error, UnknownTopicOrPartitionError) for error in problem.errors.values())
    assert problem.results == {A0: OffsetAndTimestamp(3, -1, 5)}
    assert str(problem).startswith("2 of 3 partitions failed: listing offsets of nowhere-0: ")
    assert problem.__cause__ is problem.errors[unknown]
    assert store.refreshes == 5
    assert store.asked() == [(1, [A0])]


def test_records_without_timestamps_are_an_error(store: OffsetStore) -> None:
    store.logs[A1].errors = itertools.repeat(43)
    problem = failure(store, offsets_for_times, {A0: 10, A1: 10})
    assert isinstance(problem.errors[A1], UnsupportedForMessageFormatError)
    assert problem.results == {A0: OffsetAndTimestamp(0, 10, 5)}
    assert len(store.requests) == 2


def test_at_the_deadline_each_partition_has_a_result_or_an_error(store: OffsetStore) -> None:
    store.logs[A1].errors = itertools.repeat(6)
    problem = failure(store, end_offsets, [A0, A1], timeout=0.05)
    assert problem.results == {A0: OffsetAndTimestamp(3, -1, 5)}
    error = problem.errors[A1]
    assert isinstance(error, KafkaTimeoutError)
    assert "listing offsets of a-1: timed out after 0.05 s" in str(error)
    assert "NOT_LEADER_OR_FOLLOWER" in str(error.__cause__)


def test_results_received_before_the_cluster_fails_are_kept(store: OffsetStore) -> None:
    store.logs[A1].errors = iter([6])
    refreshes = itertools.count()

    def unreachable() -> None:
        if next(refreshes) == 1:
            raise BootstrapError([("memory:9092", BrokerConnectionError("refused"))])

    store.before_metadata = unreachable
    problem = failure(store, end_offsets, [A0, A1])
    assert isinstance(problem.errors[A1], BootstrapError)
    assert set(problem.results) == {A0}


def test_closing_the_client_ends_the_call(store: OffsetStore) -> None:
    def before(broker: int) -> None:
        if broker == 2:
            raise ClientClosedError("the client is closed")

    store.before = before
    with pytest.raises(ClientClosedError):
        run(store, end_offsets, list(store.logs))


def test_a_partition_that_is_missing_in_the_response_is_an_error(store: OffsetStore) -> None:
    store.answer_with = lambda answer: () if answer.partition_index == 1 else (answer,)
    problem = failure(store, end_offsets, [A0, A1])
    assert isinstance(problem.errors[A1], ProtocolError)
    assert "missing in the response" in str(problem)


def test_an_answer_without_an_end_offset_is_a_protocol_error(store: OffsetStore) -> None:
    store.answer_with = lambda answer: (type(answer)(partition_index=answer.partition_index),)
    problem = failure(store, end_offsets, [A0])
    assert isinstance(problem.errors[A0], ProtocolError)


class TestVersions:
    def test_the_highest_common_version_is_used(self, store: OffsetStore) -> None:
        async def work(*offered: int) -> tuple[int, int | None]:
            cluster = OffsetCluster(store, (offered[0], offered[1]))
            found = (await list_offsets(cluster, {A0: OffsetSpec.latest()}))[A0]
            return store.requests[-1][1], None if found is None else found.leader_epoch

        assert asyncio.run(work(0, 19)) == (11, 5)
        assert asyncio.run(work(1, 4)) == (4, 5)
        assert asyncio.run(work(0, 1)) == (1, None)

    def test_version_0_is_never_used(self, store: OffsetStore) -> None:
        async def work() -> None:
            await end_offsets(OffsetCluster(store, (0, 0)), [A0])

        with pytest.raises(ListOffsetsError) as caught:
            asyncio.run(work())
        assert isinstance(caught.value.errors[A0], NoCommonVersionError)

    @pytest.mark.parametrize(
        ("spec", "level", "lowest"),
        [
            (OffsetSpec.max_timestamp(), IsolationLevel.READ_UNCOMMITTED, 7),
            (OffsetSpec.earliest_local(), IsolationLevel.READ_UNCOMMITTED, 8),
            (OffsetSpec.latest_tiered(), IsolationLevel.READ_UNCOMMITTED, 9),
            (OffsetSpec.earliest_pending_upload(), IsolationLevel.READ_UNCOMMITTED, 11),
            (OffsetSpec.latest(), IsolationLevel.READ_COMMITTED, 2),
        ],
    )
    def test_versions_that_lack_the_offset_spec_are_never_used(
        self, store: OffsetStore, spec: OffsetSpec, level: IsolationLevel, lowest: int
    ) -> None:
        with pytest.raises(ValueError, match=f"needs ListOffsets version {lowest} or later"):
            run(store, list_offsets, {A0: spec}, isolation_level=level, versions=range(1, lowest))

        async def work() -> None:
            await list_offsets(OffsetCluster(store, (1, lowest - 1)), {A0: spec}, isolation_level=level)

        with pytest.raises(ListOffsetsError) as caught:
            asyncio.run(work())
        assert isinstance(caught.value.errors[A0], NoCommonVersionError)
        assert store.requests == []


codes = st.lists(st.sampled_from([0, 0, 3, 5, 6, 13, 43, 56, 74, 29, 999]), max_size=4)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 3), st.lists(st.integers(0, 50), max_size=5), codes), max_size=8),
    st.integers(0, 50),
)
def test_each_partition_gets_a_result_or_an_error_in_any_cluster(
    logs: list[tuple[int, list[int], list[int]]], time: int
) -> None:
    store = OffsetStore()
    store.add("t", *(Log(leader, 0, timestamps, errors=iter(errors)) for leader, timestamps, errors in logs))
    try:
        results = run(store, offsets_for_times, dict.fromkeys(store.logs, time))
        errors = {}
    except ListOffsetsError as problem:
        results = problem.results
        errors = problem.errors
    assert results.keys() | errors.keys() == store.logs.keys()
    assert not results.keys() & errors.keys()
    for partition, found in results.items():
        naive = next(((n, t) for n, t in enumerate(store.logs[partition].timestamps) if t >= time), None)
        assert (None if found is None else (found.offset, found.timestamp)) == naive
