"""Messages made to cost as much memory as they can for their bytes: one array of a message filled with what is dear."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

Step = tuple[bool, int]
"""A field of a struct: whether it is tagged, and its tag or else its number among the others."""
Path = tuple[Step, ...]
"""The fields that lead from a message to an array, each but the last through one element."""

STYLES: Final = ("bare", "flat", "one", "thirty", "long", "tagged", "known")
"""What the elements hold.

- ``bare``: as few bytes as can be, so that objects cost most for each
- ``flat``: texts and integers that are dear, and no arrays
- ``one``, ``thirty``, ``long``: the same, and arrays of one element, or of so many numbers
- ``tagged``: the same with an unknown tagged field in each struct
- ``known``: the same with all known tagged fields
"""

_NUMBERS: Final = {"one": 1, "thirty": 30, "long": 200, "known": 1}
_SIZES: Final = {
    "bool": 1,
    "int8": 1,
    "int16": 2,
    "uint16": 2,
    "int32": 4,
    "uint32": 4,
    "int64": 8,
    "float64": 8,
    "uuid": 16,
}
_DEAR: Final = {
    "bool": b"\x01",
    "int8": b"\x80",
    "int16": b"\x7f\xff",
    "uint16": b"\x7f\xff",
    "int32": b"\x7f\xff\xff\xff",
    "uint32": b"\x7f\xff\xff\xff",
    "int64": b"\x7f" + b"\xff" * 7,
    "float64": b"\x40" * 8,
    "uuid": b"\x77" * 16,
}


def uvarint(value: int) -> bytes:
    """An unsigned varint."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def arrays(layout: Any) -> Iterator[Path]:
    """The paths of all arrays of a layout."""
    fields = [((False, number), codec) for number, (_, codec) in enumerate(layout.steps)]
    fields += [((True, tag), codec) for tag, (_, codec) in layout.tagged.items()]
    for step, codec in fields:
        if codec.kind == "array":
            yield (step,)
        inner = codec.element or codec
        if inner.layout is not None:
            yield from ((step, *path) for path in arrays(inner.layout))


def codec_at(layout: Any, path: Path) -> Any:
    """The codec of the array at a path."""
    (is_tagged, number), *rest = path
    _, codec = layout.tagged[number] if is_tagged else layout.steps[number]
    return codec_at((codec.element or codec).layout, tuple(rest)) if rest else codec


def filled(layout: Any, path: Path, count: int, style: str) -> bytes:
    """A message whose array at the path holds so many elements of a style; nothing else in it takes more than it must."""
    step, *rest = path
    codec = codec_at(layout, (step,))
    inner = codec.element or codec
    if rest:
        one = b"\x01" * (inner.null > 0) + filled(inner.layout, tuple(rest), count, style)
        here = length(codec, 1) + one if codec.kind == "array" else one
    else:
        here = length(codec, count) + value(inner, style) * count
    out = bytearray()
    for number, (_, other) in enumerate(layout.steps):
        out += here if step == (False, number) else value(other, "least")
    is_tagged, tag = step
    if layout.flexible:
        out += b"\x01" + uvarint(tag) + uvarint(len(here)) + here if is_tagged else b"\0"
    return bytes(out)


def with_tags(layout: Any, count: int, tag: int, data: bytes) -> bytes:
    """A message that holds nothing but unknown tagged fields."""
    body = b"".join(value(codec, "least") for _, codec in layout.steps)
    return body + uvarint(count) + (uvarint(tag) + uvarint(len(data)) + data) * count


def length(codec: Any, count: int) -> bytes:
    """The length of an array, string or bytes."""
    if codec.compact:
        return uvarint(count + 1)
    size = 2 if codec.kind == "string" else 4
    return count.to_bytes(size, "big", signed=True)


def value(codec: Any, style: str) -> bytes:
    """A value of a style, or (``least``) one that has as few bytes as can be."""
    is_dear = style not in ("least", "bare")
    kind: str = codec.kind
    match kind:
        case "packed" | "upacked":
            return b"\x7f" if is_dear and codec.kind == "packed" else b"\x80\x02" if is_dear else b"\0"
        case "string":
            return length(codec, 2) + b"\xc4\x80" if is_dear else length(codec, 0)
        case "bytes" | "records":
            return length(codec, 2) + b"ab" if is_dear else length(codec, 0)
        case "array":
            count = 0
            if style not in ("least", "bare", "flat"):
                count = _NUMBERS.get(style, 0) if codec.numbers else 1
            return length(codec, count) + value(codec.element, style) * count
        case "struct":
            if style == "least" and codec.null:
                return b"\xff" if codec.null == 1 else b"\0"
            mark = b"\x01" if codec.null else b""
            return mark + _fields(codec.layout, style)
    return _DEAR[kind] if is_dear else b"\0" * _SIZES[kind]


def _fields(layout: Any, style: str) -> bytes:
    """The fields of a struct with its tag section."""
    out: bytes = b"".join(value(codec, style) for _, codec in layout.steps)
    if not layout.flexible:
        return out
    if style == "tagged":
        tag = 300
        while tag in layout.tagged or tag in layout.foreign:
            tag += 1
        return out + b"\x01" + uvarint(tag) + b"\x02ab"
    known = layout.tagged.items() if style == "known" else ()
    out += uvarint(len(known))
    for tag, (_, codec) in known:
        data = value(codec, style)
        out += uvarint(tag) + uvarint(len(data)) + data
    return out
