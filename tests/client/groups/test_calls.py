"""The offsets of groups, from a cluster in memory: requests, results and errors."""

from __future__ import annotations

import itertools

import pytest

from messagegen_client.errors import (
    AuthorizationError,
    BrokerConnectionError,
    BrokerError,
    KafkaTimeoutError,
    NoCommonVersionError,
    ProtocolError,
)
from messagegen_client.groups.calls import (
    AlterConsumerGroupOffsetsError,
    OffsetAndMetadata,
    alter_consumer_group_offsets,
    list_consumer_group_offsets,
)
from messagegen_client.groups.members import count_members
from messagegen_client.groups.plan import plan_offsets
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.outcomes import Outcome
from messagegen_kafka import (
    ConsumerGroupDescribeResponse,
    DescribeGroupsResponse,
    FindCoordinatorRequest,
    FindCoordinatorResponse,
    OffsetCommitRequest,
    OffsetCommitResponse,
    OffsetFetchRequest,
    OffsetFetchResponse,
)
from messagegen_kafka.error_codes import ErrorCode
from tests.client.support.event_loop import in_loop
from tests.client.support.group_cluster import Commit, GroupCluster, GroupStore
from tests.client.support.offset_cluster import Log

ORDERS = TopicPartition("orders", 0)
PAYMENTS = TopicPartition("payments", 0)


@pytest.fixture
def store() -> GroupStore:
    store = GroupStore()
    store.add("orders", Log(timestamps=[0] * 20))
    store.add("payments", Log(timestamps=[0] * 20, start=5))
    return store


def requests(store: GroupStore, kind: type) -> int:
    return sum(isinstance(one, kind) for one in store.asked_of_groups)


@in_loop
async def test_offsets_that_are_committed_can_be_listed(store: GroupStore) -> None:
    cluster = GroupCluster(store)
    wanted: dict[TopicPartition, int | OffsetAndMetadata] = {PAYMENTS: 7, ORDERS: OffsetAndMetadata(3, "a note", 4)}
    results = await alter_consumer_group_offsets(cluster, "billing", wanted)
    assert results == {PAYMENTS: None, ORDERS: None}
    assert await list_consumer_group_offsets(cluster, "billing") == {
        ORDERS: OffsetAndMetadata(3, "a note", 4),
        PAYMENTS: OffsetAndMetadata(7),
    }
    assert await list_consumer_group_offsets(cluster, "nobody") == {}
    assert await alter_consumer_group_offsets(cluster, "billing", {}) == {}


@in_loop
async def test_a_coordinator_that_moves_or_loads_is_asked_again(store: GroupStore) -> None:
    moving = [ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, ErrorCode.COORDINATOR_NOT_AVAILABLE]
    for kind in (FindCoordinatorRequest, OffsetFetchRequest, OffsetCommitRequest):
        store.errors[kind] = iter(map(int, moving))
    cluster = GroupCluster(store)
    (await alter_consumer_group_offsets(cluster, "billing", {ORDERS: 3})).raise_for_errors()
    assert await list_consumer_group_offsets(cluster, "billing") == {ORDERS: OffsetAndMetadata(3)}
    assert requests(store, OffsetCommitRequest) == 4


@in_loop
async def test_a_coordinator_that_can_not_be_reached_is_found_again(store: GroupStore) -> None:
    failures = [BrokerConnectionError("refused"), BrokerConnectionError("refused")]

    def fail(_: int) -> None:
        if failures:
            raise failures.pop()

    store.before = fail
    (await alter_consumer_group_offsets(GroupCluster(store), "billing", {ORDERS: 3})).raise_for_errors()
    assert requests(store, OffsetCommitRequest) == 3
    # The coordinator may have received this one.
    failures.append(BrokerConnectionError("cut", outcome_unknown=True))
    with pytest.raises(BrokerConnectionError, match="cut"):
        await alter_consumer_group_offsets(GroupCluster(store), "billing", {ORDERS: 4})
    assert requests(store, OffsetCommitRequest) == 4


@in_loop
async def test_a_commit_whose_coordinator_moves_until_the_deadline_has_an_unknown_outcome(store: GroupStore) -> None:
    store.errors[OffsetCommitRequest] = itertools.repeat(int(ErrorCode.NOT_COORDINATOR))
    with pytest.raises(KafkaTimeoutError) as caught:
        await alter_consumer_group_offsets(GroupCluster(store), "billing", {ORDERS: 3}, timeout=0.05)
    assert caught.value.outcome_unknown
    store.errors[OffsetCommitRequest] = itertools.repeat(int(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS))
    with pytest.raises(KafkaTimeoutError) as caught:
        await alter_consumer_group_offsets(GroupCluster(store), "billing", {ORDERS: 3}, timeout=0.05)
    assert not caught.value.outcome_unknown


@in_loop
async def test_each_partition_has_its_own_outcome(store: GroupStore) -> None:
    store.partition_errors = {
        ORDERS: int(ErrorCode.TOPIC_AUTHORIZATION_FAILED),
        PAYMENTS: int(ErrorCode.UNKNOWN_SERVER_ERROR),
    }
    others = TopicPartition("others", 0)
    results = await alter_consumer_group_offsets(GroupCluster(store), "g", {ORDERS: 1, PAYMENTS: 6, others: 0})
    assert [Outcome.of(results[one]) for one in (ORDERS, PAYMENTS, others)] == ["refused", "unknown", "done"]
    assert isinstance(results[ORDERS], AuthorizationError)
    with pytest.raises(AlterConsumerGroupOffsetsError, match=r"^2 of 3 offsets were not committed: committing"):
        results.raise_for_errors()


