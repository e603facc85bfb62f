"""Encodes varints independently of our own code."""


def uvarint(value: int) -> bytes:
    """Return a number as an unsigned varint."""
    return bytes([value & 0x7F | 0x80]) + uvarint(value >> 7) if value > 0x7F else bytes([value])
