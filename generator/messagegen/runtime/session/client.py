"""The client's side of a connection, which sends requests."""

from __future__ import annotations

from collections import deque

from ..messages import Generic, NoCommonVersionError
from .events import ReceivedResponse, SaslToken
from .framing import MAX_FRAME_SIZE, EventReader, Framer, SessionError
from .in_flight import SentToken
from .protocol import API_VERSIONS, CORRELATION_ID_SIZE, NONE, check_message
from .sent import SentRequest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType
    from typing import Any, TypeVar

    from ..errors import Limits
    from ..messages import Request, Response

    E_co = TypeVar("E_co", covariant=True)
    R = TypeVar("R", bound=Response)
else:
    E_co = None

_CORRELATION_IDS = 1 << 31
"""The number of correlation ids: they are int32, and start at 0 again after the last one."""

_HIGHEST_VERSION = 32767
"""The highest version number: versions are int16."""


class _ClientSide(Generic[E_co]):
    """The client's side of one connection. Its events are of the type ``E_co``."""

    def __init__(
        self,
        package: ModuleType,
        *,
        client_id: str | None = None,
        max_frame_size: int = MAX_FRAME_SIZE,
        limits: Limits | None = None,
        first_correlation_id: int = 0,
    ) -> None:
        self.client_id = client_id
        self.offered: Mapping[int, tuple[int, int]] | None = None
        """The broker's lowest and highest version by API key; ``None`` before ApiVersions was answered.

        After a refusal it contains only ApiVersions, so that ``send`` can ask again in a version that the broker knows.
        """
        self._package = package
        self._framer = Framer("response", max_frame_size)
        self._events = EventReader(self._framer, self._take, self._read)
        self._limits = limits
        self._next_id = first_correlation_id
        self._waiting: deque[SentRequest | SentToken] = deque()

    @property
    def waiting(self) -> int:
        """The number of requests and tokens that wait for their answers."""
        return len(self._waiting)

    @property
    def pending(self) -> int:
        """The number of received bytes of an incomplete answer."""
        return self._framer.pending

    def version_for(self, request_class: type[Request]) -> int:
        """Return the highest stable version that both sides support, or this side's before ApiVersions is answered.

        Raises ``NoCommonVersionError``, whose text names both ranges.
        """
        if self.offered is None:
            return request_class.choose_version(0, _HIGHEST_VERSION)
        key = request_class.API_KEY
        if key not in self.offered:
            raise NoCommonVersionError(f"the broker does not support {request_class.__name__} (API key {key})")
        lowest, highest = self.offered[key]
        return request_class.choose_version(lowest, highest)

    def send(self, request: Request[R], *, version: int | None = None) -> SentRequest[R]:
        """Encode a request, and expect its response.

        Raises ``TypeError`` for a message that is not a request of the session's package, ``NoCommonVersionError`` if
        the two sides share no version, and ``UnsupportedVersionError`` if the request lacks ``version``. Raises
        ``EncodeError`` if the request or its header can't be encoded. After an error, the session is unchanged.
        """
        check_message(request, self._package, "request", getattr(request, "API_KEY", None))
        if version is None:
            version = self.version_for(type(request))
        sent = SentRequest(request, version, self._next_id, self.client_id)
        self._next_id = (self._next_id + 1) % _CORRELATION_IDS
        if sent.expects_response:
            self._waiting.append(sent)
        return sent

    def receive(self, data: bytes | bytearray | memoryview) -> Iterator[E_co]:
        """Take bytes from the broker, and return an iterator over the events that are complete.

        Events that are not read from the iterator are returned by later calls. Reading raises ``SessionError`` as soon
        as the bytes can't be an answer. The session is then unusable: all further calls raise the same error, and no
        bytes are stored.
        """
        return self._events.feed(data)

    def receive_payload(self, payload: bytes) -> E_co:
        """Return the event of one payload, for programs that split the stream themselves. Raises ``SessionError``."""
        event: E_co = self._events.read(payload)
        return event

    def close(self) -> None:
        """Note the end of the stream. Raises ``SessionError`` if it ends inside a frame."""
        self._framer.close()

    def _read(self, payload: bytes) -> ReceivedResponse[SentRequest] | SaslToken:
        self._check_expected(len(payload))
        sent = self._waiting.popleft()
        if isinstance(sent, SentToken):
            return SaslToken("response", payload, sent)
        response = ReceivedResponse(self._package, payload, sent)
        if response.correlation_id != sent.correlation_id:
            raise response.error(f"sent correlation id {response.correlation_id}, expected {sent.correlation_id}")
        response.check_header()
        if sent.api_key == API_VERSIONS:
            self._learn_versions(response)
        return response

    def _take(self) -> bytes | None:
        """Return the next payload if it is complete.

        Raises ``SessionError`` if no response is expected, or if the payload is too small for the expected response.
        """
        size = self._framer.next_size(self._smallest_answer)
        if size is None:
            return None
        self._check_expected(size)
        return self._framer.take()

    @property
    def _smallest_answer(self) -> int:
        """The minimum size of the next answer in bytes: only a token may be shorter than a header."""
        is_token = bool(self._waiting) and isinstance(self._waiting[0], SentToken)
        return 0 if is_token else CORRELATION_ID_SIZE

    def _check_expected(self, size: int) -> None:
        if not self._waiting:
            raise SessionError(f"sent {size} bytes without a request", direction="response")

    def _learn_versions(self, response: ReceivedResponse[SentRequest]) -> None:
        """Store the versions that the broker offers.

        Raises ``SessionError`` if the response can't be decoded, or has an error other than a refused version.
        """
        message: Any = response.decode(limits=self._limits)
        if message.error_code != NONE and not response.refused:
            raise response.error(f"answered ApiVersions with error code {self._error_name(message.error_code)}")
        offered = {each.api_key: (each.min_version, each.max_version) for each in message.api_keys}
        if response.refused:
            # Brokers before KIP-511 do not name the versions that they support.
            lowest, highest = offered.get(API_VERSIONS, (0, 0))
            offered[API_VERSIONS] = lowest, min(highest, response.request.version - 1)
        self.offered = offered

    def _error_name(self, code: int) -> str:
        """Return the name of an error code, or the number if the package has no error codes."""
        error_codes: Any = getattr(self._package, "ErrorCode", None)
        return str(code) if error_codes is None else str(error_codes(code).name)


class ClientSession(_ClientSide[ReceivedResponse[SentRequest]]):
    """The client's side of one connection.

    ``package`` is the generated package with the messages; ``limits`` apply to ApiVersions responses. A program sends
    the ``frame`` of each request that ``send`` returns, and passes all received bytes to ``receive``::

        session = ClientSession(messagegen_kafka, client_id="app")
        write(session.send(ApiVersionsRequest(client_software_name="app", client_software_version="1")).frame)
        for event in session.receive(read()):
            ...

    The ``request`` of an event is the request that ``send`` returned. Once ApiVersions has been answered, requests are
    sent in the highest version that both sides support.
    """


class ClientSessionWithTokens(_ClientSide[ReceivedResponse[SentRequest] | SaslToken]):
    """A ``ClientSession`` for logins with SaslHandshake version 0, whose tokens have no headers.

    Its events may be tokens, too.
    """

    def send_token(self, token: bytes, *, expects_response: bool = True) -> SentToken:
        """Frame a SASL token after SaslHandshake version 0. Its answer becomes a ``SaslToken``.

        Some mechanisms end with a token that the broker does not answer.
        """
        sent = SentToken(token, expects_response=expects_response)
        if expects_response:
            self._waiting.append(sent)
        return sent
