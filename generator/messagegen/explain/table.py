"""An explanation as rows for people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from messagegen.explain.explanation import Explanation
from messagegen.explain.json_value import json_of
from messagegen.explain.tree import Kind, Node
from messagegen.runtime.secrets import REDACTED

_BYTES_SHOWN: Final = 16
_VALUE_SHOWN: Final = 60
_HEX_WIDTH: Final = 48
"""More than hex that is shortened takes."""
_HIDDEN: Final = "may be sensitive; --show-sensitive shows it"
_COLUMNS: Final = ("offset", "bytes", "hex", "field", "type", "value")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table; together the bytes of all rows are those of the explanation. ``depth`` counts the parts around it."""

    offset: int
    size: int
    hex: str
    name: str
    depth: int
    type: str
    value: str

    @property
    def field(self) -> str:
        """The name behind blanks for the depth."""
        return f"{'  ' * self.depth}{self.name}"


@dataclass(frozen=True, slots=True)
class View:
    """What is shown: ``full`` shows hex and values whole, ``sensitive`` also those of sensitive fields."""

    full: bool = False
    sensitive: bool = False


def rows(found: Explanation, view: View) -> Iterator[Row]:
    """The rows of an explanation, in the order of the bytes; what could not be read is the last one."""
    for node in found.nodes:
        yield from _rows(found.data, node, view, 0)
    if found.rest:
        hidden = found.rest_is_sensitive and not view.sensitive
        hex_ = repr(REDACTED) if hidden else _shortened_hex([found.rest], view)
        yield Row(found.end, len(found.rest), hex_, "(not read)", 0, "", _HIDDEN if hidden else "")


def table(rows_: Sequence[Row]) -> Iterator[str]:
    """The lines of the table, with a line of titles."""
    cells = [_COLUMNS, *(line for row in rows_ for line in _lines(row))]
    widths = [max(len(line[column]) for line in cells) for column in range(len(_COLUMNS))]
    for line in cells:
        numbers = [line[column].rjust(widths[column]) for column in (0, 1)]
        texts = [line[column].ljust(widths[column]) for column in range(2, len(_COLUMNS))]
        yield "  ".join([*numbers, *texts]).rstrip()


def _lines(row: Row) -> Iterator[tuple[str, ...]]:
    """The cells of a row; hex that is long takes more lines."""
    place = (str(row.offset), str(row.size)) if row.size else ("", "")
    yield (*place, row.hex[:_HEX_WIDTH], row.field, row.type, row.value)
    for begin in range(_HEX_WIDTH, len(row.hex), _HEX_WIDTH):
        yield ("", "", row.hex[begin : begin + _HEX_WIDTH], "", "", "")


def _rows(data: bytes, node: Node, view: View, depth: int) -> Iterator[Row]:
    if node.sensitive and not view.sensitive:
        yield Row(node.offset, node.end - node.offset, repr(REDACTED), node.name, depth, node.type, repr(REDACTED))
        return
    if _is_numbers(node):
        elements = [data[child.offset : child.end] for child in node.children]
        numbers = f"[{', '.join(_text_of(child.value) for child in node.children)}]"
        hex_ = _shortened_hex([data[node.offset : node.own_end], *elements], view)
        yield Row(node.offset, node.end - node.offset, hex_, node.name, depth, node.type, _shortened(numbers, view))
        return
    begin = node.offset + node.prefix
    hex_ = _shortened_hex([data[node.offset : begin], data[begin : node.own_end]], view)
    type_ = "" if node.kind is Kind.MESSAGE else node.type
    yield Row(node.offset, node.own_end - node.offset, hex_, node.name, depth, type_, _shortened(_value(node), view))
    for child in node.children:
        yield from _rows(data, child, view, depth + 1)


def _is_numbers(node: Node) -> bool:
    """Whether a node is an array of numbers, which takes one row."""
    return node.kind is Kind.ARRAY and any(_is_number(child) for child in node.children[:1])


def _is_number(node: Node) -> bool:
    return node.kind is Kind.VALUE and isinstance(node.value, (int, float))


def _value(node: Node) -> str:
    match node.kind:
        case Kind.MESSAGE:
            return ""
        case _ if node.is_null:
            return "null"
        case Kind.STRUCT:
            return ""
        case Kind.ARRAY:
            return _count(node.value, "element")
        case Kind.TAG_SECTION:
            return _count(node.value, "tagged field")
        case Kind.TAG:
            return _count(node.value, "byte")
        case _:
            return _text_of(node.value)


def _text_of(value: Any) -> str:
    if isinstance(value, bytes):
        return _count(len(value), "byte")
    if isinstance(value, UUID):
        return str(json_of(value))
    return json.dumps(value, ensure_ascii=False)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _shortened(text: str, view: View) -> str:
    return text if view.full or len(text) <= _VALUE_SHOWN else f"{text[: _VALUE_SHOWN - 3]}..."


def _shortened_hex(groups: Sequence[bytes], view: View) -> str:
    """Bytes in groups, as many of them as are shown."""
    left = sum(map(len, groups)) if view.full else _BYTES_SHOWN
    shown: list[str] = []
    for group in filter(None, groups):
        if left <= 0 or len(group) > left:
            return " ".join([*shown, f"{group[:max(left, 0)].hex()}..."])
        shown.append(group.hex())
        left -= len(group)
    return " ".join(shown)
