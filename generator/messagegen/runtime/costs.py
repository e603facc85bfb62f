"""The cost of decoded objects in bytes, so that no message takes more memory than its limits allow.

The numbers are those of CPython 3.11, whose allocator uses blocks of 16 bytes. They are constants, not measurements: all
engines count with this table, so they give the same result on any interpreter. ``docs/design/009-limits.md`` describes where
they are compared with the limits.
"""

from __future__ import annotations

import struct

from . import ARRAY, FACTOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .walk import Layout

STRUCT = 32
"""A struct without its fields: the headers of the object and of the garbage collector."""
FIELD = 8
"""A field of a struct, including the unknown tagged fields."""
BLOCK = 16
"""Memory is allocated in multiples of this."""
NUMBER_PLACE = 8
"""The slot of a number of constant size in its tuple, which is created in one step."""
PLACE = 18
"""The slot of any other element, in its tuple and in the list before that."""
SLEEPING = 48
"""The position of a struct of an array that is asleep in a lazily decoded message. It counts in every form of decoding, so that all
accept the same; structs without structs and bytes are never asleep."""
INT = 32
"""An int that Python does not cache."""
INT64 = 48
"""The same with 64 bits on the wire: more than 60 bits take another block."""
KEPT_INTS = range(-5, 257)
"""The ints that Python caches and that cost nothing."""
FLOAT = 32
UUID = 112
ASCII = 64
"""A string of ASCII characters, in addition to its bytes; the empty string and single characters cost nothing."""
TEXT = 80
"""Any other string, in addition to ``TEXT_BYTE`` for each of its bytes in UTF-8."""
TEXT_BYTE = 4
BYTES = 48
"""Bytes, in addition to their number; fewer than two cost nothing."""
TAG = 64
"""The pair of an unknown tagged field, in addition to its slot, its tag and its bytes."""


EMPTY_TAG_CHARGE = PLACE + TAG - 2 * FACTOR
"""The cost of an unknown tagged field without bytes, beyond the two bytes that it takes. ``TAG_CHARGE`` is that of any other."""


def sleeps(layout: Layout | None) -> bool:
    """Whether a value is a struct with structs or bytes, which a lazily decoded array may leave as bytes."""
    each = [codec.element or codec for _, codec in layout.steps] if layout else []
    return any(codec.kind in ("struct", "bytes", "records") for codec in each)


def place(layout: Layout | None) -> int:
    """The slot of an element that is not a number; structs have a layout."""
    return PLACE + SLEEPING * sleeps(layout)


def of_struct(fields: int) -> int:
    """The cost of a struct with that many fields, without their values."""
    return -(-(STRUCT + FIELD * (fields + 1)) // BLOCK) * BLOCK


def of_int(value: int, bits: int = 32) -> int:
    """The cost of an int with that many bits on the wire."""
    return 0 if value in KEPT_INTS else INT64 if bits == 64 else INT


def of_bytes(length: int) -> int:
    """The cost of that many bytes."""
    return BYTES + length if length > 1 else 0


def of_string(data: bytes) -> int:
    """The cost of a string by its bytes on the wire."""
    if not data.isascii():
        return TEXT + TEXT_BYTE * len(data)
    return ASCII + len(data) if len(data) > 1 else 0


def is_int(letters: str) -> bool:
    """Whether values with a ``struct`` format are ints."""
    return letters.lower() in "bhiq"


def most(letters: str) -> int:
    """The maximum cost of a value with a ``struct`` format."""
    return INT64 if letters in "qQ" else INT if is_int(letters) else {"?": 0, "16s": UUID}.get(letters, FLOAT)


def of_fixed(letters: str, value: object) -> int:
    """The cost of a value with a ``struct`` format."""
    return 0 if is_int(letters) and value in KEPT_INTS else most(letters)


def of_numbers(letters: str, run: bytes, count: int) -> int:
    """The cost of an array of numbers by its bytes on the wire."""
    if not count:
        return 0
    dear = count
    if is_int(letters):
        dear = sum(value not in KEPT_INTS for (value,) in struct.iter_unpack(f">{letters}", run))
    return ARRAY + NUMBER_PLACE * count + most(letters) * dear
