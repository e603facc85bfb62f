"""The primitive types of message specs, one row each: every other list of primitive types derives from this table.

It contains data only. Specs, plans, generated code, the reference codec, JSON, columns and documentation use it; a test
compares it with the table of the native engine. It is in the runtime because outputs contain the reference codec but no
generator.
"""

from __future__ import annotations

from struct import calcsize
from typing import Literal, NamedTuple


class Primitive(NamedTuple):
    """A primitive type."""

    name: str
    format: str
    """The big-endian ``struct`` format of a value; empty if the size depends on the value."""
    python: Literal["bool", "int", "float", "str", "bytes", "UUID"]
    range: tuple[int, int] | None
    """The lowest and the highest value of an integer."""
    default: str
    """The default of a field without ``default``, as JSON, in the form used in plans."""
    json: str
    """The value in JSON, for readers."""
    about: str
    """The wire format, for readers."""

    def __str__(self) -> str:
        return self.name

    @property
    def size(self) -> int:
        """In bytes; 0 if it depends on the value."""
        return calcsize(f">{self.format}")

    @property
    def is_number(self) -> bool:
        """Whether ``struct`` reads and writes the value itself: integers, floats and bools."""
        return len(self.format) == 1

    @property
    def is_unsigned(self) -> bool:
        """Whether it is an integer without negative values."""
        return self.range is not None and self.range[0] == 0


def _signed(bits: int) -> tuple[int, int]:
    return -(1 << bits - 1), (1 << bits - 1) - 1


_ZERO = '"00000000000000000000000000000000"'
_BOOL = "1 byte; anything but 0 is true"
_FLOAT = "8 bytes, IEEE 754; all bits are kept, those of NaN too"
_STRING = "a length and UTF-8, at most 32767 bytes"
_RECORDS = "a length and record batches, which are not looked into"

_ROWS = (
    # name, format, Python, range, default, JSON, on the wire
    Primitive("bool", "?", "bool", None, "false", "true or false", _BOOL),
    Primitive("int8", "b", "int", _signed(8), "0", "an integer", "1 byte, signed"),
    Primitive("int16", "h", "int", _signed(16), "0", "an integer", "2 bytes, signed"),
    Primitive("uint16", "H", "int", (0, 0xFFFF), "0", "an integer", "2 bytes, unsigned"),
    Primitive("int32", "i", "int", _signed(32), "0", "an integer", "4 bytes, signed"),
    Primitive("uint32", "I", "int", (0, 0xFFFFFFFF), "0", "an integer", "4 bytes, unsigned"),
    Primitive("int64", "q", "int", _signed(64), "0", "an integer", "8 bytes, signed"),
    Primitive("float64", "d", "float", None, "0.0", "a number with a decimal point", _FLOAT),
    Primitive("uuid", "16s", "UUID", None, _ZERO, "a uuid in base64url", "16 bytes"),
    Primitive("string", "", "str", None, '""', "a string", _STRING),
    Primitive("bytes", "", "bytes", None, '""', "a string of base64", "a length and bytes"),
    Primitive("records", "", "bytes", None, "null", "a string of base64", _RECORDS),
)

PRIMITIVES = {primitive.name: primitive for primitive in _ROWS}
"""Name to type, in documentation order."""
