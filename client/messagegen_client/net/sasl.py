"""SASL on a new connection: PLAIN (RFC 4616), SCRAM-SHA-256 and SCRAM-SHA-512 (RFC 5802, KIP-84)."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Final, Protocol, cast

import scramp  # type: ignore[import-untyped]  # it has no annotations; _ScramClient says what is used

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
"""After version 0 the tokens would travel bare, without SaslAuthenticate (KIP-152)."""
_SCRAM_ITERATIONS: Final = range(4096, 100_001)
"""Fewer are weak; more would let a broker keep us busy. Kafka itself allows 4,096 to 16,384."""
_ITERATIONS: Final = re.compile(r"(?:^|,)i=([^,]*)")
_SESSION_SHARE: Final = 0.85
"""A connection is replaced before the last part of its session, so that no request comes too late."""

_Exchange = Generator[bytes, bytes, None]
"""Yields what to send, and is sent what came back; ends when the broker has proved what it has to."""


class _ScramClient(Protocol):
    """What is used of ``scramp.ScramClient``."""

    def get_client_first(self) -> str: ...
    def set_server_first(self, message: str) -> None: ...
    def get_client_final(self) -> str: ...
    def set_server_final(self, message: str) -> None: ...


async def authenticate(connection: Connection, credentials: SaslCredentials) -> float | None:
    """Says who we are; gives the seconds after which the connection has to be replaced, if there is a limit (KIP-368).

    Raises ``SaslAuthenticationError``; no message of it has anything secret in it.
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
        raise SaslAuthenticationError(f"{broker} has not enabled {mechanism}; it has {enabled}: set sasl.mechanism")
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
    # A broker may say back what it was told, and with PLAIN that is the password.
    reason = (response.error_message or code.about).replace(credentials.password, "***")
    return SaslAuthenticationError(
        f"{broker} did not accept user {credentials.username!r} with {credentials.mechanism}: {reason} ({code.name})"
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
        # Its own words may quote the exchange, and what follows from the password is none of a log's business.
        raise SaslAuthenticationError(
            f"{broker} sent something in {credentials.mechanism} that does not fit, or that a broker which knows the "
            "password would not send: this may not be the broker that it should be"
        ) from None


def _scram_client(credentials: SaslCredentials) -> tuple[_ScramClient, str]:
    """A new exchange, and its first message."""
    try:
        client = cast(
            "_ScramClient",
            scramp.ScramClient([credentials.mechanism], credentials.username, credentials.password),
        )
        return client, client.get_client_first()
    except scramp.ScramException:
        # Without its words, which might quote the password one day.
        raise SaslAuthenticationError(
            "the username or the password has characters that SCRAM does not allow (SASLprep, RFC 4013), such as "
            "control characters, or a mix of left-to-right and right-to-left letters: change it, or use PLAIN over TLS"
        ) from None


def _check_iterations(server_first: str, broker: Broker) -> None:
    # All of them, should there be several: the library may take any.
    for count in _ITERATIONS.findall(server_first):
        if re.fullmatch("[0-9]{1,6}", count) is None or int(count) not in _SCRAM_ITERATIONS:
            raise SaslAuthenticationError(
                f"{broker} asks for a number of SCRAM iterations that is not accepted: "
                f"it has to be {_SCRAM_ITERATIONS[0]} to {_SCRAM_ITERATIONS[-1]}"
            )
