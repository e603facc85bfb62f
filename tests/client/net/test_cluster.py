"""Routing: any broker, the controller, a leader; metadata that is learned, kept, doubted and learned again."""

from __future__ import annotations

import asyncio
from uuid import UUID

import pytest

from messagegen_client.errors import (
    BrokerConnectionError,
    BrokerError,
    InvalidRequestError,
    KafkaTimeoutError,
    check_error_code,
)
from messagegen_client.net.cluster import ANY_BROKER, CONTROLLER, Answer, BrokerId, Cluster, Target
from messagegen_client.net.metadata import PartitionMetadata, TopicMetadata
from messagegen_kafka import (
    ApiVersionsRequest,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
    EncodeError,
    ListOffsetsRequest,
    ListOffsetsResponse,
    MetadataRequest,
    MetadataResponse,
)
from messagegen_kafka.error_codes import ErrorCode
from messagegen_kafka.metadata_response import MetadataResponsePartition, MetadataResponseTopic
from tests.client.fakes.broker import FakeBroker, Received, Reply, api_versions, in_loop

TOPIC_ID = UUID(int=7)


async def ask(cluster: Cluster, to: Target) -> Answer[DescribeClientQuotasResponse]:
    request = DescribeClientQuotasRequest(components=())
    return await cluster.call(request, DescribeClientQuotasResponse, to=to, deadline=cluster.deadline(20))


def topic(name: str, *, leader: int = 1, error: int = 0) -> MetadataResponseTopic:
    partition = MetadataResponsePartition(partition_index=0, leader_id=leader, leader_epoch=4)
    return MetadataResponseTopic(name=name, topic_id=TOPIC_ID, error_code=error, partitions=(partition,))


def with_topics(broker: FakeBroker, *topics: MetadataResponseTopic) -> None:
    async def metadata(received: Received) -> Reply:
        plain = broker.metadata()
        return MetadataResponse(brokers=plain.brokers, controller_id=plain.controller_id, topics=topics)

    broker.on[MetadataRequest] = metadata


@in_loop
async def test_the_controller_and_a_leader_are_asked_where_metadata_say_they_are() -> None:
    async with FakeBroker(broker_id=1) as first, FakeBroker(broker_id=2) as second, FakeBroker(broker_id=3) as third:
        first.peers = [first, second, third]
        first.controller_id = 2
        async with Cluster(first.config()) as cluster:
            assert (await ask(cluster, CONTROLLER)).broker.id == 2
            assert (await ask(cluster, BrokerId(3))).broker.address == third.address
            await ask(cluster, CONTROLLER)
    assert len(first.requests(MetadataRequest)) == 1
    assert len(second.requests(DescribeClientQuotasRequest)) == 2
    assert (first.connections, second.connections, third.connections) == (1, 1, 1)


@in_loop
async def test_a_controller_that_has_moved_is_looked_for_again() -> None:
    async with FakeBroker(broker_id=1) as first, FakeBroker(broker_id=2) as second:
        first.peers = second.peers = [first, second]

        async def not_me(received: Received) -> Reply:
            first.controller_id = second.controller_id = 2
            return DescribeClientQuotasResponse(error_code=41, entries=None)

        first.on[DescribeClientQuotasRequest] = not_me
        async with Cluster(first.config()) as cluster:

            async def attempt() -> int:
                answer = await ask(cluster, CONTROLLER)
                check_error_code(answer.message.error_code, "describing client quotas")
                return answer.broker.id

            assert await cluster.retrying(attempt, deadline=cluster.deadline(20)) == 2


@in_loop
async def test_an_error_that_is_not_retriable_is_raised_at_once() -> None:
    attempts = 0
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:

        async def attempt() -> None:
            nonlocal attempts
            attempts += 1
            check_error_code(42, "describing client quotas", "twice")

        with pytest.raises(InvalidRequestError, match=r"describing client quotas: twice \(INVALID_REQUEST, error 42\)"):
            await cluster.retrying(attempt, deadline=cluster.deadline(20))
    assert attempts == 1


@in_loop
async def test_a_retriable_error_that_stays_ends_in_a_time_out_with_that_error() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:

        async def attempt() -> None:
            check_error_code(7, "describing client quotas")

        with pytest.raises(KafkaTimeoutError, match="REQUEST_TIMED_OUT") as caught:
            await cluster.retrying(attempt, deadline=cluster.deadline(0.05))
    assert isinstance(caught.value.__cause__, BrokerError)
    assert caught.value.__cause__.code is ErrorCode.REQUEST_TIMED_OUT


@in_loop
async def test_a_broker_that_is_not_there_is_said_with_those_that_are() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(BrokerConnectionError, match="broker 9 is not alive; brokers that are alive: 1"):
            await ask(cluster, BrokerId(9))


@in_loop
async def test_a_controller_that_is_not_known_yet_is_waited_for() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:

        async def elected_later(received: Received) -> Reply:
            broker.controller_id = 1 if len(broker.requests(MetadataRequest)) > 2 else -1
            return broker.metadata()

        broker.on[MetadataRequest] = elected_later
        assert (await ask(cluster, CONTROLLER)).broker.id == 1


@in_loop
async def test_another_broker_answers_when_one_goes() -> None:
    async with FakeBroker(broker_id=1) as first, FakeBroker(broker_id=2) as second:
        first.peers = second.peers = [first, second]
        async with Cluster(first.config()) as cluster:
            await cluster.metadata(deadline=cluster.deadline())
            first.stop_listening()
            await first.drop_connections()
            assert (await ask(cluster, ANY_BROKER)).broker.id == 2


