"""The nine encodings of KIP-625: computes the number of bytes that values take in each encoding."""

from __future__ import annotations

from typing import Any, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from messagegen_kafka._runtime.plan import PRIMITIVES

Form = Literal["fixed", "packed", "upacked"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)
WIDTHS: Final = (16, 32, 64)
ENCODINGS: Final = tuple(f"{form}{width}" for width in WIDTHS for form in FORMS)

WIDTH_OF_TYPE: Final = {"int16": 16, "int32": 32, "int64": 64}
"""The types of fields and array elements that can have an encoding, with their numbers of bits."""

FIXED_BYTES: Final = {type_.name: type_.size for type_ in PRIMITIVES.values() if type_.python == "int"}
"""The number of bytes of each integer type."""

Numbers = npt.NDArray[np.int64]
_VARINT_STARTS: Final = np.array([1 << 7 * more for more in range(1, 10)], np.uint64)
"""The lowest number of each varint length from 2 to 10 bytes."""


def encoding_of_codec(codec: str) -> str:
    """Return the encoding of a codec in a plan. ``int32`` is ``fixed32``; varints are named as in the KIP."""
    return f"fixed{WIDTH_OF_TYPE[codec]}" if codec in WIDTH_OF_TYPE else codec


def split(encoding: str) -> tuple[Form, int]:
    """Return the form of an encoding and its number of bits. Raises ``ValueError`` for an unknown encoding."""
    if encoding not in ENCODINGS:
        raise ValueError(f"unknown encoding {encoding!r}; the encodings of KIP-625 are {', '.join(ENCODINGS)}")
    width = int(encoding[-2:])
    return next(form for form in FORMS if encoding == f"{form}{width}"), width


def total_bytes(encoding: str, values: Numbers) -> int | None:
    """Return the size of all values in an encoding, or in a type that cannot have one; ``None`` if some do not fit."""
    if encoding in FIXED_BYTES:
        return len(values) * FIXED_BYTES[encoding]
    form, width = split(encoding)
    if len(values) and not (-(1 << width - 1) <= values.min() and values.max() < 1 << width - 1):
        return None
    if form == "fixed":
        return len(values) * width // 8
    bits: Any = (values << 1) ^ (values >> 63) if form == "packed" else values
    numbers = bits.view(np.uint64) & np.uint64((1 << width) - 1)
    return len(values) + int(np.searchsorted(_VARINT_STARTS, numbers, side="right").sum())
