"""Makes a connection ready for use: TCP, TLS, ApiVersions, SASL."""

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
_NO_TLS: Final = "the port may not use TLS; if so, set security.protocol to PLAINTEXT or SASL_PLAINTEXT"
_NOT_TLS_REASONS: Final = frozenset(
    {"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "UNKNOWN_PROTOCOL", "RECORD_LAYER_FAILURE"}
)


async def connect(
    broker: Broker, config: ClientConfig, context: ssl.SSLContext | None, stage: Callable[[str], None]
) -> Connection:
    """A connection to ``broker`` with negotiated versions, and authenticated.

    Calls ``stage`` with what it waits for. Raises ``BrokerConnectionError`` or ``AuthenticationError``.
    """
    connection = await _open(broker, config, context, stage)
    _LOG.debug("%s: connected", broker)
    try:
        stage(f"waiting for {broker} to answer ApiVersions")
        connection.offered = await ask_api_versions(connection)
        if config.security.sasl is not None:
            # Without SASL the SCRAM library is not needed.
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
            # The request that needs this connection was not sent yet.
            problem.outcome_unknown = False
        raise
    return connection


def _reason(broker: Broker, problem: BaseException) -> KafkaError:
    return problem if isinstance(problem, KafkaError) else BrokerConnectionError(f"{broker}: connecting was cancelled")


async def _closed(connection: Connection) -> None:
    """Waits one turn of the loop until the socket is closed, even if the task is cancelled again."""
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
        what = "connecting" if context is None else "connecting with TLS"
        raise BrokerConnectionError(
            f"{broker}: {what} timed out after {config.connection_setup_timeout:g} s (connection_setup_timeout)"
        ) from None
    except ssl.SSLError as problem:
        raise _tls_error(broker, problem) from problem
    except socket.gaierror as problem:
        raise BrokerConnectionError(f"{broker}: the host name does not resolve ({problem.strerror})") from problem
    except (ConnectionResetError, ConnectionAbortedError, BrokenPipeError) as problem:
        advice = f"; {_NO_TLS}" if context is not None else ""
        raise BrokerConnectionError(f"{broker} closed the connection during the setup{advice}") from problem
    except OSError as problem:
        raise BrokerConnectionError(f"{broker} can't be reached: {problem}") from problem
    except (ValueError, OverflowError) as problem:
        # A host name that IDNA can't encode.
        raise BrokerConnectionError(f"{broker}: invalid host name") from problem
    return connection


async def _open_tcp(broker: Broker, config: ClientConfig) -> tuple[Connection, asyncio.Transport]:
    connected = await open_socket(broker.host, broker.port, config.connection_setup_timeout)
    transport, connection = await asyncio.get_running_loop().create_connection(
        lambda: Connection(broker, config), sock=connected
    )
    return connection, transport


async def _start_tls(connection: Connection, transport: asyncio.Transport, context: ssl.SSLContext) -> None:
    """Starts TLS on the connection, and closes the socket if that fails.

    ``create_connection`` can do this too, but leaks the socket if it is cancelled at the wrong moment.
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
            f"{broker}: its certificate was rejected: {problem.verify_message}; set ssl.truststore.* to the "
            "authority that signed it, and connect to a host name in the certificate"
        )
    if isinstance(problem, ssl.SSLEOFError):
        return BrokerConnectionError(f"{broker} closed the connection during the TLS handshake; {_NO_TLS}")
    if problem.reason in _NOT_TLS_REASONS:
        return SslAuthenticationError(f"{broker} did not answer with TLS; {_NO_TLS}")
    return SslAuthenticationError(f"{broker}: the TLS handshake failed: {problem.reason or problem}")
