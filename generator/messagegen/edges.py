"""Values that codecs often fail to encode: one list for vectors and tests."""

from __future__ import annotations

import math
from typing import Final

_BYTE_ENDS: Final = (0, 1, -1, 2, 63, 64, -64, -65, 127, 128, -128, -129, 255, 256)
_SHORT_ENDS: Final = (8191, 8192, -8192, -8193, 16383, 16384, 32767, 32768, -32768, -32769, 65535)
_WIDE_ENDS: Final = (2**20, 2**21, -(2**20) - 1, 2**31 - 1, 2**31, -(2**31) - 1, 2**53 + 1)
INTEGERS: Final = _BYTE_ENDS + _SHORT_ENDS + _WIDE_ENDS
"""The values at which varints (plain and zig-zag) and fixed-width integers get longer, and one that a float rounds."""

_ORDINARY_FLOATS: Final = (0.0, -0.0, 1.0, -1.5, 0.1, 1e-7, 123456789.125, 9007199254740993.0, 1e21)
_SMALLEST_FLOATS: Final = (5e-324, 2.2250738585072014e-308)
_LARGEST_FLOATS: Final = (1.7976931348623157e308, -1.7976931348623157e308, math.inf, -math.inf)
FLOATS: Final = _ORDINARY_FLOATS + _SMALLEST_FLOATS + _LARGEST_FLOATS
"""Zeros, fractions, the smallest and largest numbers, infinities, but not NaN, which does not equal itself."""

CHARACTERS: Final = ("a", "é", "日", "😀", "\x00", "\n", '"', "\\", "\u2028", "\ufeff")
"""Characters that take one to four bytes in UTF-8, and characters with special forms in JSON or Java."""

UUIDS: Final = ("0" * 32, "0" * 31 + "1", "f" * 32, "fbefbe" * 5 + "fb")
"""Uuids in hex: the zero uuid, Kafka's other reserved uuid, the highest uuid, and a uuid with - and _ in base64."""


def integers(lowest: int, highest: int) -> tuple[int, ...]:
    """Return the integers of a range that most need tests, in a fixed order.

    They are the ``INTEGERS`` in the range, then its lowest and highest integers and their neighbours.
    """
    ends = (lowest, lowest + 1, highest - 1, highest)
    inside = [one for one in INTEGERS if lowest <= one <= highest]
    return tuple(dict.fromkeys((*inside, *ends)))
