"""Reading and writing the values that are not one ``struct`` format: strings, bytes, arrays and tag sections.

Readers take a buffer and a position and give the value and the position after it. They check no upper bound of their own:
a position past the end makes the next read fail, and the caller of the whole message checks the last one. ``..._or_null``
gives ``None`` for null; the others refuse it.
"""

from __future__ import annotations

from struct import Struct

from .errors import CodecFailure
from .varints import read_uvarint, write_uvarint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LONGEST_STRING = 0x7FFF
"""Kafka's strings have at most 32,767 bytes of UTF-8, in compact form too (upstream: ``MessageDataGenerator``)."""

NEW = object.__new__
NAN = float("nan")
INFINITY = float("inf")

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
    """``read_compact_string_or_null`` where null is refused."""
    value, position = read_compact_string_or_null(buffer, position)
    return _not_null(value), position


def read_string_or_null(buffer: bytes, position: int) -> tuple[str | None, int]:
    """A length as an int16, negative for null, then UTF-8."""
    (length,) = _INT16(buffer, position)
    position += 2
    if length < 0:
        return None, position
    end = position + length
    return buffer[position:end].decode(), end


def read_string(buffer: bytes, position: int) -> tuple[str, int]:
    """``read_string_or_null`` where null is refused."""
    value, position = read_string_or_null(buffer, position)
    return _not_null(value), position


def write_compact_length(out: bytearray, length: int) -> None:
    """Appends the length of a compact string that is not null. Raises ``CodecFailure`` for more than 32,767 bytes."""
    if length > LONGEST_STRING:
        raise CodecFailure(f"{length} bytes are too many for a string")
    write_uvarint(out, length + 1)


def write_compact_string(out: bytearray, value: str) -> None:
    """Appends what ``read_compact_string`` reads."""
    text = value.encode()
    write_compact_length(out, len(text))
    out += text


def write_string(out: bytearray, value: str) -> None:
    """Appends what ``read_string`` reads."""
    text = value.encode()
    length = len(text)
    if length > LONGEST_STRING:
        raise CodecFailure(f"{length} bytes are too many for a string")
    out.append(length >> 8)
    out.append(length & 0xFF)
    out += text


def read_compact_bytes_or_null(buffer: bytes, position: int, source: Any) -> tuple[Any, int]:
    """A length + 1 as a varint, 0 for null, then so many bytes of ``source``, which holds what ``buffer`` holds."""
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
    """``read_compact_bytes_or_null`` where null is refused."""
    value, position = read_compact_bytes_or_null(buffer, position, source)
    return _not_null(value), position


def read_bytes_or_null(buffer: bytes, position: int, source: Any) -> tuple[Any, int]:
    """A length as an int32, negative for null, then so many bytes of ``source``, which holds what ``buffer`` holds."""
    (length,) = _INT32(buffer, position)
    position += 4
    if length < 0:
        return None, position
    end = position + length
    return source[position:end], end


def read_bytes(buffer: bytes, position: int, source: Any) -> tuple[Any, int]:
    """``read_bytes_or_null`` where null is refused."""
    value, position = read_bytes_or_null(buffer, position, source)
    return _not_null(value), position


def _not_null(value: Any) -> Any:
    if value is None:
        raise CodecFailure("null is not allowed here")
    return value


def read_compact_array(
    read: Callable[[bytes, int], tuple[Any, int]], buffer: bytes, position: int
) -> tuple[tuple[Any, ...] | None, int]:
    """A count + 1 as a varint, 0 for null, then the elements; refuses more of them than there are bytes, as Apache does."""
    count, position = read_uvarint(buffer, position)
    return _read_elements(read, buffer, position, count - 1)


def read_array(
    read: Callable[[bytes, int], tuple[Any, int]], buffer: bytes, position: int
) -> tuple[tuple[Any, ...] | None, int]:
    """A count as an int32, negative for null, then the elements; refuses more of them than there are bytes, as Apache does."""
    (count,) = _INT32(buffer, position)
    return _read_elements(read, buffer, position + 4, count)


def _read_elements(
    read: Callable[[bytes, int], tuple[Any, int]], buffer: bytes, position: int, count: int
) -> tuple[tuple[Any, ...] | None, int]:
    if count < 0:
        return None, position
    if count > len(buffer) - position:
        raise CodecFailure("more elements than bytes")
    items: list[Any] = []
    for _ in range(count):
        item, position = read(buffer, position)
        items.append(item)
    return tuple(items), position


def write_compact_array(out: bytearray, items: Any, write: Callable[[bytearray, Any], None]) -> None:
    """Appends what ``read_compact_array`` reads."""
    write_uvarint(out, len(items) + 1)
    for item in items:
        write(out, item)


