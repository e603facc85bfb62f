"""The client's side: versions, KIP-511's fallback, requests without answers, tokens, and unexpected responses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka
from messagegen import load
from messagegen_kafka import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    BrokerSession,
    ClientSession,
    ClientSessionWithTokens,
    DecodeError,
    DescribeClientQuotasRequest,
    EncodeError,
    FrameSizeError,
    MetadataRequest,
    MetadataResponse,
    NoCommonVersionError,
    ProduceRequest,
    ReceivedRequest,
    ReceivedResponse,
    RequestHeader,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
    SaslToken,
    SentRequest,
    SessionError,
    UnsupportedVersionError,
)
from messagegen_kafka.api_versions_response import ApiVersion
from tests.support.stand_ins import Index, Integer

SPECS: Final = Path(__file__).parents[3] / "message_specs"


def new_client() -> ClientSession:
    return ClientSession(messagegen_kafka, client_id="app")


def offering(*entries: tuple[int, int, int], error_code: int = 0) -> ApiVersionsResponse:
    keys = [ApiVersion(api_key=key, min_version=lowest, max_version=highest) for key, lowest, highest in entries]
    return ApiVersionsResponse(error_code=error_code, api_keys=tuple(keys))


def answer(sent: SentRequest, response: messagegen_kafka.Response, version: int | None = None) -> bytes:
    used = sent.version if version is None else version
    return response.encode_frame(version=used, correlation_id=sent.correlation_id)


def negotiated(*entries: tuple[int, int, int]) -> ClientSession:
    client = new_client()
    sent = client.send(ApiVersionsRequest())
    event = only_response(client, answer(sent, offering(*entries)))
    assert event.request is sent
    return client


def only_response(client: ClientSession, data: bytes) -> ReceivedResponse:
    (event,) = client.receive(data)
    assert isinstance(event, ReceivedResponse)
    return event


def test_the_highest_common_version_is_sent() -> None:
    client = negotiated((MetadataRequest.API_KEY, 0, 9))
    assert client.send(MetadataRequest()).version == 9
    assert negotiated((MetadataRequest.API_KEY, 0, 99)).send(MetadataRequest()).version == 13


def test_the_error_about_no_common_version_names_both_ranges() -> None:
    client = negotiated((MetadataRequest.API_KEY, 50, 60))
    with pytest.raises(NoCommonVersionError, match=r"MetadataRequest versions 50 to 60, this side 0 to 13: no common"):
        client.send(MetadataRequest())
    with pytest.raises(NoCommonVersionError, match=r"does not support DescribeClientQuotasRequest \(API key 48\)"):
        client.send(DescribeClientQuotasRequest())
    assert client.waiting == 0


def test_a_request_that_cannot_be_encoded_leaves_the_session_unchanged() -> None:
    client = new_client()
    with pytest.raises(EncodeError):
        client.send(MetadataRequest(topics=None), version=0)
    assert client.waiting == 0
    assert client.send(MetadataRequest()).correlation_id == 0


def test_only_responses_to_api_versions_are_refusals() -> None:
    client = negotiated((SaslHandshakeRequest.API_KEY, 1, 1))
    sent = client.send(SaslHandshakeRequest(mechanism="PLAIN"))
    response = only_response(client, answer(sent, SaslHandshakeResponse(error_code=35)))
    assert (response.refused, response.version) == (False, 1)


@pytest.mark.parametrize(
    ("offered", "again"),
    [
        (offering((ApiVersionsRequest.API_KEY, 0, 2), error_code=35), 2),
        (offering(error_code=35), 0),
    ],
    ids=["the broker says its versions", "an old broker says none"],
)
def test_a_refused_api_versions_request_is_repeated_in_an_offered_version(
    offered: ApiVersionsResponse, again: int
) -> None:
    client = new_client()
    sent = client.send(ApiVersionsRequest())
    refusal = only_response(client, answer(sent, offered, version=0))
    assert (refusal.refused, refusal.version, refusal.request) == (True, 0, sent)
    second = client.send(ApiVersionsRequest())
    assert second.version == again
    response = only_response(client, answer(second, offering((3, 0, 5))))
    assert not response.refused
    assert client.offered == {3: (0, 5)}


def test_a_broker_that_refuses_every_version_is_an_error() -> None:
    client = new_client()
    refusal = offering((ApiVersionsRequest.API_KEY, 50, 60), error_code=35)
    assert only_response(client, answer(client.send(ApiVersionsRequest()), refusal, version=0)).refused
    with pytest.raises(NoCommonVersionError, match=r"ApiVersionsRequest versions 50 to"):
        client.send(ApiVersionsRequest())


def test_a_lower_version_is_sent_if_the_broker_refuses_an_offered_version() -> None:
    client = new_client()
    refusal = offering((ApiVersionsRequest.API_KEY, 0, 5), error_code=35)
    only_response(client, answer(client.send(ApiVersionsRequest()), refusal, version=0))
    assert client.send(ApiVersionsRequest()).version == 4


@pytest.mark.parametrize(
    ("version", "code", "name"),
    [(0, 35, "UNSUPPORTED_VERSION"), (0, 42, "INVALID_REQUEST"), (4, 42, "INVALID_REQUEST"), (4, 999, "UNKNOWN")],
)
def test_an_error_of_api_versions_is_raised_and_keeps_the_offered_versions(version: int, code: int, name: str) -> None:
    client = negotiated((MetadataRequest.API_KEY, 0, 9))
    sent = client.send(ApiVersionsRequest(), version=version)
    with pytest.raises(SessionError, match=f"answered ApiVersions with error code {name}") as caught:
        list(client.receive(answer(sent, offering(error_code=code))))
    assert (caught.value.api_key, caught.value.version) == (ApiVersionsRequest.API_KEY, version)
    assert client.offered == {MetadataRequest.API_KEY: (0, 9)}


@pytest.mark.parametrize(
    ("message", "error"),
    [
        (MetadataResponse(), "expected messagegen_kafka.MetadataRequest, found messagegen_kafka.MetadataResponse"),
        (RequestHeader(), "expected a request of messagegen_kafka, found messagegen_kafka.RequestHeader"),
        (7, "expected a request of messagegen_kafka, found builtins.int"),
    ],
)
def test_only_requests_can_be_sent(message: Any, error: str) -> None:
    client = new_client()
    with pytest.raises(TypeError, match=f"^{error}$"):
        client.send(message)
    assert client.waiting == 0
    assert client.send(MetadataRequest()).correlation_id == 0


@pytest.mark.parametrize("version", [-1, MetadataRequest.VALID_VERSIONS.stop, 32_768])
def test_a_request_is_not_sent_in_a_version_that_its_class_lacks(version: int) -> None:
    client = ClientSession(messagegen_kafka)
    with pytest.raises(UnsupportedVersionError, match=f"unknown version {version}; MetadataRequest has versions"):
        client.send(MetadataRequest(), version=version)
    assert client.waiting == 0
    assert client.send(MetadataRequest(), version=12).correlation_id == 0


def test_a_request_of_another_package_is_not_sent() -> None:
    other = load(SPECS, messages=("MetadataRequest", "MetadataResponse"))
    client = new_client()
    expected = rf"expected messagegen_kafka\.MetadataRequest, found {re.escape(other.__name__)}\.MetadataRequest"
    with pytest.raises(TypeError, match=expected):
        client.send(other.MetadataRequest())
    assert client.waiting == 0


def test_an_answer_to_another_request_is_an_error() -> None:
    client = new_client()
    client.send(MetadataRequest(), version=12)
    frame = MetadataResponse().encode_frame(version=12, correlation_id=7)
    expected = r"response \(correlation id 7, API key 3, version 12\): sent correlation id 7, expected 0"
    with pytest.raises(SessionError, match=expected) as caught:
        list(client.receive(frame))
    assert (caught.value.correlation_id, caught.value.api_key, caught.value.version) == (7, 3, 12)


def test_a_response_without_a_request_is_an_error_as_soon_as_its_size_is_received() -> None:
    with pytest.raises(SessionError, match="sent 8 bytes without a request"):
        list(new_client().receive(b"\0\0\0\x08"))


@pytest.mark.parametrize("size", [-1, 0, 3, 1001, 2**31 - 1])
def test_an_impossible_size_is_an_error_before_the_frame_is_received(size: int) -> None:
    client = ClientSession(messagegen_kafka, max_frame_size=1000)
    client.send(MetadataRequest())
    with pytest.raises(FrameSizeError) as caught:
        list(client.receive(size.to_bytes(4, "big", signed=True)))
    assert (caught.value.size, caught.value.smallest, caught.value.largest) == (size, 4, 1000)


def test_a_header_that_ends_early_is_an_error() -> None:
    client = new_client()
    client.send(MetadataRequest(), version=12)
    with pytest.raises(SessionError, match="sent an invalid response header") as caught:
        list(client.receive(b"\0\0\0\x04\0\0\0\0"))
    assert isinstance(caught.value.__cause__, DecodeError)


def test_responses_before_an_error_are_returned() -> None:
    client = new_client()
    good = answer(client.send(MetadataRequest()), MetadataResponse())
    client.send(MetadataRequest())
    found = client.receive(good + good)
    assert next(found).request is not None
    with pytest.raises(SessionError, match="sent correlation id 0, expected 1"):
        next(found)


@given(bodies=st.lists(st.binary(max_size=30), max_size=6), data=st.data())
def test_any_split_of_the_bytes_yields_the_same_responses(bodies: list[bytes], data: st.DataObject) -> None:
    client = new_client()
    sent = [client.send(MetadataRequest(), version=1) for _ in bodies]
    stream = b"".join(
        framed(request.correlation_id.to_bytes(4, "big") + body) for request, body in zip(sent, bodies, strict=True)
    )
    found: list[tuple[object, bytes]] = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        for event in client.receive(stream[:size]):
            assert isinstance(event, ReceivedResponse)
            found.append((event.request, event.body))
        stream = stream[size:]
    assert found == list(zip(sent, bodies, strict=True))
    assert client.pending == 0


def framed(payload: bytes) -> bytes:
    return len(payload).to_bytes(4, "big") + payload


def test_an_invalid_body_raises_an_error_when_it_is_decoded() -> None:
    client = new_client()
    sent = client.send(MetadataRequest(), version=12)
    frame = answer(sent, MetadataResponse())
    cut = (len(frame) - 4 - 3).to_bytes(4, "big") + frame[4:-3]
    (event,) = client.receive(cut)
    assert isinstance(event, ReceivedResponse)
    with pytest.raises(
        SessionError, match=r"response \(correlation id 0, API key 3, version 12\): sent an invalid response"
    ):
        event.decode()


def test_tokens_of_an_old_login_have_no_header() -> None:
    client, broker = ClientSessionWithTokens(messagegen_kafka), BrokerSession(messagegen_kafka)
    sent = client.send(SaslHandshakeRequest(mechanism="PLAIN"), version=0)
    (handshake,) = broker.receive(sent.frame)
    frame = broker.respond(handshake, SaslHandshakeResponse(mechanisms=("PLAIN",)))  # type: ignore[arg-type]
    (event,) = client.receive(frame)
    assert isinstance(event, ReceivedResponse)
    sent_token = client.send_token(b"\0alice\0secret")
    (token,) = broker.receive(sent_token.frame)
    assert isinstance(token, SaslToken)
    assert token.token == b"\0alice\0secret"
    assert "secret" not in repr(token)
    broker.expects_tokens = False
    (reply,) = client.receive(broker.send_token(b""))
    assert isinstance(reply, SaslToken)
    assert reply.request is sent_token
    assert "secret" not in repr(sent_token)
    (request,) = broker.receive(client.send(MetadataRequest(), version=12).frame)
    assert request.decode() == MetadataRequest()  # type: ignore[union-attr]


def test_tokens_can_be_empty_and_the_last_token_can_stay_unanswered() -> None:
    client = ClientSessionWithTokens(messagegen_kafka)
    first = client.send_token(b"token")
    second = client.send_token(b"")
    assert not client.send_token(b"the last one", expects_response=False).expects_response
    third = client.send(MetadataRequest(), version=12)
    stream = b"\0\0\0\x022." + b"\0\0\0\0" + answer(third, MetadataResponse())
    assert [event.request for event in client.receive(stream)] == [first, second, third]


def test_correlation_ids_restart_at_0_after_the_highest_int32() -> None:
    client = ClientSession(messagegen_kafka, first_correlation_id=2**31 - 1)
    ids = [client.send(MetadataRequest(), version=12).correlation_id for _ in range(2)]
    assert ids == [2**31 - 1, 0]


@pytest.mark.parametrize("acks", [0, Index(0), Integer(0)], ids=lambda acks: type(acks).__name__)
def test_requests_without_acks_wait_for_no_response(acks: Any) -> None:
    client = new_client()
    sent = client.send(ProduceRequest(acks=acks), version=9)
    assert not sent.expects_response
    assert client.waiting == 0


class SomeMetadata(MetadataResponse):
    pass


def test_events_decode_as_the_expected_class() -> None:
    client, broker = new_client(), BrokerSession(messagegen_kafka)
    sent = client.send(MetadataRequest(), version=12)
    (received,) = broker.receive(sent.frame)
    assert isinstance(received, ReceivedRequest)
    assert received.decode(MetadataRequest) == MetadataRequest()
    (event,) = client.receive(broker.respond(received, MetadataResponse(controller_id=3)))
    assert event.decode(MetadataResponse) == event.decode() == sent.decode(event)
    assert type(event.decode(SomeMetadata, lazy=True)) is SomeMetadata
    assert event.decode(SomeMetadata).controller_id == 3


def test_an_unexpected_class_is_an_error() -> None:
    client = new_client()
    sent = client.send(MetadataRequest(), version=12)
    (event,) = client.receive(answer(sent, MetadataResponse()))
    classes: tuple[Any, ...] = (
        ApiVersionsResponse,
        MetadataRequest,
        int,
        load(SPECS / "MetadataResponse.json").MetadataResponse,
    )
    for wrong in classes:
        with pytest.raises(TypeError, match=r"^expected messagegen_kafka\.MetadataResponse, found "):
            event.decode(wrong)
    message: Any = MetadataResponse()
    with pytest.raises(TypeError, match=r"^expected the class \S+\.MetadataResponse, found an instance of "):
        event.decode(message)


def test_a_request_decodes_only_its_own_response() -> None:
    client = new_client()
    first, second = (client.send(MetadataRequest(), version=12) for _ in range(2))
    (event,) = client.receive(answer(first, MetadataResponse(controller_id=1)))
    assert first.decode(event).controller_id == 1
    with pytest.raises(TypeError, match="expected the response to correlation id 1, found <ReceivedResponse Metadata"):
        second.decode(event)
