"""Rules select requests and connections, and may end."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from messagegen_kafka import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    ErrorCode,
    FetchRequest,
    FetchResponse,
    MetadataRequest,
    MetadataResponse,
    Request,
)
from messagegen_testing import (
    Connection,
    KafkaFaults,
    ScriptedBroker,
    SeenRequest,
    UnusedRuleError,
    scripted_broker,
)
from messagegen_testing.faults import NoFaultError
from tests.testing.support.asking import Asker, is_reset

Broker = Callable[..., ScriptedBroker]
Proxy = Callable[..., KafkaFaults]

_ALL = MetadataRequest(topics=None)


def clusters(address: str, count: int, *, client_id: str = "asker") -> list[str | None]:
    """Return the cluster ids in ``count`` answers, all on one connection."""
    with Asker(address, client_id=client_id) as asker:
        return [asker.ask(_ALL, version=12).cluster_id for _ in range(count)]


def rename(response: MetadataResponse, seen: SeenRequest[MetadataRequest]) -> MetadataResponse:
    return response.__replace__(cluster_id=f"{response.cluster_id} of {seen.client_id}")


class TestSelectors:
    def test_a_rule_with_after_2_applies_to_the_third_request(self, scripted_broker: Broker) -> None:
        broker = scripted_broker()
        rule = broker.when(MetadataRequest, after=2, times=1).edit(rename)
        assert clusters(broker.bootstrap, 4) == ["scripted", "scripted", "scripted of asker", "scripted"]
        assert rule.used == 1

    def test_the_option_after_counts_only_requests_of_the_selected_client(self, scripted_broker: Broker) -> None:
        broker = scripted_broker()
        broker.when(MetadataRequest, client_id="second", after=1).edit(rename)
        assert clusters(broker.bootstrap, 3, client_id="first") == ["scripted"] * 3
        assert clusters(broker.bootstrap, 2, client_id="second") == ["scripted", "scripted of second"]

    def test_a_seed_selects_the_same_requests_in_each_run(self) -> None:
        def drawn(seed: int) -> list[str | None]:
            with scripted_broker() as broker:
                broker.when(MetadataRequest, probability=0.5, seed=seed).edit(rename)
                return clusters(broker.bootstrap, 20)

        first, again, other = drawn(1), drawn(1), drawn(2)
        assert first == again
        assert first != other
        assert set(first) == {"scripted", "scripted of asker"}

    def test_the_base_class_selects_all_requests(self, scripted_broker: Broker) -> None:
        broker = scripted_broker()
        broker.when(Request, client_id="billing").hang_up()
        assert clusters(broker.bootstrap, 1) == ["scripted"]
        for request in (_ALL, ApiVersionsRequest()):
            with Asker(broker.bootstrap, client_id="billing") as asker:
                asker.send(request, version=1)
                assert asker.received_until_the_end() == b""
        names = [type(seen.message).__name__ for seen in broker.seen(Request)]
        assert names == ["MetadataRequest", "MetadataRequest", "ApiVersionsRequest"]


class TestEdit:
    def test_the_answer_of_a_broker_is_changed(self, scripted_broker: Broker, kafka_faults: Proxy) -> None:
        faults = kafka_faults(scripted_broker({"orders": 1}).bootstrap)
        faults.when(MetadataRequest).edit(rename)
        assert clusters(faults.bootstrap, 1) == ["scripted of asker"]

    def test_an_edit_that_changes_nothing_does_not_use_up_the_rule(self, scripted_broker: Broker) -> None:
        broker = scripted_broker()

        def second(response: MetadataResponse, _: object) -> MetadataResponse:
            return response if len(broker.seen(MetadataRequest)) < 2 else response.__replace__(cluster_id="changed")

        rule = broker.when(MetadataRequest, times=1).edit(second)
        assert clusters(broker.bootstrap, 3) == ["scripted", "changed", "scripted"]
        assert rule.used == 1

    def test_an_answer_of_the_wrong_class_is_an_error(self) -> None:
        def wrong(*_: object) -> FetchResponse:
            return FetchResponse()

        def run() -> None:
            with scripted_broker() as broker:
                broker.when(MetadataRequest).edit(wrong)
                with Asker(broker.bootstrap) as asker:
                    asker.send(_ALL, version=12)
                    assert asker.received_until_the_end() == b""

        with pytest.raises(NoFaultError, match="MetadataRequest is answered by MetadataResponse, not by FetchResponse"):
            run()

    def test_edits_combine_with_other_rules(self, scripted_broker: Broker) -> None:
        broker = scripted_broker({"orders": 1})
        broker.when(MetadataRequest).throttle(7)
        broker.when(MetadataRequest).edit(rename)
        broker.when(MetadataRequest, topic="orders").error("LEADER_NOT_AVAILABLE")
        with Asker(broker.bootstrap) as asker:
            answer = asker.ask(_ALL, version=12)
        assert (answer.throttle_time_ms, answer.cluster_id) == (7, "scripted of asker")
        assert answer.topics[0].error_code == ErrorCode.LEADER_NOT_AVAILABLE


class TestDuplicate:
    @pytest.mark.parametrize("ending", ["drop", "hang_up", "reset", "cut"])
    def test_no_duplicate_is_sent_if_another_fault_prevents_the_answer(
        self, scripted_broker: Broker, kafka_faults: Proxy, ending: str
    ) -> None:
        broker = scripted_broker()
        faults = kafka_faults(broker.bootstrap)
        faults.when(MetadataRequest, times=1).duplicate()
        rule = faults.when(MetadataRequest, times=1)
        getattr(rule, ending)()
        with Asker(faults.bootstrap) as asker:
            asker.send(_ALL, version=12)
            if ending == "drop":
                with pytest.raises(TimeoutError):
                    asker.receive(timeout=0.1)
            else:
                with suppress(ConnectionResetError):
                    assert asker.received_until_the_end() == b""
        assert rule.used == 1
        assert len(broker.seen(MetadataRequest)) == (1 if ending == "cut" else 0)


class TestHold:
    def test_a_request_waits_until_the_rule_ends(self, scripted_broker: Broker, kafka_faults: Proxy) -> None:
        broker = scripted_broker()
        faults = kafka_faults(broker.bootstrap)
        with Asker(faults.bootstrap) as asker:
            with faults.when(MetadataRequest).hold() as held:
                asker.send(_ALL, version=12)
                held.wait_until_used()
                assert broker.seen(MetadataRequest) == []
            assert asker.receive().cluster_id == "scripted"
            assert asker.ask(_ALL, version=12).cluster_id == "scripted"
        assert held.used == 1

    def test_all_held_requests_are_passed_on_when_the_rule_ends(self, scripted_broker: Broker) -> None:
        broker = scripted_broker()
        held = broker.when(MetadataRequest).hold()
        with Asker(broker.bootstrap) as first, Asker(broker.bootstrap) as second:
            for asker in (first, second):
                asker.send(_ALL, version=12)
            held.wait_until_used(2)
            held.end()
            for asker in (first, second):
                assert asker.receive().cluster_id == "scripted"

    def test_a_rule_can_end_after_the_broker_is_closed(self) -> None:
        with scripted_broker() as broker:
            held = broker.when(MetadataRequest).hold()
            asker = Asker(broker.bootstrap)
            asker.send(_ALL, version=12)
            held.wait_until_used()
        with asker:
            assert asker.received_until_the_end() == b""
        held.end()

    def test_a_timeout_lists_received_requests(self, scripted_broker: Broker) -> None:
        broker = scripted_broker()
        with broker.when(MetadataRequest).hold() as held:
            with pytest.raises(TimeoutError) as caught:
                held.wait_until_used(timeout=0.01)
            with Asker(broker.bootstrap) as asker:
                asker.send(_ALL, version=12)
                held.wait_until_used()
        assert str(caught.value) == (
            "expected 1 uses of when(MetadataRequest).hold() within 0.01 s, found 0;"
            " no client connected: does it connect to `bootstrap`?"
        )


class TestEnds:
    def test_an_ended_rule_is_not_applied(self, scripted_broker: Broker) -> None:
        broker = scripted_broker()
        with broker.when(MetadataRequest).edit(rename) as rule:
            assert clusters(broker.bootstrap, 2) == ["scripted of asker"] * 2
        assert clusters(broker.bootstrap, 1) == ["scripted"]
        assert rule.used == 2

    def test_a_rule_that_ended_unused_is_an_error(self) -> None:
        def run() -> None:
            with scripted_broker() as broker:
                broker.when(FetchRequest).drop().end()

        with pytest.raises(UnusedRuleError, match=r"never used: when\(FetchRequest\)\.drop\(\)"):
            run()

    def test_rules_can_end_during_traffic(self, scripted_broker: Broker) -> None:
        broker = scripted_broker()
        found: list[str | None] = []
        client = threading.Thread(target=lambda: found.extend(clusters(broker.bootstrap, 200)))
        with broker.when(MetadataRequest).edit(rename) as rule:
            client.start()
            rule.wait_until_used(5)
        client.join()
        assert found == ["scripted of asker"] * rule.used + ["scripted"] * (200 - rule.used)


def new_connection_is_reset(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
            return is_reset(connection)
    except ConnectionResetError:
        return True  # The connection was reset before `connect` returned.


class TestConnections:
    def test_a_connection_is_reset_without_an_answer(self, scripted_broker: Broker, kafka_faults: Proxy) -> None:
        broker = scripted_broker()
        faults = kafka_faults(broker.bootstrap)
        faults.when(MetadataRequest, times=1).reset()
        with Asker(faults.bootstrap) as asker:
            asker.ask(ApiVersionsRequest(), version=0)
            asker.send(_ALL, version=12)
            assert is_reset(asker.socket)
        assert broker.seen(MetadataRequest) == []
        assert clusters(faults.bootstrap, 1) == ["scripted"]

    @pytest.mark.parametrize(("method", "resets"), [("reset", True), ("hang_up", False)])
    def test_a_connection_ends_immediately(self, scripted_broker: Broker, method: str, *, resets: bool) -> None:
        broker = scripted_broker()
        rule = broker.when(Connection, after=1, times=1)
        getattr(rule, method)()
        assert clusters(broker.bootstrap, 1) == ["scripted"]
        assert new_connection_is_reset(broker.port) is resets
        assert clusters(broker.bootstrap, 1) == ["scripted"]
        assert rule.used == 1

    def test_a_connection_is_held(self, scripted_broker: Broker) -> None:
        broker = scripted_broker()
        with Asker(broker.bootstrap) as asker, broker.when(Connection).hold() as held:
            asker.send(ApiVersionsRequest(), version=0)
            with Asker(broker.bootstrap) as second:
                second.send(_ALL, version=12)
                held.wait_until_used()
                assert broker.seen(MetadataRequest) == []
                held.end()
                assert second.receive().cluster_id == "scripted"

    def test_nothing_is_answered_on_a_dropped_connection(self, scripted_broker: Broker) -> None:
        broker = scripted_broker()
        broker.when(Connection, times=1).drop()
        with Asker(broker.bootstrap) as asker:
            asker.send(_ALL, version=12)
            with pytest.raises(TimeoutError):
                asker.receive(timeout=0.1)
        assert broker.seen(MetadataRequest) == []

    def test_connections_are_selected_by_their_broker(self, scripted_broker: Broker, kafka_faults: Proxy) -> None:
        broker = scripted_broker()
        numbers: list[int] = []

        def is_broker(connection: Connection) -> bool:
            numbers.append(connection.number)
            return connection.broker == broker.bootstrap

        faults = kafka_faults(broker.bootstrap)
        faults.when(Connection, where=is_broker).delay(0)
        assert clusters(faults.bootstrap, 1) == ["scripted"]
        assert clusters(faults.bootstrap, 1) == ["scripted"]
        assert numbers == [1, 2]


@pytest.mark.parametrize(
    "error",
    [
        AssertionError("wrong"),
        ConnectionResetError("of a helper"),
        pytest.fail.Exception("wrong"),
        SystemExit("wrong"),
        KeyboardInterrupt(),
        asyncio.CancelledError(),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("place", ["where", "where of a connection", "answer", "edit"])
def test_exceptions_in_functions_of_the_test_fail_the_test(place: str, error: BaseException) -> None:
    def fail(*_: object) -> Any:
        raise error

    def run() -> None:
        with scripted_broker() as broker:
            if place == "where":
                broker.when(MetadataRequest, where=fail).reset()
            elif place == "where of a connection":
                broker.when(Connection, where=fail).reset()
            else:
                getattr(broker.when(MetadataRequest), place)(fail)
            with suppress(OSError), Asker(broker.bootstrap) as asker:
                asker.send(_ALL, version=12)
                assert asker.received_until_the_end() == b""

    with pytest.raises(type(error)) as caught:
        run()
    assert caught.value is error


def test_a_scripted_broker_also_gets_duplicates(scripted_broker: Broker) -> None:
    broker = scripted_broker()
    broker.when(MetadataRequest, times=1).duplicate()
    second = broker.when(MetadataRequest, after=1, times=1).edit(rename)
    assert clusters(broker.bootstrap, 2) == ["scripted of asker", "scripted"]
    assert second.used == 1


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        (lambda broker: broker.when(Connection, topic="orders"), "Connection has no topics: leave out topic='orders'"),
        (lambda broker: broker.when(Connection, client_id="a"), "Connection has no client id: leave out client_id='a'"),
        (lambda broker: broker.when(Request, partition=1), "Request has no partitions: leave out partition=1"),
        (lambda broker: broker.when(Connection).error("NONE"), "for a connection, found .error.'NONE'.: a connection"),
        (lambda broker: broker.when(Connection).cut(), r"expected .reset\(\), .hang_up\(\), .drop\(\), .delay\(\) or"),
        (lambda broker: broker.seen(Connection), "expected the class of a request, such as FetchRequest, got Connec"),
    ],
)
def test_wrong_arguments_are_reported(wrong: Callable[[ScriptedBroker], object], expected: str) -> None:
    with pytest.raises((TypeError, ValueError), match=expected):
        wrong(scripted_broker())


@pytest.mark.parametrize(
    ("method", "arguments", "is_possible"),
    [
        ("error", ["NONE"], False),
        ("answer", [MetadataResponse()], False),
        ("edit", [rename], False),
        ("throttle", [1], False),
        ("cut", [], False),
        ("duplicate", [], False),
        ("delay", [1], True),
        ("hold", [], True),
        ("drop", [], True),
        ("hang_up", [], True),
        ("reset", [], True),
    ],
)
def test_connections_accept_only_faults_without_an_answer(
    method: str, arguments: list[Any], *, is_possible: bool
) -> None:
    broker = scripted_broker()
    getattr(broker.when(MetadataRequest), method)(*arguments)
    rule = broker.when(Connection)
    if is_possible:
        getattr(rule, method)(*arguments)
        assert str(rule).startswith(f"when(Connection).{method}(")
        return
    with pytest.raises(ValueError, match=rf"for a connection, found \.{method}\("):
        getattr(rule, method)(*arguments)


def test_an_unused_rule_is_reported_with_its_selectors() -> None:
    def run() -> None:
        with scripted_broker() as broker:
            broker.when(FetchRequest, client_id="a", after=2, times=1, probability=0.5, seed=3).hold()

    with pytest.raises(UnusedRuleError) as caught:
        run()
    assert "when(FetchRequest, client_id='a', after=2, times=1, probability=0.5, seed=3).hold()" in str(caught.value)


def test_an_edit_accepts_a_function_with_specific_message_types() -> None:
    """The parameters of an edit's function may have the types of its messages."""

    def edit(response: ApiVersionsResponse, seen: SeenRequest[ApiVersionsRequest]) -> ApiVersionsResponse:
        return response.__replace__(throttle_time_ms=len(seen.message.client_software_name))

    with scripted_broker() as broker:
        broker.when(ApiVersionsRequest).edit(edit)
        with Asker(broker.bootstrap) as asker:
            assert asker.ask(ApiVersionsRequest(client_software_name="abc"), version=3).throttle_time_ms == 3
