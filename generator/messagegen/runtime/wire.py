"""Reads and writes values that have no ``struct`` format: strings, bytes, arrays and tag sections.

Readers take a buffer and a position and return the value and the position after it. They don't check the upper bound:
a position past the end makes the next read fail, and the caller checks the final position. ``..._or_null``
returns ``None`` for null; the others reject it.
"""

from __future__ import annotations

from _operator import index
from struct import Struct

from . import costs
from .errors import CodecFailure, WrongValue, is_a
from .limits import remember
from .varints import read_uvarint, write_uvarint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .limits import Allowance

LONGEST_STRING = 0x7FFF
"""Kafka's strings have at most 32,767 bytes of UTF-8, in compact form too (upstream: ``MessageDataGenerator``)."""

NEW = object.__new__
"""Calling it with an existing tuple, as ``NEW(*arguments)``, takes a quarter less time, because no tuple is created."""
NAN = float("nan")
INFINITY = float("inf")
NOTHING: tuple[Any, ...] = ()
"""The empty array that is the default of fields, recognised by identity."""

utf8: Callable[[str], Any] = str.encode
"""The UTF-8 of a ``str``; subclasses can't override it. Raises ``TypeError`` for anything else."""

_INT16 = Struct(">h").unpack_from
_INT32 = Struct(">i").unpack_from


def read_compact_string_or_null(buffer: bytes, position: int) -> tuple[str | None, int]:
    """A length + 1 as a varint, 0 for null, then UTF-8."""
    length, position = read_uvarint(buffer, position)
    if not length:
        return None, position
    if length > LONGEST_STRING + 1:
        raise CodecFailure(f"{length - 1} bytes are too many for a string")
    end = position + length - 1
    return buffer[position:end].decode(), end


def read_compact_string(buffer: bytes, position: int) -> tuple[str, int]:
    """``read_compact_string_or_null`` that rejects null."""
    value, position = read_compact_string_or_null(buffer, position)
    return not_null(value), position


def read_string_or_null(buffer: bytes, position: int) -> tuple[str | None, int]:
    """A length as an int16, negative for null, then UTF-8."""
    (length,) = _INT16(buffer, position)
    position += 2
    if length < 0:
        return None, position
    end = position + length
    return buffer[position:end].decode(), end


def read_string(buffer: bytes, position: int) -> tuple[str, int]:
    """``read_string_or_null`` that rejects null."""
    value, position = read_string_or_null(buffer, position)
    return not_null(value), position


def write_compact_length(out: bytearray, length: int) -> None:
    """Appends the length of a compact string that is not null. Raises ``CodecFailure`` for more than 32,767 bytes."""
    if length > LONGEST_STRING:
        raise CodecFailure(f"{length} bytes are too many for a string")
    write_uvarint(out, length + 1)


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


def read_compact_bytes_or_null(buffer: bytes, position: int, source: Any) -> tuple[Any, int]:
    """A length + 1 as a varint, 0 for null, then that many bytes of ``source``, which has the same contents as ``buffer``."""
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
    return source[position:end], end


def read_compact_bytes(buffer: bytes, position: int, source: Any) -> tuple[Any, int]:
    """``read_compact_bytes_or_null`` that rejects null."""
    value, position = read_compact_bytes_or_null(buffer, position, source)
    return not_null(value), position


def read_bytes_or_null(buffer: bytes, position: int, source: Any) -> tuple[Any, int]:
    """A length as an int32, negative for null, then that many bytes of ``source``, which has the same contents as ``buffer``."""
    (length,) = _INT32(buffer, position)
    position += 4
    if length < 0:
        return None, position
    end = position + length
    return source[position:end], end


def read_bytes(buffer: bytes, position: int, source: Any) -> tuple[Any, int]:
    """``read_bytes_or_null`` that rejects null."""
    value, position = read_bytes_or_null(buffer, position, source)
    return not_null(value), position


def not_null(value: Any) -> Any:
    """The value. Raises ``CodecFailure`` for ``None``."""
    if value is None:
        raise CodecFailure("null is not allowed here")
    return value


