"""The side of a connection that answers requests."""

from __future__ import annotations

from collections import deque

from .events import ReceivedRequest, SaslToken
from .framing import MAX_FRAME_SIZE, EventReader, Framer, framed
from .protocol import API_VERSIONS, MAX_WAITING, UNSUPPORTED_VERSION, begins_tokens, check_message
from .waiting import ClientIds, no_room, other_characters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType
    from typing import Any

    from ..messages import Response
    from .in_flight import InFlightRequest


class BrokerSession:
    """The broker's side of one connection.

    ``package`` is the generated package with the messages. A program passes all bytes that it receives to ``receive``,
    answers the requests in any order, and sends the bytes that ``respond`` returns: answers leave in the order of the
    requests. At most 10,000 requests may wait for their answers. The session keeps no bytes of them, and few client ids
    that differ from the connection's.
    """

    def __init__(self, package: ModuleType, *, max_frame_size: int = MAX_FRAME_SIZE) -> None:
        self.client_id: str | None = None
        """The client id of the connection: the first one that a request had."""
        self.expects_tokens = False
        """Whether the next bytes are SASL tokens without headers.

        The program sets it to ``False`` when the login is done.
        """
        self._package = package
        self._framer = Framer("request", max_frame_size)
        self._events = EventReader(self._framer, self._framer.take, self._read)
        self._unsent: deque[InFlightRequest] = deque()
        """Requests whose answers have not left, in their order."""
        self._frames: dict[InFlightRequest, bytes | None] = {}
        """Their answers, ``None`` for a missing one."""
        self._client_ids = ClientIds()

    @property
    def unanswered(self) -> int:
        """The number of requests that wait for their answers, or for an answer before theirs."""
        return len(self._unsent)

    def receive(self, data: bytes | bytearray | memoryview) -> Iterator[ReceivedRequest | SaslToken]:
        """Take bytes from the client, and return an iterator over the events that are complete.

        Events that are not read from it stay for later calls. Reading raises ``SessionError``, for which the program
        closes the connection. After that, the call raises the same error, and keeps no bytes.
        """
        return self._events.feed(data)

    def receive_payload(self, payload: bytes) -> ReceivedRequest | SaslToken:
        """Return the event of one payload, for programs that frame themselves. Raises ``SessionError``."""
        event: ReceivedRequest | SaslToken = self._events.read(payload)
        return event

    def respond(self, request: ReceivedRequest, response: Response) -> bytes:
        """Take the answer to a request, and return the bytes that can be sent: nothing if an earlier one is missing.

        Raises ``TypeError`` for a message that is not the response of the request in the session's package,
        ``EncodeError`` for an answer that the version can't hold, and ``SessionError`` if the request is not
        ``supported``, expects no answer, or has one.
        """
        if not request.supported:
            raise request.error(request.NO_MESSAGE)
        check_message(response, self._package, "response", request.api_key)
        frame = response.encode_frame(version=request.version, correlation_id=request.correlation_id)
        return self.respond_frame(request, frame)

    def respond_frame(self, request: ReceivedRequest, frame: bytes) -> bytes:
        """Take the frame of an answer, such as another broker's.

        With no bytes, the request gets no answer, and later answers do not wait for it. Otherwise like ``respond``.
        """
        if self._frames.get(request.in_flight, b"") is not None:
            raise request.error("the request expects no response, or has one")
        self._frames[request.in_flight] = frame
        return self._ready()

    def refuse_version(self, request: ReceivedRequest, offered: dict[int, tuple[int, int]]) -> bytes:
        """Answer an ApiVersions request of an unknown version: in version 0, with the versions on offer (KIP-511).

        ``offered`` are the lowest and highest version by API key. Raises ``EncodeError`` for numbers that are not
        int16, and ``SessionError`` for a request that has its answer, or of another API: brokers close the connection
        then.
        """
        if request.api_key != API_VERSIONS:
            raise request.error("only ApiVersions requests of an unknown version have an answer; close the connection")
        (cls,) = self._package.message_classes("response", API_VERSIONS)
        response = api_versions_response(cls, offered, error_code=UNSUPPORTED_VERSION)
        frame = response.encode_frame(version=0, correlation_id=request.correlation_id)
        return self.respond_frame(request, frame)

    def send_token(self, token: bytes) -> bytes:
        """Return the bytes to send of a SASL token after SaslHandshake version 0."""
        return framed(token)

    def close(self) -> None:
        """Note the end of the stream. Raises ``SessionError`` in the middle of a frame."""
        self._framer.close()

    def _read(self, payload: bytes) -> ReceivedRequest | SaslToken:
        if self.expects_tokens:
            return SaslToken("request", payload)
        request = ReceivedRequest(self._package, payload)
        request.check_header()
        if len(self._unsent) == MAX_WAITING:
            raise no_room(request.in_flight)
        self.client_id = request.complete(self.client_id)
        if begins_tokens(request.api_key, request.version):
            self.expects_tokens = True
        if request.expects_response:
            characters = other_characters(request.in_flight, self.client_id)
            if self._client_ids.is_full(characters):
                raise no_room(request.in_flight)
            self._client_ids.add(request.in_flight, characters)
            self._unsent.append(request.in_flight)
            self._frames[request.in_flight] = None
        return request

    def _ready(self) -> bytes:
        """Return the answers that can be sent now."""
        ready: list[bytes] = []
        while self._unsent and (frame := self._frames[self._unsent[0]]) is not None:
            ready.append(frame)
            sent = self._unsent.popleft()
            del self._frames[sent]
            self._client_ids.remove(sent)
        return b"".join(ready)


def api_versions_response(cls: type[Any], offered: dict[int, tuple[int, int]], error_code: int = 0) -> Any:
    """Return an ApiVersions response of class ``cls`` with the versions in ``offered``."""
    (entry,) = [field.struct for field in cls.fields(version=0) if field.name == "api_keys"]
    keys = [
        entry(api_key=key, min_version=lowest, max_version=highest)
        for key, (lowest, highest) in sorted(offered.items())
    ]
    return cls(error_code=error_code, api_keys=tuple(keys))
