"""Requests and SASL tokens that wait for their responses. The bytes of requests are not stored."""

from __future__ import annotations

from struct import unpack_from

from .framing import LENGTH_SIZE, SessionError, framed
from .protocol import CLIENT_ID_LENGTH_SIZE, CONTROLLED_SHUTDOWN_0, REQUEST_START_SIZE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self


class InFlightRequest:
    """A request that waits for its response. It has no bytes, because many requests may wait.

    ``context`` is for the program, which may need data of its own when the response comes.
    """

    __slots__ = ("api_key", "client_id", "context", "correlation_id", "version")

    def __init__(self, api_key: int, version: int, correlation_id: int, client_id: str | None) -> None:
        self.api_key = api_key
        self.version = version
        self.correlation_id = correlation_id
        self.client_id = client_id
        self.context: Any = None

    @classmethod
    def of(cls, payload: bytes) -> Self | None:
        """Read the start of a request, without its client id; return ``None`` if the payload is too short."""
        if len(payload) < REQUEST_START_SIZE:
            return None
        api_key, version, correlation_id = unpack_from(">hhi", payload)
        return cls(api_key, version, correlation_id, None)

    def read_client_id(self, payload: bytes) -> bool:
        """Read the client id from the request's payload; return ``False`` if it can't be read."""
        begin = REQUEST_START_SIZE + CLIENT_ID_LENGTH_SIZE
        if payload.startswith(CONTROLLED_SHUTDOWN_0):
            return True
        length = int.from_bytes(payload[REQUEST_START_SIZE:begin], "big", signed=True)
        if len(payload) < begin + max(length, 0):
            return False
        try:
            self.client_id = payload[begin : begin + length].decode() if length >= 0 else None
        except UnicodeDecodeError:
            return False
        return True


class SentToken:
    """A SASL token that a session sends after SaslHandshake version 0: ``frame`` are the bytes to send.

    Its content is secret, so ``repr`` hides it.
    """

    __slots__ = ("expects_response", "frame")

    def __init__(self, token: bytes, *, expects_response: bool) -> None:
        self.frame = framed(token)
        self.expects_response = expects_response

    def __repr__(self) -> str:
        return f"<SentToken, {len(self.frame) - LENGTH_SIZE} bytes>"


def request_error(request: InFlightRequest | None, reason: str, direction: str = "request") -> SessionError:
    """Return an error with the numbers of a request, if they are known."""
    if request is None:
        return SessionError(reason, direction=direction)
    return SessionError(
        reason,
        direction=direction,
        correlation_id=request.correlation_id,
        api_key=request.api_key,
        version=request.version,
    )
