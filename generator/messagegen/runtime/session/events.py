"""Events of sessions: requests, responses and SASL tokens, with their bodies still as bytes."""

from __future__ import annotations

from ..messages import Generic
from .framing import SessionError, framed
from .in_flight import InFlightRequest, request_error
from .protocol import (
    CONTROLLED_SHUTDOWN_0,
    CORRELATION_ID_SIZE,
    NULL_CLIENT_ID,
    PRODUCE,
    REQUEST_START_SIZE,
    acks_of,
    check_class,
    is_refusal,
    message_class,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any, overload

    # Type checkers contain it, so it need not be installed.
    from typing_extensions import TypeVar  # pyright: ignore[reportMissingModuleSource]

    from ..errors import DecodeError, Limits
    from ..messages import KeyedMessage, RequestHeaderFields, ResponseHeaderFields
    from .in_flight import SentToken

    M = TypeVar("M", bound=KeyedMessage)
    Q_co = TypeVar("Q_co", bound=InFlightRequest | None, covariant=True, default=InFlightRequest | None)
    """The type of the request of a response."""
else:
    Q_co = None

    def overload(function: Callable[..., Any]) -> Callable[..., Any]:
        """Replace ``typing.overload``: importing ``typing`` takes too long."""
        return function


_START_VERSION = 1
"""All later request header versions begin with its fields: API key, version, correlation id and client id."""
_CORRELATION_ID_VERSION = 0
"""All later response header versions begin with its only field, the correlation id."""


class _Received:
    """A received request or response. The start of its header has been read; the rest is read on demand."""

    __slots__ = ("_package", "_parts", "correlation_id", "payload")

    DIRECTION = ""
    NO_MESSAGE = ""
    """The reason in the error if the message is not supported."""
    SIMPLE_HEADER = 0
    """The header version for an unknown message: all other versions begin with the same fields."""

    if TYPE_CHECKING:
        payload: bytes
        correlation_id: int
        _package: ModuleType
        _parts: tuple[Any, int] | None

        @property
        def api_key(self) -> Any: ...
        @property
        def version(self) -> Any: ...

    @property
    def message_class(self) -> Any:
        """The class of the message; ``None`` if the package lacks the API."""
        return message_class(self._package, self.DIRECTION, self.api_key)

    @property
    def supported(self) -> bool:
        """Whether the package has the API and the version."""
        return self.message_class is not None and self.version in self.message_class.VALID_VERSIONS

    @property
    def frame(self) -> bytes:
        """The bytes as they were received, with their length."""
        return framed(self.payload)

    @property
    def offset(self) -> int:
        """The position of the body in ``payload``. Raises ``SessionError`` if the header can't be read."""
        return self._header_and_offset[1]

    @property
    def body(self) -> bytes:
        """The bytes of the message. Raises ``SessionError`` if the header can't be read."""
        return self.payload[self.offset :]

    @overload
    def decode(self, expected: type[M], *, lazy: bool = ..., limits: Limits | None = ...) -> M: ...
    @overload
    def decode(self, expected: None = None, *, lazy: bool = ..., limits: Limits | None = ...) -> Any: ...  # noqa: F811
    def decode(self, expected: Any = None, *, lazy: bool = False, limits: Limits | None = None) -> Any:  # noqa: F811
        """Return the message, as an instance of the class ``expected`` if it is passed.

        ``expected`` is ``message_class`` or a subclass of it. Raises ``TypeError`` for other classes. Raises
        ``SessionError`` if the package lacks the API or version, or the bytes are not a message.
        """
        if not self.supported:
            raise self.error(self.NO_MESSAGE)
        if expected is None:
            expected = self.message_class
        check_class(expected, self.message_class)
        try:
            return self._message(expected, lazy=lazy, limits=limits)
        except self._package.DecodeError as error:
            raise self.error(f"sent an invalid {self.DIRECTION}: {error}") from error

    def _message(self, expected: Any, *, lazy: bool, limits: Limits | None) -> Any:
        return expected.decode(self.body, version=self.version, lazy=lazy, limits=limits)

    def check_header(self) -> None:
        """Raise ``SessionError`` if the header can't be read."""
        _ = self._header_and_offset

    def error(self, reason: str) -> SessionError:
        """Return an error about this request or response."""
        return SessionError(
            reason,
            direction=self.DIRECTION,
            correlation_id=self.correlation_id,
            api_key=self.api_key,
            version=self.version,
        )

    @property
    def _header_and_offset(self) -> tuple[Any, int]:
        """The header, and the position of the body."""
        if self._parts is None:
            version = self.message_class.header_version(self.version) if self.supported else self.SIMPLE_HEADER
            try:
                self._parts = self._read_header(version)
            except self._package.DecodeError as error:
                raise self.error(f"sent an invalid {self.DIRECTION} header: {error}") from error
        return self._parts

    def _read_header(self, version: int) -> tuple[Any, int]:
        raise NotImplementedError

    def __repr__(self) -> str:
        name = self.message_class.__name__ if self.message_class else f"API key {self.api_key}"
        return f"<{type(self).__name__} {name} version {self.version}, correlation id {self.correlation_id}>"


class ReceivedRequest(_Received):
    """A received request. Its header and body are decoded on demand.

    ``in_flight`` becomes the ``request`` of its response. ``supported`` is whether the package has the API and the
    version. Some clients send extra bytes after the message: ``decode`` ignores them, as brokers do, but ``body`` and
    ``frame`` include them.
    """

    __slots__ = ("in_flight",)

    DIRECTION = "request"
    NO_MESSAGE = "the package has no such API or version"
    SIMPLE_HEADER = _START_VERSION

    def __init__(self, package: ModuleType, payload: bytes, in_flight: InFlightRequest | None = None) -> None:
        """Read the start of the header, unless ``in_flight`` contains it.

        Raises ``SessionError`` if it can't be read.
        """
        self.payload = payload
        """The bytes without the length, header included."""
        self._package = package
        self._parts = None
        if in_flight is None:
            in_flight = InFlightRequest.of(payload)
            if in_flight is None or not in_flight.read_client_id(payload):
                raise self._start_error(in_flight)
        self.in_flight = in_flight
        self.correlation_id = in_flight.correlation_id

    @property
    def api_key(self) -> int:
        """Kafka's number of the API."""
        return self.in_flight.api_key

    @property
    def version(self) -> int:
        """The version of the message."""
        return self.in_flight.version

    @property
    def header(self) -> RequestHeaderFields:
        """The ``RequestHeader``. Raises ``SessionError`` if it can't be read."""
        header: RequestHeaderFields = self._header_and_offset[0]
        return header

    @property
    def client_id(self) -> str | None:
        """The client id; if the request omits it, the client id of the connection (KIP-1313)."""
        return self.in_flight.client_id

    @property
    def expects_response(self) -> bool:
        """Whether the broker answers the request. Only Produce requests with acks=0 get no response.

        If acks can't be read, it is ``True``.
        """
        if self.api_key != PRODUCE or not self.supported:
            return True
        try:
            return acks_of(self.message_class, self.payload, self.offset, self.version) != 0
        except SessionError:
            return True

    def complete(self, client_id: str | None) -> str | None:
        """Use the connection's ``client_id`` if the request has none or an equal one. Return the connection's."""
        request = self.in_flight
        if request.client_id is None or request.client_id == client_id:
            request.client_id = client_id  # one shared object for all requests
        return request.client_id if client_id is None else client_id

    def _message(self, expected: Any, *, lazy: bool, limits: Limits | None) -> Any:
        found, _ = expected.decode_from(self.payload, self.offset, version=self.version, lazy=lazy, limits=limits)
        return found

    def _start_error(self, in_flight: InFlightRequest | None) -> SessionError:
        """Return the error for a header whose start can't be read; a second, slow pass locates the field."""
        try:
            self._read_header(_START_VERSION)
        except self._package.DecodeError as cause:
            error = _header_error("request", cause, in_flight)
            error.__cause__ = cause
            return error
        raise AssertionError("the header can be read")

    def _read_header(self, version: int) -> tuple[Any, int]:
        data = self.payload
        without_client_id = data.startswith(CONTROLLED_SHUTDOWN_0)
        if without_client_id:
            data = data[:REQUEST_START_SIZE] + NULL_CLIENT_ID
            version = _START_VERSION
        header, end = self._package.RequestHeader.decode_from(data, version=version)
        return header, REQUEST_START_SIZE if without_client_id else end


class ReceivedResponse(_Received, Generic[Q_co]):
    """A received response, and its request. Its header and body are decoded on demand.

    ``request`` is the request that ``ClientSession.send`` returned, or the ``in_flight`` of a request that an
    ``Observer`` read. It is ``None`` if the observer read no request with this correlation id; then the API key and
    version are ``None``, too.
    """

    __slots__ = ("request",)

    DIRECTION = "response"
    NO_MESSAGE = "the package has no such API or version, or the request is not known"
    SIMPLE_HEADER = _CORRELATION_ID_VERSION

    def __init__(self, package: ModuleType, payload: bytes, request: Q_co) -> None:
        """Read the correlation id. Raises ``SessionError`` if it can't be read."""
        self.payload = payload
        """The bytes without the length, header included."""
        self.request = request
        self._package = package
        self._parts = None
        if len(payload) < CORRELATION_ID_SIZE:
            try:
                self._read_header(_CORRELATION_ID_VERSION)
            except self._package.DecodeError as error:
                raise _header_error("response", error, request) from error
        self.correlation_id = int.from_bytes(payload[:CORRELATION_ID_SIZE], "big", signed=True)

    @property
    def api_key(self) -> int | None:
        """Kafka's number of the API."""
        return None if self.request is None else self.request.api_key

    @property
    def version(self) -> int | None:
        """The version of the message: the version of its request, or 0 if the request is ``refused``."""
        if self.request is None:
            return None
        return 0 if self.refused else self.request.version

    @property
    def header(self) -> ResponseHeaderFields:
        """The ``ResponseHeader``. Raises ``SessionError`` if it can't be read."""
        header: ResponseHeaderFields = self._header_and_offset[0]
        return header

    @property
    def refused(self) -> bool:
        """Whether the broker answers in version 0 because it does not know the version of ApiVersions (KIP-511).

        The request can be sent again in one of the versions that the response lists.
        """
        if self.request is None or self.request.version == 0:
            return False
        return is_refusal(self.request.api_key, self.payload)

    def _read_header(self, version: int) -> tuple[Any, int]:
        found: tuple[Any, int] = self._package.ResponseHeader.decode_from(self.payload, version=version)
        return found


class SaslToken:
    """A token of a SASL login after SaslHandshake version 0. It has no header.

    ``request`` is the token of a ``ClientSession`` that this token answers, otherwise ``None``. The content is secret,
    so ``repr`` hides it.
    """

    __slots__ = ("direction", "request", "token")

    def __init__(self, direction: str, token: bytes, request: SentToken | None = None) -> None:
        self.direction = direction
        self.token = token
        self.request = request

    @property
    def frame(self) -> bytes:
        """The token as it was received, with its length."""
        return framed(self.token)

    def __repr__(self) -> str:
        return f"<SaslToken {self.direction}, {len(self.token)} bytes>"


class UnreadableFrame:
    """A payload whose header can't be read. Only an ``Observer`` returns this event.

    If the payload is a request in which only the client id can't be read, ``in_flight`` is the request, otherwise
    ``None``.
    """

    __slots__ = ("_package", "direction", "in_flight", "payload")

    def __init__(
        self, package: ModuleType, direction: str, payload: bytes, in_flight: InFlightRequest | None = None
    ) -> None:
        self._package = package
        self.direction = direction
        self.payload = payload
        self.in_flight = in_flight

    @property
    def error(self) -> SessionError:
        """The error for the header. It is created on demand, because locating the damaged field is slow."""
        try:
            if self.direction == "request":
                ReceivedRequest(self._package, self.payload)
            else:
                ReceivedResponse(self._package, self.payload, None)
        except SessionError as error:
            return error
        raise AssertionError("the header can be read")

    @property
    def frame(self) -> bytes:
        """The bytes as they were received, with their length."""
        return framed(self.payload)


def _header_error(direction: str, error: DecodeError, request: InFlightRequest | None) -> SessionError:
    """Return the error for a header that can't be read, with the numbers of the request if they are known."""
    return request_error(request, f"sent an invalid {direction} header: {error}", direction)
