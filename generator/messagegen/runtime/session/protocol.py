"""What sessions know of Kafka's protocol besides messages: numbers of APIs, sizes, and what comes after what."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PRODUCE = 0
SASL_HANDSHAKE = 17
API_VERSIONS = 18

UNSUPPORTED_VERSION = 35
"""The error code with which a broker answers a version of ApiVersions that it does not know, in version 0 (KIP-511)."""

REQUEST_START_SIZE = 8
"""API key, version and correlation id, with which all header versions begin."""
CORRELATION_ID_SIZE = 4
"""That is what the headers of responses begin with."""
CLIENT_ID_LENGTH_SIZE = 2
NULL_CLIENT_ID = b"\xff\xff"
CONTROLLED_SHUTDOWN_0 = b"\x00\x07\x00\x00"
"""How ControlledShutdown version 0 begins, the only request whose header ends before the client id.

Kafka's specs do not describe that header any more.
"""


def is_refusal(api_key: int, payload: bytes) -> bool:
    """Whether a response says that the broker does not know the version of ApiVersions (KIP-511)."""
    if api_key != API_VERSIONS:
        return False
    error_code = payload[CORRELATION_ID_SIZE : CORRELATION_ID_SIZE + 2]
    return int.from_bytes(error_code, "big") == UNSUPPORTED_VERSION


def begins_tokens(api_key: int, version: int) -> bool:
    """Whether SASL tokens without headers follow a request: those of brokers before KIP-152."""
    return api_key == SASL_HANDSHAKE and version == 0


def expects_response(request: Any) -> bool:
    """Whether the broker answers a request. Only Produce requests with acks=0 get no response."""
    return request.API_KEY != PRODUCE or getattr(request, "acks", None) != 0
