"""The side of a connection that answers requests."""

from __future__ import annotations

from collections import deque

from .events import ReceivedRequest, SaslToken
from .framing import MAX_FRAME_SIZE, Framer, framed
from .protocol import API_VERSIONS, UNSUPPORTED_VERSION, begins_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType
    from typing import Any

    from ..messages import Response


class _Answer:
    """The place of an answer in the order of requests; ``frame`` is ``None`` until it is there."""

    __slots__ = ("frame", "request")

    def __init__(self, request: ReceivedRequest) -> None:
        self.request = request
        self.frame: bytes | None = None


class BrokerSession:
    """The broker's side of one connection.

    ``package`` is the generated package with the messages. A program gives all bytes that it receives to ``receive``,
    answers the requests in any order, and sends the bytes that ``respond`` returns: answers leave in the order of the
    requests.
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
        self._answers: deque[_Answer] = deque()

    @property
    def unanswered(self) -> int:
        """How many requests wait for their answers, or for an answer before theirs."""
        return len(self._answers)

    def receive(self, data: bytes | bytearray | memoryview) -> Iterator[ReceivedRequest | SaslToken]:
        """Takes bytes from the client, and yields what they complete.

        Raises ``SessionError``; the session then can't be used.
        """
        for payload in self._framer.feed(data):
            yield self.receive_payload(payload)

    def receive_payload(self, payload: bytes) -> ReceivedRequest | SaslToken:
        """The event of one payload, for programs that frame themselves. Raises ``SessionError``."""
        if self.expects_tokens:
            return SaslToken("request", payload)
        request = ReceivedRequest(self._package, payload)
        request.check_header()
        self.client_id = request.complete(self.client_id)
        if begins_tokens(request.api_key, request.version):
            self.expects_tokens = True
        if request.expects_response:
            self._answers.append(_Answer(request))
        return request

    def respond(self, request: ReceivedRequest, response: Response) -> bytes:
        """Takes the answer to a request, and returns the bytes that can be sent: nothing if an earlier one is missing.

        Raises ``EncodeError`` for an answer that the version can't hold, and ``SessionError`` if the request expects
        none.
        """
        frame = response.encode_frame(version=request.version, correlation_id=request.correlation_id)
        return self.respond_frame(request, frame)

    def respond_frame(self, request: ReceivedRequest, frame: bytes) -> bytes:
        """Does the same with the bytes of an answer, with their length, for answers from elsewhere.

        With no bytes, the request gets no answer, and later answers do not wait for it.
        """
        for answer in self._answers:
            if answer.request is request and answer.frame is None:
                answer.frame = frame
                return self._ready()
        raise request.error("the request expects no response, or has one")

    def refuse_version(self, request: ReceivedRequest, offered: dict[int, tuple[int, int]]) -> bytes:
        """Answers an ApiVersions request of an unknown version: in version 0, with the versions on offer (KIP-511).

        ``offered`` are the lowest and highest version by API key. Raises ``SessionError`` for another request: brokers
        close the connection then.
        """
        if request.api_key != API_VERSIONS:
            raise request.error("only ApiVersions requests of an unknown version have an answer; close the connection")
        (cls,) = self._package.message_classes("response", API_VERSIONS)
        response = api_versions_response(cls, offered, error_code=UNSUPPORTED_VERSION)
        frame = response.encode_frame(version=0, correlation_id=request.correlation_id)
        return self.respond_frame(request, frame)

    def send_token(self, token: bytes) -> bytes:
        """The bytes to send of a SASL token after SaslHandshake version 0."""
        return framed(token)

    def close(self) -> None:
        """Notes the end of the stream. Raises ``SessionError`` in the middle of a frame."""
        self._framer.close()

    def _ready(self) -> bytes:
        """The answers that can be sent now."""
        ready: list[bytes] = []
        while self._answers and self._answers[0].frame is not None:
            ready.append(self._answers.popleft().frame or b"")
        return b"".join(ready)


def api_versions_response(cls: type[Any], offered: dict[int, tuple[int, int]], error_code: int = 0) -> Any:
    """An ApiVersions response of a package's class with these versions."""
    (entry,) = [field.struct for field in cls.fields(version=0) if field.name == "api_keys"]
    keys = [
        entry(api_key=key, min_version=lowest, max_version=highest)
        for key, (lowest, highest) in sorted(offered.items())
    ]
    return cls(error_code=error_code, api_keys=tuple(keys))
