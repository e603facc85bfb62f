"""Observers match responses to requests, pass on unreadable traffic, and refuse invalid traffic."""

from __future__ import annotations

import tracemalloc
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka
from messagegen_kafka import (
    DecodeError,
    MetadataRequest,
    MetadataResponse,
    Observer,
    ProduceRequest,
    ReceivedRequest,
    ReceivedResponse,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
    SaslToken,
    SessionError,
    UnreadableFrame,
)
from messagegen_kafka._runtime.session.protocol import MAX_CLIENT_ID_CHARACTERS, MAX_WAITING

DOCS: Final = Path(__file__).parents[3] / "docs"


def request(correlation_id: int, version: int = 12) -> bytes:
    return MetadataRequest().encode_frame(version=version, correlation_id=correlation_id, client_id="app")[4:]


def response(correlation_id: int, version: int = 12) -> bytes:
    return MetadataResponse().encode_frame(version=version, correlation_id=correlation_id)[4:]


def test_a_response_event_contains_its_request_and_context() -> None:
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


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (response(2), "sent correlation id 2, expected correlation id 1"),
        (response(7), "sent correlation id 7, expected correlation id 1"),
    ],
    ids=["the answer to a later request", "no request"],
)
def test_a_response_out_of_order_is_refused(payload: bytes, reason: str) -> None:
    observer = Observer(messagegen_kafka)
    for number in (1, 2, 3):
        observer.request(request(number))
    with pytest.raises(SessionError, match=reason):
        observer.response(payload)
    assert observer.waiting == 3


def test_a_response_without_a_request_is_refused() -> None:
    observer = Observer(messagegen_kafka)
    with pytest.raises(SessionError, match="sent a response with correlation id 7 without a request"):
        list(observer.from_broker(b"\0\0\0\6" + b"\0\0\0\7xx"))


def test_a_response_discards_all_earlier_requests_if_gaps_are_allowed() -> None:
    observer = Observer(messagegen_kafka, gaps=True)
    for number in (1, 2, 3):
        observer.request(request(number))
    observer.response(response(2))
    assert [observer.expects(number) for number in (1, 2, 3)] == [False, False, True]


def test_a_response_without_a_request_is_an_event_if_gaps_are_allowed() -> None:
    observer = Observer(messagegen_kafka, gaps=True)
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
    observer = Observer(messagegen_kafka, gaps=True)
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


def test_the_tagged_fields_of_a_header_are_read_on_demand() -> None:
    # Only the tagged fields of the header are missing.
    event = Observer(messagegen_kafka).request(request(7)[:13])
    assert isinstance(event, ReceivedRequest)
    assert (event.api_key, event.version, event.correlation_id, event.client_id) == (3, 12, 7, "app")
    with pytest.raises(SessionError, match="sent an invalid request header"):
        event.decode()


def test_a_header_without_client_id_has_eight_bytes() -> None:
    observer = Observer(messagegen_kafka)
    event = observer.request(bytes.fromhex("00070000 00000009 00000001"))
    assert isinstance(event, ReceivedRequest)
    assert (event.api_key, event.version, event.correlation_id, event.client_id) == (7, 0, 9, None)
    assert event.body == bytes.fromhex("00000001")


def test_the_oldest_requests_are_forgotten_at_the_limit_if_gaps_are_allowed() -> None:
    observer = Observer(messagegen_kafka, gaps=True)
    for number in range(2 * MAX_WAITING):
        observer.request(request(number))
    assert observer.waiting == MAX_WAITING
    assert not observer.expects(MAX_WAITING - 1)
    assert observer.expects(MAX_WAITING)
    assert observer.expects(2 * MAX_WAITING - 1)


def test_requests_above_the_maximum_of_waiting_requests_are_refused() -> None:
    observer = Observer(messagegen_kafka)
    for number in range(MAX_WAITING):
        observer.request(request(number))
    with pytest.raises(
        SessionError, match="sent more than can wait for responses: at most 10000 requests, and 1048576"
    ):
        observer.request(request(MAX_WAITING))
    assert observer.expects(0)


