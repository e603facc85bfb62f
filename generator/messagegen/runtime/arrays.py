"""Values of many parts: arrays, bytes, structs inside structs, and tagged fields; only in outputs that have some."""

from __future__ import annotations

from struct import Struct

from . import ARRAY, FACTOR, CodecFailure, costs, part
from . import FEW as FEW  # noqa: PLC0414 - generated modules take it from here
from .wire import (
    LONGEST_STRING,
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
    from .walk import Codec, Layout, Writer

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


def read_array(
    read: Callable[[bytes, int], Read],
    data: bytes,
    pos: int,
    budget: Budget,
    charge: int,
    compact: bool,
    nullable: bool,
) -> Read:
    """An array of elements that are neither numbers nor structs; ``charge`` is what an element may cost beyond its bytes."""
    count, pos = _read_count(data, pos, compact, nullable)
    if count < 0:
        return None, pos
    budget.take(count, charge)
    items: list[Any] = []
    for _ in range(count):
        item, pos = read(data, pos)
        items.append(item)
    return tuple(items), pos


def read_numbers(data: bytes, pos: int, letter: str, budget: Budget, compact: bool, nullable: bool) -> Read:
    """An array of numbers of a ``struct`` letter."""
    count, pos = _read_count(data, pos, compact, nullable)
    if count < 0:
        return None, pos
    budget.take(count, NUMBER_CHARGE.get(letter, 0))
    numbers = Struct(f">{count}{letter}")
    return numbers.unpack_from(data, pos), pos + numbers.size


def _read_count(data: bytes, pos: int, compact: bool, nullable: bool) -> tuple[int, int]:
    """A count: compact ones + 1 as a varint; -1 for null. Raises ``CodecFailure`` for more elements than bytes, as Apache does."""
    if compact:
        count, pos = read_uvarint(data, pos)
        count -= 1
    else:
        (count,) = _INT32(data, pos)
        pos += 4
    if count > len(data) - pos or (count < 0 and not nullable):
        raise CodecFailure("more elements than bytes, or null")
    return count, pos


def write_array(out: bytearray, items: Any, write: Callable[[bytearray, Any], None], compact: bool) -> None:
    """Appends what ``read_array`` reads."""
    items = array_of(items)
    if compact:
        write_uvarint(out, len(items) + 1)
    else:
        out += len(items).to_bytes(4, "big", signed=True)
    for item in items:
        write(out, item)


def write_compact_count(out: bytearray, items: Any) -> Any:
    """Appends the number of elements + 1 as a varint; returns the elements."""
    items = array_of(items)
    write_uvarint(out, len(items) + 1)
    return items


NUMBER_CHARGE = {
    letter: costs.NUMBER_PLACE + costs.INT - size * FACTOR for letter, size in (("b", 1), ("B", 1), ("h", 2), ("H", 2))
}
"""What a number of a ``struct`` letter may cost beyond its bytes; nothing for larger ones, floats and bools."""

_INT16 = Struct(">h").unpack_from
_INT32 = Struct(">i").unpack_from


def unpackers(letter: str) -> list[Callable[..., tuple[Any, ...]]]:
    """Readers for few numbers of a ``struct`` letter, by their count + 1, which is how a compact array starts; null is refused."""
    return [_refuse_null, *(Struct(f">{count}{letter}").unpack_from for count in range(FEW))]


def _refuse_null(*_: object) -> tuple[Any, ...]:
    raise CodecFailure("null is not allowed here")


def packers(letter: str) -> list[Callable[..., bytes]]:
    """Writers for few numbers of a ``struct`` letter, by their count."""
    return [Struct(f">{count}{letter}").pack for count in range(FEW)]


COPIED_ROWS = 512
"""An array with fewer rows of numbers is read from a copy of its bytes, which is faster than a view for few."""

COUNTS = [count.to_bytes(4, "big") for count in range(FEW)]
"""The count before an array that is not compact, by the number of elements."""


def write_numbers(out: bytearray, numbers: Any, letter: str, compact: bool) -> None:
    """Appends what ``read_numbers`` reads."""
    if compact:
        write_uvarint(out, len(numbers) + 1)
    else:
        out += len(numbers).to_bytes(4, "big", signed=True)
    out += Struct(f">{len(numbers)}{letter}").pack(*numbers)


def read_compact_bytes(data: bytes, pos: int, nullable: bool) -> Read:
    """A length + 1 as a varint, 0 for null, then that many bytes."""
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


def walk_read_tagged(reader: Counter, layout: Layout, message: Any, tag: int, size: int) -> None:
    """Reads a tagged field of the layout, which must have the declared size, into ``message``."""
    field, codec = layout.tagged[tag]
    end = reader.position + size
    setattr(message, field.attribute, reader.inside(field.attribute, codec))
    if reader.position != end:
        reader.path.append(field.attribute)
        raise CodecFailure(f"tag {tag} has {size} bytes, but its value has {size + reader.position - end}")


def walk_write_tagged(writer: Writer, layout: Layout, message: Any) -> list[tuple[int, bytes]]:
    """The tagged fields of a struct that are not their default, with their bytes."""
    fields: list[tuple[int, bytes]] = []
    for tag, (field, codec) in layout.tagged.items():
        value = writer.enter(message, field.attribute)
        if not field.is_default(value):
            data = bytearray()
            writer.value(codec, value, data)
            fields.append((tag, bytes(data)))
        writer.path.pop()
    return fields
