"""A broker that takes connections and requests and never answers: others are asked, and nothing that changes is sent twice."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import AsyncExitStack
from typing import Self

import pytest

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import BrokerConnectionError, KafkaTimeoutError
from messagegen_client.net.cluster import ANY_BROKER, Answer, Cluster
from messagegen_client.net.deadlines import Progress
from messagegen_client.net.metadata import Broker, MetadataCache
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.net.pool import ConnectionPool
from messagegen_client.offsets.calls import end_offsets
from messagegen_kafka import (
    ApiVersionsRequest,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
    ListOffsetsRequest,
    ListOffsetsResponse,
    MetadataRequest,
    MetadataResponse,
)
from messagegen_kafka.list_offsets_response import ListOffsetsPartitionResponse, ListOffsetsTopicResponse
from messagegen_kafka.metadata_response import MetadataResponsePartition, MetadataResponseTopic
from tests.client.fakes.broker import FakeBroker, Received, Reply, Silence, in_loop, nothing

REQUEST = DescribeClientQuotasRequest(components=())


async def ask(cluster: Cluster, *, within: float = 60, idempotent: bool = True) -> Answer[DescribeClientQuotasResponse]:
    deadline = cluster.deadline(within)
    return await cluster.call(
        REQUEST, DescribeClientQuotasResponse, to=ANY_BROKER, deadline=deadline, idempotent=idempotent
    )


class Brokers:
    """Three brokers and a cluster that knows them all, with a connection to one of them, ``used``."""

    def __init__(self, **settings: float) -> None:
        self._settings = {"request_timeout": 0.5, **settings}
        self._stack = AsyncExitStack()
        self.all = [FakeBroker(broker_id=number) for number in (1, 2, 3)]
        self.cluster: Cluster

    async def __aenter__(self) -> Self:
        for broker in self.all:
            await self._stack.enter_async_context(broker)
            broker.peers = self.all
        config = self.all[0].config(**self._settings)
        self.cluster = await self._stack.enter_async_context(Cluster(config))
        answer = await ask(self.cluster)
        (self.used,) = [broker for broker in self.all if broker.address == answer.broker.address]
        await self.cluster.metadata(deadline=self.cluster.deadline(60))
        return self

    async def __aexit__(self, kind: object, *problem: object) -> None:
        await self.cluster.close()
        await self._stack.aclose()

    def freeze(self, *brokers: FakeBroker) -> None:
        for broker in brokers:
            for kind in (ApiVersionsRequest, DescribeClientQuotasRequest, MetadataRequest):
                broker.on[kind] = nothing

    def asked(self) -> dict[int, int]:
        return {broker.broker_id: len(broker.requests(DescribeClientQuotasRequest)) for broker in self.all}


@in_loop
async def test_another_broker_answers_and_the_frozen_one_is_not_asked_again() -> None:
    async with Brokers() as brokers:
        frozen = brokers.used
        brokers.freeze(frozen)
        before = brokers.asked()[frozen.broker_id]
        answers = [await ask(brokers.cluster) for _ in range(5)]
        assert frozen.broker_id not in {answer.broker.id for answer in answers}
        assert brokers.asked()[frozen.broker_id] == before + 1


@in_loop
async def test_two_frozen_brokers_of_three() -> None:
    async with Brokers() as brokers:
        healthy = next(broker for broker in brokers.all if broker is not brokers.used)
        brokers.freeze(*(broker for broker in brokers.all if broker is not healthy))
        for _ in range(3):
            assert (await ask(brokers.cluster)).broker.id == healthy.broker_id


@in_loop
async def test_a_slow_answer_is_an_answer_although_others_were_asked_meanwhile() -> None:
    async with Brokers(request_timeout=10) as brokers:
        slow, asked = brokers.used, asyncio.Event()

        async def after_the_others(received: Received) -> Reply:
            await asked.wait()
            return DescribeClientQuotasResponse(throttle_time_ms=7, entries=())

        async def silent(received: Received) -> Reply:
            asked.set()
            return Silence.NOTHING

        slow.on[DescribeClientQuotasRequest] = after_the_others
        for broker in brokers.all:
            if broker is not slow:
                broker.on[DescribeClientQuotasRequest] = silent
        assert (await ask(brokers.cluster, within=5)).message.throttle_time_ms == 7


@in_loop
async def test_a_broker_that_answers_again_is_as_good_as_others() -> None:
    async with Brokers() as brokers:
        thawed = asyncio.Event()

        async def late(received: Received) -> Reply:
            await thawed.wait()
            return DescribeClientQuotasResponse(entries=())

        slow = brokers.used
        slow.on[DescribeClientQuotasRequest] = late
        other = (await ask(brokers.cluster)).broker.id
        assert other != slow.broker_id
        slow.on.clear()
        thawed.set()
        pool = brokers.cluster._pool  # noqa: SLF001 - which broker is asked next is left to chance
        broker = Broker(slow.broker_id, "127.0.0.1", slow.port)
        while pool.preference(broker)[0]:  # noqa: ASYNC110 - until the late answer has come
            await asyncio.sleep(0.001)


@in_loop
async def test_what_changes_something_goes_to_one_broker_and_the_next_call_to_another() -> None:
    async with Brokers(request_timeout=30) as brokers:
        used = (await ask(brokers.cluster, idempotent=False)).broker.id
        (frozen,) = [broker for broker in brokers.all if broker.broker_id == used]
        brokers.freeze(frozen)
        before = brokers.asked()
        with pytest.raises(KafkaTimeoutError) as caught:
            await ask(brokers.cluster, within=0.3, idempotent=False)
        assert caught.value.outcome_unknown
        assert sum(brokers.asked().values()) == sum(before.values()) + 1
        assert (await ask(brokers.cluster, idempotent=False)).broker.id != frozen.broker_id


@in_loop
async def test_a_change_that_hangs_holds_up_no_questions_and_no_other_changes() -> None:
    async with Brokers(request_timeout=30) as brokers:
        for broker in brokers.all[1:]:
            broker.stop_listening()
            await broker.drop_connections()
        only, held = brokers.all[0], asyncio.Event()

        async def one_at_a_time(received: Received) -> Reply:
            if received.connection == first.connection:
                held.set()
                await asyncio.Event().wait()
            return DescribeClientQuotasResponse(entries=())

        await ask(brokers.cluster, idempotent=False)
        first = only.requests(DescribeClientQuotasRequest)[-1]
        only.on[DescribeClientQuotasRequest] = one_at_a_time
        change = asyncio.create_task(ask(brokers.cluster, within=1.5, idempotent=False))
        await held.wait()
        assert (await ask(brokers.cluster)).broker.id == only.broker_id
        with pytest.raises(KafkaTimeoutError, match="the outcome is unknown"):
            await change
        assert (await ask(brokers.cluster, idempotent=False)).broker.id == only.broker_id
        await only.drop_connections()


@in_loop
async def test_a_caller_who_gives_up_blames_nobody() -> None:
    async with Brokers(request_timeout=30) as brokers:
        brokers.freeze(brokers.used)
        call = asyncio.create_task(ask(brokers.cluster))
        await asyncio.sleep(0.01)
        call.cancel()
        await asyncio.wait([call])
        used = Broker(brokers.used.broker_id, "127.0.0.1", brokers.used.port)
        assert brokers.cluster._pool.preference(used) == (False, False, 0.0)  # noqa: SLF001 - see above


@in_loop
async def test_all_brokers_are_frozen() -> None:
    async with Brokers() as brokers:
        brokers.freeze(*brokers.all)
        with pytest.raises(KafkaTimeoutError, match="waiting for broker") as caught:
            await ask(brokers.cluster, within=0.6)
        assert not caught.value.outcome_unknown


@in_loop
async def test_a_broker_that_comes_back_answers_while_a_frozen_one_is_waited_for() -> None:
    async with Brokers(request_timeout=30) as brokers:
        gone = [broker for broker in brokers.all if broker is not brokers.used]
        brokers.freeze(brokers.used)
        for broker in gone:
            broker.stop_listening()
            await broker.drop_connections()
        call = asyncio.create_task(ask(brokers.cluster))
        await asyncio.sleep(0.1)
        assert not call.done()
        await gone[0].listen()
        assert (await call).broker.id == gone[0].broker_id


def test_the_addresses_of_the_bootstrap_list_are_asked_in_any_order() -> None:
    cache = MetadataCache(["one:1", "two:2", "three:3"], 300)
    orders = {tuple(broker.host for broker in cache.candidates(lambda _: (False, False, 0.0))) for _ in range(200)}
    assert len(orders) == 6


@in_loop
async def test_connecting_again_waits_longer_each_time_and_says_so() -> None:
    started: list[float] = []
    loop = asyncio.get_running_loop()
    config = ClientConfig.of("127.0.0.1:9", reconnect_backoff=0.02, reconnect_backoff_max=0.08)

    async def refused(*_: object) -> object:
        started.append(loop.time())
        raise BrokerConnectionError("127.0.0.1:9 can't be reached")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("messagegen_client.net.pool.connect", refused)
        pool, progress = ConnectionPool(config), Progress()
        for _ in range(6):
            with pytest.raises(BrokerConnectionError):
                await pool.get(Broker(1, "127.0.0.1", 9), progress)
        assert progress.stage is not None
        assert (
            progress.stage()
            == "waiting to reconnect to broker 1 (127.0.0.1:9) after an error (127.0.0.1:9 can't be reached)"
        )
        await pool.close()
    gaps = [after - before for before, after in itertools.pairwise(started)]
    for gap, shortest in zip(gaps, [0.016, 0.032, 0.064, 0.064, 0.064], strict=True):
        assert gap >= shortest


def topic(leader: int) -> MetadataResponseTopic:
    partition = MetadataResponsePartition(partition_index=0, leader_id=leader, leader_epoch=1)
    return MetadataResponseTopic(name="orders", partitions=(partition,))


async def has_offset(received: Received) -> Reply:
    partition = ListOffsetsPartitionResponse(partition_index=0, offset=5)
    return ListOffsetsResponse(topics=(ListOffsetsTopicResponse(name="orders", partitions=(partition,)),))


class Partition:
    """What both brokers of a cluster say of one partition."""

    def __init__(self, brokers: list[FakeBroker], leader: int) -> None:
        self.brokers = brokers
        self.leader = leader
        for broker in brokers:
            broker.on[MetadataRequest] = self._metadata

    async def _metadata(self, received: Received) -> Reply:
        plain = self.brokers[0].metadata()
        return MetadataResponse(brokers=plain.brokers, controller_id=1, topics=(topic(self.leader),))


@in_loop
async def test_a_frozen_leader_is_left_when_another_one_has_its_partitions() -> None:
    async with FakeBroker(broker_id=1) as old, FakeBroker(broker_id=2) as new:
        old.peers = [old, new]
        partition = Partition([old, new], leader=1)

        async def frozen(received: Received) -> Reply:
            partition.leader = 2
            return Silence.NOTHING

        old.on[ListOffsetsRequest] = frozen
        new.on[ListOffsetsRequest] = has_offset
        async with Cluster(old.config(request_timeout=1)) as cluster:
            assert await end_offsets(cluster, [("orders", 0)], timeout=60) == {TopicPartition("orders", 0): 5}
        assert len(old.requests(ListOffsetsRequest)) == 1


@in_loop
async def test_a_slow_leader_that_stays_the_leader_is_waited_for() -> None:
    async with FakeBroker(broker_id=1) as leader, FakeBroker(broker_id=2) as other:
        leader.peers = [leader, other]
        Partition([leader, other], leader=1)

        async def slow(received: Received) -> Reply:
            while len(other.requests(MetadataRequest)) < 2:  # noqa: ASYNC110 - the client has asked twice who leads
                await asyncio.sleep(0.01)
            return await has_offset(received)

        leader.on[ListOffsetsRequest] = slow
        async with Cluster(leader.config(request_timeout=2)) as cluster:
            assert await end_offsets(cluster, [("orders", 0)], timeout=60) == {TopicPartition("orders", 0): 5}
        assert len(leader.requests(ListOffsetsRequest)) == 1
