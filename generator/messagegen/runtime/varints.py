"""The varint encodings of KIP-625. Only in outputs whose messages use them.

Readers take a buffer and a position, and return the value and the position after it. At the end of the buffer they
raise ``IndexError``.
"""

from __future__ import annotations

from _operator import index

from .errors import CodecFailure, WrongValue
from .wire import write_uvarint


def read_varint_bits(buffer: bytes, position: int, bits: int) -> tuple[int, int]:
    """Read a varint of at most ``bits`` bits, which takes up to 3, 5 or 10 bytes for 16, 32 or 64 bits.

    The bits are returned without interpreting them.
    """
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
    """Read a zig-zag varint of a signed ``bits``-bit value (KIP-625's ``packed``)."""
    value, position = read_varint_bits(buffer, position, bits)
    return (value >> 1) ^ -(value & 1), position


def read_upacked(buffer: bytes, position: int, bits: int) -> tuple[int, int]:
    """Read a varint of the two's-complement bits of a signed ``bits``-bit value (KIP-625's ``upacked``)."""
    value, position = read_varint_bits(buffer, position, bits)
    return (value - (1 << bits) if value >> (bits - 1) else value), position


def write_packed(out: bytearray, value: int, bits: int) -> None:
    """Append a varint that ``read_packed`` reads. Raises ``CodecFailure`` for a value of more than ``bits`` bits."""
    value = signed(value, bits)
    write_uvarint(out, (value << 1) ^ (value >> (bits - 1)))


def write_upacked(out: bytearray, value: int, bits: int) -> None:
    """Append a varint that ``read_upacked`` reads. Raises ``CodecFailure`` for a value of more than ``bits`` bits."""
    value = signed(value, bits)
    write_uvarint(out, value & ((1 << bits) - 1))


def signed(value: int, bits: int) -> int:
    """Return ``value`` as a plain int. Raises ``CodecFailure`` unless it is a signed ``bits``-bit integer."""
    if type(value) is not int:
        value = index(value)
    if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
        raise WrongValue(f"{{}} does not fit in {bits} bits", value)
    return value
