"""Quotas in bad weather: an alteration that may have been carried out is never sent again, and its error says so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from messagegen_client.admin import AsyncAdmin
from messagegen_client.errors import BrokerConnectionError, KafkaTimeoutError, NoCommonVersionError, ProtocolError
from messagegen_client.quotas import ClientQuotaAlteration, ClientQuotaEntity
from messagegen_kafka import (
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
    ApiVersionsRequest,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
)
from tests.client.fake_broker import OFFERED, FakeBroker, Received, Reply, api_versions, hang_up, in_loop, nothing

ALICE = ClientQuotaEntity(user="alice")
ALTERATION = ClientQuotaAlteration(ALICE, {"producer_byte_rate": 1.0})
Answerer = Callable[[Received], Awaitable[Reply]]


async def offers_alteration(received: Received) -> Reply:
    return api_versions({**OFFERED, AlterClientQuotasRequest.API_KEY or 0: (0, 1)})


def broker_that(answer: Answerer) -> FakeBroker:
    return FakeBroker({ApiVersionsRequest: offers_alteration, AlterClientQuotasRequest: answer})


@in_loop
async def test_no_answer_leaves_the_outcome_unknown() -> None:
    async with broker_that(nothing) as broker, AsyncAdmin(broker.config()) as admin:
        with pytest.raises(KafkaTimeoutError, match="the outcome is unknown") as caught:
            await admin.alter_client_quotas([ALTERATION], timeout=0.2)
    assert caught.value.outcome_unknown
    assert len(broker.requests(AlterClientQuotasRequest)) == 1


@in_loop
async def test_a_connection_that_ends_is_not_tried_again() -> None:
    async with broker_that(hang_up) as broker, AsyncAdmin(broker.config()) as admin:
        await admin.describe_client_quotas()
        with pytest.raises(BrokerConnectionError) as caught:
            await admin.alter_client_quotas([ALTERATION])
    assert caught.value.outcome_unknown
    assert len(broker.requests(AlterClientQuotasRequest)) == 1


@in_loop
async def test_validating_and_describing_are_tried_again() -> None:
    async def second_time(received: Received) -> Reply:
        if len(broker.requests(type(received.request))) == 1:
            return await hang_up(received)
        if isinstance(received.request, AlterClientQuotasRequest):
            return AlterClientQuotasResponse(entries=())
        return DescribeClientQuotasResponse(entries=())

    broker = broker_that(second_time)
    async with broker, AsyncAdmin(broker.config()) as admin:
        await admin.cluster.metadata(deadline=admin.cluster.deadline())
        broker.on[DescribeClientQuotasRequest] = second_time
        assert await admin.describe_client_quotas() == {}
        results = await admin.alter_client_quotas([ALTERATION], validate_only=True)
    assert isinstance(results[ALICE], ProtocolError)  # this broker's answer does not mention the entity
    assert len(broker.requests(AlterClientQuotasRequest)) == 2
    assert len(broker.requests(DescribeClientQuotasRequest)) == 2


@in_loop
async def test_a_broker_from_before_the_kip() -> None:
    async with FakeBroker() as broker, AsyncAdmin(broker.config()) as admin:
        with pytest.raises(NoCommonVersionError, match="AlterClientQuotas"):
            await admin.alter_client_quotas([ALTERATION])


@in_loop
async def test_an_entity_without_types_is_no_answer() -> None:
    async def odd(received: Received) -> Reply:
        entry = DescribeClientQuotasResponse.from_json(
            {
                "throttleTimeMs": 0,
                "errorCode": 0,
                "errorMessage": None,
                "entries": [{"entity": [], "values": []}],
            },
            version=1,
        )
        assert isinstance(entry, DescribeClientQuotasResponse)
        return entry

    async with FakeBroker({DescribeClientQuotasRequest: odd}) as broker, AsyncAdmin(broker.config()) as admin:
        with pytest.raises(ProtocolError, match="an entity without types"):
            await admin.describe_client_quotas()
