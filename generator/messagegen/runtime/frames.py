"""Frames: a 4-byte length, a header in the version that matches the body, and the body. Loaded on first use.

Headers are messages of the same output, named ``RequestHeader`` and ``ResponseHeader`` as in Kafka.
"""

from __future__ import annotations

from importlib import import_module

from .errors import DecodeError, EncodeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import Limits
    from .messages import KeyedMessage

_LENGTH = 4
_LONGEST = 0x7FFFFFFF
_VERSION_AT = 6


def write_frame(message: KeyedMessage, version: int, fields: dict[str, object]) -> bytes:
    """The frame of a request or response; ``fields`` are those of its header. Raises ``EncodeError`` and ``LookupError``."""
    header_version = message.header_version(version)
    header = header_class(type(message))(**fields)
    frame = bytearray(_LENGTH)
    header.encode_into(frame, version=header_version)
    message.encode_into(frame, version=version)
    length = len(frame) - _LENGTH
    if length > _LONGEST:
        raise EncodeError(type(message).__name__, version, "", f"{length} bytes are too many for a frame")
    frame[:_LENGTH] = length.to_bytes(_LENGTH, "big")
    return bytes(frame)


def read_request(
    cls: type[KeyedMessage], data: bytes | bytearray | memoryview, limits: Limits | None, *, lazy: bool
) -> tuple[Any, Any]:
    """The header and body of a request; the header contains the version. Raises ``DecodeError`` and ``LookupError``."""
    frame = _checked(cls, data, -1)
    if len(frame) < _VERSION_AT + 2:
        raise DecodeError(cls.__name__, -1, "", "the frame ends within the header", len(frame))
    api_key = int.from_bytes(frame[_LENGTH:_VERSION_AT], "big", signed=True)
    version = int.from_bytes(frame[_VERSION_AT : _VERSION_AT + 2], "big", signed=True)
    if api_key != cls.API_KEY:
        reason = f"the frame holds a request with API key {api_key}, not {cls.API_KEY}"
        raise DecodeError(cls.__name__, version, "", reason, _LENGTH)
    return _read(cls, frame, version, limits, lazy=lazy)


def read_response(
    cls: type[KeyedMessage], data: bytes | bytearray | memoryview, version: int, limits: Limits | None, *, lazy: bool
) -> tuple[Any, Any]:
    """The header and body of a response in a version. Raises ``DecodeError`` and ``LookupError``."""
    return _read(cls, _checked(cls, data, version), version, limits, lazy=lazy)


def header_class(cls: type[KeyedMessage]) -> Any:
    """The header of a request or response. Raises ``LookupError`` if its package does not have it."""
    package = cls.CODEC.cls.__module__.rpartition(".")[0]
    name = "RequestHeader" if cls.KIND == "request" else "ResponseHeader"
    try:
        return getattr(import_module(package), name)
    except AttributeError:
        raise LookupError(
            f"{package} has no {name}, which frames need; generate it from the spec of that name"
        ) from None


def _checked(cls: type[KeyedMessage], data: bytes | bytearray | memoryview, version: int) -> bytes:
    frame = bytes(data)
    announced = int.from_bytes(frame[:_LENGTH], "big", signed=True)
    if len(frame) < _LENGTH:
        raise DecodeError(cls.__name__, version, "", f"a frame begins with 4 bytes of length, not {len(frame)}", 0)
    if announced != len(frame) - _LENGTH:
        reason = f"the frame announces {announced} bytes after its length, but {len(frame) - _LENGTH} are there"
        raise DecodeError(cls.__name__, version, "", reason, 0)
    return frame


def _read(cls: type[KeyedMessage], frame: bytes, version: int, limits: Limits | None, *, lazy: bool) -> tuple[Any, Any]:
    header_version = cls.header_version(version)
    header, offset = header_class(cls).decode_from(frame, _LENGTH, version=header_version, limits=limits)
    body, end = cls.decode_from(frame, offset, version=version, lazy=lazy, limits=limits)
    if end != len(frame):
        raise DecodeError(cls.__name__, version, "", f"extra bytes after the message: {len(frame) - end}", end)
    return header, body
