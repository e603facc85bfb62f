"""The errors of connections, with advice on settings. Their texts contain no secrets."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Sequence
from typing import Final

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
from messagegen_kafka import DecodeError, FrameSizeError, SessionError
from messagegen_kafka.error_codes import ErrorCode

_NO_TLS: Final = "perhaps the port does not use TLS; then set security.protocol to PLAINTEXT or SASL_PLAINTEXT"
_NOT_TLS: Final = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "UNKNOWN_PROTOCOL", "RECORD_LAYER_FAILURE")

_OTHER_PROTOCOLS: Final = {
    "TLS": "the port uses TLS; set security.protocol to SSL or SASL_SSL",
    "HTTP": "it is a web server, not a Kafka broker",
    "SSH": "it is an SSH server, not a Kafka broker",
}


def closed_early(message: str) -> ClosedDuringSetupError:
    """Return the error for a connection that a broker closed before it answered anything."""
    return ClosedDuringSetupError(f"{message}; or a quota may limit connections from this address")


def network_error(broker: Broker, problem: Exception, *, tls: bool) -> KafkaError:
    """Return the error for a connection that could not be made."""
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


def connection_ended(
    broker: Broker, api: str, cause: Exception | None, incomplete: int, *, doubt_settings: bool
) -> KafkaError:
    """Return the error for a request without a response. ``cause`` is ``None`` if the broker closed the connection.

    ``incomplete`` is the number of received bytes of a response. With ``doubt_settings``, the text mentions settings as
    a possible reason.
    """
    if isinstance(cause, ssl.SSLError):
        return SslAuthenticationError(f"{broker} ended the TLS connection: {cause.reason or cause}")
    message = f"{broker} closed the connection instead of answering {api}"
    if incomplete:
        message = f"{broker} closed the connection in the middle of a response, after {incomplete} bytes"
    if cause is not None:
        message += f" ({cause})"
    if doubt_settings:
        message += "; brokers do that if they expect TLS or SASL: check security.protocol"
    return BrokerConnectionError(message)


def unexpected_bytes(broker: Broker, problem: SessionError) -> ProtocolError:
    """Return the error for bytes that are not an expected response."""
    if not isinstance(problem, FrameSizeError):
        return ProtocolError(f"{broker} {_with_settings(problem.reason)}")
    if problem.protocol is not None:
        return ProtocolError(f"{broker} did not send a Kafka response: {_OTHER_PROTOCOLS[problem.protocol]}")
    expected = f"{problem.smallest} to {problem.largest:,} (max_response_size)"
    return ProtocolError(
        f"{broker} sent {problem.size:,} as the size of a response, expected {expected}; "
        "check that it is a Kafka broker, and security.protocol"
    )


def invalid_response(broker: Broker, problem: DecodeError) -> ProtocolError:
    """Return the error for the body of a response that can't be decoded."""
    return ProtocolError(f"{broker} sent an invalid response: {_with_settings(str(problem))}")


def sasl_refused(
    broker: Broker, sasl: SaslCredentials, code: ErrorCode, reason: str | None, enabled: Sequence[str]
) -> SaslAuthenticationError:
    """Return the error for refused credentials. ``enabled`` are the mechanisms that the broker supports."""
    if code is ErrorCode.UNSUPPORTED_SASL_MECHANISM:
        return SaslAuthenticationError(
            f"{broker} does not support {sasl.mechanism}; set sasl.mechanism to one of its mechanisms: "
            f"{', '.join(enabled) or 'none'}"
        )
    if code is ErrorCode.ILLEGAL_SASL_STATE:
        return SaslAuthenticationError(
            f"{broker} does not use SASL on this port: set security.protocol to PLAINTEXT or SSL, or use another port"
        )
    whom = f"user {sasl.username!r} with {sasl.mechanism}" if sasl.username else sasl.mechanism
    # A broker may repeat the received credentials.
    text = sasl.without_secrets(reason or code.about)
    return SaslAuthenticationError(f"{broker} rejected {whom}: {text} ({code.name})")


def sasl_token_invalid(broker: Broker, sasl: SaslCredentials) -> SaslAuthenticationError:
    """Return the error for a broker's token that is invalid in the SASL mechanism.

    The error has no cause, because a library's message may quote the exchange, which depends on the password.
    """
    advice = "it may be the wrong broker"
    if sasl.mechanism == "GSSAPI":
        advice = "there may be no Kerberos ticket for it"
    return SaslAuthenticationError(
        f"{broker} sent an invalid {sasl.mechanism} message, or did not prove its identity; {advice}"
    )


def _with_settings(reason: str) -> str:
    """Replace the advice of generated code to pass ``limits``: in this client, they are a setting."""
    return reason.replace("pass limits=", "set ClientConfig.response_limits to ")


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
