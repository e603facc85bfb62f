"""Reads and writes compound values: arrays, bytes, nested structs, and tagged fields. Only in outputs that need it."""

from __future__ import annotations

from struct import Struct

from .errors import SHORT_ARRAY, CodecFailure
from .wire import (
    LONGEST_STRING,
    array_of,
    not_null,
    read_uvarint,
    utf8,
    write_compact_length,
    write_uvarint,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from .errors import Budget
    from .structs import Value
    from .wire import Read

    S = TypeVar("S", bound=Value)


def no_elements(count: int) -> tuple[()]:
    """Return the empty array.

    Raises ``CodecFailure`` unless the count is 0: it means null, or it exceeds a limit or the remaining bytes.
    """
    if count:
        raise CodecFailure("null, or more elements than the limits or the bytes allow")
    return ()


def long_count(data: bytes, pos: int) -> tuple[int, int]:
    """Return the count of a compact array, or -1 for null, and the position after it.

    The varint holds the count + 1.
    """
    count, pos = read_uvarint(data, pos)
    return count - 1, pos


def read_array(
    read: Callable[[bytes, int], Read],
    data: bytes,
    pos: int,
    budget: Budget,
    charge: int,
    compact: bool,
    nullable: bool,
) -> Read:
    """Read an array whose elements are neither numbers nor structs; each takes ``charge`` bytes of the budget."""
    count, pos = _read_count(data, pos, compact, nullable)
    if count < 0:
        return None, pos
    budget.take_array(count, charge)
    items: list[Any] = []
    for _ in range(count):
        item, pos = read(data, pos)
        items.append(item)
    return tuple(items), pos


def read_numbers(
    letter: str,
    data: bytes,
    pos: int,
    budget: Budget,
    charge: int,
    compact: bool,
    nullable: bool,
) -> Read:
    """Read an array of numbers with the ``struct`` format ``letter``; each takes ``charge`` bytes of the budget."""
    count, pos = _read_count(data, pos, compact, nullable)
    if count < 0:
        return None, pos
    budget.take_array(count, charge)
    numbers = Struct(f">{count}{letter}")
    return numbers.unpack_from(data, pos), pos + numbers.size


def _read_count(data: bytes, pos: int, compact: bool, nullable: bool) -> tuple[int, int]:
    """Return a count, or -1 for null, and the position after it. The varint of a compact count holds the count + 1.

    Raises ``CodecFailure`` if there are more elements than remaining bytes, as Apache's classes do.
    """
    if compact:
        count, pos = long_count(data, pos)
    else:
        (count,) = _INT32(data, pos)
        pos += 4
    if count > len(data) - pos or (count < 0 and not nullable):
        raise CodecFailure("more elements than bytes, or null")
    return count, pos


def write_array(out: bytearray, items: Any, write: Callable[[bytearray, Any], None], compact: bool) -> None:
    """Append an array in the form that ``read_array`` reads."""
    items = array_of(items)
    if compact:
        write_uvarint(out, len(items) + 1)
    else:
        out += len(items).to_bytes(4, "big", signed=True)
    for item in items:
        write(out, item)


def write_compact_count(out: bytearray, items: Any) -> Any:
    """Append the number of elements + 1 as a varint, and return the elements."""
    items = array_of(items)
    write_uvarint(out, len(items) + 1)
    return items


_INT16 = Struct(">h").unpack_from
_INT32 = Struct(">i").unpack_from


def unpackers(letter: str) -> list[Callable[..., tuple[Any, ...]]]:
    """Return readers for short arrays of numbers with the ``struct`` format ``letter``, by the count + 1.

    A compact array starts with its count + 1. The first entry stands for null, and raises ``CodecFailure``.
    """
    return [_refuse_null, *(Struct(f">{count}{letter}").unpack_from for count in range(SHORT_ARRAY))]


def _refuse_null(*_: object) -> tuple[Any, ...]:
    raise CodecFailure("null is not allowed here")


def packers(letter: str) -> list[Callable[..., bytes]]:
    """Return writers for short arrays of numbers with the ``struct`` format ``letter``, by their count."""
    return [Struct(f">{count}{letter}").pack for count in range(SHORT_ARRAY)]


COPIED_ROWS = 512
"""An array with fewer structs of constant size is read from a copy of its bytes, which is faster than a view."""

COUNTS = [count.to_bytes(4, "big") for count in range(SHORT_ARRAY)]
"""The encoded count of a short array that is not compact, by the count."""


def write_numbers(out: bytearray, numbers: Any, letter: str, compact: bool) -> None:
    """Append an array in the form that ``read_numbers`` reads."""
    if compact:
        write_uvarint(out, len(numbers) + 1)
    else:
        out += len(numbers).to_bytes(4, "big", signed=True)
    out += Struct(f">{len(numbers)}{letter}").pack(*numbers)


def read_compact_bytes(data: bytes, pos: int, nullable: bool) -> Read:
    """Read a length + 1 as a varint, 0 for null, then the bytes."""
    length = data[pos]
    pos += 1
    if length > 0x7F:
        high = data[pos]
        if high < 0x80:
            length += (high << 7) - 0x80
            pos += 1
        else:
            length, pos = read_uvarint(data, pos - 1)
    if not length:
        return None if nullable else not_null(None), pos
    end = pos + length - 1
    return data[pos:end], end


def read_string(buffer: bytes, position: int) -> tuple[str, int]:
    """Read a length as an int16, then UTF-8. Raises ``CodecFailure`` for a negative length, which means null."""
    (length,) = _INT16(buffer, position)
    position += 2
    if length < 0:
        raise CodecFailure("null is not allowed here")
    end = position + length
    return buffer[position:end].decode(), end


def write_compact_string(out: bytearray, value: str) -> None:
    """Append a string in the form that ``read_compact_string`` reads."""
    text = utf8(value)
    write_compact_length(out, len(text))
    out += text


def write_string(out: bytearray, value: str) -> None:
    """Append a string in the form that ``read_string`` reads."""
    text = utf8(value)
    length = len(text)
    if length > LONGEST_STRING:
        raise CodecFailure(f"{length} bytes are too many for a string")
    out.append(length >> 8)
    out.append(length & 0xFF)
    out += text


def default_of(cls: type[S]) -> S:
    """Return an instance with the defaults of all fields, created without a constructor call."""
    made = object.__new__(cls)
    for name, value in made.__defaults__.items():
        object.__setattr__(made, name, value)
    return made
