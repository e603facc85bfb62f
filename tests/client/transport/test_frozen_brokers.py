"""If one of several brokers accepts connections and requests but never answers, requests go to other brokers.

No change is sent twice.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Self

import pytest

from messagegen_client.errors import KafkaTimeoutError
from messagegen_client.transport.cluster import Answer, Cluster
from messagegen_kafka import (
    ApiVersionsRequest,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
    MetadataRequest,
)
from tests.client.support.broker import FakeBroker, nothing
from tests.client.support.event_loop import in_loop

REQUEST = DescribeClientQuotasRequest(components=())


async def ask(cluster: Cluster, *, within: float = 20, changes: bool = False) -> Answer[DescribeClientQuotasResponse]:
    return await cluster.call(REQUEST, deadline=cluster.deadline(within), changes=changes)


class Brokers:
    """Three brokers, and a cluster that knows all of them and has a connection to one, ``used``."""

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
async def test_requests_go_to_other_brokers_after_one_broker_freezes() -> None:
    async with Brokers() as brokers:
        frozen = brokers.used
        brokers.freeze(frozen)
        before = brokers.asked()[frozen.broker_id]
        answers = [await ask(brokers.cluster) for _ in range(5)]
        assert frozen.broker_id not in {answer.broker.id for answer in answers}
        assert brokers.asked()[frozen.broker_id] == before + 1


@in_loop
async def test_a_change_after_a_timeout_is_sent_to_a_different_broker() -> None:
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
async def test_a_call_times_out_if_all_brokers_are_frozen() -> None:
    async with Brokers() as brokers:
        brokers.freeze(*brokers.all)
        with pytest.raises(KafkaTimeoutError, match=r"timed out after 0\.6 s while") as caught:
            await ask(brokers.cluster, within=0.6)
        assert not caught.value.outcome_unknown
