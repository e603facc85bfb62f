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
"""The maximum size of a record in bytes, so that the columns of any batch fit Arrow's 32-bit offsets."""
_SIGNED_64 = 1 << 63


def signed_64(value: int) -> int:
    """Return a sum, wrapped to 64 bits like Java's ``long``."""
    return (value + _SIGNED_64) % (2 * _SIGNED_64) - _SIGNED_64


def elements(values: Iterable[Any]) -> tuple[Any, ...]:
    """Return the elements of an iterable. As in messages, the iterators of tuple and list subclasses are ignored."""
    found: tuple[Any, ...] = array_of(values) if is_a(values, tuple) or is_a(values, list) else tuple(values)
    return found


@dataclass
class RecordHeader(Value):
    """A header of a record: a key, and a value that may be null."""

    key: str = ""
    value: bytes | None = None


@dataclass
class Record(Value):
    """A record: offset in the partition, time in milliseconds since 1970 (-1: no time), key, value and headers."""

    offset: int = 0
    timestamp: int = NO_TIMESTAMP
    key: bytes | None = None
    value: bytes | None = None
    headers: tuple[RecordHeader, ...] = ()
