"""Reads and writes Kafka's uuids as ``uuid.UUID``. Loaded only by messages with uuid fields."""

from __future__ import annotations

from uuid import UUID, SafeUUID

from .errors import CodecFailure, WrongValue, is_a

_NEW = object.__new__
_SET = object.__setattr__
_UNKNOWN = SafeUUID.unknown
_TO_BYTES = int.to_bytes

ZERO_UUID = UUID(int=0)


def uuid_of(data: bytes) -> UUID:
    """Return the uuid of 16 bytes, without the extra checks of ``UUID(bytes=...)``."""
    value = _NEW(UUID)
    _SET(value, "int", int.from_bytes(data, "big"))
    _SET(value, "is_safe", _UNKNOWN)
    return value


def read_uuid(buffer: bytes, position: int) -> tuple[UUID, int]:
    """Read the uuid of the next 16 bytes."""
    end = position + 16
    if end > len(buffer):
        raise CodecFailure("the bytes end early")
    return uuid_of(buffer[position:end]), end


def uuid_bytes(value: UUID) -> bytes:
    """Return the 16 bytes of a ``UUID``. Raises ``CodecFailure`` for any other object, even a similar one."""
    if not is_a(value, UUID):
        raise WrongValue("expected a uuid.UUID, got {}", value)
    return _TO_BYTES(value.int, 16, "big")


def write_uuid(out: bytearray, value: UUID) -> None:
    """Append the 16 bytes of a uuid."""
    out += uuid_bytes(value)
