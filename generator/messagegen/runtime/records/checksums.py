"""CRC-32C, the checksum of batches: in the native engine, in the module ``crc32c`` if it is installed, or in Python."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ..native import native_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_POLYNOMIAL = 0x82F63B78
_ALL = 0xFFFFFFFF
_SHORT = 512
"""Up to this many bytes are read one by one; of more, halves are folded."""


def crc32c(data: bytes | memoryview) -> int:
    """The CRC-32C of some bytes."""
    return _implementation()(data)


@cache
def _implementation() -> Callable[[Any], int]:
    function: Any = native_part("crc32c")
    if function is None:
        try:
            function = import_module("crc32c").crc32c
        except ModuleNotFoundError:
            function = python_crc32c
    found: Callable[[Any], int] = function
    return found


def python_crc32c(data: bytes | memoryview) -> int:
    """``crc32c`` in Python.

    A checksum is linear: the first half of the bytes can be turned into bytes that, added to the second half, leave the
    checksum as it is. ``bytes.translate`` does that for many bytes at a time, and is several times as fast as a loop.
    """
    message = bytearray(-len(data) % 4)  # Zeros in front change nothing.
    start = len(message)
    message += data
    if len(data) < 4:
        return _of_bytes(data, _ALL) ^ _ALL
    for position in range(start, start + 4):
        message[position] ^= 0xFF
    rest = bytes(message)
    while len(rest) > _SHORT:
        level = (len(rest) - 1).bit_length() - 1
        rest = _folded(rest, level)
    return _of_bytes(rest, 0) ^ _ALL


def _folded(message: bytes, level: int) -> bytes:
    """The last ``2**level`` bytes; earlier bytes are folded onto the bytes that many positions later."""
    distance = 1 << level
    extra = len(message) - distance
    planes = [message[position:extra:4] for position in range(4)]
    out = bytearray(extra)
    for position, tables in enumerate(_fold_tables(level)):
        value = 0
        for plane, table in zip(planes, tables, strict=True):
            value ^= int.from_bytes(plane.translate(table), "little")
        out[position::4] = value.to_bytes(extra // 4, "little")
    target = int.from_bytes(message[distance:], "little") ^ int.from_bytes(out, "little")
    return message[extra:distance] + target.to_bytes(extra, "little")


@cache
def _byte_table() -> tuple[int, ...]:
    """What a byte turns into when it leaves the register."""
    table: list[int] = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = value >> 1 ^ (_POLYNOMIAL if value & 1 else 0)
        table.append(value)
    return tuple(table)


def _of_bytes(data: bytes | memoryview, register: int) -> int:
    table = _byte_table()
    for byte in data:
        register = table[(register ^ byte) & 0xFF] ^ register >> 8
    return register


@cache
def _columns(level: int) -> tuple[int, ...]:
    """What each bit of the register turns into over ``2**level`` zero bytes."""
    if level == 0:
        table = _byte_table()
        return tuple([table[1 << bit & 0xFF] ^ 1 << bit >> 8 for bit in range(32)])
    half = _columns(level - 1)
    return tuple([_sum_of(half, column) for column in half])


def _sum_of(columns: tuple[int, ...], bits: int) -> int:
    value = 0
    for column in columns:
        if bits & 1:
            value ^= column
        bits >>= 1
    return value


@cache
def _fold_tables(level: int) -> list[list[bytes]]:
    """For each byte of a result, a translation of each byte of a word ``2**level`` bytes earlier."""
    words: list[list[int]] = []
    for start in range(0, 32, 8):
        columns = _columns(level)[start : start + 8]
        words.append([_sum_of(columns, byte) for byte in range(256)])
    return [[bytes([word >> shift & 0xFF for word in column]) for column in words] for shift in range(0, 32, 8)]
