"""Varints, written without any code of ours."""


def uvarint(value: int) -> bytes:
    """Return an unsigned varint."""
    return bytes([value & 0x7F | 0x80]) + uvarint(value >> 7) if value > 0x7F else bytes([value])
