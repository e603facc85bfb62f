"""The nine encodings of KIP-625 as arithmetic: the size of a value in each, and classes of values with the same sizes.

All 64-bit integers are in one of about sixty classes: ranges of values with the same length in each encoding. So counts by
class are enough to calculate the size of any amount of data in each encoding exactly.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, Literal, get_args

from messagegen_kafka._runtime.varints import encoded_length

Form = Literal["fixed", "packed", "upacked"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)
WIDTHS: Final = (16, 32, 64)
ENCODINGS: Final = tuple(f"{form}{width}" for width in WIDTHS for form in FORMS)

WIDTH_OF_TYPE: Final = {"int16": 16, "int32": 32, "int64": 64}
"""The types that can have an encoding, as fields or elements of arrays, and their bits."""

FIXED_BYTES: Final = {"int8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8}
"""The bytes of a value of each codec of constant size."""


def encoding_of_codec(codec: str) -> str:
    """The encoding of a codec of a plan: ``int32`` is ``fixed32``; varints have the names of the KIP."""
    return f"fixed{WIDTH_OF_TYPE[codec]}" if codec in WIDTH_OF_TYPE else codec


def split(encoding: str) -> tuple[Form, int]:
    """The form and the bits of an encoding. Raises ``ValueError`` for an unknown one."""
    if encoding not in ENCODINGS:
        raise ValueError(f"unknown encoding {encoding!r}; those of KIP-625 are {', '.join(ENCODINGS)}")
    width = int(encoding[-2:])
    for form in FORMS:
        if encoding == f"{form}{width}":
            return form, width
    raise AssertionError(encoding)


def length(encoding: str, value: int) -> int | None:
    """The bytes that a value takes; ``None`` if it does not fit."""
    form, width = split(encoding)
    if not -(1 << (width - 1)) <= value < 1 << (width - 1):
        return None
    return encoded_length(form, width, value)


def _class_starts() -> tuple[int, ...]:
    sevens, bytes_ = range(1, 10), range(1, 8)
    starts = {-(1 << 63), -1, 0}
    for more in sevens:
        # packed grows at both, upacked at the third; upacked of the number plus one grows at the fourth
        starts |= {-(1 << 7 * more - 1), 1 << 7 * more - 1, 1 << 7 * more, (1 << 7 * more) - 1}
    for more in bytes_:
        starts |= {-(1 << 8 * more - 1), 1 << 8 * more - 1}
    return tuple(sorted(start for start in starts if start < 1 << 63))


CLASS_STARTS: Final = _class_starts()
"""The lowest value of each class, ascending; a class ends before the next one begins."""

CLASSES: Final = len(CLASS_STARTS)
MINUS_ONE: Final = CLASS_STARTS.index(-1)
ZERO: Final = CLASS_STARTS.index(0)


def class_of(value: int) -> int:
    """The class of a value of 64 bits."""
    return bisect_right(CLASS_STARTS, value) - 1


LENGTHS: Final = {encoding: tuple(length(encoding, start) or 0 for start in CLASS_STARTS) for encoding in ENCODINGS}
"""Encoding to the bytes of a value by class; 0 where values of the class do not fit."""

PLUS_ONE_LENGTHS: Final = {
    width: tuple(encoded_length("upacked", width, start + 1) for start in CLASS_STARTS) for width in WIDTHS
}
"""Width to the bytes of ``upacked`` of the value plus one, by class: -1, which often means none in Kafka, would take one byte."""


def lengths_of(codec: str) -> Sequence[int]:
    """The bytes of a value by class for an encoding, or for a type without encodings, such as ``uint32``."""
    return LENGTHS[codec] if codec in LENGTHS else (FIXED_BYTES[codec],) * CLASSES


def signed_bytes(class_: int) -> int:
    """The minimum number of bytes for values of a class in two's complement."""
    start = CLASS_STARTS[class_]
    magnitude = start if start >= 0 else ~start
    return magnitude.bit_length() // 8 + 1


def first_longer(encoding: str, value: int, limit: int) -> int | None:
    """The first value from ``value`` on, away from zero, that takes more than ``limit`` bytes or does not fit, if there is one."""
    step = 1 if value >= 0 else -1
    class_ = class_of(value)
    while 0 <= class_ < CLASSES:
        found = LENGTHS[encoding][class_]
        if found == 0 or found > limit:
            start = CLASS_STARTS[class_] if step > 0 else CLASS_STARTS[class_ + 1] - 1
            return max(start, value) if step > 0 else min(start, value)
        class_ += step
    return None
