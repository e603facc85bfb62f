"""Records and their headers, as values."""

from __future__ import annotations

from ..errors import is_a
from ..structs import Value, dataclass
from ..wire import array_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

NO_TIMESTAMP = -1
LONGEST = 1 << 29
"""A longer record is refused, so that a column of any batch stays within Arrow's 32-bit offsets."""
_SIGNED_64 = 1 << 63


def signed_64(value: int) -> int:
    """Return a sum wrapped to 64 bits, like Java's ``long``."""
    return (value + _SIGNED_64) % (2 * _SIGNED_64) - _SIGNED_64


def elements(values: Iterable[Any]) -> tuple[Any, ...]:
    """Return the elements of an iterable. Subclasses of tuple and list can't override them, as in messages."""
    found: tuple[Any, ...] = array_of(values) if is_a(values, tuple) or is_a(values, list) else tuple(values)
    return found


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
