"""Makes a connection ready for use: TCP, TLS, ApiVersions, SASL, with an error for everything that can go wrong."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable
from typing import Final

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import (
    BrokerConnectionError,
    BrokerError,
    KafkaError,
    SslAuthenticationError,
)
from messagegen_client.net.connection import Connection
from messagegen_client.net.metadata import Broker
from messagegen_client.net.sockets import open_socket
from messagegen_client.net.versions import ask_api_versions

_LOG: Final = logging.getLogger("messagegen_client")
_NO_TLS: Final = (
    "perhaps it does not speak TLS on this port: security.protocol would be PLAINTEXT or SASL_PLAINTEXT then"
)
_NOT_TLS_REASONS: Final = frozenset(
    {"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "UNKNOWN_PROTOCOL", "RECORD_LAYER_FAILURE"}
)


async def connect(
    broker: Broker, config: ClientConfig, context: ssl.SSLContext | None, stage: Callable[[str], None]
) -> Connection:
    """A connection to ``broker`` that has negotiated versions and authenticated itself.

    ``stage`` is told what is being waited for. Raises ``BrokerConnectionError`` or ``AuthenticationError``.
    """
    connection = await _open(broker, config, context, stage)
    _LOG.debug("%s: connected", broker)
    try:
        stage(f"waiting for {broker} to answer ApiVersions")
        connection.offered = await ask_api_versions(connection)
        if config.security.sasl is not None:
            # Whoever does not use SASL does not need the SCRAM library.
            from messagegen_client.net.sasl import authenticate  # noqa: PLC0415

            stage(f"waiting for {broker} to authenticate this client")
            lifetime = await authenticate(connection, config.security.sasl)
            if lifetime is not None:
                connection.expires_at = asyncio.get_running_loop().time() + lifetime
    except BaseException as problem:
        connection.fail(_reason(broker, problem))
        await _closed(connection)
        if isinstance(problem, BrokerError):
            raise BrokerConnectionError(str(problem)) from problem
        if isinstance(problem, KafkaError):
            # The request for which this connection is made was not sent yet.
            problem.outcome_unknown = False
        raise
    return connection


def _reason(broker: Broker, problem: BaseException) -> KafkaError:
    return problem if isinstance(problem, KafkaError) else BrokerConnectionError(f"{broker}: connecting was given up")


async def _closed(connection: Connection) -> None:
    """Waits until the socket is closed, which takes one turn of the loop, also if that is cancelled once more."""
    await asyncio.shield(connection.lost)


async def _open(
    broker: Broker, config: ClientConfig, context: ssl.SSLContext | None, stage: Callable[[str], None]
) -> Connection:
    try:
        async with asyncio.timeout(config.connection_setup_timeout):
            stage(f"connecting to {broker}")
            connection, transport = await _open_tcp(broker, config)
            if context is not None:
                stage(f"waiting for the TLS handshake with {broker}")
                await _start_tls(connection, transport, context)
    except TimeoutError:
        what = "no connection" if context is None else "no TLS connection"
        raise BrokerConnectionError(f"{broker}: {what} within {config.connection_setup_timeout:g} s") from None
    except ssl.SSLError as problem:
        raise _tls_error(broker, problem) from problem
    except socket.gaierror as problem:
        raise BrokerConnectionError(f"{broker}: the host name does not resolve ({problem.strerror})") from problem
    except (ConnectionResetError, ConnectionAbortedError, BrokenPipeError) as problem:
        advice = f"; {_NO_TLS}" if context is not None else ""
        raise BrokerConnectionError(f"{broker} closed the connection while it was made{advice}") from problem
    except OSError as problem:
        raise BrokerConnectionError(f"{broker} can't be reached: {problem}") from problem
    except (ValueError, OverflowError) as problem:
        # Host names that IDNA can't encode.
        raise BrokerConnectionError(f"{broker}: that is no name of a host") from problem
    return connection


async def _open_tcp(broker: Broker, config: ClientConfig) -> tuple[Connection, asyncio.Transport]:
    connected = await open_socket(broker.host, broker.port, config.connection_setup_timeout)
    transport, connection = await asyncio.get_running_loop().create_connection(
        lambda: Connection(
            broker,
            client_id=config.client_id,
            request_timeout=config.request_timeout,
            max_response_size=config.max_response_size,
        ),
        sock=connected,
    )
    return connection, transport


async def _start_tls(connection: Connection, transport: asyncio.Transport, context: ssl.SSLContext) -> None:
    """Puts TLS between the connection and its socket, which is closed if that fails.

    ``create_connection`` can do this too, but does not close the socket if it is cancelled at the wrong moment.
    """
    loop = asyncio.get_running_loop()
    try:
        encrypted = await loop.start_tls(transport, connection, context, server_hostname=connection.broker.host)
    except BaseException:
        transport.abort()
        await asyncio.sleep(0)  # The socket is closed in the loop's next turn.
        raise
    if encrypted is None:
        raise ConnectionResetError("the connection was lost during the TLS handshake")
    connection.connection_made(encrypted)


def _tls_error(broker: Broker, problem: ssl.SSLError) -> KafkaError:
    if isinstance(problem, ssl.SSLCertVerificationError):
        return SslAuthenticationError(
            f"{broker}: its certificate is not accepted: {problem.verify_message}; set ssl.truststore.* to the "
            "authority that signed it, and connect to a host that it names"
        )
    if isinstance(problem, ssl.SSLEOFError):
        return BrokerConnectionError(f"{broker} closed the connection during the TLS handshake; {_NO_TLS}")
    if problem.reason in _NOT_TLS_REASONS:
        return SslAuthenticationError(f"{broker} does not answer in TLS; {_NO_TLS}")
    return SslAuthenticationError(f"{broker}: the TLS handshake failed: {problem.reason or problem}")
