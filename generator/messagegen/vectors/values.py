"""Values of one shape for a layout."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from messagegen.runtime.plan import PRIMITIVES, Codec, Field, Layout
from messagegen.vectors.shapes import Shape

_BUDGET: Final = 8_000
"""About how many bytes a vector may have before texts and arrays become short.

After twice as many, arrays are empty.
"""
_NUMBER_BYTES: Final = 4
"""About how many bytes a number has."""
_UNKNOWN: Final = ((0, b""), (1, b"\x00"), (127, b"\xff\xfe"), (20_000, b"unknown"), (2**28, b"\x80" * 130))
"""Unknown tagged fields: numbers above the highest tag of a struct, and data."""


def message_of(shape: Shape, layout: Layout) -> Any:
    """A message of the shape."""
    return _Maker(shape).struct(layout)


class _Maker:
    """Counts the values of a message and its bytes, so that each value follows from its place alone."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.number = 0
        self.budget = _BUDGET

    def struct(self, layout: Layout) -> Any:
        struct = layout.cls()
        self.budget -= 1
        for field, codec in (*layout.steps, *layout.tagged.values()):
            if codec.layout and not codec.layout.encodable:
                setattr(struct, field.attribute, self.absent(field, codec))
            elif self.shape.defaults:
                setattr(struct, field.attribute, self.default(field, codec, getattr(struct, field.attribute)))
            else:
                setattr(struct, field.attribute, self.value(codec))
        if self.shape.unknown_tags and layout.flexible:
            struct.unknown_tagged_fields = tuple(_unknown(layout))
            self.budget -= sum(len(data) for _, data in _UNKNOWN)
        return struct

    def default(self, field: Field, codec: Codec, default: Any) -> Any:
        """The default, or an empty value where the default is null and the version does not allow null."""
        if default is None and not codec.null:
            return self.empty(field, codec)
        if codec.kind == "struct" and default is not None:
            # A default that holds structs is created again, since these may have such fields as well.
            return self.value(codec)
        return default

    def empty(self, field: Field, codec: Codec) -> Any:
        """An empty value; for types that have none, one of the shape."""
        if field.is_array:
            return ()
        if codec.kind in ("bytes", "records"):
            return b""
        return self.value(codec)

    @staticmethod
    def absent(field: Field, codec: Codec) -> Any:
        """What stands for a struct that the version can't encode: null, or the default, which is not written."""
        return None if codec.null else field.default

    def value(self, codec: Codec) -> Any:
        if codec.null and (self.shape.null or self.is_full()):
            return None
        if codec.layout is not None:
            return self.struct(codec.layout)
        if codec.element is not None:
            return tuple(self.elements(codec.element))
        self.number += 1
        self.budget -= _NUMBER_BYTES
        return self.primitive(codec)

    def is_full(self) -> bool:
        return self.budget < -_BUDGET

    def elements(self, element: Codec) -> Iterator[Any]:
        for _ in range(self.count(element)):
            if not self.is_full():
                yield self.value(element)

    def count(self, element: Codec) -> int:
        """How many elements an array has."""
        if element.layout is not None and not element.layout.encodable:
            return 0
        wanted = self.shape.numbers if element.layout is None else self.shape.elements
        if self.budget <= 0:
            return min(wanted, 1)
        if element.layout is not None and _nests(element.layout):
            return min(wanted, 2)
        return wanted

    def primitive(self, codec: Codec) -> Any:
        if codec.kind in ("packed", "upacked"):
            return self.shape.integers(-(1 << codec.bits - 1), (1 << codec.bits - 1) - 1, self.number - 1)
        primitive = PRIMITIVES[codec.kind]
        if primitive.python == "int":
            assert primitive.range is not None
            return self.shape.integers(*primitive.range, self.number - 1)
        value = self.shape.value(primitive.python, self.number - 1)
        if primitive.python not in ("str", "bytes") or not value:
            return value
        if self.budget <= 0:
            # One character where the vector is long already.
            value = "x" if primitive.python == "str" else b"x"
        self.budget -= len(value)
        return value


def _nests(layout: Layout) -> bool:
    """Whether a struct holds structs or arrays."""
    return any(codec.element or codec.layout for _, codec in (*layout.steps, *layout.tagged.values()))


def _unknown(layout: Layout) -> Iterator[tuple[int, bytes]]:
    """Unknown tagged fields in ascending order, none of which the struct has in any version."""
    next_tag = max((*layout.tagged, *layout.foreign), default=-1) + 1
    for tag, data in _UNKNOWN:
        unknown = max(tag, next_tag)
        yield unknown, data
        next_tag = unknown + 1