def test_a_correlation_id_in_use_is_refused() -> None:
    observer = Observer(messagegen_kafka)
    observer.request(request(7))
    with pytest.raises(SessionError, match="sent the correlation id of a request that waits for its response"):
        observer.request(request(7))


def test_a_correlation_id_can_be_used_again_after_its_response() -> None:
    observer = Observer(messagegen_kafka)
    for _ in range(2):
        observer.request(request(7))
        observer.response(response(7))
    assert observer.waiting == 0


def test_no_response_is_expected_for_a_produce_request_with_acks_0() -> None:
    observer = Observer(messagegen_kafka)
    for acks, waiting in ((0, 0), (1, 1)):
        frame = ProduceRequest(acks=acks).encode_frame(version=9, correlation_id=7, client_id="app")
        observer.request(frame[4:])
        assert observer.waiting == waiting


@pytest.mark.parametrize("version", ProduceRequest.VALID_VERSIONS)
def test_a_produce_request_is_read_only_up_to_acks(version: int) -> None:
    def frame_of(acks: int) -> bytes:
        return ProduceRequest(acks=acks).encode_frame(version=version, correlation_id=7, client_id="app")

    (last_of_acks,) = [at for at, (zero, one) in enumerate(zip(frame_of(0), frame_of(1), strict=True)) if zero != one]
    for acks, waiting in ((0, 0), (1, 1), (-1, 1)):
        observer = Observer(messagegen_kafka)
        # Decoding the rest of the frame might take minutes and gigabytes.
        event = observer.request(frame_of(acks)[4 : last_of_acks + 1] + b"\xff" * 20)
        assert isinstance(event, ReceivedRequest)
        assert observer.waiting == waiting
        with pytest.raises(SessionError, match="sent an invalid request"):
            event.decode()


@pytest.mark.parametrize("gaps", [False, True])
def test_client_ids_of_waiting_requests_take_little_memory(gaps: bool) -> None:
    observer = Observer(messagegen_kafka, gaps=gaps)
    refused = 0
    tracemalloc.start()
    try:
        for number in range(400):
            client_id = f"{number:05}" + "é" * 16_000
            payload = MetadataRequest().encode_frame(version=12, correlation_id=number, client_id=client_id)[4:]
            try:
                observer.request(payload)
            except SessionError:
                refused += 1
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 4 * MAX_CLIENT_ID_CHARACTERS
    assert bool(refused) != gaps


def test_equal_client_ids_count_only_once_against_the_limit() -> None:
    observer = Observer(messagegen_kafka)
    for number in range(400):
        frame = MetadataRequest().encode_frame(version=12, correlation_id=number, client_id="x" * 30_000)
        observer.request(frame[4:])
    assert observer.waiting == 400


def handshake(version: int = 0) -> bytes:
    return SaslHandshakeRequest(mechanism="PLAIN").encode_frame(version=version, correlation_id=1)[4:]


def handshake_response(error_code: int) -> bytes:
    return SaslHandshakeResponse(error_code=error_code).encode_frame(version=0, correlation_id=1)[4:]


def may_send_token(observer: Observer) -> bool:
    return observer.may_send_token


TOKEN = b"\0alice\0secret"


@pytest.mark.parametrize("later", [request(2), b"\x01\x40\0\7\0\0\0\x02\0\3app body of an API that the package lacks"])
def test_bytes_after_an_accepted_handshake_are_tokens_until_a_request_begins(later: bytes) -> None:
    observer = Observer(messagegen_kafka)
    observer.request(handshake())
    assert not may_send_token(observer)
    assert isinstance(observer.response(handshake_response(0)), ReceivedResponse)
    assert may_send_token(observer)
    assert isinstance(observer.request(TOKEN), SaslToken)
    assert observer.expects_token
    assert isinstance(observer.response(b""), SaslToken)
    assert isinstance(observer.request(later), ReceivedRequest)
    assert not may_send_token(observer)


@pytest.mark.parametrize(("version", "error_code"), [(0, 33), (0, 34), (1, 0)])
def test_no_token_is_expected_after_a_refused_or_version_1_handshake(version: int, error_code: int) -> None:
    observer = Observer(messagegen_kafka)
    observer.request(handshake(version))
    observer.response(handshake_response(error_code))
    assert not isinstance(observer.request(TOKEN), SaslToken)


