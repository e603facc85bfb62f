"""Reads both directions of a connection between a client and a broker, for proxies and captures."""

from __future__ import annotations

from collections import Counter, deque

from .events import (
    CORRELATION_ID_SIZE,
    SASL_HANDSHAKE,
    ReceivedRequest,
    ReceivedResponse,
    SaslToken,
    version_of_response,
)
from .framing import MAX_FRAME_SIZE, Framer, SessionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType


MAX_WAITING = 10_000
"""How many requests may wait for a response. Those without responses (acks=0) stay until a later one is answered."""


class _Waiting:
    """What the response to a request needs of it; a SASL token has no API key."""

    __slots__ = ("api_key", "correlation_id", "version")

    def __init__(self, api_key: int | None, version: int | None, correlation_id: int | None) -> None:
        self.api_key = api_key
        self.version = version
        self.correlation_id = correlation_id

    @property
    def is_token(self) -> bool:
        """Whether it was a SASL token."""
        return self.api_key is None


class Observer:
    """What a client and a broker say on one connection.

    A program gives the bytes of each side to ``from_client`` and ``from_broker``, and passes the ``frame`` of each
    event on, changed or not. Unlike the other sessions, it accepts requests and responses that it can't read: their
    ``supported`` is ``False``.
    """

    def __init__(self, package: ModuleType, *, max_frame_size: int = MAX_FRAME_SIZE) -> None:
        self.client_id: str | None = None
        """The client id of the connection: the first one that a request had."""
        self._package = package
        self._requests = Framer("request", max_frame_size)
        self._responses = Framer("response", max_frame_size)
        self._waiting: deque[_Waiting] = deque()
        self._ids: Counter[int] = Counter()
        self._has_tokens = False

    def from_client(self, data: bytes | bytearray | memoryview) -> Iterator[ReceivedRequest | SaslToken]:
        """Takes bytes of the client, and yields what they complete. Raises ``SessionError``."""
        for payload in self._requests.feed(data):
            yield self.request(payload)

    def from_broker(self, data: bytes | bytearray | memoryview) -> Iterator[ReceivedResponse | SaslToken]:
        """Takes bytes of the broker, and yields what they complete. Raises ``SessionError``."""
        for payload in self._responses.feed(data):
            yield self.response(payload)

    def request(self, payload: bytes) -> ReceivedRequest | SaslToken:
        """The event of a payload of the client. Raises ``SessionError`` for a header that can't be read."""
        if self._has_tokens and not self._begins_a_request(payload):
            self._wait(_Waiting(None, None, None))
            return SaslToken("request", payload)
        request = ReceivedRequest(self._package, payload)
        self.client_id = request.complete(self.client_id)
        # Before KIP-152, tokens without headers followed the handshake, until the first request.
        self._has_tokens = (request.api_key, request.version) == (SASL_HANDSHAKE, 0)
        self._wait(_Waiting(request.api_key, request.version, request.correlation_id))
        return request

    def response(self, payload: bytes) -> ReceivedResponse | SaslToken:
        """The event of a payload of the broker. Raises ``SessionError`` for a header that can't be read."""
        correlation_id = None
        if len(payload) >= CORRELATION_ID_SIZE:
            correlation_id = int.from_bytes(payload[:CORRELATION_ID_SIZE], "big", signed=True)
        expected = correlation_id in self._ids
        if not expected and self._waiting and self._waiting[0].is_token:
            self._waiting.popleft()
            return SaslToken("response", payload)
        if not expected:
            return ReceivedResponse(self._package, payload, None, None)
        waiting = self._take()
        while waiting.correlation_id != correlation_id:
            # Brokers answer in order: the requests before get no response.
            waiting = self._take()
        version = version_of_response(waiting.api_key, waiting.version, payload)
        return ReceivedResponse(self._package, payload, waiting.api_key, version)

    def close(self) -> None:
        """Notes the end of both streams. Raises ``SessionError`` in the middle of a frame."""
        self._requests.close()
        self._responses.close()

    def _wait(self, waiting: _Waiting) -> None:
        self._waiting.append(waiting)
        if waiting.correlation_id is not None:
            self._ids[waiting.correlation_id] += 1
        if len(self._waiting) > MAX_WAITING:
            self._take()

    def _take(self) -> _Waiting:
        """Removes the oldest request that waits."""
        waiting = self._waiting.popleft()
        if waiting.correlation_id is not None:
            self._ids[waiting.correlation_id] -= 1
            if not self._ids[waiting.correlation_id]:
                del self._ids[waiting.correlation_id]
        return waiting

    def _begins_a_request(self, payload: bytes) -> bool:
        """Whether bytes after a SASL handshake are a request of an API that the package has, rather than a token."""
        try:
            request = ReceivedRequest(self._package, payload)
        except SessionError:
            return False
        return request.supported
