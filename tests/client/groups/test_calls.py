"""Groups without a real broker: coordinators that move, old versions, and outcomes that are not known."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from messagegen_client.admin import AsyncAdmin
from messagegen_client.cli.groups.output import Reset
from messagegen_client.cli.groups.running import execute
from messagegen_client.errors import AuthorizationError, BrokerConnectionError, KafkaTimeoutError
from messagegen_client.groups.descriptions import (
    DescribeConsumerGroupsError,
    GroupState,
    GroupType,
    MemberDescription,
)
from messagegen_client.groups.lag import ConsumerGroupLagError, PartitionLag
from messagegen_client.groups.offsets import AlterConsumerGroupOffsetsError, OffsetAndMetadata
from messagegen_client.groups.resets import (
    ConsumerGroupResetPlan,
    NoCommittedOffsetError,
    OffsetChange,
    OffsetReset,
)
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.outcomes import Outcome
from messagegen_client.records.batches import RecordTime
from messagegen_kafka import (
    ApiVersionsRequest,
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
    ConsumerProtocolAssignment,
    DescribeGroupsRequest,
    DescribeGroupsResponse,
    ErrorCode,
    FindCoordinatorRequest,
    FindCoordinatorResponse,
    MetadataRequest,
    OffsetCommitRequest,
    OffsetCommitResponse,
    OffsetFetchRequest,
    OffsetFetchResponse,
)
from messagegen_kafka._runtime.messages import Message
from messagegen_kafka.consumer_group_describe_response import Assignment, Member, TopicPartitions
from messagegen_kafka.consumer_group_describe_response import DescribedGroup as ConsumerGroup
from messagegen_kafka.consumer_protocol_assignment import TopicPartition as Assigned
from messagegen_kafka.describe_groups_response import DescribedGroup, DescribedGroupMember
from messagegen_kafka.find_coordinator_response import Coordinator
from messagegen_kafka.offset_commit_response import OffsetCommitResponsePartition, OffsetCommitResponseTopic
from messagegen_kafka.offset_fetch_response import (
    OffsetFetchResponseGroup,
    OffsetFetchResponsePartition,
    OffsetFetchResponsePartitions,
    OffsetFetchResponseTopic,
    OffsetFetchResponseTopics,
)
from tests.client.fakes.broker import (
    OFFERED,
    Answerer,
    FakeBroker,
    Received,
    Reply,
    Silence,
    answers,
    api_versions,
    hang_up,
    in_loop,
    nothing,
)

GROUP = "billing"
FIRST, SECOND = TopicPartition("orders", 0), TopicPartition("orders", 1)


def fetched(offsets: dict[int, int], code: int = 0) -> OffsetFetchResponse:
    partitions = tuple(
        OffsetFetchResponsePartitions(partition_index=number, committed_offset=offset, metadata="")
        for number, offset in offsets.items()
    )
    topic = OffsetFetchResponseTopics(name="orders", partitions=partitions)
    return OffsetFetchResponse(groups=(OffsetFetchResponseGroup(group_id=GROUP, topics=(topic,), error_code=code),))


def committed(*codes: int) -> OffsetCommitResponse:
    partitions = tuple(
        OffsetCommitResponsePartition(partition_index=number, error_code=code) for number, code in enumerate(codes)
    )
    return OffsetCommitResponse(topics=(OffsetCommitResponseTopic(name="orders", partitions=partitions),))


def offering(**highest: int | None) -> Answerer:
    """ApiVersions of a broker that knows some APIs up to a version only, or not at all (``None``)."""
    offered = dict(OFFERED)
    for kind in (ConsumerGroupDescribeRequest, FindCoordinatorRequest, OffsetFetchRequest):
        version = highest.get(kind.__name__, OFFERED[kind.API_KEY][1])
        if version is None:
            del offered[kind.API_KEY]
        else:
            offered[kind.API_KEY] = (kind.VALID_VERSIONS[0], version)
    return answers(api_versions(offered))


@in_loop
async def test_a_coordinator_that_moves_is_found_again() -> None:
    moved = fetched({}, ErrorCode.NOT_COORDINATOR)
    loading = fetched({}, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
    on: dict[type[Message], Answerer] = {OffsetFetchRequest: answers(moved, loading, fetched({0: 7, 1: -1}))}
    async with FakeBroker(on) as broker, AsyncAdmin(broker.config()) as admin:
        assert await admin.list_consumer_group_offsets(GROUP) == {FIRST: OffsetAndMetadata(7)}
        assert len(broker.requests(FindCoordinatorRequest)) == 3
        assert await admin.list_consumer_group_offsets(GROUP, [FIRST, SECOND]) == {
            FIRST: OffsetAndMetadata(7),
            SECOND: None,
        }
        assert await admin.list_consumer_group_offsets(GROUP, []) == {}


@in_loop
async def test_a_coordinator_that_is_gone_is_replaced() -> None:
    async with FakeBroker({OffsetFetchRequest: answers(fetched({0: 5}))}) as first, FakeBroker(broker_id=2) as second:
        first.peers = second.peers = [first, second]
        entries = [Coordinator(key=GROUP, node_id=node) for node in (2, 2, 1)]
        where = answers(*(FindCoordinatorResponse(coordinators=(entry,)) for entry in entries))
        first.on[FindCoordinatorRequest] = second.on[FindCoordinatorRequest] = where
        second.on[OffsetFetchRequest] = answers(Silence.HANG_UP)
        async with AsyncAdmin(first.config()) as admin:
            assert await admin.list_consumer_group_offsets(GROUP) == {FIRST: OffsetAndMetadata(5)}
        assert len(second.requests(OffsetFetchRequest)) == 2


@in_loop
async def test_a_frozen_coordinator_is_left_when_there_is_another_one() -> None:
    async with FakeBroker({OffsetFetchRequest: answers(fetched({0: 5}))}) as first, FakeBroker(broker_id=2) as second:
        first.peers = second.peers = [first, second]
        entries = [Coordinator(key=GROUP, node_id=node) for node in (2, 2, 1)]
        where = answers(*(FindCoordinatorResponse(coordinators=(entry,)) for entry in entries))
        first.on[FindCoordinatorRequest] = second.on[FindCoordinatorRequest] = where

        async def freeze(received: Received) -> Reply:
            second.on |= {FindCoordinatorRequest: nothing, MetadataRequest: nothing, OffsetFetchRequest: nothing}
            return Silence.NOTHING

        second.on[OffsetFetchRequest] = freeze
        async with AsyncAdmin(first.config(request_timeout=2.0, api_timeout=100.0)) as admin:
            assert await admin.list_consumer_group_offsets(GROUP) == {FIRST: OffsetAndMetadata(5)}
        assert len(second.requests(OffsetFetchRequest)) == 1


@in_loop
async def test_brokers_of_old() -> None:
    partition = OffsetFetchResponsePartition(partition_index=1, committed_offset=9, metadata=None)
    old = OffsetFetchResponse(topics=(OffsetFetchResponseTopic(name="orders", partitions=(partition,)),))
    on: dict[type[Message], Answerer] = {
        ApiVersionsRequest: offering(FindCoordinatorRequest=3, OffsetFetchRequest=6),
        OffsetFetchRequest: answers(old),
    }
    async with FakeBroker(on) as broker, AsyncAdmin(broker.config()) as admin:
        assert await admin.list_consumer_group_offsets(GROUP, [SECOND]) == {SECOND: OffsetAndMetadata(9)}
        (asked,) = broker.requests(OffsetFetchRequest)
        assert asked.version == 6
        (found,) = broker.requests(FindCoordinatorRequest)
        assert isinstance(found.request, FindCoordinatorRequest)
        assert (found.version, found.request.key) == (3, GROUP)


@in_loop
async def test_offsets_are_committed_once() -> None:
    on: dict[type[Message], Answerer] = {
        OffsetCommitRequest: answers(committed(0, ErrorCode.OFFSET_METADATA_TOO_LARGE))
    }
    async with FakeBroker(on) as broker, AsyncAdmin(broker.config()) as admin:
        result = await admin.alter_consumer_group_offsets(GROUP, {FIRST: 3, SECOND: OffsetAndMetadata(4, "x", 2)})
        assert [Outcome.of(error) for error in result.values()] == [Outcome.DONE, Outcome.REFUSED]
        with pytest.raises(AlterConsumerGroupOffsetsError, match=r"orders-1.*OFFSET_METADATA_TOO_LARGE"):
            result.raise_for_errors()
        (asked,) = broker.requests(OffsetCommitRequest)
        assert isinstance(asked.request, OffsetCommitRequest)
        first, second = asked.request.topics[0].partitions
        assert (first.committed_offset, first.committed_leader_epoch, first.committed_metadata) == (3, -1, "")
        assert (second.committed_offset, second.committed_leader_epoch, second.committed_metadata) == (4, 2, "x")
        assert asked.version == 9
        assert await admin.alter_consumer_group_offsets(GROUP, {}) == {}
        for wrong in (-1, True, 1.0, 2**63):
            with pytest.raises(ValueError, match="invalid offset"):
                await admin.alter_consumer_group_offsets(GROUP, {FIRST: wrong})  # type: ignore[dict-item]
        assert len(broker.requests(OffsetCommitRequest)) == 1


@in_loop
async def test_a_commit_without_an_answer_is_not_sent_again() -> None:
    async with FakeBroker({OffsetCommitRequest: hang_up}) as broker, AsyncAdmin(broker.config()) as admin:
        with pytest.raises(BrokerConnectionError) as caught:
            await admin.alter_consumer_group_offsets(GROUP, {FIRST: 3})
        assert caught.value.outcome_unknown
        assert len(broker.requests(OffsetCommitRequest)) == 1


async def timed_out(admin: AsyncAdmin) -> KafkaTimeoutError:
    with pytest.raises(KafkaTimeoutError) as caught:
        await admin.alter_consumer_group_offsets(GROUP, {FIRST: 3}, timeout=0.5)
    assert caught.value.__cause__ is not None
    return caught.value


@in_loop
async def test_a_commit_that_a_coordinator_refuses_for_now_is_sent_again() -> None:
    moved, loading = (committed(code) for code in (ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS))
    on: dict[type[Message], Answerer] = {OffsetCommitRequest: answers(loading, moved, committed(0))}
    async with FakeBroker(on) as broker, AsyncAdmin(broker.config()) as admin:
        assert await admin.alter_consumer_group_offsets(GROUP, {FIRST: 3}) == {FIRST: None}
        broker.on[OffsetCommitRequest] = answers(moved)
        assert (await timed_out(admin)).outcome_unknown
        # Unless the last attempt has no answer yet when the time is over, which is how it may end.
        broker.on[OffsetCommitRequest] = answers(loading)
        assert not all([(await timed_out(admin)).outcome_unknown for _ in range(3)])
        broker.on[OffsetCommitRequest] = answers(committed(ErrorCode.REQUEST_TIMED_OUT, ErrorCode.UNKNOWN_MEMBER_ID))
        result = await admin.alter_consumer_group_offsets(GROUP, {FIRST: 3, SECOND: 3})
        assert [Outcome.of(error) for error in result.values()] == [Outcome.UNKNOWN, Outcome.REFUSED]
        with pytest.raises(
            AlterConsumerGroupOffsetsError, match=r"2 of 2 offsets were not committed \(1 refused, 1 with"
        ):
            result.raise_for_errors()


@in_loop
async def test_who_may_not_see_a_group() -> None:
    entry = Coordinator(key=GROUP, node_id=-1, error_code=ErrorCode.GROUP_AUTHORIZATION_FAILED, error_message="no")
    on: dict[type[Message], Answerer] = {
        FindCoordinatorRequest: answers(FindCoordinatorResponse(coordinators=(entry,)))
    }
    async with FakeBroker(on) as broker, AsyncAdmin(broker.config()) as admin:
        with pytest.raises(AuthorizationError, match="finding the coordinator of group billing: no"):
            await admin.list_consumer_group_offsets(GROUP)


def classic(**changes: object) -> DescribeGroupsResponse:
    assigned = ConsumerProtocolAssignment(assigned_partitions=(Assigned(topic="orders", partitions=(1, 0)),))
    member = DescribedGroupMember(
        member_id="one",
        client_id="app",
        client_host="/10.0.0.1",
        member_assignment=b"\0\x03" + assigned.encode(version=3),
    )
    group = {"group_id": GROUP, "group_state": "Stable", "protocol_type": "consumer", "protocol_data": "range"}
    return DescribeGroupsResponse(groups=(DescribedGroup(**{**group, "members": (member,), **changes}),))  # type: ignore[arg-type]


@in_loop
async def test_classic_groups_where_brokers_know_no_others_and_where_they_do() -> None:
    not_found = ConsumerGroupDescribeResponse(
        groups=(ConsumerGroup(group_id=GROUP, error_code=ErrorCode.GROUP_ID_NOT_FOUND, error_message="classic"),)
    )
    on: dict[type[Message], Answerer] = {
        DescribeGroupsRequest: answers(classic()),
        ConsumerGroupDescribeRequest: answers(not_found),
    }
    for offered in (OFFERED, None):
        if offered is None:
            on[ApiVersionsRequest] = offering(ConsumerGroupDescribeRequest=None)
        async with FakeBroker(on) as broker, AsyncAdmin(broker.config()) as admin:
            group = (await admin.describe_consumer_groups([GROUP]))[GROUP]
            assert (group.type, group.state, group.partition_assignor) == (
                GroupType.CLASSIC,
                GroupState.STABLE,
                "range",
            )
            assert group.members == (MemberDescription("one", None, "app", "/10.0.0.1", (FIRST, SECOND)),)
            assert group.coordinator.id == 1
            broker.on[DescribeGroupsRequest] = answers(classic(protocol_type="connect"))
            with pytest.raises(DescribeConsumerGroupsError, match="not a consumer group: its protocol type is connect"):
                await admin.describe_consumer_groups([GROUP])
            broker.on[DescribeGroupsRequest] = answers(classic(group_state="Sleeping", members=()))
            group = (await admin.describe_consumer_groups([GROUP]))[GROUP]
            assert (group.state, group.members) == (GroupState.UNKNOWN, ())


@in_loop
async def test_groups_of_the_new_protocol_and_those_that_fail() -> None:
    has = Assignment(topic_partitions=(TopicPartitions(topic_name="orders", partitions=(0,)),))
    member = Member(
        member_id="one", client_id="app", client_host="/10.0.0.1", member_epoch=4, assignment=has, target_assignment=has
    )
    group = ConsumerGroup(
        group_id=GROUP, group_state="Reconciling", group_epoch=5, assignment_epoch=4, members=(member,)
    )
    on: dict[type[Message], Answerer] = {
        ConsumerGroupDescribeRequest: answers(ConsumerGroupDescribeResponse(groups=(group,)))
    }
    async with FakeBroker(on) as broker, AsyncAdmin(broker.config()) as admin:
        described = (await admin.describe_consumer_groups([GROUP]))[GROUP]
        assert (described.type, described.state) == (GroupType.CONSUMER, GroupState.RECONCILING)
        assert (described.group_epoch, described.target_assignment_epoch) == (5, 4)
        assert described.members[0] == MemberDescription("one", None, "app", "/10.0.0.1", (FIRST,), (FIRST,), 4)
        with pytest.raises(
            DescribeConsumerGroupsError, match=r"1 of 2 groups failed.*missing in the response"
        ) as caught:
            await admin.describe_consumer_groups([GROUP, "other"])
        assert caught.value.results == {GROUP: described}
        with pytest.raises(ValueError, match="write \\['billing'\\]"):
            await admin.describe_consumer_groups(GROUP)


def test_seconds() -> None:
    behind = PartitionLag(OffsetAndMetadata(3), 5, RecordTime(3, 1000))
    assert (behind.records, behind.seconds(4500), behind.seconds(500)) == (2, 3.5, 0.0)
    assert PartitionLag(OffsetAndMetadata(5), 5).seconds(4500) == 0.0
    assert (PartitionLag(None, 5).records, PartitionLag(None, 5).seconds(4500)) == (None, None)
    assert PartitionLag(OffsetAndMetadata(3), 5, RecordTime(3, -1)).seconds(4500) is None
    unknown = PartitionLag(OffsetAndMetadata(3), 5, time_error=BrokerConnectionError("gone"))
    assert unknown.seconds(4500) is None


@in_loop
async def test_a_lag_without_leaders_and_a_shift_without_an_offset() -> None:
    on: dict[type[Message], Answerer] = {OffsetFetchRequest: answers(fetched({0: 7, 1: -1}))}
    async with FakeBroker(on) as broker, AsyncAdmin(broker.config()) as admin:
        with pytest.raises(ConsumerGroupLagError, match="UNKNOWN_TOPIC_OR_PARTITION") as caught:
            await admin.consumer_group_lag(GROUP)
        assert list(caught.value.errors) == [FIRST]
        before = len(broker.requests(MetadataRequest))
        with pytest.raises(NoCommittedOffsetError, match="no committed offset to shift for orders-1"):
            await admin.plan_consumer_group_reset(GROUP, OffsetReset.shift_by(-5), [FIRST, SECOND])
        assert len(broker.requests(MetadataRequest)) == before


@in_loop
async def test_a_reset_writes_the_old_offsets_first_and_knows_no_outcome_of_a_lost_commit(tmp_path: Path) -> None:
    plan = ConsumerGroupResetPlan(GROUP, {FIRST: OffsetChange(7, 3), SECOND: OffsetChange(None, 0)})
    backup = tmp_path / "before.csv"
    async with FakeBroker({OffsetCommitRequest: hang_up}) as broker, AsyncAdmin(broker.config()) as admin:
        deadline = admin.cluster.deadline(20)
        done = await execute(admin, deadline, Reset(plan, "back", None), backup)
        assert [Outcome.of(error) for error in (done.results or {}).values()] == [Outcome.UNKNOWN, Outcome.UNKNOWN]
        assert backup.read_text() == "orders,0,7\n"
        for path, reason in ((backup, "before.csv exists"), (tmp_path / "no" / "such", "No such file or directory")):
            with pytest.raises(click.ClickException, match=reason):
                await execute(admin, deadline, Reset(plan, "back", None), path)
        assert len(broker.requests(OffsetCommitRequest)) == 1
        nothing_to_do = ConsumerGroupResetPlan(GROUP, {FIRST: OffsetChange(7, 7)})
        done = await execute(admin, deadline, Reset(nothing_to_do, "back", None), tmp_path / "other.csv")
        assert (done.results, done.backup) == ({}, None)
