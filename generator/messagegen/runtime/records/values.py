"""Records and their headers, as values."""

from __future__ import annotations

from ..structs import Value, dataclass

NO_TIMESTAMP = -1
LONGEST = 1 << 29
"""A longer record is refused, so that a column of any batch stays within Arrow's 32-bit offsets."""
_SIGNED_64 = 1 << 63


def signed_64(value: int) -> int:
    """What is left of a sum in 64 bits, as Java's ``long`` has it."""
    return (value + _SIGNED_64) % (2 * _SIGNED_64) - _SIGNED_64


@dataclass
class RecordHeader(Value):
    """A header of a record: a key, and a value that may be null."""

    key: str = ""
    value: bytes | None = None


@dataclass
class Record(Value):
    """A record: its offset in the partition, its time in milliseconds since 1970 (-1: none), key, value and headers."""

    offset: int = 0
    timestamp: int = NO_TIMESTAMP
    key: bytes | None = None
    value: bytes | None = None
    headers: tuple[RecordHeader, ...] = ()
