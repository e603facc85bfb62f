"""Frames: a 4-byte length, a header in the version that belongs to the body, and the body. Loaded on first use.

Headers are messages of the same output, named ``RequestHeader`` and ``ResponseHeader`` as in Kafka.
"""

from __future__ import annotations

from importlib import import_module
from struct import unpack_from

from .errors import DecodeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .errors import Limits
    from .messages import KeyedMessage

_LENGTH = 4
_VERSION_AT = 6


def write_frame(message: KeyedMessage, version: int, fields: dict[str, object]) -> bytes:
    """Return the frame of a request or response; ``fields`` are the fields of its header.

    Raises ``EncodeError`` and ``LookupError``.
    """
    header_version = message.header_version(version)
    if message.KIND == "request":
        fields = {"client_id": None, **fields, "request_api_key": message.API_KEY, "request_api_version": version}
    header = header_class(type(message))(**fields)
    frame = bytearray(_LENGTH)
    header.encode_into(frame, version=header_version)
    message.encode_into(frame, version=version)
    length = len(frame) - _LENGTH
    frame[:_LENGTH] = length.to_bytes(_LENGTH, "big", signed=True)
    return bytes(frame)


def read_frame(
    cls: type[KeyedMessage], data: bytes | bytearray | memoryview, version: int, limits: Limits | None, *, lazy: bool
) -> tuple[Any, Any]:
    """Return the header and body of a frame. The frame of a request contains its version.

    Raises ``DecodeError`` and ``LookupError``.
    """
    frame = bytes(data)
    announced, length = int.from_bytes(frame[:_LENGTH], "big", signed=True), len(frame) - _LENGTH
    if length < 0:
        raise DecodeError(cls.__name__, version, "", f"a frame begins with 4 bytes of length, not {len(frame)}", 0)
    if announced != length:
        reason = f"the frame announces {announced} bytes after its length, but {length} are there"
        raise DecodeError(cls.__name__, version, "", reason, 0)
    if cls.KIND == "request":
        if len(frame) < _VERSION_AT + 2:
            raise DecodeError(cls.__name__, version, "", "the frame ends within the header", len(frame))
        api_key, version = unpack_from(">hh", frame, _LENGTH)
        if api_key != cls.API_KEY:
            reason = f"the frame holds a request with API key {api_key}, not {cls.API_KEY}"
            raise DecodeError(cls.__name__, version, "", reason, _LENGTH)
    header_version = cls.header_version(version)
    header, offset = header_class(cls).decode_from(frame, _LENGTH, version=header_version, limits=limits)
    body, end = cls.decode_from(frame, offset, version=version, lazy=lazy, limits=limits)
    if end != len(frame):
        raise DecodeError(cls.__name__, version, "", f"extra bytes after the message: {len(frame) - end}", end)
    return header, body


def header_class(cls: type[KeyedMessage]) -> Any:
    """Return the header class of a request or response. Raises ``LookupError`` if the package does not have it."""
    package = cls.CODEC.cls.__module__.rpartition(".")[0]
    name = "RequestHeader" if cls.KIND == "request" else "ResponseHeader"
    try:
        return getattr(import_module(package), name)
    except AttributeError:
        raise LookupError(
            f"{package} has no {name}, which frames need; generate it from the spec of that name"
        ) from None
