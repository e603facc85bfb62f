"""The broker's side of a connection, which answers requests."""

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

    ``package`` is the generated package with the messages. A program passes all received bytes to ``receive``, answers
    the requests in any order, and sends the bytes that ``respond`` returns. ``respond`` returns the answers in the
    order of the requests. At most 10,000 requests may wait for their answers. The session does not store their bytes,
    and limits the memory for client ids that differ from the connection's.
    """

    def __init__(self, package: ModuleType, *, max_frame_size: int = MAX_FRAME_SIZE) -> None:
        self.client_id: str | None = None
        """The client id of the connection: the first client id in a request."""
        self.expects_tokens = False
        """Whether the next bytes are SASL tokens without headers.

        The program sets it to ``False`` when the login is done.
        """
        self._package = package
        self._framer = Framer("request", max_frame_size)
        self._events = EventReader(self._framer, self._framer.take, self._read)
        self._unsent: deque[InFlightRequest] = deque()
        """Requests whose answers have not been returned for sending, in order."""
        self._frames: dict[InFlightRequest, bytes | None] = {}
        """The answers to these requests; ``None`` for a missing answer."""
        self._client_ids = ClientIds()

    @property
    def unanswered(self) -> int:
        """The number of requests that wait for their answers, or whose answers wait for an earlier answer."""
        return len(self._unsent)

    def receive(self, data: bytes | bytearray | memoryview) -> Iterator[ReceivedRequest | SaslToken]:
        """Take bytes from the client, and return an iterator over the events that are complete.

        Events that are not read from the iterator are returned by later calls. Reading may raise ``SessionError``; the
        program must then close the connection. All further calls raise the same error, and no bytes are stored.
        """
        return self._events.feed(data)

    def receive_payload(self, payload: bytes) -> ReceivedRequest | SaslToken:
        """Return the event of one payload, for programs that split the stream themselves. Raises ``SessionError``."""
        event: ReceivedRequest | SaslToken = self._events.read(payload)
        return event

    def respond(self, request: ReceivedRequest, response: Response) -> bytes:
        """Take the answer to a request, and return the bytes that can be sent: none if an earlier answer is missing.

        Raises ``TypeError`` for a message that is not the request's response class in the session's package, and
        ``EncodeError`` for an answer that can't be encoded in the version. Raises ``SessionError`` if the request is
        not ``supported``, expects no answer, or was already answered.
        """
        if not request.supported:
            raise request.error(request.NO_MESSAGE)
        check_message(response, self._package, "response", request.api_key)
        frame = response.encode_frame(version=request.version, correlation_id=request.correlation_id)
        return self.respond_frame(request, frame)

    def respond_frame(self, request: ReceivedRequest, frame: bytes) -> bytes:
        """Take the frame of an answer, for example one that came from a real broker.

        If it is empty, the request gets no answer, and later answers do not wait for it. Otherwise like ``respond``.
        """
        if self._frames.get(request.in_flight, b"") is not None:
            raise request.error("the request expects no response, or has one")
        self._frames[request.in_flight] = frame
        return self._ready()

    def refuse_version(self, request: ReceivedRequest, offered: dict[int, tuple[int, int]]) -> bytes:
        """Answer an ApiVersions request of an unknown version, in version 0, with the offered versions (KIP-511).

        ``offered`` are the lowest and highest version by API key. Raises ``EncodeError`` for numbers that are not
        int16. Raises ``SessionError`` for a request that was already answered, and for a different API: brokers close
        the connection after such a request.
        """
        if request.api_key != API_VERSIONS:
            raise request.error("an unknown version can be answered only for ApiVersions; close the connection")
        (cls,) = self._package.message_classes("response", API_VERSIONS)
        response = api_versions_response(cls, offered, error_code=UNSUPPORTED_VERSION)
        frame = response.encode_frame(version=0, correlation_id=request.correlation_id)
        return self.respond_frame(request, frame)

    def send_token(self, token: bytes) -> bytes:
        """Return the bytes to send for a SASL token after SaslHandshake version 0."""
        return framed(token)

    def close(self) -> None:
        """Note the end of the stream. Raises ``SessionError`` if it ends inside a frame."""
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
