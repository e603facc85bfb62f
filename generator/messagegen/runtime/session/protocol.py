"""Kafka's protocol around messages: API numbers, sizes, and the order of requests and tokens."""

from __future__ import annotations

from _operator import index
from functools import lru_cache
from struct import unpack_from

from ..base import DECODE_FAILURES
from ..errors import DEFAULT_LIMITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

PRODUCE = 0
SASL_HANDSHAKE = 17
API_VERSIONS = 18

NONE = 0
"""The error code for success."""

UNSUPPORTED_VERSION = 35
"""The error code of a broker's answer, in version 0, to an unknown version of ApiVersions (KIP-511)."""

REQUEST_START_SIZE = 8
"""The size of the fields that all request headers begin with: API key, version and correlation id."""
CORRELATION_ID_SIZE = 4
"""The size of the correlation id, which all response headers begin with."""
CLIENT_ID_LENGTH_SIZE = 2
NULL_CLIENT_ID = b"\xff\xff"
CONTROLLED_SHUTDOWN_0 = b"\x00\x07\x00\x00"
"""The start of ControlledShutdown version 0, the only request whose header ends before the client id.

Kafka's specs no longer describe that header.
"""

MAX_WAITING = 10_000
"""The maximum number of requests on a connection that may wait for responses; clients send far fewer at a time."""

MAX_CLIENT_ID_CHARACTERS = 1 << 20
"""The maximum number of characters in those client ids of waiting requests that differ from the connection's."""

_CACHED_CLASSES = 1024
"""The number of message classes that are cached, in all packages together."""

# Both are far above Kafka's numbers, and far below the numbers that most SASL tokens and other bytes begin with.
HIGHEST_API_KEY = 500
HIGHEST_VERSION = 60


def first_error_code(payload: bytes) -> int:
    """Return the error code at the start of a response's body, after a header without tagged fields.

    If it is missing, return -1 (UNKNOWN_SERVER_ERROR).
    """
    if len(payload) < CORRELATION_ID_SIZE + 2:
        return -1
    return int.from_bytes(payload[CORRELATION_ID_SIZE : CORRELATION_ID_SIZE + 2], "big", signed=True)


def is_refusal(api_key: int, payload: bytes) -> bool:
    """Whether a response means that the broker does not support the version of ApiVersions (KIP-511)."""
    return api_key == API_VERSIONS and first_error_code(payload) == UNSUPPORTED_VERSION


def begins_tokens(api_key: int, version: int) -> bool:
    """Whether SASL tokens without headers follow a request if the broker accepts it (the protocol before KIP-152)."""
    return api_key == SASL_HANDSHAKE and version == 0


def may_be_request(payload: bytes, size: int) -> bool:
    """Whether a broker may accept a payload of ``size`` bytes as a request of any API.

    ``payload`` may be only its beginning. Brokers accept any version of ApiVersions, and any negative length as a null
    client id.
    """
    if len(payload) < REQUEST_START_SIZE:
        return False
    api_key, version = unpack_from(">hh", payload)
    if not (0 <= api_key <= HIGHEST_API_KEY and (0 <= version <= HIGHEST_VERSION or api_key == API_VERSIONS)):
        return False
    end = REQUEST_START_SIZE + CLIENT_ID_LENGTH_SIZE
    if len(payload) < end or payload.startswith(CONTROLLED_SHUTDOWN_0):
        return True
    return int.from_bytes(payload[REQUEST_START_SIZE:end], "big", signed=True) <= size - end


def expects_response(request: Any) -> bool:
    """Whether the broker answers a request. Only Produce requests with acks=0 get no response."""
    acks = getattr(request, "acks", None)
    return request.API_KEY != PRODUCE or acks is None or index(acks) != 0


def acks_of(message_class: Any, payload: bytes, offset: int, version: int) -> int | None:
    """Return the acks of a Produce request, or ``None`` if they can't be read.

    The fields after acks, which may be as long as a frame, are not read. The string before acks may be invalid UTF-8,
    which Java replaces.
    """
    from ..walk import Reader

    reader = Reader(payload, offset, DEFAULT_LIMITS)
    for field, codec in message_class.CODEC.parsed_plan().roots[version].steps:
        try:
            value: Any = reader.inside(field.attribute, codec)
        except UnicodeDecodeError:
            continue  # The reader has already passed the string.
        except DECODE_FAILURES:
            return None
        if field.attribute == "acks":
            return index(value)
    return None


def check_message(message: object, package: ModuleType, kind: str, api_key: int | None) -> None:
    """Raise ``TypeError`` unless ``message`` is the package's request or response of an API.

    The text names both classes with their packages.
    """
    cls: type[Any] | None = message_class(package, kind, api_key)
    if cls is None or not isinstance(message, cls):
        expected = f"a {kind} of {package.__name__}" if cls is None else _name(cls)
        raise TypeError(f"expected {expected}, found {_name(type(message))}")


def check_class(cls: object, base: type[Any]) -> None:
    """Raise ``TypeError`` unless ``cls`` is the class ``base`` or a subclass of it."""
    if not isinstance(cls, type):
        raise TypeError(f"expected the class {_name(base)}, found an instance of {_name(type(cls))}")
    if not issubclass(cls, base):
        raise TypeError(f"expected {_name(base)}, found {_name(cls)}")


def _name(cls: type[Any]) -> str:
    """Return the name of a class with its package."""
    return f"{cls.__module__.rpartition('.')[0] or cls.__module__}.{cls.__qualname__}"


@lru_cache(maxsize=_CACHED_CLASSES)
def message_class(package: ModuleType, kind: str, api_key: int | None) -> Any:
    """Return the class of a request or response, or ``None``. Cached, because a package searches all its messages."""
    if api_key is None:
        return None
    classes = package.message_classes(kind, api_key)
    return classes[0] if classes else None
