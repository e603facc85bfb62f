"""The client's side: versions, the fallback of KIP-511, requests without answers, tokens, and what is unexpected."""

from __future__ import annotations

import pytest

import messagegen_kafka
from messagegen_kafka import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    BrokerSession,
    ClientSession,
    DescribeClientQuotasRequest,
    EncodeError,
    MetadataRequest,
    MetadataResponse,
    NoCommonVersionError,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
    SessionError,
)
from messagegen_kafka._runtime.session import ReceivedResponse, SaslToken, SentRequest, VersionsRefused
from messagegen_kafka.api_versions_response import ApiVersion


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
    assert [type(event) for event in client.receive(answer(sent, offering(*entries)))] == [ReceivedResponse]
    return client


def test_the_highest_common_version_is_sent() -> None:
    client = negotiated((MetadataRequest.API_KEY, 0, 9))
    assert client.send(MetadataRequest()).version == 9
    assert negotiated((MetadataRequest.API_KEY, 0, 99)).send(MetadataRequest()).version == 13


def test_no_common_version_is_an_error_that_names_both_ranges_and_sends_nothing() -> None:
    client = negotiated((MetadataRequest.API_KEY, 50, 60))
    with pytest.raises(NoCommonVersionError, match=r"MetadataRequest versions 50 to 60, this side 0 to 13: no common"):
        client.send(MetadataRequest())
    with pytest.raises(NoCommonVersionError, match=r"does not support DescribeClientQuotasRequest \(API key 48\)"):
        client.send(DescribeClientQuotasRequest())
    assert client.waiting == 0


def test_a_request_that_its_version_cannot_hold_leaves_the_session_as_it_was() -> None:
    client = new_client()
    with pytest.raises(EncodeError):
        client.send(MetadataRequest(topics=None), version=0)
    assert client.waiting == 0
    assert client.send(MetadataRequest()).correlation_id == 0


@pytest.mark.parametrize(
    ("offered", "again"),
    [
        (offering((ApiVersionsRequest.API_KEY, 0, 2), error_code=35), 2),
        (offering(error_code=35), 0),
    ],
    ids=["the broker says its versions", "an old broker says none"],
)
def test_a_refused_version_of_api_versions_is_sent_again(offered: ApiVersionsResponse, again: int) -> None:
    client = new_client()
    sent = client.send(ApiVersionsRequest())
    (event,) = client.receive(answer(sent, offered, version=0))
    assert isinstance(event, VersionsRefused)
    assert event.sent.version == again
    assert client.offered is None
    (response,) = client.receive(answer(event.sent, offering((3, 0, 5))))
    assert isinstance(response, ReceivedResponse)
    assert client.offered == {3: (0, 5)}


def test_a_broker_that_refuses_every_version_is_an_error() -> None:
    client = new_client()
    sent = client.send(ApiVersionsRequest())
    refusal = offering((ApiVersionsRequest.API_KEY, 50, 60), error_code=35)
    with pytest.raises(SessionError, match=r"refuses ApiVersions version 5, and supports 50 to 60"):
        list(client.receive(answer(sent, refusal, version=0)))


def test_an_answer_to_another_request_is_an_error() -> None:
    client = new_client()
    client.send(MetadataRequest(), version=12)
    frame = MetadataResponse().encode_frame(version=12, correlation_id=7)
    expected = r"response \(correlation id 7, API key 3, version 12\): expected the correlation id 0"
    with pytest.raises(SessionError, match=expected) as caught:
        list(client.receive(frame))
    assert (caught.value.correlation_id, caught.value.api_key, caught.value.version) == (7, 3, 12)


def test_bytes_without_a_request_are_an_error() -> None:
    with pytest.raises(SessionError, match="no request waits for these 4 bytes"):
        list(new_client().receive(b"\0\0\0\4abcd"))


def test_a_body_that_cannot_be_read_is_an_error_when_it_is_decoded() -> None:
    client = new_client()
    sent = client.send(MetadataRequest(), version=12)
    frame = answer(sent, MetadataResponse())
    cut = (len(frame) - 4 - 3).to_bytes(4, "big") + frame[4:-3]
    (event,) = client.receive(cut)
    assert isinstance(event, ReceivedResponse)
    with pytest.raises(SessionError, match=r"response \(correlation id 0, API key 3, version 12\): invalid message"):
        event.decode()


def test_tokens_of_an_old_login_have_no_header() -> None:
    client, broker = new_client(), BrokerSession(messagegen_kafka)
    sent = client.send(SaslHandshakeRequest(mechanism="PLAIN"), version=0)
    (handshake,) = broker.receive(sent.frame)
    frame = broker.respond(handshake, SaslHandshakeResponse(mechanisms=("PLAIN",)))  # type: ignore[arg-type]
    (event,) = client.receive(frame)
    assert isinstance(event, ReceivedResponse)
    (token,) = broker.receive(client.send_token(b"\0alice\0secret"))
    assert isinstance(token, SaslToken)
    assert token.token == b"\0alice\0secret"
    assert "secret" not in repr(token)
    broker.expects_tokens = False
    (reply,) = client.receive(broker.send_token(b""))
    assert isinstance(reply, SaslToken)
    (request,) = broker.receive(client.send(MetadataRequest(), version=12).frame)
    assert request.decode() == MetadataRequest()  # type: ignore[union-attr]


def test_correlation_ids_begin_again_after_the_last_int32() -> None:
    client = ClientSession(messagegen_kafka, first_correlation_id=2**31 - 1)
    ids = [client.send(MetadataRequest(), version=12).correlation_id for _ in range(2)]
    assert ids == [2**31 - 1, 0]
