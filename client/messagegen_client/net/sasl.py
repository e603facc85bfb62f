"""SASL on a new connection: PLAIN (RFC 4616), SCRAM-SHA-256 and SCRAM-SHA-512 (RFC 5802, KIP-84)."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Final, Protocol, cast

import scramp  # type: ignore[import-untyped]  # no annotations; _ScramClient has what is used

from messagegen_client.errors import SaslAuthenticationError
from messagegen_client.net.connection import Connection
from messagegen_client.net.metadata import Broker
from messagegen_client.net.versions import highest_common
from messagegen_client.security.settings import SaslCredentials
from messagegen_kafka import (
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)
from messagegen_kafka.error_codes import ErrorCode

_HANDSHAKE_VERSIONS: Final = range(1, 2)
"""After version 0 the tokens would be sent without SaslAuthenticate (KIP-152)."""
_SCRAM_ITERATIONS: Final = range(4096, 100_001)
"""Fewer iterations are weak; more would let a broker waste time. Kafka allows 4,096 to 16,384."""
_ITERATIONS: Final = re.compile(r"(?:^|,)i=([^,]*)")
_SESSION_SHARE: Final = 0.85
"""The fraction of its session after which a connection is replaced, so that no request comes too late."""

_Exchange = Generator[bytes, bytes, None]
"""Yields the tokens to send, and receives the tokens of the broker."""


class _ScramClient(Protocol):
    """The methods of ``scramp.ScramClient`` that are used."""

    def get_client_first(self) -> str: ...
    def set_server_first(self, message: str) -> None: ...
    def get_client_final(self) -> str: ...
    def set_server_final(self, message: str) -> None: ...


async def authenticate(connection: Connection, credentials: SaslCredentials) -> float | None:
    """Authenticates the client. Returns the seconds after which the connection must be replaced, if limited (KIP-368).

    Raises ``SaslAuthenticationError``, whose text contains no secret.
    """
    await _handshake(connection, credentials.mechanism)
    exchange = _plain(credentials) if credentials.mechanism == "PLAIN" else _scram(credentials, connection.broker)
    version = highest_common(SaslAuthenticateRequest, connection.offered, None, connection.broker)
    token = next(exchange)
    while True:
        request = SaslAuthenticateRequest(auth_bytes=token)
        response = await connection.ask(request, SaslAuthenticateResponse, version)
        if response.error_code:
            raise _refused(connection.broker, credentials, response)
        try:
            token = exchange.send(response.auth_bytes)
        except StopIteration:
            lifetime = response.session_lifetime_ms
            return lifetime / 1000 * _SESSION_SHARE if lifetime > 0 else None


async def _handshake(connection: Connection, mechanism: str) -> None:
    broker = connection.broker
    version = highest_common(SaslHandshakeRequest, connection.offered, _HANDSHAKE_VERSIONS, broker)
    response = await connection.ask(SaslHandshakeRequest(mechanism=mechanism), SaslHandshakeResponse, version)
    code = ErrorCode(response.error_code)
    if code is ErrorCode.UNSUPPORTED_SASL_MECHANISM:
        enabled = ", ".join(response.mechanisms) or "none"
        raise SaslAuthenticationError(
            f"{broker} does not support {mechanism}; set sasl.mechanism to one of its mechanisms: {enabled}"
        )
    if code is ErrorCode.ILLEGAL_SASL_STATE:
        raise SaslAuthenticationError(
            f"{broker} does not use SASL on this port: set security.protocol to PLAINTEXT or SSL, or use another port"
        )
    if code:
        raise SaslAuthenticationError(f"{broker} refused SASL: {code.name}")


def _refused(
    broker: Broker, credentials: SaslCredentials, response: SaslAuthenticateResponse
) -> SaslAuthenticationError:
    code = ErrorCode(response.error_code)
    # A broker may repeat what it received, and with PLAIN that includes the password.
    reason = (response.error_message or code.about).replace(credentials.password, "***")
    return SaslAuthenticationError(
        f"{broker} rejected user {credentials.username!r} with {credentials.mechanism}: {reason} ({code.name})"
    )


def _plain(credentials: SaslCredentials) -> _Exchange:
    yield f"\0{credentials.username}\0{credentials.password}".encode()


def _scram(credentials: SaslCredentials, broker: Broker) -> _Exchange:
    client, client_first = _scram_client(credentials)
    try:
        server_first = (yield client_first.encode()).decode()
        _check_iterations(server_first, broker)
        client.set_server_first(server_first)
        server_final = (yield client.get_client_final().encode()).decode()
        client.set_server_final(server_final)
    except (scramp.ScramException, ValueError):
        # The text of the library may quote the exchange, which depends on the password.
        raise SaslAuthenticationError(
            f"{broker} sent an invalid {credentials.mechanism} message, or one that does not prove that it knows the "
            "password; it may not be the right broker"
        ) from None


def _scram_client(credentials: SaslCredentials) -> tuple[_ScramClient, str]:
    """A new client, and its first message."""
    try:
        client = cast(
            "_ScramClient",
            scramp.ScramClient([credentials.mechanism], credentials.username, credentials.password),
        )
        return client, client.get_client_first()
    except scramp.ScramException:
        # The text of the library might quote the password.
        raise SaslAuthenticationError(
            "username or password has characters that SCRAM does not allow (SASLprep, RFC 4013), such as control "
            "characters, or left-to-right and right-to-left letters together; change it, or use PLAIN over TLS"
        ) from None


def _check_iterations(server_first: str, broker: Broker) -> None:
    # Checks all, because the library may use any of them.
    for count in _ITERATIONS.findall(server_first):
        if re.fullmatch("[0-9]{1,6}", count) is None or int(count) not in _SCRAM_ITERATIONS:
            raise SaslAuthenticationError(
                f"{broker} sent an invalid number of SCRAM iterations; expected {_SCRAM_ITERATIONS[0]} to "
                f"{_SCRAM_ITERATIONS[-1]}"
            )
