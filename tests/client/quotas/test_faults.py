"""An alteration with an unknown outcome is never sent again, and its error reports the unknown outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from messagegen_client.admin import Admin, AsyncAdmin
from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import (
    ClientClosedError,
    KafkaTimeoutError,
    NoCommonVersionError,
    ProtocolError,
)
from messagegen_client.outcomes import Outcome
from messagegen_client.quotas import batches
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity
from messagegen_kafka import (
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
)
from messagegen_kafka.alter_client_quotas_response import EntityData, EntryData
from messagegen_kafka.describe_client_quotas_response import EntityData as DescribedEntity
from messagegen_kafka.describe_client_quotas_response import EntryData as DescribedEntry
from messagegen_testing import ScriptedBroker
from tests.client.support.event_loop import in_loop

Start = Callable[..., ScriptedBroker]

ALICE = ClientQuotaEntity(user="alice")
ALTERATION = ClientQuotaAlteration(ALICE, {"producer_byte_rate": 1.0})


def config_for(broker: ScriptedBroker, **settings: Any) -> ClientConfig:
    """Return a config with short pauses."""
    return ClientConfig.of(broker.bootstrap, retry_backoff=0.001, retry_backoff_max=0.01, **settings)


def test_the_outcome_is_unknown_if_the_broker_does_not_answer(scripted_broker: Start) -> None:
    broker = scripted_broker()
    broker.when(AlterClientQuotasRequest).drop()
    unknown = pytest.raises(KafkaTimeoutError, match="the outcome is unknown")
    with Admin(config_for(broker)) as admin, unknown as caught:
        admin.alter_client_quotas([ALTERATION], timeout=1)
    assert caught.value.outcome_unknown
    assert len(broker.seen(AlterClientQuotasRequest)) == 1


@in_loop
async def test_closing_the_client_leaves_the_outcome_of_sent_changes_unknown(scripted_broker: Start) -> None:
    broker = scripted_broker()
    broker.when(AlterClientQuotasRequest).drop()
    async with AsyncAdmin(config_for(broker)) as admin:
        call = asyncio.create_task(admin.alter_client_quotas([ALTERATION]))
        await asyncio.to_thread(broker.wait_for, AlterClientQuotasRequest)
        await admin.close()
        with pytest.raises(ClientClosedError, match="the outcome is unknown") as caught:
            await call
    assert caught.value.outcome_unknown


def test_every_entity_has_an_outcome_if_a_request_fails(
    scripted_broker: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "MAX_RECORDS", 1000)
    broker = scripted_broker()
    broker.when(AlterClientQuotasRequest, times=1).error("NONE")
    broker.when(AlterClientQuotasRequest).hang_up()
    many = [ClientQuotaAlteration(ClientQuotaEntity(user=f"u{n}"), {"producer_byte_rate": 1.0}) for n in range(2500)]
    with Admin(config_for(broker, max_response_size=10**8)) as admin:
        results = admin.alter_client_quotas(many)
    counts = {outcome: len(entities) for outcome, entities in results.by_outcome().items()}
    assert counts == {Outcome.DONE: 1000, Outcome.REFUSED: 0, Outcome.UNKNOWN: 1000, Outcome.NOT_SENT: 500}
    assert len(broker.seen(AlterClientQuotasRequest)) == 2


@pytest.mark.parametrize("kind", ["", "user"])
def test_an_invalid_entity_in_a_response_is_a_protocol_error(scripted_broker: Start, kind: str) -> None:
    described = (
        DescribedEntity(entity_type="user", entity_name="a"),
        DescribedEntity(entity_type=kind, entity_name="b"),
    )
    altered = (EntityData(entity_type="user", entity_name="a"), EntityData(entity_type=kind, entity_name="b"))
    broker = scripted_broker()
    broker.when(DescribeClientQuotasRequest).answer(
        DescribeClientQuotasResponse(entries=(DescribedEntry(entity=described, values=()),))
    )
    broker.when(AlterClientQuotasRequest).answer(AlterClientQuotasResponse(entries=(EntryData(entity=altered),)))
    with Admin(config_for(broker)) as admin:
        with pytest.raises(ProtocolError, match="the response has an entity with invalid types"):
            admin.describe_client_quotas()
        with pytest.raises(ProtocolError, match="the response has an entity with invalid types") as caught:
            admin.alter_client_quotas([ALTERATION])
    assert caught.value.outcome_unknown


def test_validating_and_describing_are_retried(scripted_broker: Start) -> None:
    broker = scripted_broker()
    # Before the first answer, the client would take a closed connection for a wrong setting.
    broker.when(DescribeClientQuotasRequest, times=1).error("NONE")
    for request_class in (AlterClientQuotasRequest, DescribeClientQuotasRequest):
        broker.when(request_class, times=1).hang_up()
    broker.when(AlterClientQuotasRequest).answer(AlterClientQuotasResponse(entries=()))
    broker.when(DescribeClientQuotasRequest).answer(DescribeClientQuotasResponse(entries=()))
    with Admin(config_for(broker)) as admin:
        assert admin.describe_client_quotas() == {}
        assert admin.describe_client_quotas() == {}
        results = admin.alter_client_quotas([ALTERATION], validate_only=True)
    assert isinstance(results[ALICE], ProtocolError)  # The answer of this broker does not mention the entity.
    assert len(broker.seen(AlterClientQuotasRequest)) == 2
    assert len(broker.seen(DescribeClientQuotasRequest)) == 3


def test_a_broker_without_the_api_is_an_error(scripted_broker: Start) -> None:
    broker = scripted_broker(versions={AlterClientQuotasRequest: None})
    with Admin(config_for(broker)) as admin, pytest.raises(NoCommonVersionError, match="AlterClientQuotas"):
        admin.alter_client_quotas([ALTERATION])
