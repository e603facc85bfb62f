"""The shapes of values: which numbers, texts and lengths a vector has. Every message gets a vector of each shape."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from messagegen import edges

Integers = Callable[[int, int, int], int]
"""An integer for a lowest and a highest value and the number of the value in the message."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How the values of a vector are chosen; of several texts, bytes and so on, one after the other is taken.

    ``elements`` is how many elements an array of structs has, ``numbers`` an array of anything else. ``nulls`` says of which
    nullable values are null: of every such one (1), every second one (2), or none (0). ``defaults`` leaves every field at its default.
    """

    name: str
    purpose: str
    integers: Integers = lambda _lowest, highest, number: min(highest, number + 1)
    texts: tuple[str, ...] = ("kafka", "topic-1", "a")
    binaries: tuple[bytes, ...] = (b"\x00\x01\xfe\xff", b"bytes")
    floats: tuple[float, ...] = (1.5, -0.25)
    uuids: tuple[UUID, ...] = (UUID("01234567-89ab-cdef-0123-456789abcdef"),)
    bools: tuple[bool, ...] = (True,)
    elements: int = 1
    numbers: int = 2
    nulls: int = 0
    defaults: bool = False
    unknown_tags: bool = False


def _edge(lowest: int, highest: int, number: int) -> int:
    values = edges.integers(lowest, highest)
    return values[number % len(values)]


_TEXT: Final = "".join(edges.CHARACTERS)
_UUIDS: Final = tuple(UUID(text) for text in edges.UUIDS)

SHAPES: Final = (
    Shape("default", "every field has its default", defaults=True),
    Shape(
        "empty",
        "zeros, empty texts and arrays",
        integers=lambda lowest, highest, _: max(lowest, min(highest, 0)),
        texts=("",),
        binaries=(b"",),
        floats=(0.0,),
        uuids=(_UUIDS[0],),
        bools=(False,),
        elements=0,
        numbers=0,
    ),
    Shape("null", "null wherever it is allowed", nulls=1),
    Shape("typical", "every field is set, tagged ones too"),
    Shape(
        "lowest",
        "the lowest number of each type",
        integers=lambda lowest, _highest, _number: lowest,
        floats=(-math.inf,),
        uuids=(_UUIDS[0],),
        bools=(False,),
    ),
    Shape(
        "highest",
        "the highest number of each type",
        integers=lambda _lowest, highest, _number: highest,
        floats=(math.inf,),
        uuids=(_UUIDS[2],),
    ),
    Shape(
        "edges",
        "numbers at which encodings get longer",
        integers=_edge,
        floats=edges.FLOATS,
        uuids=_UUIDS,
        bools=(True, False),
        elements=2,
        numbers=40,
    ),
    Shape(
        "unicode",
        "texts of characters of one to four bytes, all bytes, NaN",
        texts=(_TEXT, *edges.CHARACTERS),
        binaries=(bytes(range(256)), b"\x00", b"\xff" * 3),
        floats=(math.nan, -0.0),
        elements=2,
        numbers=12,
    ),
    Shape(
        "long",
        "texts and arrays whose lengths take several bytes",
        texts=("x" * 127, "é" * 64, "x" * 126, "日" * 5461),
        binaries=(b"\x00" * 127, b"\x01" * 128, b"\x02" * 16383),
        elements=130,
        numbers=130,
    ),
    Shape(
        "nested",
        "arrays of several elements at every depth, every second nullable value null",
        elements=3,
        numbers=3,
        nulls=2,
        bools=(True, False),
    ),
    Shape("unknown-tags", "unknown tagged fields in every struct of a flexible version", elements=2, unknown_tags=True),
)
"""All shapes, in the order of the index."""
