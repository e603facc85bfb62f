"""GSSAPI with a fake library: the tokens that are sent, and the client's errors after errors of the library."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from messagegen_client.errors import SaslAuthenticationError
from messagegen_client.security.settings import SaslCredentials, Security
from messagegen_client.transport.cluster import Cluster
from messagegen_kafka import (
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)
from tests.client.support.broker import FakeBroker, Received, Reply
from tests.client.support.event_loop import in_loop

SIGN_OR_ENCRYPT_OR_NEITHER = 7
LARGEST_MESSAGE = b"\0\x10\0"


class Context:
    """A security context that is complete after two answers from the broker."""

    def __init__(self, name: str, usage: str) -> None:
        assert usage == "initiate"
        self.name = name
        self.answers: list[bytes | None] = []

    @property
    def complete(self) -> bool:
        return len(self.answers) == 2

    def step(self, answer: bytes | None) -> bytes | None:
        self.answers.append(answer)
        return None if self.complete else b"ticket for " + self.name.encode()

    def unwrap(self, data: bytes) -> Any:
        assert data == b"wrapped offer"
        return SimpleNamespace(message=bytes([SIGN_OR_ENCRYPT_OR_NEITHER]) + LARGEST_MESSAGE)

    def wrap(self, data: bytes, encrypt: bool) -> Any:
        assert not encrypt
        return SimpleNamespace(message=b"wrapped " + data)


class Name:
    def __init__(self, text: str, name_type: str) -> None:
        assert name_type == "host-based"
        self.text = text

    def canonicalize(self, mechanism: str) -> str:
        assert mechanism == "krb5"
        return self.text


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return a fake ``gssapi`` with the parts that the client uses."""
    library = SimpleNamespace(
        Name=Name,
        NameType=SimpleNamespace(hostbased_service="host-based"),
        MechType=SimpleNamespace(kerberos="krb5"),
        SecurityContext=Context,
    )
    monkeypatch.setitem(sys.modules, "gssapi", library)
    return library


async def connect(answers: list[bytes], *, handshake_version: int = 1) -> list[bytes]:
    """Connect to a broker with these answers, and return the tokens that the broker receives."""
    tokens: list[bytes] = []

    async def handshake(received: Received) -> Reply:
        return SaslHandshakeResponse(mechanisms=("GSSAPI",))

    async def authenticate(received: Received) -> Reply:
        assert isinstance(received.request, SaslAuthenticateRequest)
        tokens.append(received.request.auth_bytes)
        return SaslAuthenticateResponse(auth_bytes=answers[len(tokens) - 1])

    def bare(connection: int, token: bytes) -> bytes | None:
        tokens.append(token)
        if len(tokens) == len(answers):
            broker.login_is_done(connection)
            return None  # The last token has no answer.
        return answers[len(tokens) - 1]

    broker = FakeBroker({SaslHandshakeRequest: handshake, SaslAuthenticateRequest: authenticate})
    broker.on_token = bare
    if handshake_version == 0:
        broker.offered[SaslHandshakeRequest.API_KEY] = (0, 0)
    security = Security(sasl=SaslCredentials(mechanism="GSSAPI", kerberos_service_name="kafka"))
    async with broker, Cluster(broker.config(security=security)) as cluster:
        await cluster.metadata(deadline=cluster.deadline(20))
    return tokens


@pytest.mark.parametrize("handshake_version", [0, 1])
@in_loop
async def test_a_gssapi_exchange_sends_a_ticket_and_an_empty_token_and_a_wrapped_response(
    handshake_version: int,
) -> None:
    answers = [b"proof", b"wrapped offer", b""]
    assert await connect(answers, handshake_version=handshake_version) == [
        b"ticket for kafka@127.0.0.1",
        b"",
        b"wrapped \x01" + LARGEST_MESSAGE + b"kafka@127.0.0.1",
    ]


@in_loop
async def test_a_library_error_is_replaced_by_a_hint_about_a_missing_ticket(
    library: SimpleNamespace,
) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError("secret")

    library.SecurityContext = fail
    with pytest.raises(SaslAuthenticationError, match="there may be no Kerberos ticket for it") as caught:
        await connect([])
    assert "secret" not in str(caught.value)
