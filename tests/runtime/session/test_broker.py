"""The broker's side: the order of answers, unknown APIs and versions, requests without answers, and client ids."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path
from typing import Any, Final

import pytest

import messagegen_kafka
from messagegen import load
from messagegen_kafka import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    BrokerSession,
    ClientSession,
    MetadataRequest,
    MetadataResponse,
    Observer,
    ProduceRequest,
    ReceivedRequest,
    ReceivedResponse,
    Request,
    SessionError,
)
from messagegen_kafka._runtime.session.protocol import MAX_CLIENT_ID_CHARACTERS, MAX_WAITING
from messagegen_kafka.metadata_request import MetadataRequestTopic

SPECS: Final = Path(__file__).parents[3] / "message_specs"


def received(session: BrokerSession, frame: bytes) -> ReceivedRequest:
    (event,) = session.receive(frame)
    assert isinstance(event, ReceivedRequest)
    return event


def test_answers_are_sent_in_the_order_of_the_requests() -> None:
    client, broker = ClientSession(messagegen_kafka), BrokerSession(messagegen_kafka)
    first = received(broker, client.send(MetadataRequest(), version=12).frame)
    second = received(broker, client.send(MetadataRequest(), version=1).frame)
    assert broker.respond(second, MetadataResponse()) == b""
    both = broker.respond(first, MetadataResponse(cluster_id="c"))
    assert [event.version for event in client.receive(both)] == [12, 1]
    with pytest.raises(SessionError, match="expects no response, or has one"):
        broker.respond(first, MetadataResponse())


def test_a_request_of_an_unknown_api_is_an_event_without_a_message() -> None:
    broker = BrokerSession(messagegen_kafka)
    head = (12_345).to_bytes(2, "big") + b"\0\1" + b"\0\0\0\7" + b"\0\3app" + b"body"
    request = received(broker, len(head).to_bytes(4, "big") + head)
    assert (request.api_key, request.version, request.correlation_id) == (12_345, 1, 7)
    assert (request.client_id, request.supported, request.message_class) == ("app", False, None)
    with pytest.raises(SessionError, match="the package has no such API or version"):
        request.decode()


@pytest.mark.parametrize(("api_key", "version"), [(3, 99), (3, -1), (18, 99), (12_345, 0)])
def test_an_unsupported_request_cannot_be_answered(api_key: int, version: int) -> None:
    broker = BrokerSession(messagegen_kafka)
    numbers = api_key.to_bytes(2, "big") + version.to_bytes(2, "big", signed=True)
    head = numbers + b"\0\0\0\7" + b"\xff\xff"
    request = received(broker, len(head).to_bytes(4, "big") + head)
    response = ApiVersionsResponse() if api_key == ApiVersionsRequest.API_KEY else MetadataResponse()
    with pytest.raises(SessionError, match="the package has no such API or version"):
        broker.respond(request, response)
    assert broker.unanswered == 1


def test_an_unknown_version_of_api_versions_is_answered_in_version_0() -> None:
    client, broker = ClientSession(messagegen_kafka), BrokerSession(messagegen_kafka)
    sent = client.send(ApiVersionsRequest())
    newer = bytearray(sent.frame)
    newer[6:8] = (99).to_bytes(2, "big")
    request = received(broker, bytes(newer))
    assert not request.supported
    (event,) = client.receive(broker.refuse_version(request, {18: (0, 4), 3: (0, 9)}))
    assert isinstance(event, ReceivedResponse)
    assert event.refused
    again = received(broker, client.send(ApiVersionsRequest()).frame)
    assert again.version == 4
    response = broker.respond(again, ApiVersionsResponse())
    assert [event.decode() for event in client.receive(response)] == [ApiVersionsResponse()]


def test_only_api_versions_can_be_refused() -> None:
    client, broker = ClientSession(messagegen_kafka), BrokerSession(messagegen_kafka)
    request = received(broker, client.send(MetadataRequest(), version=12).frame)
    with pytest.raises(SessionError, match="close the connection"):
        broker.refuse_version(request, {})


@pytest.mark.parametrize("session", [BrokerSession, Observer])
def test_later_requests_can_omit_the_client_id(session: type[BrokerSession | Observer]) -> None:
    made = session(messagegen_kafka)
    take = made.receive if isinstance(made, BrokerSession) else made.from_client
    found: list[str | None] = []
    for number, client_id in enumerate((None, "app", None, "other")):
        frame = MetadataRequest().encode_frame(version=12, correlation_id=number, client_id=client_id)
        found += [event.client_id for event in take(frame)]  # type: ignore[union-attr]
    assert found == [None, "app", "app", "other"]


def test_a_header_that_cannot_be_read_is_an_error() -> None:
    broker = BrokerSession(messagegen_kafka)
    with pytest.raises(SessionError, match="request: sent an invalid request header: request_api_version"):
        list(broker.receive(b"\0\0\0\3abc"))
    broker = BrokerSession(messagegen_kafka)
    with pytest.raises(SessionError, match=r"request \(correlation id 7, API key 3, version 12\): sent an invalid"):
        list(broker.receive(b"\0\0\0\x0a" + b"\0\3\0\x0c\0\0\0\7\0\x09"))


def test_a_request_without_an_answer_does_not_hold_up_later_answers() -> None:
    client, broker = ClientSession(messagegen_kafka), BrokerSession(messagegen_kafka)
    first = received(broker, client.send(MetadataRequest(), version=12).frame)
    second = received(broker, client.send(MetadataRequest(), version=12).frame)
    assert broker.respond(second, MetadataResponse()) == b""
    assert len(broker.respond_frame(first, b"")) > 0
    assert broker.unanswered == 0


REQUESTS = [
    cls
    for key in range(100)
    for cls in messagegen_kafka.message_classes("request", key)
    if cls.VALID_VERSIONS and cls.RESPONSE is not None
]


@pytest.mark.parametrize("request_class", REQUESTS)
def test_a_request_is_answered_only_by_its_own_response(request_class: type[Request]) -> None:
    client, broker = ClientSession(messagegen_kafka), BrokerSession(messagegen_kafka)
    message = ProduceRequest(acks=-1) if request_class is ProduceRequest else request_class()
    sent = client.send(message, version=request_class.VALID_VERSIONS[-1])
    request = received(broker, sent.frame)
    own = request_class.RESPONSE
    assert own is not None
    for other in REQUESTS:
        assert other.RESPONSE is not None
        for wrong in (other(), other.RESPONSE()):
            if isinstance(wrong, own):
                continue
            error = f"expected messagegen_kafka.{own.__name__}, found messagegen_kafka.{type(wrong).__name__}"
            with pytest.raises(TypeError, match=f"^{error}$"):
                broker.respond(request, wrong)  # type: ignore[arg-type]
    assert broker.unanswered == 1
    (event,) = client.receive(broker.respond(request, own()))
    assert event.request is sent


def test_a_response_from_a_different_package_is_refused() -> None:
    other = load(SPECS, messages=("MetadataRequest", "MetadataResponse"))
    client, broker = ClientSession(messagegen_kafka), BrokerSession(messagegen_kafka)
    request = received(broker, client.send(MetadataRequest(), version=12).frame)
    expected = rf"expected messagegen_kafka\.MetadataResponse, found {re.escape(other.__name__)}\.MetadataResponse"
    with pytest.raises(TypeError, match=expected):
        broker.respond(request, other.MetadataResponse())


def test_answers_in_reverse_order_leave_in_the_order_of_the_requests() -> None:
    client, broker = ClientSession(messagegen_kafka), BrokerSession(messagegen_kafka)
    requests = [received(broker, client.send(MetadataRequest(), version=12).frame) for _ in range(MAX_WAITING)]
    *early, last = [broker.respond(request, MetadataResponse()) for request in reversed(requests)]
    assert set(early) == {b""}
    answers: Any = client.receive(last)
    assert [event.correlation_id for event in answers] == list(range(MAX_WAITING))
    assert broker.unanswered == 0


def test_requests_above_the_maximum_of_waiting_requests_are_refused() -> None:
    client, broker = ClientSession(messagegen_kafka), BrokerSession(messagegen_kafka)
    frame = client.send(MetadataRequest(), version=12).frame
    assert len(list(broker.receive(frame * MAX_WAITING))) == MAX_WAITING
    with pytest.raises(SessionError, match=f"sent more than can wait for responses: at most {MAX_WAITING} requests,"):
        list(broker.receive(frame))


def test_client_ids_of_waiting_requests_take_little_memory() -> None:
    broker = BrokerSession(messagegen_kafka)
    reason = ""
    tracemalloc.start()
    try:
        for number in range(400):
            try:
                received(broker, request_with(f"{number:05}" + "é" * 16_000, number))
            except SessionError as error:
                reason = error.reason
                break
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 4 * MAX_CLIENT_ID_CHARACTERS
    assert reason.endswith(f"{MAX_CLIENT_ID_CHARACTERS} characters of client ids that differ from the connection's")


@pytest.mark.parametrize("is_same", [True, False], ids=["the same", "others, each answered"])
def test_long_client_ids_are_accepted_if_equal_or_already_answered(is_same: bool) -> None:
    broker = BrokerSession(messagegen_kafka)
    for number in range(400):
        request = received(broker, request_with("x" * 30_000 if is_same else f"{number:030000}", number))
        if not is_same:
            broker.respond(request, MetadataResponse())
    assert broker.unanswered == (400 if is_same else 0)


def request_with(client_id: str, number: int) -> bytes:
    return MetadataRequest().encode_frame(version=12, correlation_id=number, client_id=client_id)


def test_a_session_stores_no_bytes_of_waiting_requests() -> None:
    broker = BrokerSession(messagegen_kafka)
    tracemalloc.start()
    try:
        for number in range(100):
            filler = MetadataRequestTopic(name="x" * 32_000)
            frame = MetadataRequest(topics=(filler,)).encode_frame(version=12, correlation_id=number)
            received(broker, frame)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 1_000_000
