"""The side of a connection that sends requests."""

from __future__ import annotations

from collections import deque

from .events import API_VERSIONS, PRODUCE, ReceivedResponse, SaslToken, version_of_response
from .framing import LENGTH_SIZE, MAX_FRAME_SIZE, Framer, SessionError, framed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType
    from typing import Any

    from ..messages import Request

    Event = ReceivedResponse | SaslToken

_CORRELATION_IDS = 1 << 31
"""Correlation ids are int32, and begin again at 0."""


class NoCommonVersionError(LookupError):
    """The broker and this side have no version of a request in common."""


class SentRequest:
    """A request that a session wrote: ``frame`` are the bytes to send, with the length."""

    __slots__ = ("correlation_id", "expects_response", "frame", "request", "version")

    def __init__(self, request: Request, version: int, correlation_id: int, frame: bytes) -> None:
        self.request = request
        self.version = version
        self.correlation_id = correlation_id
        self.frame = frame
        acks_zero = request.API_KEY == PRODUCE and getattr(request, "acks", None) == 0
        self.expects_response = not acks_zero

    @property
    def payload(self) -> bytes:
        """The bytes without the length."""
        return self.frame[LENGTH_SIZE:]


class VersionsRefused:
    """The broker does not know the version of ApiVersions; ``sent`` is the request in one that it knows (KIP-511)."""

    __slots__ = ("sent",)

    def __init__(self, sent: SentRequest) -> None:
        self.sent = sent


class _WaitingForToken:
    """The place of an answer to a SASL token among the requests that wait."""


class ClientSession:
    """The client's side of one connection.

    ``package`` is the generated package with the messages. A program sends the ``frame`` of what ``send`` returns, and
    gives all bytes that it receives to ``receive``::

        session = ClientSession(messagegen_kafka, client_id="app")
        write(session.send(ApiVersionsRequest(client_software_name="app", client_software_version="1")).frame)
        for event in session.receive(read()):
            ...

    Once ApiVersions has been answered, requests are sent in the highest version that both sides have.
    """

    def __init__(
        self,
        package: ModuleType,
        *,
        client_id: str | None = None,
        max_frame_size: int = MAX_FRAME_SIZE,
        first_correlation_id: int = 0,
    ) -> None:
        self.client_id = client_id
        self.offered: Mapping[int, tuple[int, int]] | None = None
        """The lowest and highest version of the broker by API key; ``None`` before ApiVersions was answered."""
        self._package = package
        self._framer = Framer("response", max_frame_size)
        self._next_id = first_correlation_id
        self._waiting: deque[SentRequest | _WaitingForToken] = deque()

    @property
    def waiting(self) -> int:
        """How many requests and tokens wait for their answers."""
        return len(self._waiting)

    def version_for(self, request_class: type[Request]) -> int:
        """The highest stable version that both sides have; before ApiVersions was answered, the highest of this side.

        Raises ``NoCommonVersionError``, whose text names both ranges.
        """
        own = request_class.VALID_VERSIONS
        if request_class.LATEST_VERSION_UNSTABLE:
            own = own[:-1]
        name, key = request_class.__name__, request_class.API_KEY
        if self.offered is None:
            return own[-1]
        if key not in self.offered:
            raise NoCommonVersionError(f"the broker does not support {name} (API key {key})")
        lowest, highest = self.offered[key]
        common = [version for version in own if lowest <= version <= highest]
        if not common:
            ranges = f"the broker supports {name} versions {lowest} to {highest}, this side {own[0]} to {own[-1]}"
            raise NoCommonVersionError(f"{ranges}: no common version")
        return common[-1]

    def send(self, request: Request, *, version: int | None = None) -> SentRequest:
        """Writes a request. Raises ``NoCommonVersionError``, and ``EncodeError`` if its version can't hold it.

        After an error, the session is as before.
        """
        if version is None:
            version = self.version_for(type(request))
        correlation_id = self._next_id
        frame = request.encode_frame(version=version, correlation_id=correlation_id, client_id=self.client_id)
        sent = SentRequest(request, version, correlation_id, frame)
        self._next_id = (correlation_id + 1) % _CORRELATION_IDS
        if sent.expects_response:
            self._waiting.append(sent)
        return sent

    def send_token(self, token: bytes) -> bytes:
        """The bytes to send of a SASL token after SaslHandshake version 0. Its answer becomes a ``SaslToken``."""
        self._waiting.append(_WaitingForToken())
        return framed(token)

    def receive(self, data: bytes | bytearray | memoryview) -> Iterator[Event | VersionsRefused]:
        """Takes bytes from the broker, and yields what they complete.

        Raises ``SessionError``; the session then can't be used.
        """
        for payload in self._framer.feed(data):
            yield self.receive_payload(payload)

    def receive_payload(self, payload: bytes) -> Event | VersionsRefused:
        """The event of one payload, for programs that frame themselves. Raises ``SessionError``."""
        if not self._waiting:
            raise SessionError(f"no request waits for these {len(payload)} bytes", direction="response")
        sent = self._waiting.popleft()
        if isinstance(sent, _WaitingForToken):
            return SaslToken("response", payload)
        version = version_of_response(sent.request.API_KEY, sent.version, payload)
        response = ReceivedResponse(self._package, payload, sent.request.API_KEY, version)
        if response.correlation_id != sent.correlation_id:
            raise response.error(f"expected the correlation id {sent.correlation_id}: brokers answer in order")
        if sent.request.API_KEY != API_VERSIONS:
            return response
        offered = _offered(response)
        if version == sent.version:
            self.offered = offered
            return response
        return VersionsRefused(self.send(sent.request, version=self._version_after_refusal(sent, offered)))

    def close(self) -> None:
        """Notes the end of the stream. Raises ``SessionError`` in the middle of a frame."""
        self._framer.close()

    def _version_after_refusal(self, sent: SentRequest, offered: Mapping[int, tuple[int, int]]) -> int:
        """The highest common version of ApiVersions; 0 if the broker is older than KIP-511 and does not say it."""
        lowest, highest = offered.get(API_VERSIONS, (0, 0))
        own = range(sent.request.VALID_VERSIONS[0], sent.version)
        common = [version for version in own if lowest <= version <= highest]
        if not common:
            raise SessionError(
                f"the broker refuses ApiVersions version {sent.version}, and supports {lowest} to {highest}",
                direction="response",
                correlation_id=sent.correlation_id,
                api_key=API_VERSIONS,
                version=sent.version,
            )
        return common[-1]


def _offered(response: ReceivedResponse) -> dict[int, tuple[int, int]]:
    """The versions that a broker offers, by API key."""
    message: Any = response.decode()
    return {each.api_key: (each.min_version, each.max_version) for each in message.api_keys}
