"""OAUTHBEARER and GSSAPI: the tokens that are sent, and the errors if a token is missing."""

from __future__ import annotations

import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest

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
from tests.client.support.broker import FakeBroker, Received, Reply
from tests.client.support.event_loop import in_loop


def broker_with(*answers: SaslAuthenticateResponse) -> FakeBroker:
    left = iter(answers)

    async def handshake(received: Received) -> Reply:
        return SaslHandshakeResponse(mechanisms=("OAUTHBEARER", "GSSAPI"))

    async def authenticate(received: Received) -> Reply:
        return next(left)

    return FakeBroker({SaslHandshakeRequest: handshake, SaslAuthenticateRequest: authenticate})


async def connected(broker: FakeBroker, credentials: SaslCredentials) -> list[bytes]:
    """Connect, and return the tokens that the broker receives."""
    async with Cluster(broker.config(security=Security(sasl=credentials))) as cluster:
        await cluster.metadata(deadline=cluster.deadline(20))
    tokens = [one.request for one in broker.requests(SaslAuthenticateRequest)]
    return [token.auth_bytes for token in tokens if isinstance(token, SaslAuthenticateRequest)]


async def token() -> str:
    return "abc"


@in_loop
async def test_the_token_is_sent() -> None:
    async with broker_with(SaslAuthenticateResponse()) as broker:
        credentials = SaslCredentials(mechanism="OAUTHBEARER", token=token)
        assert await connected(broker, credentials) == [b"n,,\x01auth=Bearer abc\x01\x01"]


@in_loop
async def test_the_token_is_read_from_a_file_for_each_connection() -> None:
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


@pytest.mark.parametrize("problem", [OSError("secret"), RuntimeError("secret")])
@in_loop
async def test_the_error_names_the_exception_class_of_a_failed_token_function(problem: Exception) -> None:
    async def fail() -> str:
        raise problem

    async with broker_with() as broker:
        with pytest.raises(SaslAuthenticationError) as caught:
            await connected(broker, SaslCredentials(mechanism="OAUTHBEARER", token=fail))
    assert str(caught.value) == f"no token for OAUTHBEARER: the function for tokens raised {type(problem).__name__}"


@in_loop
async def test_a_rejected_token_is_an_error() -> None:
    async with broker_with(SaslAuthenticateResponse(auth_bytes=b'{"status":"invalid_token"}')) as broker:
        with pytest.raises(SaslAuthenticationError, match=r'rejected the token: {"status":"invalid_token"}'):
            await connected(broker, SaslCredentials(mechanism="OAUTHBEARER", token=token))


@pytest.mark.skipif(find_spec("gssapi") is not None, reason="gssapi is installed")
@in_loop
async def test_kerberos_without_its_library_is_an_error() -> None:
    async with broker_with() as broker:
        with pytest.raises(ConfigError, match="needs the Python library gssapi, which is not installed"):
            await connected(broker, SaslCredentials(mechanism="GSSAPI"))
