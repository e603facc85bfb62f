"""The shapes of vectors: their numbers, strings and lengths. Every message gets a vector of each shape."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from messagegen import edges

Values = Mapping[str, tuple[Any, ...]]
"""Values by the name of their Python type; if a type has several values, they are used in turn."""

_USUAL: Final[Values] = {
    "str": ("kafka", "topic-1", "a"),
    "bytes": (b"\x00\x01\xfe\xff", b"bytes"),
    "float": (1.5, -0.25),
    "UUID": (UUID("01234567-89ab-cdef-0123-456789abcdef"),),
    "bool": (True,),
}
_UUIDS: Final = tuple(UUID(text) for text in edges.UUIDS)


def _counted(_lowest: int, highest: int, number: int) -> int:
    return min(highest, number + 1)


def _zero(lowest: int, highest: int, _number: int) -> int:
    return max(lowest, min(highest, 0))


def _edge(lowest: int, highest: int, number: int) -> int:
    values = edges.integers(lowest, highest)
    return values[number % len(values)]


@dataclass(frozen=True, slots=True)
class Shape:
    """The choice of values for a vector: ``values`` for some types, and usual values for all others.

    ``integers`` returns an integer, given the lowest and the highest allowed value, and the number of the value in the
    message. ``elements`` is the length of arrays of structs, and ``numbers`` the length of other arrays. If ``null`` is
    true, nullable values are null. If ``defaults`` is true, every field has its default.
    """

    name: str
    purpose: str
    integers: Callable[[int, int, int], int] = _counted
    values: Values = field(default_factory=dict[str, tuple[Any, ...]])
    elements: int = 1
    numbers: int = 2
    null: bool = False
    defaults: bool = False
    unknown_tags: bool = False

    def value(self, kind: str, number: int) -> Any:
        """Return a value of type ``kind``; ``number`` is the number of the value in the message."""
        values = self.values.get(kind, _USUAL[kind])
        return values[number % len(values)]


_EMPTY: Final[Values] = {"str": ("",), "bytes": (b"",), "float": (0.0,), "UUID": _UUIDS[:1], "bool": (False,)}
_EDGES: Final[Values] = {"float": edges.FLOATS, "UUID": _UUIDS, "bool": (True, False)}
_UNICODE: Final[Values] = {
    "str": ("".join(edges.CHARACTERS), *edges.CHARACTERS),
    "bytes": (bytes(range(256)), b"\x00", b"\xff" * 3),
    "float": (math.nan, -0.0),
}
_LONG: Final[Values] = {
    "str": ("x" * 127, "é" * 64, "x" * 126, "日" * 5461),
    "bytes": (b"\x00" * 127, b"\x01" * 128, b"\x02" * 16383),
}

SHAPES: Final = (
    Shape("default", "every field has its default", defaults=True),
    Shape("empty", "zeros, empty strings and arrays", _zero, _EMPTY, elements=0, numbers=0),
    Shape("null", "null wherever it is allowed", null=True),
    Shape("typical", "every field is set, tagged ones too"),
    Shape("edges", "numbers at which encodings get longer", _edge, _EDGES, elements=2, numbers=40),
    Shape(
        "unicode",
        "strings with characters of one to four bytes, all bytes, NaN",
        values=_UNICODE,
        elements=2,
        numbers=12,
    ),
    Shape("long", "strings and arrays whose lengths take several bytes", values=_LONG, elements=130, numbers=130),
    Shape("unknown-tags", "unknown tagged fields in every struct of a flexible version", elements=2, unknown_tags=True),
)
"""All shapes, in the order of their vectors."""
