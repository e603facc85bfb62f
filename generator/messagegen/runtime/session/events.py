"""What a session reads: requests, responses and SASL tokens, with their bodies still as bytes."""

from __future__ import annotations

from struct import unpack_from

from ..errors import DecodeError
from .framing import SessionError, framed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from ..limits import Limits
    from ..messages import Request, Response

API_VERSIONS = 18
PRODUCE = 0
SASL_HANDSHAKE = 17
CONTROLLED_SHUTDOWN = 7

UNSUPPORTED_VERSION = 35
"""The error code with which a broker answers a version of ApiVersions that it does not know, in version 0 (KIP-511)."""
UNSUPPORTED_VERSION_BYTES = UNSUPPORTED_VERSION.to_bytes(2, "big")

REQUEST_START_SIZE = 8
"""API key, version and correlation id, with which all header versions begin."""

CORRELATION_ID_SIZE = 4


def version_of_response(api_key: int | None, version: int | None, payload: bytes) -> int | None:
    """The version in which a response was written, by its request: brokers refuse a version of ApiVersions in 0."""
    error_code = payload[CORRELATION_ID_SIZE : CORRELATION_ID_SIZE + len(UNSUPPORTED_VERSION_BYTES)]
    is_refusal = api_key == API_VERSIONS and error_code == UNSUPPORTED_VERSION_BYTES
    return 0 if is_refusal else version


class _Received:
    """What requests and responses have in common: a header that was read, and a body that is decoded on demand."""

    __slots__ = ("api_key", "correlation_id", "header", "message_class", "offset", "payload", "version")

    DIRECTION = ""
    NO_MESSAGE = ""
    """Why there is no message if the body is not supported."""

    api_key: Any
    correlation_id: int
    header: Any
    message_class: type[Any] | None
    offset: int
    payload: bytes
    version: Any
    """An int; of a response and of ``api_key`` also ``None``, if its request is not known."""

    @property
    def supported(self) -> bool:
        """Whether the package has the API and the version."""
        return self.message_class is not None and self.version in self.message_class.VALID_VERSIONS

    @property
    def frame(self) -> bytes:
        """The bytes as they were received, with their length."""
        return framed(self.payload)

    def decode(self, *, lazy: bool = False, limits: Limits | None = None) -> Any:
        """The message.

        Raises ``SessionError`` if the package lacks the API or version, or the bytes are not a message.
        """
        if not self.supported:
            raise self.error(self.NO_MESSAGE)
        assert self.message_class is not None
        assert self.version is not None
        try:
            message, end = self.message_class.decode_from(
                self.payload, self.offset, version=self.version, lazy=lazy, limits=limits
            )
        except DecodeError as error:
            raise self.error(f"invalid message: {error}") from error
        if end != len(self.payload):
            raise self.error(f"extra bytes after the message: {len(self.payload) - end}")
        return message

    def error(self, reason: str) -> SessionError:
        """An error about this request or response."""
        return SessionError(
            reason,
            direction=self.DIRECTION,
            correlation_id=self.correlation_id,
            api_key=self.api_key,
            version=self.version,
        )

    def __repr__(self) -> str:
        name = self.message_class.__name__ if self.message_class else f"API key {self.api_key}"
        return f"<{type(self).__name__} {name} version {self.version}, correlation id {self.correlation_id}>"


