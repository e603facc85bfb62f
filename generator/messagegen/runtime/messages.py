"""Messages with an API key: requests and responses with their frames, and records with the number of their type."""

from __future__ import annotations

from . import part
from .base import Message as Message  # noqa: PLC0414 - other modules take it from here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar, Protocol, Self

    from . import Limits

    class RequestHeader(Protocol):
        """The fields of every version of Kafka's request header; the actual class is in the output."""

        request_api_key: int
        request_api_version: int
        correlation_id: int
        client_id: str | None

    class ResponseHeader(Protocol):
        """The fields of every version of Kafka's response header; the actual class is in the output."""

        correlation_id: int


if not TYPE_CHECKING:
    from .base import ClassVar


class KeyedMessage(Message):
    """A message with an API key, or a record with the number of its type."""

    __slots__ = ()

    if TYPE_CHECKING:
        API_KEY: ClassVar[int]  # pyright: ignore[reportIncompatibleVariableOverride] - a constant


class Request(KeyedMessage):
    """A request, with methods for frames."""

    __slots__ = ()
    KIND = "request"

    def encode_frame(
        self, *, version: int, correlation_id: int, client_id: str | None = None, **header: object
    ) -> bytes:
        """The frame: a 4-byte length, the request header in the version that matches ``version``, and the body.

        ``header`` are additional fields of the output's ``RequestHeader``. Raises ``EncodeError``, and ``LookupError`` if the
        output has no ``RequestHeader``.
        """
        header |= {"request_api_key": self.API_KEY, "request_api_version": version}
        frame: bytes = part("frames").write_frame(
            self, version, {**header, "correlation_id": correlation_id, "client_id": client_id}
        )
        return frame

    @classmethod
    def decode_frame(
        cls, data: bytes | bytearray | memoryview, *, lazy: bool = False, limits: Limits | None = None
    ) -> tuple[RequestHeader, Self]:
        """Decodes a frame: returns its header, which contains the version, and the request.

        ``lazy`` is for the request, ``limits`` override ``LIMITS`` of the header and the request.
        Raises ``DecodeError``, also for a request with another API key, and ``LookupError`` like ``encode_frame``.
        """
        found: tuple[RequestHeader, Self] = part("frames").read_request(cls, data, limits, lazy=lazy)
        return found


class Response(KeyedMessage):
    """A response, with methods for frames."""

    __slots__ = ()
    KIND = "response"

    def encode_frame(self, *, version: int, correlation_id: int, **header: object) -> bytes:
        """The frame: a 4-byte length, the response header in the version that matches ``version``, and the body.

        ``correlation_id`` is that of the request, ``header`` are additional fields of the output's ``ResponseHeader``. Raises
        ``EncodeError``, and ``LookupError`` if the output has no ``ResponseHeader``.
        """
        frame: bytes = part("frames").write_frame(self, version, {**header, "correlation_id": correlation_id})
        return frame

    @classmethod
    def decode_frame(
        cls, data: bytes | bytearray | memoryview, *, version: int, lazy: bool = False, limits: Limits | None = None
    ) -> tuple[ResponseHeader, Self]:
        """Decodes a frame in the version of its request: returns its header and the response.

        The sender of the request knows the version, and should compare the header's ``correlation_id``. ``lazy`` is for
        the response, ``limits`` override ``LIMITS`` of the header and the response. Raises ``DecodeError``, and ``LookupError`` like ``encode_frame``.
        """
        found: tuple[ResponseHeader, Self] = part("frames").read_response(cls, data, version, limits, lazy=lazy)
        return found
