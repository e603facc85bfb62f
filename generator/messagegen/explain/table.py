"""An explanation as rows for people, and as JSON for programs."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator, Sequence, Sized
from dataclasses import asdict
from typing import Any, Final, NamedTuple
from uuid import UUID

from messagegen.explain.explanation import Explanation
from messagegen.explain.tracer import Part
from messagegen.runtime.secrets import REDACTED

_BYTES_SHOWN: Final = 16
_VALUE_SHOWN: Final = 60
_HEX_WIDTH: Final = 48
"""More than hex that is shortened takes."""
_HIDDEN: Final = "may be sensitive; --show-sensitive shows it"
_COLUMNS: Final = ("offset", "bytes", "hex", "field", "type", "value")


class Row(NamedTuple):
    """A line of the table; together the bytes of all rows are those of the explanation. ``depth`` counts the parts around it."""

    offset: int
    size: int
    hex: str
    name: str
    depth: int
    type: str
    value: str


def rows(found: Explanation, *, full: bool = False) -> Iterator[Row]:
    """The rows of an explanation, in the order of the bytes; what could not be read is the last one.

    ``full`` shows hex and values whole, however long they are.
    """
    for part, end in found.shown():
        hex_, value = repr(REDACTED), repr(REDACTED)
        if not part.hidden:
            hex_ = _hex(_groups(found.data, part, end), full=full)
            value = _value(part)
            value = value if full or len(value) <= _VALUE_SHOWN else f"{value[: _VALUE_SHOWN - 3]}..."
        yield Row(part.offset, end - part.offset, hex_, part.name, part.depth, part.type, value)
    if found.rest:
        hex_ = repr(REDACTED) if found.hides_rest else _hex([found.rest], full=full)
        yield Row(found.end, len(found.rest), hex_, "(not read)", 0, "", _HIDDEN * found.hides_rest)


def table(rows_: Sequence[Row]) -> Iterator[str]:
    """The lines of the table, with a line of titles; hex that is long takes more lines."""
    cells: list[tuple[str, ...]] = [_COLUMNS]
    for row in rows_:
        place = (str(row.offset), str(row.size)) if row.size else ("", "")
        cells.append((*place, row.hex[:_HEX_WIDTH], f"{'  ' * row.depth}{row.name}", row.type, row.value))
        more = range(_HEX_WIDTH, len(row.hex), _HEX_WIDTH)
        cells += [("", "", row.hex[begin : begin + _HEX_WIDTH], "", "", "") for begin in more]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        texts = [
            text.rjust(width) if number < 2 else text.ljust(width)
            for number, (text, width) in enumerate(zip(line, widths, strict=True))
        ]
        yield "  ".join(texts).rstrip()


def explanation_json(found: Explanation) -> dict[str, Any]:
    """The parts, the bytes that could not be read and why."""
    rest = {"offset": found.end, "length": len(found.rest), **_json_hex(found.rest, hidden=found.hides_rest)}
    return {
        "size": len(found.data),
        "parts": [_part_json(found.data, part, end) for part, end in found.shown()],
        "rest": rest if found.rest else None,
        "problem": None if found.problem is None else asdict(found.problem),
    }


def _part_json(data: bytes, part: Part, end: int) -> dict[str, Any]:
    found: dict[str, Any] = {
        name: getattr(part, name) for name in ("name", "depth", "path", "type", "offset", "prefix")
    }
    found |= {"length": end - part.offset, **_json_hex(data[part.offset : end], hidden=part.hidden)}
    if part.counted is not None and not part.hidden:
        found["count" if part.counted else "value"] = _json_of(part.value)
    return found


def _json_of(value: object) -> object:
    """A value of a primitive type in Kafka's JSON form."""
    if isinstance(value, UUID):
        return urlsafe_b64encode(value.bytes).rstrip(b"=").decode()
    return b64encode(value).decode() if isinstance(value, bytes) else value


def _json_hex(data: bytes, *, hidden: bool) -> dict[str, Any]:
    return {"redacted": True} if hidden else {"hex": data.hex()}


def _value(part: Part) -> str:
    if part.counted is None:
        return ""
    number, what = (len(part.value), "byte") if isinstance(part.value, bytes) else (part.value, part.counted)
    if what:
        return f"{number} {what}{'' if number == 1 else 's'}"
    return str(_json_of(number)) if isinstance(number, UUID) else json.dumps(number, ensure_ascii=False)


def _groups(data: bytes, part: Part, end: int) -> Iterator[bytes]:
    """The bytes of a part: what comes before its value, and the value, or the numbers of constant size that it has."""
    begin = part.offset + part.prefix
    yield data[part.offset : begin]
    size = end - begin
    if "array(" in part.type and "packed" not in part.type and isinstance(part.value, Sized):
        size //= len(part.value)
    yield from (data[at : at + size] for at in range(begin, end, size or 1))


def _hex(groups: Iterator[bytes] | Sequence[bytes], *, full: bool) -> str:
    """Bytes in groups, as many of them as are shown."""
    shown: list[str] = []
    left = _BYTES_SHOWN
    for group in filter(None, groups):
        if not full and len(group) > left:
            return " ".join([*shown, f"{group[:left].hex()}..."])
        shown.append(group.hex())
        left -= len(group)
    return " ".join(shown)