def write_array(out: bytearray, items: Any, write: Callable[[bytearray, Any], None]) -> None:
    """Appends what ``read_array`` reads."""
    out += len(items).to_bytes(4, "big", signed=True)
    for item in items:
        write(out, item)


def unpackers(letter: str) -> list[Callable[..., tuple[Any, ...]]]:
    """Readers for up to 30 numbers of one ``struct`` letter, by their count + 1, which is how a compact array begins."""
    return [Struct(f">{max(count - 1, 0)}{letter}").unpack_from for count in range(32)]


def packers(count_letter: str, letter: str) -> list[Callable[..., bytes]]:
    """Writers for a count and up to 30 numbers of one ``struct`` letter, by how many numbers there are."""
    return [Struct(f">{count_letter}{count}{letter}").pack for count in range(31)]


def read_compact_numbers_or_null(buffer: bytes, position: int, letter: str) -> tuple[tuple[Any, ...] | None, int]:
    """A count + 1 as a varint, 0 for null, then numbers of one ``struct`` letter."""
    count, position = read_uvarint(buffer, position)
    return _read_numbers(buffer, position, count - 1, letter)


def read_compact_numbers(buffer: bytes, position: int, letter: str) -> tuple[tuple[Any, ...], int]:
    """``read_compact_numbers_or_null`` where null is refused."""
    value, position = read_compact_numbers_or_null(buffer, position, letter)
    return _not_null(value), position


def read_numbers_or_null(buffer: bytes, position: int, letter: str) -> tuple[tuple[Any, ...] | None, int]:
    """A count as an int32, negative for null, then numbers of one ``struct`` letter."""
    (count,) = _INT32(buffer, position)
    return _read_numbers(buffer, position + 4, count, letter)


def read_numbers(buffer: bytes, position: int, letter: str) -> tuple[tuple[Any, ...], int]:
    """``read_numbers_or_null`` where null is refused."""
    value, position = read_numbers_or_null(buffer, position, letter)
    return _not_null(value), position


def _read_numbers(buffer: bytes, position: int, count: int, letter: str) -> tuple[tuple[Any, ...] | None, int]:
    if count < 0:
        return None, position
    if count > len(buffer) - position:
        raise CodecFailure("more elements than bytes")
    numbers = Struct(f">{count}{letter}")
    return numbers.unpack_from(buffer, position), position + numbers.size


def write_compact_numbers(out: bytearray, numbers: Any, letter: str) -> None:
    """Appends what ``read_compact_numbers`` reads."""
    write_uvarint(out, len(numbers) + 1)
    out += Struct(f">{len(numbers)}{letter}").pack(*numbers)


def write_numbers(out: bytearray, numbers: Any, letter: str) -> None:
    """Appends what ``read_numbers`` reads."""
    out += Struct(f">i{len(numbers)}{letter}").pack(len(numbers), *numbers)


def read_unknown_tags(
    buffer: bytes, position: int, foreign: tuple[int, ...] = ()
) -> tuple[tuple[tuple[int, bytes], ...], int]:
    """A tag section of which no tag is known: its fields as they stand; ``foreign`` tags must not be among them."""
    count, position = read_uvarint(buffer, position)
    unknown: list[tuple[int, bytes]] = []
    for _ in range(count):
        tag, position = read_uvarint(buffer, position)
        size, position = read_uvarint(buffer, position)
        if tag in foreign:
            raise CodecFailure(f"tag {tag} is not valid in this version")
        unknown.append((tag, buffer[position : position + size]))
        position += size
    return tuple(unknown), position


def raw_tags(unknown: tuple[tuple[int, bytes], ...], known: tuple[int, ...]) -> list[tuple[int, bytes]]:
    """Unknown tagged fields, to be written beside known ones. Raises ``CodecFailure`` if one uses a known tag."""
    for tag, _ in unknown:
        if tag in known:
            raise CodecFailure(f"tag {tag} is a known field")
    return list(unknown)


def write_tags(out: bytearray, fields: list[tuple[int, bytes]]) -> None:
    """Appends a tag section in ascending order (KIP-482). Raises ``CodecFailure`` for a tag given twice or out of range."""
    write_uvarint(out, len(fields))
    previous = -1
    for tag, data in sorted(fields, key=_tag_of):
        if not previous < tag < 1 << 31:
            raise CodecFailure(f"tag {tag} is given twice or is no tag")
        write_uvarint(out, tag)
        write_uvarint(out, len(data))
        out += data
        previous = tag


def _tag_of(field: tuple[int, bytes]) -> int:
    return field[0]
