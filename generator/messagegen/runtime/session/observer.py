"""Reads both directions of a connection between a client and a broker, for proxies and captures."""

from __future__ import annotations

from .events import ReceivedRequest, ReceivedResponse, SaslToken, UnreadableFrame
from .framing import MAX_FRAME_SIZE, EventReader, Framer, SessionError
from .in_flight import InFlightRequest
from .protocol import CORRELATION_ID_SIZE, NONE, begins_tokens, first_error_code, may_be_request
from .waiting import Waiting, WaitingWithGaps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    RequestEvent = ReceivedRequest | SaslToken | UnreadableFrame
    ResponseEvent = ReceivedResponse | SaslToken | UnreadableFrame


class Observer:
    """Both directions of one connection.

    A program passes the client's bytes to ``from_client`` and the broker's bytes to ``from_broker``, and forwards the
    ``frame`` of each event, changed or not. Messages that are not ``supported`` and headers that can't be read are
    events, too.

    Each response event contains its request; if no request matches, ``from_broker`` raises ``SessionError``.
    ``from_client`` raises it for a request whose response would be ambiguous. With ``gaps``, bytes of either side may
    be missing, as in a capture. Then a response may have no request. A request is forgotten when a later request is
    answered, or when 10,000 later requests wait.
    """

    def __init__(self, package: ModuleType, *, max_frame_size: int = MAX_FRAME_SIZE, gaps: bool = False) -> None:
        self.client_id: str | None = None
        """The client id of the connection: the first client id in a request."""
        self.may_send_token = False
        """Whether the client's next payload may be a SASL token, which may be empty."""
        self._package = package
        self._gaps = gaps
        self._requests = Framer("request", max_frame_size)
        self._responses = Framer("response", max_frame_size)
        self._request_events = EventReader(self._requests, self._requests.take, self._request)
        self._response_events = EventReader(self._responses, self._responses.take, self._response)
        self._waiting = WaitingWithGaps() if gaps else Waiting()
        self._handshake: InFlightRequest | None = None
        """A pending SaslHandshake version 0; its answer decides whether tokens follow."""

    def from_client(self, data: bytes | bytearray | memoryview) -> Iterator[RequestEvent]:
        """Take bytes from the client, and return an iterator over the complete events.

        Events that are not read from the iterator are returned by later calls. Reading may raise ``SessionError``.
        After that, all further calls raise the same error, and no bytes are stored.
        """
        return self._request_events.feed(data)

    def from_broker(self, data: bytes | bytearray | memoryview) -> Iterator[ResponseEvent]:
        """Take bytes from the broker, and return an iterator over the complete events.

        Events that are not read from the iterator are returned by later calls. Reading may raise ``SessionError``.
        After that, all further calls raise the same error, and no bytes are stored.
        """
        return self._response_events.feed(data)

    @property
    def waiting(self) -> int:
        """The number of requests and tokens that wait for their responses."""
        return len(self._waiting)

    @property
    def expects_token(self) -> bool:
        """Whether the broker's next payload may be a SASL token, which may be empty."""
        return self._waiting.token_is_next

    def expects(self, correlation_id: int) -> bool:
        """Whether a request with this correlation id waits for its response."""
        return correlation_id in self._waiting

    def request(self, payload: bytes, *, size: int | None = None) -> RequestEvent:
        """Return the event of a payload from the client.

        If a capture contains only the beginning of the payload, ``size`` is the size of the whole. Raises
        ``SessionError``.
        """
        event: RequestEvent = self._request_events.read(payload, size=size)
        return event

    def response(self, payload: bytes) -> ResponseEvent:
        """Return the event of a payload from the broker. Raises ``SessionError``."""
        event: ResponseEvent = self._response_events.read(payload)
        return event

    def close(self) -> None:
        """Note the end of both streams. Raises ``SessionError`` if a stream ends inside a frame."""
        self._requests.close()
        self._responses.close()

    def _request(self, payload: bytes, size: int | None = None) -> RequestEvent:
        if self._handshake is not None and not self._gaps:
            raise SessionError("sent bytes before SaslHandshake version 0 was answered", direction="request")
        if self.may_send_token and not may_be_request(payload, len(payload) if size is None else size):
            self._waiting.add_token()
            return SaslToken("request", payload)
        event, request = self._read_request(payload)
        if request is not None:
            self._waiting.add(request, self.client_id)
        is_handshake = request is not None and begins_tokens(request.api_key, request.version)
        self._handshake = request if is_handshake else None
        self.may_send_token = is_handshake and self._gaps
        return event

    def _response(self, payload: bytes) -> ResponseEvent:
        has_id = len(payload) >= CORRELATION_ID_SIZE
        correlation_id = int.from_bytes(payload[:CORRELATION_ID_SIZE], "big", signed=True) if has_id else None
        if self._waiting.token_is_answered(correlation_id):
            return SaslToken("response", payload)
        if correlation_id is None:
            return UnreadableFrame(self._package, "response", payload)
        request = self._waiting.answered(correlation_id)
        if request is not None and request is self._handshake:
            self._handshake = None
            self.may_send_token = first_error_code(payload) == NONE
        return ReceivedResponse(self._package, payload, request)

    def _read_request(self, payload: bytes) -> tuple[ReceivedRequest | UnreadableFrame, InFlightRequest | None]:
        """Return the event of a request, and the request if it waits for a response."""
        in_flight = InFlightRequest.of(payload)
        if in_flight is None or not in_flight.read_client_id(payload):
            return UnreadableFrame(self._package, "request", payload, in_flight), in_flight
        request = ReceivedRequest(self._package, payload, in_flight)
        self.client_id = request.complete(self.client_id)
        return request, in_flight if request.expects_response else None
