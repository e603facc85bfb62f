from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import replace

import pytest

from messagegen_client.errors import (
    BrokerConnectionError,
    BrokerError,
    InvalidRequestError,
    KafkaTimeoutError,
)
from messagegen_client.quotas import batches as batches_module
from messagegen_client.quotas.calls import (
    alter_client_quotas,
    describe_client_quotas,
    resolve_client_quotas,
)
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity, Op
from messagegen_client.quotas.filters import ClientQuotaFilter, ClientQuotaFilterComponent
from messagegen_client.quotas.resolution import ResolvedQuota
from messagegen_client.quotas.results import AlterClientQuotasError, AlterClientQuotasResult, NotSentError
from messagegen_kafka import EncodeError
from messagegen_kafka.error_codes import ErrorCode
from tests.client.support.quota_cluster import QuotaCluster, QuotaStore

ALICE = ClientQuotaEntity(user="alice")
BOB = ClientQuotaEntity(user="bob")
DEFAULT = ClientQuotaEntity(user=None)
RATE = "producer_byte_rate"


@pytest.fixture
def store() -> QuotaStore:
    return QuotaStore()


def alter(
    store: QuotaStore, *alterations: ClientQuotaAlteration, validate_only: bool = False
) -> AlterClientQuotasResult:
    return asyncio.run(alter_client_quotas(QuotaCluster(store), alterations, validate_only=validate_only))


def describe(store: QuotaStore, wanted: ClientQuotaFilter | None = None) -> dict[ClientQuotaEntity, dict[str, float]]:
    return asyncio.run(describe_client_quotas(QuotaCluster(store), wanted))


def sets(entity: ClientQuotaEntity, value: float | None = 1.0) -> ClientQuotaAlteration:
    return ClientQuotaAlteration(entity, {RATE: value})


def fail_at(count: int, problem: Exception) -> Callable[[object], None]:
    """Return a function that raises at request number ``count``, counted from 1."""
    numbers = itertools.count(1)

    def before(_: object) -> None:
        if next(numbers) == count:
            raise problem

    return before


def many(count: int) -> list[ClientQuotaAlteration]:
    return [sets(ClientQuotaEntity(user=f"user-{number}")) for number in range(count)]


def test_filters_select_entities(store: QuotaStore) -> None:
    both = ClientQuotaEntity(user="alice", client_id="c")
    client = ClientQuotaEntity(client_id=None)
    store.entries = {entity: {RATE: 1.0} for entity in (client, both, DEFAULT, ALICE)}
    part = ClientQuotaFilterComponent
    assert list(describe(store)) == [both, ALICE, DEFAULT, client]
    assert list(describe(store, ClientQuotaFilter.contains([part.of_entity("user", "alice")]))) == [both, ALICE]
    assert list(describe(store, ClientQuotaFilter.contains_only([part.of_entity("user", "alice")]))) == [ALICE]
    assert list(describe(store, ClientQuotaFilter.contains([part.of_default_entity("client-id")]))) == [client]
    assert list(describe(store, ClientQuotaFilter.contains_only([part.of_entity_type("user")]))) == [ALICE, DEFAULT]


def test_raise_for_errors_wraps_even_a_single_error(store: QuotaStore) -> None:
    with pytest.raises(AlterClientQuotasError, match="Unhandled client quota entity type: planet"):
        alter(store, sets(ALICE), sets(ClientQuotaEntity({"planet": "mars"}))).raise_for_errors()


def test_a_duplicate_key_is_an_error_and_is_not_sent(store: QuotaStore) -> None:
    twice = ClientQuotaAlteration(ALICE, (Op(RATE, 1.0), Op("request_percentage", 1.0), Op(RATE, None)))
    results = alter(store, twice, sets(BOB))
    assert results[BOB] is None
    error = results[ALICE]
    assert isinstance(error, InvalidRequestError)
    assert error.code is ErrorCode.INVALID_REQUEST
    assert "duplicate quota producer_byte_rate" in str(error)
    assert store.entries == {BOB: {RATE: 1.0}}
    assert [len(request.entries) for request in store.alterations] == [1]


