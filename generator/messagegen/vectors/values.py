"""Makes the values of one shape for a layout."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from messagegen.runtime.plan import PRIMITIVES, Codec, Field, Layout
from messagegen.vectors.shapes import Shape

_BUDGET: Final = 8_000
"""The approximate size of a vector in bytes after which strings and arrays become short.

After twice this size, arrays are empty.
"""
_NUMBER_BYTES: Final = 4
"""The approximate size of a number in bytes."""
_UNKNOWN: Final = ((0, b""), (1, b"\x00"), (127, b"\xff\xfe"), (20_000, b"unknown"), (2**28, b"\x80" * 130))
"""Unknown tagged fields: tags, which are raised above the highest tag of the struct, and data."""


def message_of(shape: Shape, layout: Layout) -> Any:
    """Return a message of the shape."""
    return _Maker(shape).struct(layout)


class _Maker:
    """Makes one message. It counts values and bytes, so each value depends only on its position."""

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
        """Return the default, or an empty value if the default is null and the version does not allow null."""
        if default is None and not codec.null:
            return self.empty(field, codec)
        if codec.kind == "struct" and default is not None:
            # The default is rebuilt, because structs in it may have fields that need an empty value.
            return self.value(codec)
        return default

    def empty(self, field: Field, codec: Codec) -> Any:
        """Return an empty value, or a value of the shape if the type has no empty value."""
        if field.is_array:
            return ()
        if codec.kind in ("bytes", "records"):
            return b""
        return self.value(codec)

    @staticmethod
    def absent(field: Field, codec: Codec) -> Any:
        """Return the value for a struct that the version can't encode: null, or the default, which is not written."""
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
        """Return the number of elements of an array."""
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
            # The vector is already long, so use one character.
            value = "x" if primitive.python == "str" else b"x"
        self.budget -= len(value)
        return value


def _nests(layout: Layout) -> bool:
    """Whether a struct holds structs or arrays."""
    return any(codec.element or codec.layout for _, codec in (*layout.steps, *layout.tagged.values()))


def _unknown(layout: Layout) -> Iterator[tuple[int, bytes]]:
    """Yield unknown tagged fields in ascending order, with tags that the struct does not have in any version."""
    next_tag = max((*layout.tagged, *layout.foreign), default=-1) + 1
    for tag, data in _UNKNOWN:
        unknown = max(tag, next_tag)
        yield unknown, data
        next_tag = unknown + 1
