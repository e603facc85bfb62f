"""Reads both directions of a connection between a client and a broker, for proxies and captures."""

from __future__ import annotations

from collections import deque
from struct import unpack_from

from .events import ReceivedRequest, ReceivedResponse, SaslToken, UnreadableFrame
from .framing import MAX_FRAME_SIZE, Framer, SessionError
from .in_flight import InFlightRequest
from .protocol import (
    CLIENT_ID_LENGTH_SIZE,
    CONTROLLED_SHUTDOWN_0,
    CORRELATION_ID_SIZE,
    REQUEST_START_SIZE,
    begins_tokens,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    RequestEvent = ReceivedRequest | SaslToken | UnreadableFrame
    ResponseEvent = ReceivedResponse | SaslToken | UnreadableFrame

MAX_WAITING = 10_000
"""How many requests may wait for a response. Those without responses (acks=0) stay until a later one is answered."""

# Far above the values in Kafka, and far below most values of other bytes.
_HIGHEST_API_KEY = 500
_HIGHEST_VERSION = 60
_LONGEST_CLIENT_ID = 1024


class Observer:
    """What a client and a broker say on one connection.

    A program gives the bytes of each side to ``from_client`` and ``from_broker``, and passes the ``frame`` of each
    event on, changed or not. Unlike the other sessions, it accepts what it can't read: messages that are not
    ``supported``, responses without a request, and headers that can't be read.
    """

    def __init__(self, package: ModuleType, *, max_frame_size: int = MAX_FRAME_SIZE) -> None:
        self.client_id: str | None = None
        """The client id of the connection: the first one that a request had."""
        self.may_send_token = False
        """Whether the next payload of the client may be a SASL token, which may be empty."""
        self._package = package
        self._requests = Framer("request", max_frame_size)
        self._responses = Framer("response", max_frame_size)
        self._waiting: deque[InFlightRequest | None] = deque()
        """In the order of the client; ``None`` is a SASL token."""
        self._ids: dict[int, int] = {}
        """How many requests with a correlation id wait."""

    def from_client(self, data: bytes | bytearray | memoryview) -> Iterator[RequestEvent]:
        """Takes bytes of the client, and yields what they complete. Raises ``FrameSizeError``."""
        for payload in self._requests.feed(data):
            yield self.request(payload)

    def from_broker(self, data: bytes | bytearray | memoryview) -> Iterator[ResponseEvent]:
        """Takes bytes of the broker, and yields what they complete. Raises ``FrameSizeError``."""
        for payload in self._responses.feed(data):
            yield self.response(payload)

    @property
    def expects_token(self) -> bool:
        """Whether the next payload of the broker may be a SASL token, which may be empty."""
        return bool(self._waiting) and self._waiting[0] is None

    def expects(self, correlation_id: int) -> bool:
        """Whether a request with this correlation id waits for its response."""
        return correlation_id in self._ids

    @staticmethod
    def begins_like_request(data: bytes, size: int) -> bool:
        """Whether a request of ``size`` bytes can begin with these bytes; text and random bytes rarely do.

        The package need not have the request. Captures find their place in a stream with it.
        """
        if len(data) < REQUEST_START_SIZE:
            return False
        api_key, version, _ = unpack_from(">hhi", data)
        if not (0 <= api_key <= _HIGHEST_API_KEY and 0 <= version <= _HIGHEST_VERSION):
            return False
        end = REQUEST_START_SIZE + CLIENT_ID_LENGTH_SIZE
        if len(data) < end or data.startswith(CONTROLLED_SHUTDOWN_0):
            return True
        length = int.from_bytes(data[REQUEST_START_SIZE:end], "big", signed=True)
        return -1 <= length <= min(_LONGEST_CLIENT_ID, size - end)

    def request(self, payload: bytes, *, size: int | None = None) -> RequestEvent:
        """The event of a payload of the client.

        ``size`` is that of the whole payload, if a capture has only its beginning.
        """
        if self.may_send_token and not self.begins_like_request(payload, len(payload) if size is None else size):
            self._wait(None)
            return SaslToken("request", payload)
        self.may_send_token = False
        try:
            request = ReceivedRequest(self._package, payload)
        except SessionError as error:
            return self._unreadable(payload, error)
        self.client_id = request.complete(self.client_id)
        self._wait(request.in_flight)
        return request

    def response(self, payload: bytes) -> ResponseEvent:
        """The event of a payload of the broker."""
        correlation_id = int.from_bytes(payload[:CORRELATION_ID_SIZE], "big", signed=True)
        is_expected = len(payload) >= CORRELATION_ID_SIZE and self.expects(correlation_id)
        if self.expects_token and not is_expected:
            self._waiting.popleft()
            return SaslToken("response", payload)
        request = self._answered(correlation_id) if is_expected else None
        try:
            return ReceivedResponse(self._package, payload, request)
        except SessionError as error:
            return UnreadableFrame(payload, error)

    def close(self) -> None:
        """Notes the end of both streams. Raises ``SessionError`` in the middle of a frame."""
        self._requests.close()
        self._responses.close()

    def _unreadable(self, payload: bytes, error: SessionError) -> UnreadableFrame:
        """A request of which at most the numbers can be read; they are enough for its response."""
        in_flight = InFlightRequest.of(payload)
        if in_flight is not None:
            self._wait(in_flight)
        return UnreadableFrame(payload, error, in_flight)

    def _wait(self, request: InFlightRequest | None) -> None:
        self._waiting.append(request)
        if request is not None:
            self._ids[request.correlation_id] = self._ids.get(request.correlation_id, 0) + 1
            # Before KIP-152, tokens without headers followed the handshake, until the first request.
            self.may_send_token = begins_tokens(request.api_key, request.version)
        if len(self._waiting) > MAX_WAITING:
            self._take()

    def _answered(self, correlation_id: int) -> InFlightRequest:
        """The request that waits with a correlation id. Brokers answer in order: those before it get no response."""
        while True:
            request = self._take()
            if request is not None and request.correlation_id == correlation_id:
                return request

    def _take(self) -> InFlightRequest | None:
        """Removes the oldest request that waits."""
        request = self._waiting.popleft()
        if request is not None:
            others = self._ids.pop(request.correlation_id) - 1
            if others:
                self._ids[request.correlation_id] = others
        return request