def read_compact_array(
    read: Callable[[bytes, int], tuple[Any, int]], buffer: bytes, position: int, m: Allowance, charge: int
) -> tuple[tuple[Any, ...] | None, int]:
    """A count + 1 as a varint, 0 for null, then the elements; rejects more elements than bytes, as Apache does.

    ``charge`` is what an element may cost beyond its bytes.
    """
    count, position = read_uvarint(buffer, position)
    return _read_elements(read, buffer, position, count - 1, m, charge)


def read_array(
    read: Callable[[bytes, int], tuple[Any, int]], buffer: bytes, position: int, m: Allowance, charge: int
) -> tuple[tuple[Any, ...] | None, int]:
    """A count as an int32, negative for null, then the elements; rejects more elements than bytes, as Apache does.

    ``charge`` is what an element may cost beyond its bytes.
    """
    (count,) = _INT32(buffer, position)
    return _read_elements(read, buffer, position + 4, count, m, charge)


def _read_elements(
    read: Callable[[bytes, int], tuple[Any, int]], buffer: bytes, position: int, count: int, m: Allowance, charge: int
) -> tuple[tuple[Any, ...] | None, int]:
    if count < 0:
        return None, position
    if count > len(buffer) - position or count > m.longest:
        raise CodecFailure("more elements than bytes, or than the limit")
    m.left -= charge * count
    if m.left < 0 and not settled(m):
        from .portions import read_values

        return read_values(read, charge, buffer, position, count, m)
    items: list[Any] = []
    for _ in range(count):
        item, position = read(buffer, position)
        items.append(item)
    return tuple(items), position


def write_compact_array(out: bytearray, items: Any, write: Callable[[bytearray, Any], None]) -> None:
    """Appends what ``read_compact_array`` reads."""
    items = array_of(items)
    write_uvarint(out, len(items) + 1)
    for item in items:
        write(out, item)


def write_array(out: bytearray, items: Any, write: Callable[[bytearray, Any], None]) -> None:
    """Appends what ``read_array`` reads."""
    items = array_of(items)
    out += len(items).to_bytes(4, "big", signed=True)
    for item in items:
        write(out, item)


def read_tag_count(buffer: bytes, position: int, m: Allowance, charge: int) -> tuple[int, int]:
    """The number of fields in a tag section; ``charge`` is what each may cost beyond its bytes."""
    count, position = read_uvarint(buffer, position)
    if count > m.most_tags or count > len(buffer) - position:
        raise CodecFailure("more tagged fields than bytes, or than the limit")
    m.left -= costs.ARRAY + charge * count
    if m.left < 0 and not settled(m):
        raise CodecFailure("the walk has to count what these tagged fields cost")
    return count, position


def read_structs(
    read: Callable[..., tuple[Any, int]],
    shared: tuple[Any, ...],
    number: int,
    charge: int,
    buffer: bytes,
    position: int,
    count: int,
) -> tuple[tuple[Any, ...], int]:
    """The elements of an array of structs when little is left: in counted portions, if they may cost too much.

    ``charge`` has been taken for each. ``shared`` are the arguments of ``read`` between position and count; the last one is the
    allowance.
    """
    if shared[-1].left < 0 and not settled(shared[-1]):
        from .portions import read_structs as read_portions

        return read_portions(read, shared, number, charge, buffer, position, count)
    return read(buffer, position, *shared, count)


def read_leaves(
    read: Callable[..., tuple[Any, int]],
    shared: tuple[Any, ...],
    number: int,
    charge: int,
    buffer: bytes,
    position: int,
    count: int,
) -> tuple[tuple[Any, ...], int]:
    """Like ``read_structs``, for structs without arrays that are counted separately: they are remembered to be counted later."""
    m: Allowance = shared[-1]
    if m.left < 0 and not settled(m):
        from .portions import read_leaves as read_portions

        return read_portions(read, shared, number, charge, buffer, position, count)
    left = m.left + charge * count
    found, end = read(buffer, position, *shared, count)
    remember(m, number, left - m.left, found, end - position)
    return found, end


def settled(m: Allowance) -> bool:
    """Whether anything is left after counting finished arrays."""
    from .portions import settle

    return settle(m)


