"""A broker of several that takes connections and requests and never answers: others are asked, and no change is sent twice."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Self

import pytest

from messagegen_client.errors import KafkaTimeoutError
from messagegen_client.offsets.calls import end_offsets
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.transport.cluster import Answer, Cluster
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


async def ask(cluster: Cluster, *, within: float = 20, changes: bool = False) -> Answer[DescribeClientQuotasResponse]:
    return await cluster.call(REQUEST, DescribeClientQuotasResponse, deadline=cluster.deadline(within), changes=changes)


class Brokers:
    """Three brokers and a cluster that knows them all, with a connection to one of them, ``used``."""

    def __init__(self, **settings: float) -> None:
        self._settings = {"request_timeout": 0.3, "connection_setup_timeout": 0.2, **settings}
        self._stack = AsyncExitStack()
        self.all = [FakeBroker(broker_id=number) for number in (1, 2, 3)]
        self.cluster: Cluster

    async def __aenter__(self) -> Self:
        for broker in self.all:
            await self._stack.enter_async_context(broker)
            broker.peers = self.all
        config = self.all[0].config(**self._settings)
        self.cluster = await self._stack.enter_async_context(Cluster(config))
        await self.cluster.metadata(deadline=self.cluster.deadline(20))
        self.used = self.all[(await ask(self.cluster)).broker.id - 1]
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
async def test_another_broker_answers_and_the_frozen_one_is_asked_last() -> None:
    async with Brokers() as brokers:
        frozen = brokers.used
        brokers.freeze(frozen)
        before = brokers.asked()[frozen.broker_id]
        answers = [await ask(brokers.cluster) for _ in range(5)]
        assert frozen.broker_id not in {answer.broker.id for answer in answers}
        assert brokers.asked()[frozen.broker_id] == before + 1


@in_loop
async def test_a_change_goes_to_one_broker_and_the_next_one_to_another() -> None:
    async with Brokers(request_timeout=30) as brokers:
        used = (await ask(brokers.cluster, changes=True)).broker.id
        brokers.freeze(brokers.all[used - 1])
        before = brokers.asked()
        with pytest.raises(KafkaTimeoutError) as caught:
            await ask(brokers.cluster, within=0.6, changes=True)
        assert caught.value.outcome_unknown
        assert sum(brokers.asked().values()) == sum(before.values()) + 1
        assert (await ask(brokers.cluster, changes=True)).broker.id != used


@in_loop
async def test_all_brokers_are_frozen() -> None:
    async with Brokers() as brokers:
        brokers.freeze(*brokers.all)
        with pytest.raises(KafkaTimeoutError, match=r"timed out after 0\.6 s while") as caught:
            await ask(brokers.cluster, within=0.6)
        assert not caught.value.outcome_unknown


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
        partition = MetadataResponsePartition(partition_index=0, leader_id=self.leader, leader_epoch=1)
        topic = MetadataResponseTopic(name="orders", partitions=(partition,))
        return MetadataResponse(brokers=self.brokers[0].metadata().brokers, controller_id=1, topics=(topic,))


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
        async with Cluster(old.config()) as cluster:
            assert await end_offsets(cluster, [("orders", 0)], timeout=2) == {TopicPartition("orders", 0): 5}
        assert len(old.requests(ListOffsetsRequest)) == 1
