"""The first place at which two values, or two messages in bytes, differ."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, cast

from messagegen.vectors import Vector

_LONGEST: Final = 80
_AROUND: Final = 8


def json_difference(expected: object, got: object) -> str | None:
    """The first place at which a JSON value is another one, in words; ``None`` if it is not. NaN equals NaN here."""
    return next(_json_differences(expected, got, ""), None)


def _json_differences(expected: object, got: object, path: str) -> Iterator[str]:
    kinds = type(expected), type(got)
    if kinds == (dict, dict):
        objects = cast("dict[str, object]", expected), cast("dict[str, object]", got)
        yield from _object_differences(*objects, f"{path}." if path else "")
    elif kinds == (list, list):
        yield from _array_differences(cast("list[object]", expected), cast("list[object]", got), path)
    elif not _same(expected, got):
        yield f"{path or 'the message'}: {_shown(got)}, expected {_shown(expected)}"


def _object_differences(expected: Mapping[str, object], got: Mapping[str, object], path: str) -> Iterator[str]:
    for key, value in expected.items():
        if key in got:
            yield from _json_differences(value, got[key], f"{path}{key}")
        else:
            yield f"{path}{key} is missing, expected {_shown(value)}"
    for key, value in got.items():
        if key not in expected:
            yield f"{path}{key} is not expected: {_shown(value)}"


def _array_differences(expected: Sequence[object], got: Sequence[object], path: str) -> Iterator[str]:
    if len(expected) != len(got):
        yield f"{path}: {len(got)} elements, expected {len(expected)}"
    for index, (item, other) in enumerate(zip(expected, got, strict=False)):
        yield from _json_differences(item, other, f"{path}[{index}]")


def _same(expected: object, got: object) -> bool:
    if isinstance(expected, bool) or isinstance(got, bool):
        return expected is got
    # repr tells 0.0 from -0.0, and writes every NaN alike.
    return repr(expected) == repr(got) if isinstance(expected, float) else expected == got


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST - 3]}..."


Locate = Callable[[Vector, int], str]
"""The field that a byte of a vector belongs to, empty where that is not known."""


def bytes_difference(vector: Vector, got: Any, locate: Locate) -> str | None:
    """The first byte at which a message in hex is another one, in words; ``None`` if it is not."""
    try:
        data = bytes.fromhex(got)
    except (TypeError, ValueError):
        return f"{_shown(got)} is not hex"
    if data == vector.data:
        return None
    offset = next(index for index, (one, other) in enumerate(zip_longest(vector.data, data)) if one != other)
    place = locate(vector, offset)
    return (
        f"byte {offset}{f' ({place})' if place else ''} differs: {_bytes(data, offset)}, expected {_bytes(vector.data, offset)} "
        f"({len(data)} bytes, expected {len(vector.data)})"
    )


def _bytes(data: bytes, offset: int) -> str:
    part = data[offset : offset + _AROUND]
    return f"{part.hex(' ')}{' ...' if offset + _AROUND < len(data) else ''}" if part else "the end"
