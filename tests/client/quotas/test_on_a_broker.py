"""Client quotas on a real broker, compared with Java's admin client on the same broker."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from typing import Final

import pytest

from messagegen_client.admin import Admin
from messagegen_client.errors import BrokerError, InvalidRequestError
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity
from messagegen_client.quotas.filters import ClientQuotaFilter, ClientQuotaFilterComponent
from tests.broker import java
from tests.broker.cluster import Cluster
from tests.broker.waiting import eventually

RATE: Final = "producer_byte_rate"
ALICE: Final = ClientQuotaEntity(user="alice")
LETTERS: Final = "ab,=<>{}%'\" /:*üß💥"


@pytest.fixture
def admin(broker: Cluster) -> Iterator[Admin]:
    """Yield an admin of a broker without quotas, and remove the quotas at the end of the test."""
    with Admin(broker.bootstrap()) as admin:
        remove_all(admin)
        yield admin
        remove_all(admin)


def remove_all(admin: Admin) -> None:
    current = admin.describe_client_quotas()
    admin.alter_client_quotas(
        ClientQuotaAlteration(entity, dict.fromkeys(values)) for entity, values in current.items()
    ).raise_for_errors()
    eventually(lambda: not admin.describe_client_quotas())


def set_quotas(admin: Admin, entries: Mapping[ClientQuotaEntity, Mapping[str, float]]) -> None:
    """Set quotas, and wait until the broker describes them: it receives them from the controller with a delay."""
    admin.alter_client_quotas(
        ClientQuotaAlteration(entity, dict(values)) for entity, values in entries.items()
    ).raise_for_errors()
    eventually(lambda: entries.items() <= admin.describe_client_quotas().items())


def random_entries(count: int, letters: str = LETTERS) -> dict[ClientQuotaEntity, dict[str, float]]:
    """Return entities of all combinations of types, including all defaults, each with some quotas."""
    chance = random.Random(546)
    entries: dict[ClientQuotaEntity, dict[str, float]] = {}
    while len(entries) < count:
        kinds = chance.choice([["user"], ["client-id"], ["user", "client-id"], ["ip"]])
        if kinds == ["ip"]:
            address = ".".join(str(chance.randrange(256)) for _ in range(4))
            entity = ClientQuotaEntity(ip=chance.choice([None, address, address, address]))
            entries[entity] = {"connection_creation_rate": float(chance.randrange(1, 10_000))}
            continue
        names = ("".join(chance.choices(letters, k=chance.randrange(1, 12))) for _ in kinds)
        entity = ClientQuotaEntity(
            {kind: chance.choice([None, *[name] * 9]) for kind, name in zip(kinds, names, strict=True)}
        )
        values = {
            "consumer_byte_rate": float(chance.randrange(1, 2**53)),
            "controller_mutation_rate": chance.uniform(0.01, 1e9),
            "producer_byte_rate": float(chance.randrange(1, 10**9)),
            "request_percentage": chance.uniform(0.01, 800),
        }
        entries[entity] = {key: values[key] for key in sorted(chance.sample(sorted(values), k=chance.randrange(1, 5)))}
    return entries


@pytest.mark.slow
def test_a_thousand_entities_are_described_and_altered_as_in_java(admin: Admin, broker: Cluster) -> None:
    entries = random_entries(1000, LETTERS + "\n\x1b")
    set_quotas(admin, entries)
    described = java.call("describeClientQuotas", broker.bootstrap())
    assert {ClientQuotaEntity(entry["entity"]): entry["values"] for entry in described} == entries
    halved = {
        entity: {key: math.ceil(value / 2) for key, value in values.items()} for entity, values in entries.items()
    }
    question = [{"entity": dict(entity), "ops": values} for entity, values in halved.items()]
    assert java.call("alterClientQuotas", broker.bootstrap(), question) == 1000
    eventually(lambda: admin.describe_client_quotas() == halved)


@pytest.mark.parametrize(
    ("entity", "key", "value", "reason"),
    [
        (ALICE, RATE, 0.0, "must be greater than 0"),
        (ALICE, RATE, -1.0, "must be greater than 0"),
        (ALICE, RATE, 0.5, "cannot be a fractional value"),
        (ALICE, RATE, 1.99, "cannot be a fractional value"),
        (ALICE, RATE, 1e19, "is too large for a LONG"),
        (ClientQuotaEntity(ip="10.0.0.1"), "connection_creation_rate", 2.0**31, "is too large for an INT"),
        (ALICE, RATE, math.inf, "must be a finite number"),
        (ALICE, "request_percentage", math.inf, "must be a finite number"),
        (ALICE, RATE, math.nan, "must be a finite number"),
        (ALICE, "connection_creation_rate", 1.0, "Invalid configuration key connection_creation_rate"),
        (ALICE, "zoo", 1.0, "Invalid configuration key zoo"),
        (ClientQuotaEntity(user=""), RATE, 1.0, "Empty user not supported"),
        (ClientQuotaEntity(planet="mars"), RATE, 1.0, "Unhandled client quota entity type: planet"),
        (ClientQuotaEntity(user="a", ip="10.0.0.1"), RATE, 1.0, "Invalid quota entity combination"),
    ],
)
def test_invalid_alterations_have_the_error_of_the_broker(
    admin: Admin, entity: ClientQuotaEntity, key: str, value: float, reason: str
) -> None:
    error = admin.alter_client_quotas([ClientQuotaAlteration(entity, {key: value})])[entity]
    assert isinstance(error, InvalidRequestError)
    assert reason in str(error)
    assert str(entity) in str(error)


def test_filters_select_entities_according_to_the_protocol(admin: Admin) -> None:
    both = ClientQuotaEntity(user="alice", client_id="c")
    default = ClientQuotaEntity(user=None)
    client = ClientQuotaEntity(client_id="c")
    set_quotas(admin, {entity: {RATE: 1.0} for entity in (ALICE, both, default, client)})
    part = ClientQuotaFilterComponent

    def found(wanted: ClientQuotaFilter) -> list[ClientQuotaEntity]:
        return list(admin.describe_client_quotas(wanted))

    assert found(ClientQuotaFilter.all()) == [both, ALICE, default, client]
    assert found(ClientQuotaFilter.contains([part.of_entity("user", "alice")])) == [both, ALICE]
    assert found(ClientQuotaFilter.contains_only([part.of_entity("user", "alice")])) == [ALICE]
    assert found(ClientQuotaFilter.contains([part.of_default_entity("user")])) == [default]
    assert found(ClientQuotaFilter.contains_only([part.of_entity_type("user")])) == [ALICE, default]
    with pytest.raises(BrokerError, match="Unsupported entity type planet"):
        found(ClientQuotaFilter.contains([part.of_entity_type("planet")]))
    with pytest.raises(InvalidRequestError, match="cannot appear more than once"):
        found(ClientQuotaFilter.contains([part.of_entity_type("user"), part.of_default_entity("user")]))
