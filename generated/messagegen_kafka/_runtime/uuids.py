"""Kafka's uuids as ``uuid.UUID``; loaded only by messages that have such fields."""

from __future__ import annotations

from uuid import UUID, SafeUUID

from .errors import CodecFailure

_NEW = object.__new__
_SET = object.__setattr__
_UNKNOWN = SafeUUID.unknown

ZERO = UUID(int=0)


def uuid_of(data: bytes) -> UUID:
    """The uuid of 16 bytes, without the checks that ``UUID(bytes=...)`` makes on top."""
    value = _NEW(UUID)
    _SET(value, "int", int.from_bytes(data, "big"))
    _SET(value, "is_safe", _UNKNOWN)
    return value


def read_uuid(buffer: bytes, position: int) -> tuple[UUID, int]:
    """The uuid of the next 16 bytes."""
    end = position + 16
    if end > len(buffer):
        raise CodecFailure("the bytes end early")
    return uuid_of(buffer[position:end]), end


def write_uuid(out: bytearray, value: UUID) -> None:
    """Appends the 16 bytes of a uuid."""
    out += value.bytes