@in_loop
async def test_a_group_with_members_is_refused(store: GroupStore) -> None:
    store.classic_members["billing"] = 1
    results = await alter_consumer_group_offsets(GroupCluster(store), "billing", {ORDERS: 1})
    assert str(results[ORDERS]) == (
        "committing offsets of group billing, orders-0: the group has members; stop its consumers first "
        "(UNKNOWN_MEMBER_ID, error 25)"
    )


@in_loop
async def test_errors_of_the_group(store: GroupStore) -> None:
    store.errors[OffsetFetchRequest] = iter([int(ErrorCode.GROUP_AUTHORIZATION_FAILED)])
    store.errors[FindCoordinatorRequest] = iter([0, int(ErrorCode.INVALID_GROUP_ID)])
    cluster = GroupCluster(store)
    with pytest.raises(AuthorizationError, match="listing the offsets of group billing: "):
        await list_consumer_group_offsets(cluster, "billing")
    with pytest.raises(BrokerError, match=r"finding the coordinator of group : .*INVALID_GROUP_ID"):
        await list_consumer_group_offsets(cluster, "")
    store.offered_to_groups[OffsetFetchRequest.API_KEY] = (0, 7)
    with pytest.raises(NoCommonVersionError):
        await list_consumer_group_offsets(cluster, "billing")


@pytest.mark.parametrize("offset", [-1, 2**63, True, 1.0, OffsetAndMetadata(-1)])
@in_loop
async def test_invalid_offsets_are_not_sent(store: GroupStore, offset: int) -> None:
    with pytest.raises(ValueError, match=r"invalid offset .*: expected a whole number from 0 to 9223372036854775807"):
        await alter_consumer_group_offsets(GroupCluster(store), "billing", {ORDERS: 1, PAYMENTS: offset})
    assert store.asked_of_groups == []


@in_loop
async def test_members_of_classic_groups_and_of_consumer_groups(store: GroupStore) -> None:
    store.classic_members |= {"classic": 2, "empty": 0}
    store.consumer_members["consumer"] = 3
    cluster = GroupCluster(store)
    deadline = cluster.deadline()
    names = ["classic", "empty", "consumer", "nobody"]
    assert [await count_members(cluster, name, deadline=deadline) for name in names] == [2, 0, 3, 0]
    del store.offered_to_groups[69]  # ConsumerGroupDescribe, which brokers before Kafka 3.7 do not know
    assert await count_members(cluster, "consumer", deadline=deadline) == 0


@in_loop
async def test_a_plan_has_only_differences_and_says_what_can_not_be(store: GroupStore) -> None:
    store.commit("billing", orders=3, payments=6)
    store.commit("same", orders=1)
    store.classic_members["billing"] = 1
    wanted = {
        "same": {ORDERS: 1},
        "billing": {ORDERS: 3, PAYMENTS: 9},
        "new": {ORDERS: 20, PAYMENTS: 4},
    }
    plan = await plan_offsets(GroupCluster(store), wanted)
    assert [(group.group_id, group.offsets(), group.members) for group in plan.groups] == [
        ("billing", {PAYMENTS: OffsetAndMetadata(9)}, 1),
        ("new", {ORDERS: OffsetAndMetadata(20), PAYMENTS: OffsetAndMetadata(4)}, 0),
    ]
    assert plan.refusals == [
        "group new: invalid offset 4 of payments-0: its first offset is 5, and its end is 25",
        "group billing has members; stop its consumers first",
    ]
    store.consumer_members.clear()
    assert store.commits["billing"] == {ORDERS: Commit(3), PAYMENTS: Commit(6)}


@in_loop
async def test_an_epoch_that_no_leader_has_is_refused(store: GroupStore) -> None:
    # The topic was created again since the commit.
    wanted = {"billing": {ORDERS: OffsetAndMetadata(3, "", 0), PAYMENTS: OffsetAndMetadata(7, "", 4)}}
    plan = await plan_offsets(GroupCluster(store), wanted)
    assert plan.refusals == [
        "group billing: invalid leader epoch 4 of payments-0: its leader has epoch 0; was the topic created again?"
    ]
    # Old brokers tell no epochs.
    store.logs[PAYMENTS].epoch = -1
    assert (await plan_offsets(GroupCluster(store), wanted)).refusals == []


@in_loop
async def test_an_answer_without_the_group_is_an_error(store: GroupStore) -> None:
    cluster = GroupCluster(store)
    for store.silent in (OffsetFetchResponse, FindCoordinatorResponse):
        with pytest.raises(ProtocolError, match="missing in the response"):
            await list_consumer_group_offsets(cluster, "billing")
    for store.silent in (DescribeGroupsResponse, ConsumerGroupDescribeResponse):
        with pytest.raises(ProtocolError, match="missing in the response"):
            await count_members(cluster, "billing", deadline=cluster.deadline())
    store.silent = OffsetCommitResponse
    results = await alter_consumer_group_offsets(cluster, "billing", {ORDERS: 1})
    assert Outcome.of(results[ORDERS]) is Outcome.UNKNOWN
