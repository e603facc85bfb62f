from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_client.quotas.resolution import ResolvedQuota, resolve

KEYS = ("producer_byte_rate", "consumer_byte_rate")
NAMES = st.sampled_from(["a", "b", "<default>", ""])


@st.composite
def entities(draw: st.DrawFn) -> ClientQuotaEntity:
    names = st.none() | NAMES
    kinds = draw(st.sampled_from([("user", "client-id"), ("user",), ("client-id",), ("ip",)]))
    return ClientQuotaEntity({kind: draw(names) for kind in kinds})


ENTRIES = st.dictionaries(entities(), st.dictionaries(st.sampled_from(KEYS), st.floats(1, 9), min_size=1), max_size=12)


def sources_in_order(user: str, client_id: str) -> list[ClientQuotaEntity]:
    """Return the entities of KIP-546's list, in its order."""
    return [
        ClientQuotaEntity({"user": user, "client-id": client_id}),
        ClientQuotaEntity({"user": user, "client-id": None}),
        ClientQuotaEntity({"user": user}),
        ClientQuotaEntity({"user": None, "client-id": client_id}),
        ClientQuotaEntity({"user": None, "client-id": None}),
        ClientQuotaEntity({"user": None}),
        ClientQuotaEntity({"client-id": client_id}),
        ClientQuotaEntity({"client-id": None}),
    ]


@pytest.mark.slow
@settings(max_examples=100)
@given(NAMES, NAMES, ENTRIES)
def test_resolving_agrees_with_the_eight_rules_of_brokers(
    user: str, client_id: str, entries: dict[ClientQuotaEntity, dict[str, float]]
) -> None:
    expected = {}
    for key in KEYS:
        for source in sources_in_order(user, client_id):
            if key in entries.get(source, {}):
                expected[key] = ResolvedQuota(entries[source][key], source)
                break
    client = ClientQuotaEntity(user=user, client_id=client_id)
    assert resolve([client], entries) == {client: expected}


def test_resolving_is_fast_for_entities_with_many_types() -> None:
    wide = ClientQuotaEntity({f"type-{number}": "a" for number in range(100)})
    source = ClientQuotaEntity({"type-7": None, "type-8": "a"})
    assert resolve([wide], {source: {"rate": 1.0}}) == {wide: {"rate": ResolvedQuota(1.0, source)}}
