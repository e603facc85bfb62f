"""Arrays of numbers of constant size, which ``struct`` reads and writes in one step."""

from __future__ import annotations

from struct import Struct

from . import costs
from .errors import CodecFailure
from .wire import not_null, read_uvarint, write_uvarint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .limits import Budget

NUMBER_CHARGE = {
    letter: costs.NUMBER_PLACE + costs.INT - size * costs.FACTOR
    for letter, size in (("b", 1), ("B", 1), ("h", 2), ("H", 2))
}
"""What a number of a ``struct`` letter may cost beyond its bytes; nothing for larger ones, floats and bools."""

_INT32 = Struct(">i").unpack_from


def unpackers(letter: str) -> list[Callable[..., tuple[Any, ...]]]:
    """Readers for up to 30 numbers of a ``struct`` letter, by their count + 1, which is how a compact array starts; null is refused."""
    return [_refuse_null, *(Struct(f">{count}{letter}").unpack_from for count in range(31))]


def _refuse_null(*_: object) -> tuple[Any, ...]:
    raise CodecFailure("null is not allowed here")


def packers(letter: str) -> list[Callable[..., bytes]]:
    """Writers for up to 30 numbers of a ``struct`` letter, by their count."""
    return [Struct(f">{count}{letter}").pack for count in range(31)]


COUNTS = [count.to_bytes(4, "big") for count in range(31)]
"""The count before an array that is not compact, by the number of elements."""


def read_compact_numbers_or_null(
    buffer: bytes, position: int, letter: str, left: Budget
) -> tuple[tuple[Any, ...] | None, int]:
    """A count + 1 as a varint, 0 for null, then numbers of one ``struct`` letter."""
    count, position = read_uvarint(buffer, position)
    return _read_numbers(buffer, position, count - 1, letter, left)


def read_compact_numbers(buffer: bytes, position: int, letter: str, left: Budget) -> tuple[tuple[Any, ...], int]:
    """``read_compact_numbers_or_null`` that rejects null."""
    value, position = read_compact_numbers_or_null(buffer, position, letter, left)
    return not_null(value), position


def read_numbers_or_null(buffer: bytes, position: int, letter: str, left: Budget) -> tuple[tuple[Any, ...] | None, int]:
    """A count as an int32, negative for null, then numbers of one ``struct`` letter."""
    (count,) = _INT32(buffer, position)
    return _read_numbers(buffer, position + 4, count, letter, left)


def read_numbers(buffer: bytes, position: int, letter: str, left: Budget) -> tuple[tuple[Any, ...], int]:
    """``read_numbers_or_null`` that rejects null."""
    value, position = read_numbers_or_null(buffer, position, letter, left)
    return not_null(value), position


def _read_numbers(
    buffer: bytes, position: int, count: int, letter: str, left: Budget
) -> tuple[tuple[Any, ...] | None, int]:
    if count < 0:
        return None, position
    if count > len(buffer) - position:
        raise CodecFailure("more elements than bytes")
    left.take(count, NUMBER_CHARGE.get(letter, 0))
    numbers = Struct(f">{count}{letter}")
    return numbers.unpack_from(buffer, position), position + numbers.size


def write_compact_numbers(out: bytearray, numbers: Any, letter: str) -> None:
    """Appends what ``read_compact_numbers`` reads."""
    write_uvarint(out, len(numbers) + 1)
    out += Struct(f">{len(numbers)}{letter}").pack(*numbers)


def write_numbers(out: bytearray, numbers: Any, letter: str) -> None:
    """Appends what ``read_numbers`` reads."""
    out += Struct(f">i{len(numbers)}{letter}").pack(len(numbers), *numbers)
