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


def read_uuids(buffer: bytes, position: int, count: int) -> tuple[tuple[UUID, ...], int]:
    """``count`` uuids that lie one after the other."""
    end = position + 16 * count
    if end > len(buffer):
        raise CodecFailure("more elements than bytes")
    return tuple([uuid_of(buffer[at : at + 16]) for at in range(position, end, 16)]), end