def read_unknown_tags(
    buffer: bytes, position: int, m: Allowance, foreign: tuple[int, ...] = ()
) -> tuple[tuple[tuple[int, bytes], ...], int]:
    """A tag section without known tags: its fields as they are; ``foreign`` tags must not be among them."""
    count, position = read_tag_count(buffer, position, m, costs.TAG_CHARGE)
    unknown: list[tuple[int, bytes]] = []
    for _ in range(count):
        tag, position = read_uvarint(buffer, position)
        size, position = read_uvarint(buffer, position)
        if tag in foreign:
            raise CodecFailure(f"tag {tag} is not valid in this version")
        unknown.append((tag, buffer[position : position + size]))
        position += size
    return tuple(unknown), position


def array_of(value: Any) -> Any:
    """The current elements of a tuple or list; subclasses can't override them. Raises ``CodecFailure`` for anything else."""
    if type(value) is _TUPLE:
        return value
    if is_a(value, list):
        return _TUPLE(_LIST.__getitem__(value, _WHOLE))
    if is_a(value, tuple):
        return _TUPLE.__getitem__(value, _WHOLE)
    raise WrongValue("expected a tuple or list, got {}", value)


def bytes_of(value: Any) -> Any:
    """The bytes of a buffer, whatever its item format, like ``bytes(memoryview(value))``; copied if necessary."""
    try:
        view = memoryview(value)
    except TypeError:
        raise WrongValue("expected bytes, bytearray or memoryview, got {}", value) from None
    return view if view.format == "B" and view.ndim == 1 and view.c_contiguous else view.tobytes()


def some(value: Any) -> bool:
    """Whether an array field differs from its default, which is empty."""
    return value is None or bool(array_of(value))


def some_bytes(value: Any) -> bool:
    """Whether a bytes field differs from its default, which is empty."""
    return value is None or bool(bytes_of(value))


def check_instance(value: Any, cls: type[Any]) -> None:
    """Raises ``CodecFailure`` unless ``value`` is of the class or a subclass."""
    if not isinstance(value, cls):
        raise WrongValue(f"expected a {cls.__name__}, got {{}}", value)


def check_bools(values: tuple[Any, ...]) -> None:
    """Raises ``CodecFailure`` unless all values are bools."""
    if not {*map(type, values)} <= _BOOL:
        raise CodecFailure("expected bools")


def no_tags(unknown: Any) -> None:
    """Raises ``CodecFailure`` if there are unknown tagged fields, in a version that can't have them."""
    if array_of(unknown):
        raise CodecFailure("this version has no tagged fields, so unknown ones can't be written")


def raw_tags(unknown: Any, known: tuple[int, ...]) -> list[tuple[int, bytes | memoryview]]:
    """Unknown tagged fields, to be written with known ones. Raises ``CodecFailure`` for an invalid field or a known tag."""
    fields: list[tuple[int, bytes | memoryview]] = []
    for field in array_of(unknown):
        pair: Any = array_of(field) if is_a(field, tuple) or is_a(field, list) else ()
        if len(pair) != 2 or not is_a(pair[0], int):
            raise WrongValue("expected a pair of a tag (an int) and its bytes, got {}", field)
        tag = index(pair[0])
        if tag in known:
            raise CodecFailure(f"tag {tag} is a known field and can't be among the unknown ones")
        fields.append((tag, bytes_of(pair[1])))
    return fields


def write_tags(out: bytearray, fields: list[tuple[int, bytes | memoryview]]) -> None:
    """Appends a tag section in ascending order (KIP-482). Raises ``CodecFailure`` for a duplicate or invalid tag."""
    write_uvarint(out, len(fields))
    previous = -1
    for tag, data in sorted(fields, key=_tag_of):
        if not 0 <= tag < 1 << 31:
            raise WrongValue("expected a tag from 0 to 2147483647, got {}", tag)
        if tag == previous:
            raise CodecFailure(f"tag {tag} is given twice")
        write_uvarint(out, tag)
        write_uvarint(out, len(data))
        out += data
        previous = tag


def _tag_of(field: tuple[int, bytes | memoryview]) -> int:
    return field[0]


_LIST: Any = list
_TUPLE: Any = tuple
_WHOLE = slice(None)
_BOOL = {bool}
