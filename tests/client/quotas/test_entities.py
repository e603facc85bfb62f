from __future__ import annotations

import copy
import itertools
import pickle
import random

import pytest

from messagegen_client.quotas.entities import CLIENT_ID, IP, USER, ClientQuotaEntity
from messagegen_client.quotas.filters import ClientQuotaFilter, ClientQuotaFilterComponent


def test_entities_are_values() -> None:
    one, other = ClientQuotaEntity(client_id=None, user="alice"), ClientQuotaEntity({USER: "alice", CLIENT_ID: None})
    assert one == other
    assert len({one, other}) == 1
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one
    assert eval(repr(one)) == one
    assert eval(repr(ClientQuotaEntity({"client_id": "x"}))) == ClientQuotaEntity({"client_id": "x"})


@pytest.mark.parametrize("entries", [{}, None])
def test_an_entity_is_not_empty(entries: dict[str, str | None] | None) -> None:
    with pytest.raises(ValueError, match="at least one type"):
        ClientQuotaEntity(entries)


@pytest.mark.parametrize("entries", [{"": "a"}, {1: "a"}, {"user": 1}, {"user": b"a"}])
def test_names_are_strings(entries: dict[str, str | None]) -> None:
    with pytest.raises(TypeError):
        ClientQuotaEntity(entries)


def test_a_type_comes_once() -> None:
    with pytest.raises(ValueError, match="duplicate entity type 'client-id'"):
        ClientQuotaEntity({CLIENT_ID: "a"}, client_id="b")


def test_entities_sort_as_brokers_look_for_quotas() -> None:
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


def test_filters_of_each_kind() -> None:
    exact = ClientQuotaFilterComponent.of_entity(USER, "alice")
    default = ClientQuotaFilterComponent.of_default_entity(CLIENT_ID)
    kind = ClientQuotaFilterComponent.of_entity_type(IP)
    assert [one.match_type for one in (exact, default, kind)] == [0, 1, 2]
    assert (exact.match, default.match, kind.match) == ("alice", None, None)
    assert ClientQuotaFilter.contains([exact, default]) == ClientQuotaFilter((exact, default), strict=False)
    assert ClientQuotaFilter.contains_only(iter([kind])) == ClientQuotaFilter((kind,), strict=True)
    assert ClientQuotaFilter.all() == ClientQuotaFilter.contains([])
    assert hash(ClientQuotaFilter.all()) == hash(ClientQuotaFilter.contains(()))
