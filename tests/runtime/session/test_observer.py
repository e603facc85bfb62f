"""What an observer makes of traffic that it can't read, or of which it has missed something."""

from __future__ import annotations

import pytest

import messagegen_kafka
from messagegen_kafka import (
    MetadataRequest,
    MetadataResponse,
    Observer,
    ReceivedRequest,
    ReceivedResponse,
    SaslHandshakeRequest,
    SaslToken,
    SessionError,
    UnreadableFrame,
)


def request(correlation_id: int, version: int = 12) -> bytes:
    return MetadataRequest().encode_frame(version=version, correlation_id=correlation_id, client_id="app")[4:]


def response(correlation_id: int, version: int = 12) -> bytes:
    return MetadataResponse().encode_frame(version=version, correlation_id=correlation_id)[4:]


def test_a_response_has_the_request_and_what_the_program_put_there() -> None:
    observer = Observer(messagegen_kafka)
    asked = observer.request(request(7))
    assert isinstance(asked, ReceivedRequest)
    asked.in_flight.context = "at noon"
    assert observer.expects(7)
    answered = observer.response(response(7))
    assert isinstance(answered, ReceivedResponse)
    assert answered.request is asked.in_flight
    assert (asked.in_flight.context, asked.client_id) == ("at noon", "app")
    assert (answered.version, answered.decode()) == (12, MetadataResponse())
    assert not observer.expects(7)


def test_requests_before_an_answered_one_get_no_response() -> None:
    observer = Observer(messagegen_kafka)
    for number in (1, 2, 3):
        observer.request(request(number))
    observer.response(response(2))
    assert [observer.expects(number) for number in (1, 2, 3)] == [False, False, True]


def test_a_response_without_a_request_is_passed_on() -> None:
    observer = Observer(messagegen_kafka)
    (event,) = observer.from_broker(b"\0\0\0\6" + b"\0\0\0\7xx")
    assert isinstance(event, ReceivedResponse)
    assert (event.api_key, event.version, event.request, event.supported) == (None, None, None, False)
    assert event.frame == b"\0\0\0\6" + b"\0\0\0\7xx"


@pytest.mark.parametrize(
    ("payload", "is_answered"),
    [
        (b"\0\3\0", False),
        (b"\0\3\0\x0c\0\0\0\7\0\x09", True),
        (b"\0\3\0\x0c\0\0\0\7\0\1\xff", True),
    ],
    ids=["too short", "without the client id", "with a client id that is not UTF-8"],
)
def test_a_request_with_a_header_that_cannot_be_read_is_passed_on(payload: bytes, is_answered: bool) -> None:
    observer = Observer(messagegen_kafka)
    frame = len(payload).to_bytes(4, "big") + payload
    (event,) = observer.from_client(frame)
    assert isinstance(event, UnreadableFrame)
    assert (event.direction, event.frame) == ("request", frame)
    assert isinstance(event.error, SessionError)
    assert observer.expects(7) == is_answered
    answered = observer.response(response(7))
    assert isinstance(answered, ReceivedResponse)
    assert answered.request is event.in_flight
    assert answered.supported == is_answered


def test_a_response_that_is_too_short_is_passed_on() -> None:
    event = Observer(messagegen_kafka).response(b"\0\0")
    assert isinstance(event, UnreadableFrame)
    assert event.direction == "response"


def test_a_header_is_read_on_demand() -> None:
    # The tagged fields of the header are missing; all before them is there.
    event = Observer(messagegen_kafka).request(request(7)[:13])
    assert isinstance(event, ReceivedRequest)
    assert (event.api_key, event.version, event.correlation_id, event.client_id) == (3, 12, 7, "app")
    with pytest.raises(SessionError, match="sent an invalid request header"):
        event.decode()


def test_a_request_without_client_id_is_known_by_its_first_eight_bytes() -> None:
    observer = Observer(messagegen_kafka)
    event = observer.request(bytes.fromhex("00070000 00000009 00000001"))
    assert isinstance(event, ReceivedRequest)
    assert (event.api_key, event.version, event.correlation_id, event.client_id) == (7, 0, 9, None)
    assert event.body == bytes.fromhex("00000001")


def test_requests_that_nobody_answers_do_not_pile_up() -> None:
    observer = Observer(messagegen_kafka)
    for number in range(20_000):
        observer.request(request(number))
    assert not observer.expects(9_999)
    assert observer.expects(10_000)
    assert observer.expects(19_999)


@pytest.mark.parametrize("later", [request(2), b"\x01\x40\0\7\0\0\0\x02\0\3app body of an API that the package lacks"])
def test_tokens_follow_an_old_handshake_until_something_begins_like_a_request(later: bytes) -> None:
    observer = Observer(messagegen_kafka)
    handshake = SaslHandshakeRequest(mechanism="PLAIN").encode_frame(version=0, correlation_id=1)[4:]
    observer.request(handshake)
    assert observer.may_send_token
    assert isinstance(observer.request(b"\0alice\0secret"), SaslToken)
    assert isinstance(observer.response(b"\0\0\0\1\0\0\0\0\0\0"), ReceivedResponse)
    assert observer.expects_token
    assert isinstance(observer.response(b""), SaslToken)
    assert isinstance(observer.request(later), ReceivedRequest)
    assert not observer.may_send_token