def test_bytes_before_the_answer_to_a_handshake_are_refused() -> None:
    observer = Observer(messagegen_kafka)
    observer.request(handshake())
    with pytest.raises(SessionError, match="sent bytes before SaslHandshake version 0 was answered"):
        observer.request(TOKEN)


def test_an_observer_with_gaps_accepts_tokens_after_an_unanswered_handshake() -> None:
    observer = Observer(messagegen_kafka, gaps=True)
    observer.request(handshake())
    assert isinstance(observer.request(TOKEN), SaslToken)
    assert isinstance(observer.request(TOKEN), SaslToken)
    assert isinstance(observer.request(request(2)), ReceivedRequest)
    assert observer.waiting == 4


def logged_in() -> Observer:
    observer = Observer(messagegen_kafka)
    observer.request(handshake())
    observer.response(handshake_response(0))
    observer.request(TOKEN)
    return observer


def test_the_last_token_of_a_login_can_stay_unanswered() -> None:
    observer = logged_in()
    observer.request(request(2))
    event = observer.response(response(2))
    assert isinstance(event, ReceivedResponse)
    assert (event.correlation_id, event.api_key) == (2, MetadataRequest.API_KEY)


def test_a_response_out_of_order_is_not_taken_for_a_token() -> None:
    observer = logged_in()
    for number in (2, 3):
        observer.request(request(number))
    with pytest.raises(SessionError, match="sent correlation id 3, expected correlation id 2"):
        observer.response(response(3))


def test_acks_are_read_after_a_string_that_is_not_utf8() -> None:
    observer = logged_in()
    frame = ProduceRequest(transactional_id="ab", acks=0).encode_frame(version=9, correlation_id=5, client_id="c")
    assert observer.waiting == 1
    observer.request(frame[4:].replace(b"ab", b"\xff\xfe"))
    assert observer.waiting == 1
    observer.request(request(9))
    assert isinstance(observer.response(response(9)), ReceivedResponse)


def test_a_token_is_refused_until_the_previous_token_is_answered() -> None:
    observer = logged_in()
    with pytest.raises(SessionError, match="sent a SASL token before the last one was answered"):
        observer.request(TOKEN)


CLIENT_IDS = st.one_of(
    st.integers(-(1 << 15), -1).map(lambda length: length.to_bytes(2, "big", signed=True)),
    st.integers(0, (1 << 15) - 1).map(lambda length: length.to_bytes(2, "big") + b"\xff" * length),
)
"""The client ids that a broker accepts: null as any negative length, and any bytes."""


@given(key=st.sampled_from(range(100)), version=st.integers(0, 40), client_id=CLIENT_IDS, body=st.binary(max_size=30))
def test_a_request_after_a_login_is_never_taken_for_a_token(
    key: int, version: int, client_id: bytes, body: bytes
) -> None:
    observer = logged_in()
    observer.response(b"")
    head = key.to_bytes(2, "big") + version.to_bytes(2, "big") + (7).to_bytes(4, "big")
    assert not isinstance(observer.request(head + client_id + body), SaslToken)


@pytest.mark.parametrize("reader", ["from_client", "from_broker"])
@given(data=st.binary(max_size=100))
def test_random_bytes_give_events_or_errors(reader: str, data: bytes) -> None:
    observer = Observer(messagegen_kafka)
    observer.request(request(7))
    with suppress(SessionError):
        for event in getattr(observer, reader)(len(data).to_bytes(4, "big") + data):
            if isinstance(event, UnreadableFrame):
                assert isinstance(event.error.__cause__, DecodeError)


@pytest.mark.parametrize("page", ["generated-api.md", "quickstart/proxy.md", "design/030-session.md"])
def test_the_documentation_states_the_limits(page: str) -> None:
    text = " ".join((DOCS / page).read_text(encoding="utf-8").split())
    assert f"{MAX_WAITING:,} requests" in text
    assert f"{MAX_CLIENT_ID_CHARACTERS:,} characters" in text
