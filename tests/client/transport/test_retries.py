"""Requests are repeated if that is safe, with other brokers, and until the time limit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from messagegen_client.errors import (
    BootstrapError,
    BrokerConnectionError,
    KafkaTimeoutError,
)
from messagegen_client.transport.cluster import Cluster
from messagegen_kafka import (
    ApiVersionsRequest,
    DescribeClientQuotasRequest,
    MetadataRequest,
    MetadataResponse,
)
from tests.client.support.asking import ANSWER, ask
from tests.client.support.broker import (
    FakeBroker,
    Received,
    Reply,
    Silence,
    api_versions,
    hang_up,
    nothing,
)
from tests.client.support.event_loop import in_loop


@in_loop
async def test_a_change_is_not_sent_twice_and_its_outcome_is_unknown() -> None:
    async with FakeBroker({DescribeClientQuotasRequest: hang_up}) as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(BrokerConnectionError, match="the outcome is unknown") as caught:
            await ask(cluster, changes=True)
        assert len(broker.requests(DescribeClientQuotasRequest)) == 1
        assert "security.protocol" not in str(caught.value)
        broker.on[DescribeClientQuotasRequest] = nothing
        with pytest.raises(KafkaTimeoutError, match="the outcome is unknown") as late:
            await ask(cluster, within=0.5, changes=True)
    assert caught.value.outcome_unknown
    assert late.value.outcome_unknown


@in_loop
async def test_wrong_settings_are_found_before_a_change_is_sent() -> None:
    async with FakeBroker({MetadataRequest: hang_up}) as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(BootstrapError, match=r"check security\.protocol") as caught:
            await ask(cluster, changes=True)
    assert not caught.value.outcome_unknown
    assert not broker.requests(DescribeClientQuotasRequest)


@in_loop
async def test_a_change_is_retried_if_it_was_never_sent() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        await ask(cluster)
        broker.stop_listening()
        await broker.drop_connections()
        call = asyncio.create_task(ask(cluster, changes=True))
        await asyncio.sleep(0.05)
        assert not call.done()
        await broker.listen()
        await call
    assert len(broker.requests(DescribeClientQuotasRequest)) == 2


@in_loop
async def test_a_timeout_includes_the_last_error() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        await ask(cluster)
        broker.stop_listening()
        await broker.drop_connections()
        with pytest.raises(KafkaTimeoutError, match="last error: no broker could be reached") as caught:
            await ask(cluster, within=0.1)
        assert isinstance(caught.value.__cause__, BootstrapError)


@in_loop
async def test_bootstrap_addresses_are_asked_when_all_known_brokers_are_gone() -> None:
    async with FakeBroker(broker_id=1) as entrance, FakeBroker(broker_id=2) as old, FakeBroker(broker_id=3) as new:
        entrance.peers = [old]
        async with Cluster(entrance.config()) as cluster:
            await cluster.metadata(deadline=cluster.deadline())
            old.stop_listening()
            await entrance.drop_connections()
            entrance.peers = [new]
            assert (await ask(cluster, to=3)).broker.address == new.address


@in_loop
async def test_metadata_without_brokers_is_requested_again() -> None:
    async with FakeBroker() as broker:

        async def starting(received: Received) -> Reply:
            return broker.metadata() if len(broker.requests(MetadataRequest)) > 3 else MetadataResponse(brokers=())

        broker.on[MetadataRequest] = starting
        async with Cluster(broker.config()) as cluster:
            metadata = await cluster.metadata(deadline=cluster.deadline(20))
    assert list(metadata.brokers) == [1]


def closes_at_first(times: int) -> Callable[[Received], Awaitable[Reply]]:
    """Return an answerer that closes the first connections unanswered, like a broker with a quota on connections."""
    left = [Silence.HANG_UP] * times

    async def answer(received: Received) -> Reply:
        return left.pop() if left else api_versions()

    return answer


@in_loop
async def test_the_client_reconnects_if_a_quota_closes_connections() -> None:
    async with (
        FakeBroker({ApiVersionsRequest: closes_at_first(4)}) as broker,
        Cluster(replace(broker.config(), retry_backoff=0.001)) as cluster,
    ):
        assert (await ask(cluster)).message == ANSWER
    assert broker.connections == 5


@in_loop
async def test_a_change_that_a_quota_delays_is_sent_once() -> None:
    async with (
        FakeBroker({ApiVersionsRequest: closes_at_first(4)}) as broker,
        Cluster(replace(broker.config(), retry_backoff=0.001)) as cluster,
    ):
        assert (await ask(cluster, changes=True)).message == ANSWER
    assert sum(isinstance(one.request, DescribeClientQuotasRequest) for one in broker.received) == 1


@in_loop
async def test_retries_end_if_a_broker_closes_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("messagegen_client.transport.cluster._PATIENCE", 0.05)
    async with (
        FakeBroker({ApiVersionsRequest: hang_up}) as broker,
        Cluster(replace(broker.config(), retry_backoff=0.001)) as cluster,
    ):
        with pytest.raises(BootstrapError) as caught:
            await ask(cluster)
    assert broker.connections > 1
    assert "a quota may limit connections from this address" in str(caught.value)
    assert "security.protocol" in str(caught.value)


@in_loop
async def test_an_address_without_a_listener_is_tried_once() -> None:
    async with FakeBroker() as broker:
        config = broker.config()
    async with Cluster(config) as cluster:
        with pytest.raises(BootstrapError, match="can't be reached"):
            await ask(cluster)