class ReceivedRequest(_Received):
    """A request that was received. Its body is decoded on demand, so an unwanted one costs nothing.

    ``payload`` are its bytes without the length, header included; ``client_id`` is that of the connection if this
    request leaves it out (KIP-1313). ``request_class`` is ``None`` if the package lacks the API; ``supported`` says
    whether it has the version.
    """

    __slots__ = ("client_id",)

    DIRECTION = "request"
    NO_MESSAGE = "the package has no such API or version"

    api_key: int
    version: int

    def __init__(self, package: ModuleType, payload: bytes) -> None:
        """Reads the header. Raises ``SessionError`` if that is not possible."""
        if len(payload) < REQUEST_START_SIZE:
            raise SessionError(f"expected at least {REQUEST_START_SIZE} bytes, got {len(payload)}", direction="request")
        api_key, version, correlation_id = unpack_from(">hhi", payload)
        classes = package.message_classes("request", api_key)
        self.api_key = api_key
        self.version = version
        self.correlation_id = correlation_id
        self.payload = payload
        self.message_class = classes[0] if classes else None
        try:
            self.header, self.offset = self._read_header(package)
        except DecodeError as error:
            raise self.error(f"invalid header: {error}") from None
        self.client_id: str | None = self.header.client_id

    def complete(self, client_id: str | None) -> str | None:
        """Takes over the client id of the connection if the request has none. Returns that of the connection now."""
        if self.client_id is None:
            self.client_id = client_id
        return self.client_id if client_id is None else client_id

    def _read_header(self, package: ModuleType) -> tuple[Any, int]:
        """The header, and where the body begins. An unknown version has at least the fields of header version 1."""
        if self.api_key == CONTROLLED_SHUTDOWN and self.version == 0:
            # Its header has no client id, and Kafka's specs do not describe it any more.
            start = {"request_api_key": self.api_key, "request_api_version": self.version}
            header = package.RequestHeader(**start, correlation_id=self.correlation_id, client_id=None)
            return header, REQUEST_START_SIZE
        header_version = 1
        if self.supported:
            assert self.message_class is not None
            header_version = self.message_class.header_version(self.version)
        found: tuple[Any, int] = package.RequestHeader.decode_from(self.payload, version=header_version)
        return found

    @property
    def expects_response(self) -> bool:
        """Whether the broker answers it. Only Produce requests with acks=0 get no response."""
        if self.api_key != PRODUCE or not self.supported:
            return True
        acks: int = self.decode(lazy=True).acks
        return acks != 0

    @property
    def request_class(self) -> type[Request] | None:
        """The class of the message, ``None`` if the package lacks the API."""
        return self.message_class


class ReceivedResponse(_Received):
    """A response that was received, with what its request says of it. Its body is decoded on demand.

    ``payload`` are its bytes without the length, header included. The API key and version are ``None`` if no request
    with its correlation id was seen, which only an ``Observer`` accepts. ``version`` is that of the bytes: a broker
    answers an unknown version of ApiVersions in version 0 (KIP-511).
    """

    __slots__ = ()

    DIRECTION = "response"
    NO_MESSAGE = "the package has no such API or version, or the request is not known"

    api_key: int | None
    version: int | None

    def __init__(self, package: ModuleType, payload: bytes, api_key: int | None, version: int | None) -> None:
        """Reads the header. Raises ``SessionError`` if that is not possible."""
        if len(payload) < CORRELATION_ID_SIZE:
            reason = f"expected at least {CORRELATION_ID_SIZE} bytes, got {len(payload)}"
            raise SessionError(reason, direction="response", api_key=api_key, version=version)
        classes = package.message_classes("response", api_key) if api_key is not None else ()
        self.payload = payload
        self.correlation_id = int.from_bytes(payload[:CORRELATION_ID_SIZE], "big", signed=True)
        self.api_key = api_key
        self.version = version
        self.message_class = classes[0] if classes else None
        try:
            self.header, self.offset = self._read_header(package)
        except DecodeError as error:
            raise self.error(f"invalid header: {error}") from None

    def _read_header(self, package: ModuleType) -> tuple[Any, int]:
        header_version = 0
        if self.supported:
            assert self.message_class is not None
            assert self.version is not None
            header_version = self.message_class.header_version(self.version)
        found: tuple[Any, int] = package.ResponseHeader.decode_from(self.payload, version=header_version)
        return found

    @property
    def response_class(self) -> type[Response] | None:
        """The class of the message, ``None`` if the package lacks the API."""
        return self.message_class


class SaslToken:
    """A token of a SASL login after SaslHandshake version 0, which has no header.

    Its content is secret, so ``repr`` hides it.
    """

    __slots__ = ("direction", "token")

    def __init__(self, direction: str, token: bytes) -> None:
        self.direction = direction
        self.token = token

    @property
    def frame(self) -> bytes:
        """The token as it was received, with its length."""
        return framed(self.token)

    def __repr__(self) -> str:
        return f"<SaslToken {self.direction}, {len(self.token)} bytes>"