@in_loop
async def test_the_bootstrap_list_helps_when_all_known_brokers_are_gone() -> None:
    async with FakeBroker(broker_id=1) as entrance, FakeBroker(broker_id=2) as old, FakeBroker(broker_id=3) as new:
        entrance.peers = [old]
        async with Cluster(entrance.config()) as cluster:
            await cluster.metadata(deadline=cluster.deadline())
            old.stop_listening()
            await entrance.drop_connections()
            entrance.peers = [new]
            cluster.expire_metadata()
            assert (await ask(cluster, BrokerId(3))).broker.address == new.address
    assert entrance.connections == 2


@in_loop
async def test_a_broker_that_knows_no_brokers_yet_is_asked_again() -> None:
    async with FakeBroker() as broker:
        asked = 0

        async def starting(received: Received) -> Reply:
            nonlocal asked
            asked += 1
            return broker.metadata() if asked > 3 else MetadataResponse(brokers=())

        broker.on[MetadataRequest] = starting
        async with Cluster(broker.config()) as cluster:
            metadata = await cluster.metadata(deadline=cluster.deadline(20))
    assert list(metadata.brokers) == [1]
    assert asked == 4


@in_loop
async def test_metadata_of_topics() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        with_topics(broker, topic("orders"), topic("missing", error=3))
        metadata = await cluster.metadata(["orders", "missing", "orders"], deadline=cluster.deadline(20))
        (request,) = [received.request for received in broker.requests(MetadataRequest)]
    assert metadata.topics["orders"] == TopicMetadata(
        name="orders",
        topic_id=TOPIC_ID,
        internal=False,
        error=ErrorCode.NONE,
        partitions={0: PartitionMetadata(partition=0, leader_id=1, leader_epoch=4, error=ErrorCode.NONE)},
    )
    assert metadata.topics["missing"].error is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert isinstance(request, MetadataRequest)
    assert [one.name for one in request.topics or ()] == ["orders", "missing"]
    assert not request.allow_auto_topic_creation


@in_loop
async def test_no_topics_and_all_topics_are_different_questions() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        await cluster.metadata(deadline=cluster.deadline(20))
        await cluster.metadata(None, deadline=cluster.deadline(20))
        asked = [received.request for received in broker.requests(MetadataRequest)]
    assert [request.topics for request in asked if isinstance(request, MetadataRequest)] == [(), None]


@in_loop
async def test_metadata_serve_again_until_they_are_doubted() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        with_topics(broker, topic("orders"), topic("payments"))

        async def asked(*names: str) -> int:
            await cluster.metadata(names, deadline=cluster.deadline(20), cached=True)
            return len(broker.requests(MetadataRequest))

        assert await asked("orders", "payments") == 1
        assert await asked("payments") == 1
        cluster.expire_metadata()
        assert await asked("payments") == 2
        assert await asked("payments") == 2
        assert await asked("orders") == 2
        assert await asked("others") == 3


@pytest.mark.parametrize("broken", [topic("orders", leader=-1), topic("orders", error=5)])
@in_loop
async def test_metadata_without_a_leader_do_not_serve_again(broken: MetadataResponseTopic) -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        with_topics(broker, broken)
        for _ in range(2):
            await cluster.metadata(["orders"], deadline=cluster.deadline(20), cached=True)
    assert len(broker.requests(MetadataRequest)) == 2


@in_loop
async def test_metadata_that_are_too_old_do_not_serve_again() -> None:
    async with FakeBroker() as broker, Cluster(broker.config(metadata_max_age=1e-9)) as cluster:
        with_topics(broker, topic("orders"))
        for _ in range(2):
            await cluster.metadata(["orders"], deadline=cluster.deadline(20), cached=True)
    assert len(broker.requests(MetadataRequest)) == 2


@in_loop
async def test_calls_at_the_same_time_share_connections_and_metadata() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        await asyncio.gather(*(ask(cluster, BrokerId(1)) for _ in range(20)))
    assert broker.connections == 1
    assert len(broker.requests(MetadataRequest)) == 1


@in_loop
async def test_a_caller_that_gives_up_does_not_take_the_connection_from_others() -> None:
    asked, release = asyncio.Event(), asyncio.Event()

    async def slow(received: Received) -> Reply:
        asked.set()
        await release.wait()
        return api_versions()

    async with FakeBroker({ApiVersionsRequest: slow}) as broker, Cluster(broker.config()) as cluster:
        impatient, patient = asyncio.create_task(ask(cluster, ANY_BROKER)), asyncio.create_task(
            ask(cluster, ANY_BROKER)
        )
        await asked.wait()
        impatient.cancel()
        await asyncio.wait([impatient])
        release.set()
        await patient
    assert broker.connections == 1


@in_loop
async def test_versions_can_be_narrowed_for_one_call() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        for version in ListOffsetsRequest.VALID_VERSIONS:
            answer = await cluster.call(
                ListOffsetsRequest(replica_id=-1),
                ListOffsetsResponse,
                to=BrokerId(1),
                deadline=cluster.deadline(20),
                versions=range(version, version + 1),
            )
            assert answer.version == version


@in_loop
async def test_a_request_that_the_version_cannot_carry_is_not_sent() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        request = MetadataRequest(topics=None, include_topic_authorized_operations=True)
        with pytest.raises(EncodeError, match="include_topic_authorized_operations"):
            await cluster.call(
                request, MetadataResponse, to=ANY_BROKER, deadline=cluster.deadline(20), versions=range(4, 5)
            )
    assert not broker.requests(MetadataRequest)
