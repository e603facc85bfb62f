"""Error rules for requests that name nothing: no struct in the answer can have the error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

import messagegen_kafka
from messagegen_kafka import (
    ApiVersionsRequest,
    ErrorCode,
    FetchRequest,
    FetchResponse,
    FindCoordinatorRequest,
    GetTelemetrySubscriptionsRequest,
    MetadataRequest,
    OffsetCommitRequest,
    ProduceRequest,
    PushTelemetryRequest,
    Request,
)
from messagegen_kafka.fetch_request import FetchPartition, FetchTopic
from messagegen_testing import ScriptedBroker, UnansweredRequestError, scripted_broker
from tests.testing.support.asking import Asker

Start = Callable[..., ScriptedBroker]

_TELEMETRY: Final = {GetTelemetrySubscriptionsRequest.API_KEY, PushTelemetryRequest.API_KEY}
"""The APIs that a scripted broker does not offer."""

REQUESTS: Final[list[Any]] = [
    cls
    for key in range(100)
    if key not in _TELEMETRY | {ApiVersionsRequest.API_KEY}
    for cls in messagegen_kafka.message_classes("request", key)
    if cls.VALID_VERSIONS
]

ORDERS: Final = FetchTopic(topic="orders", partitions=(FetchPartition(partition=0),))


def empty(request_class: Any, version: int) -> Any:
    """Return a request without elements; even arrays that may be null are empty."""
    arrays = {field.name: () for field in request_class.fields(version=version) if field.is_array}
    return request_class(**arrays, **({"acks": -1} if request_class is ProduceRequest else {}))


@pytest.mark.parametrize("code", ["UNKNOWN_SERVER_ERROR", "NOT_LEADER_OR_FOLLOWER", "NOT_COORDINATOR", "NONE"])
def test_each_request_without_elements_has_an_answer(scripted_broker: Start, code: str) -> None:
    broker = scripted_broker({"orders": 1})
    broker.when(Request).error(code)
    with Asker(broker.bootstrap) as asker:
        for request_class in REQUESTS:
            for version in request_class.VALID_VERSIONS:
                answer = asker.ask(empty(request_class, version), version=version)
                assert type(answer) is request_class.RESPONSE


def test_an_error_rule_is_used_only_for_a_request_with_elements(scripted_broker: Start) -> None:
    broker = scripted_broker({"orders": 1})
    rule = broker.when(FetchRequest, times=1).error("NOT_LEADER_OR_FOLLOWER")
    with Asker(broker.bootstrap) as asker:
        assert asker.ask(FetchRequest(), version=4) == FetchResponse()
        assert rule.used == 0
        answer = asker.ask(FetchRequest(topics=(ORDERS,)), version=4)
    assert answer.responses[0].partitions[0].error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert rule.used == 1


def test_an_error_none_rule_applies_to_an_empty_request(scripted_broker: Start) -> None:
    broker = scripted_broker({"orders": 1})
    rule = broker.when(OffsetCommitRequest).error("NONE")
    with Asker(broker.bootstrap) as asker:
        assert asker.ask(OffsetCommitRequest(), version=2).topics == ()
    assert rule.used == 1


def test_a_produce_request_with_acks_0_has_no_answer(scripted_broker: Start) -> None:
    broker = scripted_broker({"orders": 1})
    broker.when(ProduceRequest).error("NONE")
    with Asker(broker.bootstrap) as asker:
        asker.send(ProduceRequest(acks=0), version=9)
        assert asker.ask(MetadataRequest(topics=None), version=12).brokers


def test_an_error_rule_leaves_an_empty_request_to_a_later_rule(scripted_broker: Start) -> None:
    broker = scripted_broker({"orders": 1})
    broker.when(FetchRequest, times=1).error("NOT_LEADER_OR_FOLLOWER")
    broker.when(FetchRequest, times=1).answer(FetchResponse(throttle_time_ms=7))
    with Asker(broker.bootstrap) as asker:
        assert asker.ask(FetchRequest(), version=4).throttle_time_ms == 7
        asker.ask(FetchRequest(topics=(ORDERS,)), version=4)


def test_a_request_without_elements_has_no_answer_if_no_rule_applies() -> None:
    def run() -> None:
        with scripted_broker({"orders": 1}) as broker, Asker(broker.bootstrap) as asker:
            asker.send(FetchRequest(), version=4)
            assert asker.received_until_the_end() == b""

    with pytest.raises(UnansweredRequestError, match="no answer for FetchRequest version 4"):
        run()


@pytest.mark.parametrize("version", [4, FindCoordinatorRequest.VALID_VERSIONS[-1]])
@pytest.mark.parametrize("has_rule", [False, True])
def test_find_coordinator_without_keys_has_an_empty_answer(
    scripted_broker: Start, version: int, *, has_rule: bool
) -> None:
    broker = scripted_broker()
    rule = broker.when(FindCoordinatorRequest).error("GROUP_AUTHORIZATION_FAILED") if has_rule else None
    with Asker(broker.bootstrap) as asker:
        assert asker.ask(FindCoordinatorRequest(), version=version).coordinators == ()
        if rule is not None:
            assert rule.used == 0
            asker.ask(FindCoordinatorRequest(coordinator_keys=("billing",)), version=version)
