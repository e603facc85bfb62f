"""Messages with an API key: requests and responses, which have frames, and records, whose key is the record type."""

from __future__ import annotations

from . import part
from .base import Message as Message  # noqa: PLC0414 - other modules take it from here
from .base import checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar, Self
    from typing import Generic as Generic  # noqa: PLC0414 - sessions take it from here

    # Type checkers contain it, so it need not be installed.
    from typing_extensions import TypeVar  # pyright: ignore[reportMissingModuleSource]

    from .errors import Limits

    T_co = TypeVar("T_co", covariant=True)
    R_co = TypeVar("R_co", bound="Response", covariant=True, default="Response")
    """The class of a request's response."""

    class RequestHeaderFields:
        """The fields of the package's ``RequestHeader``."""

        request_api_key: int
        request_api_version: int
        correlation_id: int
        client_id: str | None
        unknown_tagged_fields: tuple[tuple[int, bytes], ...]

    class ResponseHeaderFields:
        """The fields of the package's ``ResponseHeader``."""

        correlation_id: int
        unknown_tagged_fields: tuple[tuple[int, bytes], ...]

    class class_property(Generic[T_co]):  # noqa: N801 - used like property
        """A property of a class, and of its instances."""

        def __init__(self, get: Callable[[Any], T_co]) -> None: ...
        def __get__(self, instance: object, owner: type[Any]) -> T_co: ...

else:
    from .structs import ClassVar

    R_co = None

    class Generic:
        """Replaces ``typing.Generic`` at run time, because importing ``typing`` takes too long."""

        __slots__ = ()

        def __class_getitem__(cls, _: object) -> type[Any]:
            return cls

    class class_property:  # noqa: N801 - used like property
        """A property of a class, and of its instances."""

        __slots__ = ("get",)

        def __init__(self, get: Callable[[Any], object]) -> None:
            self.get = get

        def __get__(self, _: object, owner: type[Any]) -> object:
            return self.get(owner)


class NoCommonVersionError(LookupError):
    """The error if the two sides support no common version of a message."""


class KeyedMessage(Message):
    """A message with an API key: a request or response, which has frames, or a record, whose key is the record type."""

    __slots__ = ()

    if TYPE_CHECKING:
        API_KEY: ClassVar[int]  # pyright: ignore[reportIncompatibleVariableOverride] - a constant

    LATEST_VERSION_UNSTABLE: ClassVar[bool] = False
    """Whether the highest version may still change, so that it should be used only on request."""
    LISTENERS: ClassVar[tuple[str, ...]] = ()
    HEADER_VERSIONS: ClassVar[tuple[tuple[int, int, int], ...]] = ()
    """Tuples of a lowest version, a highest version, and the header version for this range."""

    @class_property
    def stable_versions(cls) -> range:  # noqa: N805 - a property of the class
        """The versions to use by default: all, except the highest one if it may still change."""
        valid: range = cls.VALID_VERSIONS
        return valid[:-1] if cls.LATEST_VERSION_UNSTABLE else valid

    @classmethod
    def choose_version(cls, lowest: int, highest: int) -> int:
        """Return the highest stable version in the range from ``lowest`` to ``highest`` that the peer supports.

        Raises ``NoCommonVersionError``, whose text names both ranges.
        """
        stable: range = cls.stable_versions
        common = [version for version in stable if lowest <= version <= highest]
        if not common:
            own = f"{stable[0]} to {stable[-1]}" if stable else "none"
            offered = f"the other side supports {cls.__name__} versions {lowest} to {highest}"
            raise NoCommonVersionError(f"{offered}, this side {own}: no common version")
        return common[-1]

    @classmethod
    def header_version(cls, version: int) -> int:
        """Return the version of the request or response header for this version of the body (KIP-1313).

        Raises ``LookupError`` for a message that has no header.
        """
        version = checked(cls, version)
        for lowest, highest, header in cls.HEADER_VERSIONS:
            if lowest <= version <= highest:
                return header
        raise LookupError(f"{cls.__name__} has no header")

    def encode_frame(self, *, version: int, correlation_id: int, **header: object) -> bytes:
        """Return the frame: a 4-byte length, the header in the version that belongs to ``version``, and the body.

        A response has the ``correlation_id`` of its request. ``header`` are further fields of the output's
        ``RequestHeader``, such as ``client_id``, or of its ``ResponseHeader``. Raises ``EncodeError``, and
        ``LookupError`` if the output lacks this header.
        """
        frame: bytes = part("frames").write_frame(self, version, {**header, "correlation_id": correlation_id})
        return frame

    @classmethod
    def decode_frame(
        cls,
        data: bytes | bytearray | memoryview,
        *,
        version: int = -1,
        lazy: bool = False,
        limits: Limits | None = None,
    ) -> tuple[Any, Self]:
        """Decode a frame, and return its header and the message.

        Pass ``version`` for a response, because only the sender of the request knows it; the frame of a request
        contains the version. ``lazy`` applies to the message; ``limits`` override ``LIMITS`` of the header and the
        message. Raises ``DecodeError``, also for a request with a different API key. Raises
        ``UnsupportedVersionError``, and ``LookupError`` like ``encode_frame``.
        """
        found: tuple[Any, Self] = part("frames").read_frame(cls, data, version, limits, lazy=lazy)
        return found


class Request(KeyedMessage, Generic[R_co]):
    """A request.

    For type checkers, it is generic in the class of its response: a function that takes a ``Request[R]`` may return an
    ``R``.
    """

    __slots__ = ()
    KIND = "request"

    if TYPE_CHECKING:

        @classmethod
        def decode_frame(  # noqa: D102 - as in the base class, with the type of the header
            cls,
            data: bytes | bytearray | memoryview,
            *,
            version: int = -1,
            lazy: bool = False,
            limits: Limits | None = None,
        ) -> tuple[RequestHeaderFields, Self]: ...

    @class_property
    def RESPONSE(cls) -> type[R_co] | None:  # noqa: N802, N805 - a constant of the class
        """The class of the response; ``None`` if the package does not have it."""
        return None


class Response(KeyedMessage):
    """A response."""

    __slots__ = ()
    KIND = "response"

    if TYPE_CHECKING:

        @classmethod
        def decode_frame(  # noqa: D102 - as in the base class, with the type of the header
            cls,
            data: bytes | bytearray | memoryview,
            *,
            version: int = -1,
            lazy: bool = False,
            limits: Limits | None = None,
        ) -> tuple[ResponseHeaderFields, Self]: ...

    @class_property
    def REQUEST(cls) -> type[Request] | None:  # noqa: N802, N805 - a constant of the class
        """The class of the request; ``None`` if the package does not have it."""
        return None
