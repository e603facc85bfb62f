"""Reading and writing the values that are not one ``struct`` format: varints, tag sections, uuids, arrays.

Readers take a buffer and a position and give the value and the position after it. They check no upper bound of their own:
a position past the end makes the next read fail, and the caller of the whole message checks the last one.
"""

from __future__ import annotations

from .errors import CodecFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LONGEST_STRING = 0x7FFF
"""Kafka's strings have at most 32,767 bytes of UTF-8, in compact form too (upstream: ``MessageDataGenerator``)."""

NEW = object.__new__
NAN = float("nan")
INFINITY = float("inf")


def read_uvarint(buffer: bytes, position: int) -> tuple[int, int]:
    """An unsigned 32-bit varint: 7 bits a byte, lowest first, at most 5 bytes (upstream: ``ByteUtils.readUnsignedVarint``)."""
    byte = buffer[position]
    if byte < 0x80:
        return byte, position + 1
    value = byte & 0x7F
    shift = 7
    while True:
        position += 1
        byte = buffer[position]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            if value >> 32:
                raise CodecFailure("the varint has more than 32 bits")
            return value, position + 1
        shift += 7
        if shift > 28:
            raise CodecFailure("the varint has more than 5 bytes")


def write_uvarint(out: bytearray, value: int) -> None:
    """Appends an unsigned varint in the fewest bytes."""
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def read_varint_bits(buffer: bytes, position: int, bits: int) -> tuple[int, int]:
    """A varint of at most ``bits`` bits (3, 5 or 10 bytes for 16, 32 or 64), not interpreted."""
    value = shift = 0
    while True:
        byte = buffer[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
        shift += 7
        if shift >= bits:
            raise CodecFailure(f"the varint is too long for {bits} bits")
    if value >> bits:
        raise CodecFailure(f"the varint does not fit in {bits} bits")
    return value, position


def read_packed(buffer: bytes, position: int, bits: int) -> tuple[int, int]:
    """A zig-zag varint of a signed ``bits``-bit value (KIP-625's ``packed``)."""
    value, position = read_varint_bits(buffer, position, bits)
    return (value >> 1) ^ -(value & 1), position


def read_upacked(buffer: bytes, position: int, bits: int) -> tuple[int, int]:
    """A varint of the two's-complement bits of a signed ``bits``-bit value (KIP-625's ``upacked``)."""
    value, position = read_varint_bits(buffer, position, bits)
    return (value - (1 << bits) if value >> (bits - 1) else value), position


def write_packed(out: bytearray, value: int, bits: int) -> None:
    """Appends what ``read_packed`` reads. Raises ``CodecFailure`` for a value of more than ``bits`` bits."""
    check_signed(value, bits)
    write_uvarint(out, (value << 1) ^ (value >> (bits - 1)))


def write_upacked(out: bytearray, value: int, bits: int) -> None:
    """Appends what ``read_upacked`` reads. Raises ``CodecFailure`` for a value of more than ``bits`` bits."""
    check_signed(value, bits)
    write_uvarint(out, value & ((1 << bits) - 1))


def check_signed(value: int, bits: int) -> None:
    """Raises ``CodecFailure`` unless ``value`` is a signed integer of ``bits`` bits."""
    if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
        raise CodecFailure(f"{value} does not fit in {bits} bits")


def write_compact_length(out: bytearray, length: int) -> None:
    """Appends the length of a compact string that is not null. Raises ``CodecFailure`` for more than 32,767 bytes."""
    if length > LONGEST_STRING:
        raise CodecFailure(f"{length} bytes are too many for a string")
    write_uvarint(out, length + 1)


def read_string_length(buffer: bytes, position: int) -> tuple[int, int]:
    """The length + 1 of a compact string; 0 for null. Raises ``CodecFailure`` for more than 32,767 bytes."""
    length, position = read_uvarint(buffer, position)
    if length > LONGEST_STRING + 1:
        raise CodecFailure(f"{length - 1} bytes are too many for a string")
    return length, position


def write_compact_string(out: bytearray, value: str) -> None:
    """Appends a compact string as an element of an array."""
    text = value.encode()
    write_compact_length(out, len(text))
    out += text


def read_compact_string(buffer: bytes, position: int) -> tuple[str, int]:
    """A compact string that must not be null, as an element of an array."""
    length, position = read_string_length(buffer, position)
    if not length:
        raise CodecFailure("null")
    end = position + length - 1
    return buffer[position:end].decode(), end


def read_string(buffer: bytes, position: int) -> tuple[str, int]:
    """A string with an int16 before it that must not be null, as an element of an array."""
    length = buffer[position] << 8 | buffer[position + 1]
    if length > LONGEST_STRING:
        raise CodecFailure("no string")
    position += 2
    end = position + length
    return buffer[position:end].decode(), end


def write_string(out: bytearray, value: str) -> None:
    """Appends a string with an int16 before it, as an element of an array."""
    text = value.encode()
    length = len(text)
    if length > LONGEST_STRING:
        raise CodecFailure(f"{length} bytes are too many for a string")
    out.append(length >> 8)
    out.append(length & 0xFF)
    out += text


def read_array(
    read: Callable[[bytes, int], tuple[Any, int]], buffer: bytes, position: int, count: int
) -> tuple[tuple[Any, ...], int]:
    """``count`` elements; refuses a count above the bytes that are left, as Apache's readers do."""
    if count > len(buffer) - position:
        raise CodecFailure("more elements than bytes")
    items: list[Any] = []
    append = items.append
    for _ in range(count):
        item, position = read(buffer, position)
        append(item)
    return tuple(items), position


def read_array_of_views(
    read: Callable[[bytes, int, Any], tuple[Any, int]],
    buffer: bytes,
    position: int,
    count: int,
    source: bytes | memoryview,
) -> tuple[tuple[Any, ...], int]:
    """``read_array`` for elements that may refer to ``source`` instead of copying from it."""
    return read_array(lambda buffer, position: read(buffer, position, source), buffer, position, count)


def read_varint_array(
    read: Callable[[bytes, int, int], tuple[int, int]], buffer: bytes, position: int, count: int, bits: int
) -> tuple[tuple[int, ...], int]:
    """``count`` varints of ``bits`` bits."""
    return read_array(lambda buffer, position: read(buffer, position, bits), buffer, position, count)


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