def test_a_duplicate_entity_is_an_error_and_is_not_sent(store: QuotaStore) -> None:
    results = alter(store, sets(ALICE), ClientQuotaAlteration(ALICE, {"request_percentage": 1.0}))
    assert isinstance(results[ALICE], InvalidRequestError)
    assert "put all its changes into one alteration" in str(results[ALICE])
    assert store.requests == []


def test_an_error_in_the_first_request_is_raised(store: QuotaStore) -> None:
    store.before = fail_at(1, KafkaTimeoutError("too slow", outcome_unknown=True))
    with pytest.raises(KafkaTimeoutError) as caught:
        alter(store, sets(ALICE))
    assert caught.value.outcome_unknown


def test_an_error_in_a_later_request_is_returned_as_a_result(
    store: QuotaStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = 100
    monkeypatch.setattr(batches_module, "MAX_RECORDS", records)
    problem = BrokerConnectionError("gone", outcome_unknown=True)
    store.before = fail_at(2, problem)
    alterations = many(2 * records + 1)
    results = alter(store, *alterations)
    assert list(results) == [one.entity for one in alterations]
    values = list(results.values())
    assert values[:records] == [None] * records
    assert values[records : 2 * records] == [problem] * records
    last = values[-1]
    assert isinstance(last, NotSentError)
    assert not last.outcome_unknown
    assert "not sent" in str(last)
    assert last.__cause__ is problem
    assert len(store.requests) == 2


def test_a_request_contains_fewer_changes_if_names_are_long() -> None:
    long = [sets(ClientQuotaEntity(user=f"{number:010000}")) for number in range(250)]
    assert [len(batch) for batch in batches_module.batches(long)] == [104, 104, 42]


def test_overlong_names_are_an_error_before_anything_is_sent(
    store: QuotaStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches_module, "MAX_RECORDS", 100)
    too_long = sets(ClientQuotaEntity(user="x" * 40_000))
    with pytest.raises(EncodeError, match="entity_name"):
        alter(store, *many(100), too_long)
    assert store.requests == []


def test_a_call_waits_for_a_new_controller(store: QuotaStore) -> None:
    codes = iter([ErrorCode.NOT_CONTROLLER, ErrorCode.NOT_CONTROLLER, ErrorCode.NONE])
    store.answer_with = lambda entry: replace(entry, error_code=int(next(codes)))
    assert alter(store, sets(ALICE)) == {ALICE: None}
    assert len(store.requests) == 3


@pytest.mark.parametrize("validate_only", [False, True])
def test_a_failed_retry_after_not_controller_leaves_the_outcome_unknown(
    store: QuotaStore, *, validate_only: bool
) -> None:
    """The old controller may have written the records before it answered NOT_CONTROLLER."""
    store.answer_with = lambda entry: replace(entry, error_code=int(ErrorCode.NOT_CONTROLLER))
    store.before = fail_at(2, BrokerConnectionError("no connection"))
    with pytest.raises(BrokerConnectionError) as raised:
        alter(store, sets(ALICE), validate_only=validate_only)
    assert raised.value.outcome_unknown is not validate_only


def test_a_timeout_of_the_controller_leaves_the_outcome_unknown(store: QuotaStore) -> None:
    store.answer_with = lambda entry: replace(entry, error_code=int(ErrorCode.REQUEST_TIMED_OUT))
    error = alter(store, sets(ALICE))[ALICE]
    assert isinstance(error, BrokerError)
    assert error.outcome_unknown
    assert "the outcome is unknown" in str(error)
    assert len(store.requests) == 1
    validated = alter(store, sets(ALICE), validate_only=True)[ALICE]
    assert isinstance(validated, BrokerError)


def test_resolving_sends_one_describe_request(store: QuotaStore) -> None:
    store.entries = {DEFAULT: {RATE: 3.0}, ALICE: {RATE: 2.0}}
    clients = [ClientQuotaEntity(user=name, client_id="c") for name in ("alice", "carol")]
    resolved = asyncio.run(resolve_client_quotas(QuotaCluster(store), clients))
    assert resolved == {
        clients[0]: {RATE: ResolvedQuota(2.0, ALICE)},
        clients[1]: {RATE: ResolvedQuota(3.0, DEFAULT)},
    }
    assert [type(request).__name__ for request in store.requests] == ["DescribeClientQuotasRequest"]
