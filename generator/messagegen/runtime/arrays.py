"""Values of many parts: arrays, bytes, and structs inside structs; only in outputs that have some."""

from __future__ import annotations

from struct import Struct

from . import ARRAY, FACTOR, costs, part
from .errors import CodecFailure
from .wire import (
    LONGEST_STRING,
    TUPLE,
    array_of,
    bytes_of,
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

    from . import Budget, Read
    from .base import Value
    from .counting import Counter
    from .walk import Codec, Writer

    S = TypeVar("S", bound=Value)


def read(
    budget: Budget,
    read: Callable[..., Read],
    layout: int,
    each: int,
    data: bytes,
    pos: int,
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
    if budget.left + budget.reserve < each * count:
        found: Read = budget.counting.read_portions(budget, read, layout, each, count, data, pos)
        return found
    budget.left -= each * count
    found = items, _ = read(data, pos, budget, count)
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
    letter: costs.NUMBER_PLACE + costs.INT - size * FACTOR for letter, size in (("b", 1), ("B", 1), ("h", 2), ("H", 2))
}
"""What a number of a ``struct`` letter may cost beyond its bytes; nothing for larger ones, floats and bools."""

_INT16 = Struct(">h").unpack_from
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


def read_compact_bytes_or_null(buffer: bytes, position: int) -> tuple[bytes | None, int]:
    """A length + 1 as a varint, 0 for null, then that many bytes."""
    length = buffer[position]
    position += 1
    if length > 0x7F:
        high = buffer[position]
        if high < 0x80:
            length += (high << 7) - 0x80
            position += 1
        else:
            length, position = read_uvarint(buffer, position - 1)
    if not length:
        return None, position
    end = position + length - 1
    return buffer[position:end], end


def read_compact_bytes(buffer: bytes, position: int) -> tuple[bytes, int]:
    """``read_compact_bytes_or_null`` that rejects null."""
    value, position = read_compact_bytes_or_null(buffer, position)
    return not_null(value), position


def some_bytes(value: Any) -> bool:
    """Whether a bytes field differs from its default, which is empty."""
    return value is None or bool(bytes_of(value))


def read_string(buffer: bytes, position: int) -> tuple[str, int]:
    """A length as an int16, then UTF-8. Raises ``CodecFailure`` for the negative length of null."""
    (length,) = _INT16(buffer, position)
    position += 2
    if length < 0:
        raise CodecFailure("null is not allowed here")
    end = position + length
    return buffer[position:end].decode(), end


def write_compact_string(out: bytearray, value: str) -> None:
    """Appends what ``read_compact_string`` reads."""
    text = utf8(value)
    write_compact_length(out, len(text))
    out += text


def write_string(out: bytearray, value: str) -> None:
    """Appends what ``read_string`` reads."""
    text = utf8(value)
    length = len(text)
    if length > LONGEST_STRING:
        raise CodecFailure(f"{length} bytes are too many for a string")
    out.append(length >> 8)
    out.append(length & 0xFF)
    out += text


def default_of(cls: type[S]) -> S:
    """An instance with the defaults of all fields, created without a constructor call."""
    made = object.__new__(cls)
    for name, value in made.__defaults__.items():
        object.__setattr__(made, name, value)
    return made


def walk_read(reader: Counter, codec: Codec) -> Any:
    """A value, read by the reference codec."""
    if codec.kind == "struct":
        assert codec.layout is not None
        if (codec.null == 1 and reader.take(1)[0] > 0x7F) or (codec.null == 2 and reader.uvarint() == 0):
            return None
        return reader.struct(codec.layout)
    length = reader.length(codec)
    if length is None:
        return None
    if codec.element is None:
        return reader.take(length)
    if length > reader.limits.array_length:
        raise reader.limits.exceeded("array_length", length)
    if codec.numbers:
        return reader.numbers(codec.element, length)
    reader.charge((ARRAY + costs.place(codec.element.layout) * length) if length else 0)
    return tuple([reader.inside(number, codec.element) for number in range(length)])


def walk_write(writer: Writer, codec: Codec, value: Any, out: bytearray) -> None:
    """Appends a value, as the reference codec does."""
    if codec.kind == "struct":
        assert codec.layout is not None
        if value is None and codec.null:
            out.append(0xFF if codec.null == 1 else 0)
            return
        if codec.null:
            out.append(1)
        writer.struct(codec.layout, value, out)
    elif value is None:
        writer.length(codec, None, out)
    elif codec.element is None:
        data = bytes_of(value)
        writer.length(codec, len(data), out)
        out += data
    else:
        items = array_of(value)
        writer.length(codec, len(items), out)
        for number, item in enumerate(items):
            writer.path.append(number)
            writer.value(codec.element, item, out)
            writer.path.pop()
