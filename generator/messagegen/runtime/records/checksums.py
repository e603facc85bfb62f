"""CRC-32C, the checksum of batches: from the native engine, the module ``crc32c`` if it is installed, or Python."""

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


def crc32c(data: bytes | memoryview) -> int:
    """Return the CRC-32C of ``data``."""
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
    """Compute ``crc32c`` in Python, byte by byte."""
    table, register = _byte_table(), _ALL
    for byte in data:
        register = table[(register ^ byte) & 0xFF] ^ register >> 8
    return register ^ _ALL


@cache
def _byte_table() -> tuple[int, ...]:
    """Return the table of remainders, by byte."""
    table: list[int] = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = value >> 1 ^ (_POLYNOMIAL if value & 1 else 0)
        table.append(value)
    return tuple(table)
