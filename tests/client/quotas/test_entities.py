from __future__ import annotations

import itertools
import random

import pytest

from messagegen_client.quotas.entities import CLIENT_ID, ClientQuotaEntity


@pytest.mark.parametrize("entries", [{}, None])
def test_an_entity_without_types_is_an_error(entries: dict[str, str | None] | None) -> None:
    with pytest.raises(ValueError, match="at least one type"):
        ClientQuotaEntity(entries)


@pytest.mark.parametrize("entries", [{"": "a"}, {1: "a"}, {"user": 1}, {"user": b"a"}])
def test_names_must_be_strings(entries: dict[str, str | None]) -> None:
    with pytest.raises(TypeError):
        ClientQuotaEntity(entries)


def test_a_repeated_type_is_an_error() -> None:
    with pytest.raises(ValueError, match="duplicate entity type 'client-id'"):
        ClientQuotaEntity({CLIENT_ID: "a"}, client_id="b")


def test_entities_are_sorted_in_the_order_in_which_brokers_look_up_quotas() -> None:
    order = [
        ClientQuotaEntity(user="u", client_id="c"),
        ClientQuotaEntity(user="u", client_id=None),
        ClientQuotaEntity(user="u"),
        ClientQuotaEntity(user=None, client_id="c"),
        ClientQuotaEntity(user=None, client_id=None),
        ClientQuotaEntity(user=None),
        ClientQuotaEntity(client_id="c"),
        ClientQuotaEntity(client_id=None),
        ClientQuotaEntity(ip="::1"),
        ClientQuotaEntity(ip=None),
        ClientQuotaEntity({"planet": "mars"}),
        ClientQuotaEntity({"planet": None}),
    ]
    for one, other in itertools.pairwise(order):
        assert one < other
        assert one <= other
        assert not other < one
        assert not other <= one
    shuffled = random.Random(7).sample(order, len(order))
    assert sorted(shuffled) == order
