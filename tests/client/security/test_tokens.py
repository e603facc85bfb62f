"""OAUTHBEARER and GSSAPI: which tokens are sent, and what is said where there are none."""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka import conn as library  # type: ignore[import-untyped]

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import ConfigError, SaslAuthenticationError
from messagegen_client.security.settings import SaslCredentials, Security
from messagegen_client.transport.cluster import Cluster
from messagegen_kafka import (
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)
from tests.client.fakes.broker import FakeBroker, Received, Reply, in_loop


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


async def token() -> str:
    return "abc"


@in_loop
async def test_a_token() -> None:
    async with broker_with(SaslAuthenticateResponse()) as broker:
        credentials = SaslCredentials(mechanism="OAUTHBEARER", token=token)
        assert await connected(broker, credentials) == [b"n,,\x01auth=Bearer abc\x01\x01"]


@in_loop
async def test_a_token_in_a_file() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "a token")
        properties = {
            "security.protocol": "SASL_PLAINTEXT",
            "sasl.mechanism": "OAUTHBEARER",
            "sasl.oauthbearer.token.endpoint.url": f"file://{folder}/a%20token",
        }
        config, _ = ClientConfig.from_properties(properties, bootstrap_servers="localhost:9092")
        credentials = config.security.sasl
        assert credentials is not None
        async with broker_with(SaslAuthenticateResponse()) as broker:
            with pytest.raises(ConfigError, match=f"can't read a token from {file}: FileNotFoundError"):
                await connected(broker, credentials)
            file.write_text("abc\n")  # noqa: ASYNC240 - a test
            assert await connected(broker, credentials) == [b"n,,\x01auth=Bearer abc\x01\x01"]


@in_loop
async def test_a_token_that_the_broker_rejects() -> None:
    async with broker_with(SaslAuthenticateResponse(auth_bytes=b'{"status":"invalid_token"}')) as broker:
        with pytest.raises(SaslAuthenticationError, match=r'rejected the token: {"status":"invalid_token"}'):
            await connected(broker, SaslCredentials(mechanism="OAUTHBEARER", token=token))


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
