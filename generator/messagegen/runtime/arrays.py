"""Arrays: of structs that straight-line code leaves to the runtime, of numbers, and of other values; only in outputs that have some."""

from __future__ import annotations

from struct import Struct

from . import costs, part
from .errors import CodecFailure
from .wire import TUPLE, array_of, not_null, read_uvarint, write_uvarint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .limits import Budget, Read, Source


def read(
    budget: Budget,
    read: Callable[..., Read],
    layout: int,
    each: int,
    data: bytes,
    pos: int,
    *source: Source,
    count: int | None = None,
) -> Read:
    """An array of structs that is empty or long, or for which little is left; without ``count``, a compact count is read.

    Raises ``CodecFailure`` for null. If nothing is left, arrays before it are counted, and what they did not need is given back.
    """
    budget.left += each * (data[pos] - 1 if count is None else count)  # the reader has taken it
    if count is None:
        count, pos = read_uvarint(data, pos)
        count -= 1
    if count < 1:
        return () if not count else not_null(None), pos
    if count > budget.limits.array_length or count > len(data) - pos:
        raise CodecFailure("more elements than the limit, or than bytes")
    if budget.made is None:
        budget.made, budget.counting = [], part("counting")
    if budget.left + budget.limits.reserve < each * count:
        found: Read = budget.counting.read_portions(budget, read, layout, each, count, data, pos, *source)
        return found
    budget.left -= each * count
    found = items, _ = read(data, pos, *source, budget, count)
    if budget.left < 0:
        budget.counting.remember(budget, layout, each, items, data[pos : found[1]])
    return found


def read_compact_array(
    read: Callable[[bytes, int], tuple[Any, int]], buffer: bytes, position: int, budget: Budget, charge: int
) -> tuple[tuple[Any, ...] | None, int]:
    """A count + 1 as a varint, 0 for null, then the elements; rejects more elements than bytes, as Apache does.

    ``charge`` is what an element may cost beyond its bytes.
    """
    count, position = read_uvarint(buffer, position)
    return _read_elements(read, buffer, position, count - 1, budget, charge)


def read_array(
    read: Callable[[bytes, int], tuple[Any, int]], buffer: bytes, position: int, budget: Budget, charge: int
) -> tuple[tuple[Any, ...] | None, int]:
    """A count as an int32, negative for null, then the elements; rejects more elements than bytes, as Apache does.

    ``charge`` is what an element may cost beyond its bytes.
    """
    (count,) = _INT32(buffer, position)
    return _read_elements(read, buffer, position + 4, count, budget, charge)


def _read_elements(
    read: Callable[[bytes, int], tuple[Any, int]], buffer: bytes, position: int, count: int, budget: Budget, charge: int
) -> tuple[tuple[Any, ...] | None, int]:
    if count < 0:
        return None, position
    if count > len(buffer) - position:
        raise CodecFailure("more elements than bytes")
    budget.take(count, charge)
    items: list[Any] = []
    for _ in range(count):
        item, position = read(buffer, position)
        items.append(item)
    return tuple(items), position


def write_compact_array(out: bytearray, items: Any, write: Callable[[bytearray, Any], None]) -> None:
    """Appends what ``read_compact_array`` reads."""
    for item in write_compact_count(out, items):
        write(out, item)


def write_array(out: bytearray, items: Any, write: Callable[[bytearray, Any], None]) -> None:
    """Appends what ``read_array`` reads."""
    items = array_of(items)
    out += len(items).to_bytes(4, "big", signed=True)
    for item in items:
        write(out, item)


def write_compact_count(out: bytearray, items: Any) -> Any:
    """Appends the number of elements + 1 as a varint; returns the elements."""
    if type(items) is not TUPLE:
        items = array_of(items)
    if (count := len(items)) < 127:
        out.append(count + 1)
    else:
        write_uvarint(out, count + 1)
    return items


def check_bools(values: tuple[Any, ...]) -> None:
    """Raises ``CodecFailure`` unless all values are bools."""
    if not {*map(type, values)} <= _BOOL:
        raise CodecFailure("expected bools")


_BOOL = {bool}

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
