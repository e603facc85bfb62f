"""OAUTHBEARER and GSSAPI: which tokens are sent, and what is said where there are none."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka import conn as library  # type: ignore[import-untyped]

from messagegen_client.errors import BootstrapError, ConfigError, SaslAuthenticationError
from messagegen_client.security.settings import SaslCredentials, Security, TokenSource
from messagegen_client.security.tokens import ClientCredentials
from messagegen_client.transport import connection
from messagegen_client.transport.cluster import Cluster
from messagegen_kafka import (
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)
from tests.client.fakes.broker import FakeBroker, Received, Reply, in_loop

SECRET = "s3cret/&"


def broker_with(*answers: SaslAuthenticateResponse) -> FakeBroker:
    left = iter(answers)

    async def handshake(received: Received) -> Reply:
        return SaslHandshakeResponse(mechanisms=("OAUTHBEARER", "GSSAPI"))

    async def authenticate(received: Received) -> Reply:
        return next(left)

    return FakeBroker({SaslHandshakeRequest: handshake, SaslAuthenticateRequest: authenticate})


async def connected(broker: FakeBroker, credentials: SaslCredentials) -> list[bytes]:
    """The tokens that the broker gets."""
    async with Cluster(broker.config(security=Security(sasl=credentials))) as cluster:
        await cluster.metadata(deadline=cluster.deadline(20))
    tokens = [one.request for one in broker.requests(SaslAuthenticateRequest)]
    return [token.auth_bytes for token in tokens if isinstance(token, SaslAuthenticateRequest)]


async def later() -> str:
    return "abc"


@pytest.mark.parametrize("source", [lambda: "abc", later])
@in_loop
async def test_a_token(source: TokenSource) -> None:
    async with broker_with(SaslAuthenticateResponse()) as broker:
        credentials = SaslCredentials(mechanism="OAUTHBEARER", token=source)
        assert await connected(broker, credentials) == [b"n,,\x01auth=Bearer abc\x01\x01"]


@in_loop
async def test_a_token_that_the_broker_rejects() -> None:
    async with broker_with(SaslAuthenticateResponse(auth_bytes=b'{"status":"invalid_token"}')) as broker:
        with pytest.raises(SaslAuthenticationError, match=r'rejected the token: {"status":"invalid_token"}'):
            await connected(broker, SaslCredentials(mechanism="OAUTHBEARER", token=lambda: "abc"))


class TokenEndpoint(BaseHTTPRequestHandler):
    """Gives the token "abc" to whoever knows the secret."""

    def do_POST(self) -> None:
        form = self.rfile.read(int(self.headers["Content-Length"])).decode()
        known = self.headers["Authorization"] == "Basic YXBwOnMzY3JldCUyRiUyNg=="  # app:s3cret%2F%26
        self.send_response(200 if known and form == "grant_type=client_credentials&scope=kafka" else 401)
        self.end_headers()
        self.wfile.write(json.dumps({"access_token": "abc"} if known else {"error": SECRET}).encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in the base
        """Silent."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), TokenEndpoint) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/token"
        server.shutdown()
        thread.join()


def test_a_token_of_an_endpoint(endpoint: str) -> None:
    @in_loop
    async def check(secret: str) -> None:
        source = ClientCredentials(url=endpoint, client_id="app", client_secret=secret, scope="kafka")
        async with broker_with(SaslAuthenticateResponse()) as broker:
            assert len(await connected(broker, SaslCredentials(mechanism="OAUTHBEARER", token=source))) == 1

    check(SECRET)
    with pytest.raises(BootstrapError, match=r"the token endpoint gave no token \(401\)") as caught:
        check("wrong")
    assert SECRET not in str(caught.value) + repr(caught.value)


class Context:
    """As gssapi's, for a broker that wants two tokens, and then offers layers."""

    def __init__(self, **arguments: Any) -> None:
        self.name = arguments["name"]
        self.steps = 0

    @property
    def complete(self) -> bool:
        return self.steps == 2

    def step(self, token: bytes | None) -> bytes:
        self.steps += 1
        return f"{self.name} {self.steps} {token!r}".encode()

    def unwrap(self, token: bytes) -> SimpleNamespace:
        return SimpleNamespace(message=token)

    def wrap(self, token: bytes, encrypt: bool) -> SimpleNamespace:
        return SimpleNamespace(message=b"wrapped " + token)


@in_loop
async def test_kerberos_asks_for_a_ticket_of_the_service_at_the_broker() -> None:
    library_of_kerberos = SimpleNamespace(
        Name=lambda name, name_type: SimpleNamespace(canonicalize=lambda mechanism: name),
        NameType=SimpleNamespace(hostbased_service=1),
        MechType=SimpleNamespace(kerberos=1),
        SecurityContext=Context,
    )
    answers = (b"one", b"\x07\0\0\0", b"")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "gssapi", library_of_kerberos)
        patch.setattr(connection, "gssapi", library_of_kerberos)
        async with broker_with(*(SaslAuthenticateResponse(auth_bytes=answer) for answer in answers)) as broker:
            tokens = await connected(broker, SaslCredentials(mechanism="GSSAPI", kerberos_service_name="kafka"))
    assert tokens[:2] == [b"kafka@127.0.0.1 1 None", b"kafka@127.0.0.1 2 b'one'"]
    assert tokens[2] == b"wrapped \x01\0\0\0kafka@127.0.0.1"


@pytest.mark.skipif(library.gssapi is not None, reason="gssapi is installed")
@in_loop
async def test_kerberos_without_its_library_is_said() -> None:
    async with broker_with() as broker:
        with pytest.raises(ConfigError, match="needs the Python library gssapi, which is not installed"):
            await connected(broker, SaslCredentials(mechanism="GSSAPI"))
