"""Messages made to cost as much memory as they can for their bytes: one array of a message filled with what is dear."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

Path = tuple[int, ...]
"""The numbers of the steps that lead from a message to an array, each but the last through one element."""

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
    """The paths of all arrays of a layout, outside of its tag section."""
    for number, (_, codec) in enumerate(layout.steps):
        inner = codec.element if codec.kind == "array" else codec
        if codec.kind == "array":
            yield (number,)
        if inner.layout is not None:
            yield from ((number, *path) for path in arrays(inner.layout))


def layout_at(layout: Any, path: Path) -> Any:
    """The codec of the array at a path."""
    numbers = list(path)
    first, rest = numbers[0], numbers[1:]
    _, codec = layout.steps[first]
    return layout_at((codec.element or codec).layout, tuple(rest)) if rest else codec


def filled(layout: Any, path: Path, size: int, depth: int, *, flexible: bool) -> bytes:
    """A message of about ``size`` bytes, whose array at the path holds elements that are dear down to ``depth``."""
    out = bytearray()
    for number, (_, codec) in enumerate(layout.steps):
        if number != next(iter(path)):
            out += value(codec, 0, dear=False)
            continue
        inner = codec.element if codec.kind == "array" else codec
        if len(path) > 1:
            out += length(codec, 1) if codec.kind == "array" else b"\x01" * (codec.null > 0)
            out += filled(inner.layout, path[1:], size, depth, flexible=flexible)
        else:
            element = value(inner, depth, dear=True)
            count = min(1_000_000, size // max(1, len(element)))
            out += length(codec, count) + element * count
    return bytes(out) + (b"\0" if layout.flexible else b"")


def with_tags(layout: Any, count: int, tag: int, data: bytes) -> bytes:
    """A message that holds nothing but unknown tagged fields."""
    body = b"".join(value(codec, 0, dear=False) for _, codec in layout.steps)
    return body + uvarint(count) + (uvarint(tag) + uvarint(len(data)) + data) * count


def length(codec: Any, count: int) -> bytes:
    """The length of an array, string or bytes."""
    if codec.compact:
        return uvarint(count + 1)
    size = 2 if codec.kind == "string" else 4
    return count.to_bytes(size, "big", signed=True)


def value(codec: Any, depth: int, *, dear: bool) -> bytes:
    """A value that costs much for its bytes, or one that has as few bytes as can be."""
    match codec.kind:
        case "packed" | "upacked":
            return b"\x7f" if dear and codec.kind == "packed" else b"\x80\x02" if dear else b"\0"
        case "string":
            return length(codec, 2) + b"\xc4\x80" if dear else length(codec, 0)
        case "bytes" | "records":
            return length(codec, 2) + b"ab" if dear else length(codec, 0)
        case "array":
            count = (30 if codec.numbers else 1) if dear and depth else 0
            return length(codec, count) + value(codec.element, depth - 1, dear=dear) * count
        case "struct":
            body = b"".join(value(inner, depth, dear=dear) for _, inner in codec.layout.steps)
            return (b"\x01" if codec.null else b"") + body + (b"\0" if codec.layout.flexible else b"")
    return _DEAR[codec.kind] if dear else b"\0" * _SIZES[codec.kind]
