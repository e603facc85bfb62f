"""Quotas in bad weather: an alteration that may have been carried out is never sent again, and its error says so."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from messagegen_client.admin import AsyncAdmin
from messagegen_client.errors import (
    ClientClosedError,
    KafkaTimeoutError,
    NoCommonVersionError,
    ProtocolError,
)
from messagegen_client.quotas import batches
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity
from messagegen_client.quotas.results import Outcome
from messagegen_kafka import (
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
    ApiVersionsRequest,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
)
from messagegen_kafka.alter_client_quotas_response import EntityData, EntryData
from messagegen_kafka.describe_client_quotas_response import EntityData as DescribedEntity
from messagegen_kafka.describe_client_quotas_response import EntryData as DescribedEntry
from tests.client.support.broker import (
    OFFERED,
    FakeBroker,
    Received,
    Reply,
    Silence,
    api_versions,
    hang_up,
    nothing,
)
from tests.client.support.event_loop import in_loop

ALICE = ClientQuotaEntity(user="alice")
ALTERATION = ClientQuotaAlteration(ALICE, {"producer_byte_rate": 1.0})
Answerer = Callable[[Received], Awaitable[Reply]]


async def offers_alteration(received: Received) -> Reply:
    return api_versions({**OFFERED, AlterClientQuotasRequest.API_KEY: (0, 1)})


def broker_that(answer: Answerer) -> FakeBroker:
    return FakeBroker({ApiVersionsRequest: offers_alteration, AlterClientQuotasRequest: answer})


@in_loop
async def test_no_answer_leaves_the_outcome_unknown() -> None:
    async with broker_that(nothing) as broker, AsyncAdmin(broker.config()) as admin:
        with pytest.raises(KafkaTimeoutError, match="the outcome is unknown") as caught:
            await admin.alter_client_quotas([ALTERATION], timeout=1)
    assert caught.value.outcome_unknown
    assert len(broker.requests(AlterClientQuotasRequest)) == 1


@in_loop
async def test_closing_the_client_leaves_the_outcome_of_what_was_sent_unknown() -> None:
    sent = asyncio.Event()

    async def silent(received: Received) -> Reply:
        sent.set()
        return Silence.NOTHING

    async with broker_that(silent) as broker, AsyncAdmin(broker.config()) as admin:
        call = asyncio.create_task(admin.alter_client_quotas([ALTERATION]))
        await sent.wait()
        await admin.close()
        with pytest.raises(ClientClosedError, match="the outcome is unknown") as caught:
            await call
    assert caught.value.outcome_unknown


@in_loop
async def test_each_of_many_entities_is_unknown_or_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "MAX_RECORDS", 1000)

    async def second_is_lost(received: Received) -> Reply:
        assert isinstance(received.request, AlterClientQuotasRequest)
        if len(broker.requests(AlterClientQuotasRequest)) == 2:
            return Silence.HANG_UP
        entries = tuple(
            EntryData(entity=tuple(EntityData(entity_type="user", entity_name=part.entity_name) for part in one.entity))
            for one in received.request.entries
        )
        return AlterClientQuotasResponse(entries=entries)

    broker = broker_that(second_is_lost)
    many = [ClientQuotaAlteration(ClientQuotaEntity(user=f"u{n}"), {"producer_byte_rate": 1.0}) for n in range(2500)]
    async with broker, AsyncAdmin(broker.config(max_response_size=10**8)) as admin:
        results = await admin.alter_client_quotas(many)
        counts = {outcome: len(entities) for outcome, entities in results.by_outcome().items()}
        assert counts == {Outcome.DONE: 1000, Outcome.REFUSED: 0, Outcome.UNKNOWN: 1000, Outcome.NOT_SENT: 500}
        assert len(broker.requests(AlterClientQuotasRequest)) == 2


@pytest.mark.parametrize("kind", ["", "user"])
@in_loop
async def test_an_invalid_entity_in_a_response_is_a_protocol_error(kind: str) -> None:
    parts = (DescribedEntity(entity_type="user", entity_name="a"), DescribedEntity(entity_type=kind, entity_name="b"))

    async def odd(received: Received) -> Reply:
        return DescribeClientQuotasResponse(entries=(DescribedEntry(entity=parts, values=()),))

    async def odd_too(received: Received) -> Reply:
        entity = tuple(EntityData(entity_type=part.entity_type, entity_name=part.entity_name) for part in parts)
        return AlterClientQuotasResponse(entries=(EntryData(entity=entity),))

    async with broker_that(odd_too) as broker, AsyncAdmin(broker.config()) as admin:
        broker.on[DescribeClientQuotasRequest] = odd
        with pytest.raises(ProtocolError, match="an entity with invalid types in the response"):
            await admin.describe_client_quotas()
        with pytest.raises(ProtocolError, match="an entity with invalid types in the response") as caught:
            await admin.alter_client_quotas([ALTERATION])
        assert caught.value.outcome_unknown


@in_loop
async def test_validating_and_describing_are_retried() -> None:
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
async def test_a_broker_without_the_api_is_an_error() -> None:
    async with FakeBroker() as broker, AsyncAdmin(broker.config()) as admin:
        with pytest.raises(NoCommonVersionError, match="AlterClientQuotas"):
            await admin.alter_client_quotas([ALTERATION])
