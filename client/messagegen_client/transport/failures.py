"""Errors of a connection: what went wrong, and what to set instead. No secret is in their texts."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Sequence
from typing import Final

from aiokafka import errors  # type: ignore[import-untyped]  # aiokafka has no annotations

from messagegen_client.errors import (
    BrokerConnectionError,
    ClosedDuringSetupError,
    KafkaError,
    ProtocolError,
    SaslAuthenticationError,
    SslAuthenticationError,
)
from messagegen_client.security.settings import SaslCredentials
from messagegen_client.transport.metadata import Broker

_NO_TLS: Final = "the port may not use TLS; if so, set security.protocol to PLAINTEXT or SASL_PLAINTEXT"
_NOT_TLS: Final = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "UNKNOWN_PROTOCOL", "RECORD_LAYER_FAILURE")
_OTHER_PROTOCOLS: Final = (
    ((b"\x15\x03", b"\x16\x03"), "the port uses TLS; set security.protocol to SSL or SASL_SSL"),
    (b"HTTP", "it is a web server, not a Kafka broker"),
    (b"SSH-", "it is an SSH server, not a Kafka broker"),
)
"""The first bytes of other protocols, in place of the size of a response."""


def closed_early(message: str) -> ClosedDuringSetupError:
    """The error for a connection that a broker closed before it answered anything."""
    return ClosedDuringSetupError(f"{message}; or a quota limits connections from this address")


def network_error(broker: Broker, problem: Exception, *, tls: bool) -> KafkaError:
    """Why there is no connection."""
    if isinstance(problem, ssl.SSLError):
        return _tls_error(broker, problem)
    if isinstance(problem, socket.gaierror):
        return BrokerConnectionError(f"{broker}: the host name does not resolve ({problem.strerror})")
    if isinstance(problem, ConnectionResetError | ConnectionAbortedError | BrokenPipeError):
        advice = f"; {_NO_TLS}" if tls else ""
        return closed_early(f"{broker} closed the connection during the setup{advice}")
    if isinstance(problem, OSError):
        return BrokerConnectionError(f"{broker} can't be reached: {problem}")
    return BrokerConnectionError(f"{broker}: invalid host name")


def sasl_error(broker: Broker, problem: Exception, sasl: SaslCredentials, enabled: Sequence[str]) -> KafkaError:
    """Why authentication failed; ``enabled`` are the mechanisms of the broker."""
    if isinstance(problem, errors.UnsupportedSaslMechanismError):
        return SaslAuthenticationError(
            f"{broker} does not support {sasl.mechanism}; set sasl.mechanism to one of its mechanisms: "
            f"{', '.join(enabled) or 'none'}"
        )
    if isinstance(problem, errors.IllegalSaslStateError):
        return SaslAuthenticationError(
            f"{broker} does not use SASL on this port: set security.protocol to PLAINTEXT or SSL, or use another port"
        )
    if isinstance(problem, errors.BrokerResponseError):
        # A broker may repeat what it received.
        reason = sasl.without_secrets(str(problem.args[0] or "")) if problem.args else ""
        whom = f"user {sasl.username!r} with {sasl.mechanism}" if sasl.username else sasl.mechanism
        return SaslAuthenticationError(f"{broker} rejected {whom}: {reason or problem.message} ({problem.message})")
    # The text of the library may quote the exchange, which depends on the password.
    advice = (
        "there may be no Kerberos ticket for it" if sasl.mechanism == "GSSAPI" else "it may not be the right broker"
    )
    return SaslAuthenticationError(
        f"{broker} sent an invalid {sasl.mechanism} message, or one that does not prove who it is; {advice}"
    )


def bad_size(broker: Broker, head: bytes, size: int, most: int) -> ProtocolError:
    """Why ``head`` is not the size of a response of at most ``most`` bytes."""
    for prefix, hint in _OTHER_PROTOCOLS:
        if head.startswith(prefix):
            return ProtocolError(f"{broker} did not send a Kafka response: {hint}")
    return ProtocolError(
        f"{broker} sent {size:,} as the size of a response, expected 4 to {most:,} (max_response_size); "
        "check that it is a Kafka broker, and security.protocol"
    )


def _tls_error(broker: Broker, problem: ssl.SSLError) -> KafkaError:
    if isinstance(problem, ssl.SSLCertVerificationError):
        return SslAuthenticationError(
            f"{broker}: its certificate was rejected: {problem.verify_message}; set ssl.truststore.* to the "
            "authority that signed it, and connect to a host name in the certificate"
        )
    if isinstance(problem, ssl.SSLEOFError):
        return closed_early(f"{broker} closed the connection during the TLS handshake; {_NO_TLS}")
    if problem.reason in _NOT_TLS:
        return SslAuthenticationError(f"{broker} did not answer with TLS; {_NO_TLS}")
    return SslAuthenticationError(f"{broker}: the TLS handshake failed: {problem.reason or problem}")
