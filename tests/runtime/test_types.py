"""Types of requests, sessions and events in mypy, pyright and ty: a typed client passes, and misuses of it fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.type_checkers import CHECKERS, errors

CLIENT = '''\
"""A client whose calls return the response of their request."""

from typing import TypeVar, assert_type

from messagegen_kafka import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    ClientSession,
    ClientSessionWithTokens,
    InFlightRequest,
    MetadataRequest,
    MetadataResponse,
    Observer,
    ReceivedRequest,
    ReceivedResponse,
    Request,
    Response,
    SaslToken,
    SentRequest,
)

R = TypeVar("R", bound=Response)


class Client:
    def __init__(self, session: ClientSession) -> None:
        self.session = session
        self.answers: dict[SentRequest, ReceivedResponse[SentRequest]] = {}

    def receive(self, data: bytes) -> None:
        for event in self.session.receive(data):
            self.answers[event.request] = event

    def call(self, request: Request[R]) -> R:
        sent = self.session.send(request)
        assert_type(sent, SentRequest[R])
        return sent.decode(self.answers[sent])


def any_request(client: Client, request: Request) -> Response:
    sent: SentRequest = client.session.send(request)
    assert_type(sent.message, Request[Response])
    return client.call(request)


def response_class(request: Request[R]) -> type[R] | None:
    return request.RESPONSE


def use(client: Client, session: ClientSessionWithTokens, observer: Observer, received: ReceivedRequest) -> None:
    assert_type(client.call(MetadataRequest()), MetadataResponse)
    assert_type(client.call(MetadataRequest()).controller_id, int)
    assert_type(MetadataRequest.RESPONSE, type[MetadataResponse])
    assert_type(client.session.send(ApiVersionsRequest()).message, Request[ApiVersionsResponse])
    any_request(client, MetadataRequest())
    for event in client.session.receive(b""):
        assert_type(event, ReceivedResponse[SentRequest])
        assert_type(event.decode(MetadataResponse), MetadataResponse)
        assert_type(event.decode(MetadataResponse, lazy=True), MetadataResponse)
        assert_type(event.header.correlation_id, int)
        assert_type(event.request.frame, bytes)
    for either in session.receive(b""):
        assert_type(either, ReceivedResponse[SentRequest] | SaslToken)
    for seen in observer.from_broker(b""):
        if isinstance(seen, ReceivedResponse):
            assert_type(seen.request, InFlightRequest | None)
    assert_type(received.decode(MetadataRequest), MetadataRequest)
    assert_type(received.header.client_id, str | None)
    assert_type(received.header.request_api_key, int)
    assert_type(MetadataRequest.decode_frame(b"")[0].client_id, str | None)
    assert_type(MetadataResponse.decode_frame(b"", version=1)[0].correlation_id, int)
    assert_type(MetadataResponse.decode_frame(b"", version=1)[1], MetadataResponse)
'''

MISUSES = """

def misuse(client: Client, received: ReceivedRequest) -> None:
    client.call(MetadataResponse())  # error: a response is no request
    client.call(MetadataRequest()).api_keys  # error: another response has this field
    wrong: ApiVersionsResponse = client.call(MetadataRequest())  # error: the response of another request
    sent: SentRequest[ApiVersionsResponse] = client.session.send(MetadataRequest())  # error: likewise, sent
    client.session.send(MetadataRequest)  # error: a class is no request
    client.session.send_token(b"")  # error: this session has no tokens
    for event in client.session.receive(b""):
        event.decode(MetadataResponse).api_keys  # error: another response has this field
        event.decode(MetadataResponse())  # error: a message is no class
        event.header.client_id  # error: only requests have a client id
        client.session.send(MetadataRequest()).decode(event.payload)  # error: bytes are no response
    text: str = received.header.request_api_key  # error: a number is no text
    received.decode(MetadataRequest).brokers  # error: the response has this field
"""


@pytest.mark.slow
@pytest.mark.parametrize("checker", CHECKERS)
def test_type_checkers_accept_a_typed_client(tmp_path: Path, checker: str) -> None:
    found, output = errors(checker, tmp_path, {"client.py": CLIENT})
    assert not found, output


@pytest.mark.slow
@pytest.mark.parametrize("checker", CHECKERS)
def test_type_checkers_reject_each_misuse(tmp_path: Path, checker: str) -> None:
    text = CLIENT + MISUSES
    found, output = errors(checker, tmp_path, {"client.py": text})
    wrong = {("client.py", number) for number, line in enumerate(text.splitlines(), 1) if "# error" in line}
    assert len(wrong) >= 8
    assert found == wrong, output
