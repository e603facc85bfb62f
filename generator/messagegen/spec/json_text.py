"""Parses JSON text with comments into a tree of nodes with positions.

Comments are ``//`` and ``/* */``, as in Apache's generator (Jackson's ``ALLOW_COMMENTS``). The text is parsed with
tree-sitter's JSON grammar; this module rejects what the grammar accepts although it is not JSON.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Final

import tree_sitter
import tree_sitter_json

from messagegen.findings import Severity
from messagegen.spec.model import Position
from messagegen.spec.report import Report, quoted
from messagegen.spec.rules import Rule
from messagegen.spec.syntax import Problem, explain
from messagegen.texts import MAX_BYTES

MAX_DEPTH: Final = 100
"""The maximum nesting of objects and arrays, which allows 49 nested structs. Kafka's own specs need far fewer."""

_LANGUAGE: Final = tree_sitter.Language(tree_sitter_json.language())
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_INTEGER_DIGITS: Final = 100
_UNUSUAL_BLANKS: Final = re.compile(r"[^\S \t\r\n]|\ufeff|\u200b|\u2060")
_CLOSING_BRACKETS: Final = re.compile(r"[]}\s]+")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """A string, number, ``true``, ``false`` or ``null``; ``text`` is the value of a string, or another literal as written."""

    position: Position
    value: str | int | float | bool | None
    text: str


@dataclass(frozen=True, slots=True)
class ArrayNode:
    """An array."""

    position: Position
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """A property of an object: the position of its name, and its value."""

    name_position: Position
    value: Node


@dataclass(frozen=True, slots=True)
class ObjectNode:
    """An object; if a property is written twice, the last one wins."""

    position: Position
    members: dict[str, Member]


Node = ScalarNode | ArrayNode | ObjectNode

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]


class _StopError(Exception):
    """Raised to stop parsing after a finding that leaves nothing to parse."""


class Lines:
    """Computes the line and column (in characters, both starting at 1) of an offset in UTF-8 text."""

    def __init__(self, data: bytes) -> None:
        self._starts = [0, *(match.end() for match in re.finditer(rb"\n", data))]
        # All bytes of a character but the first are in this range; they don't count as columns.
        self._inner = [match.start() for match in re.finditer(rb"[\x80-\xbf]", data)]

    def position(self, offset: int) -> Position:
        """The position of byte ``offset``."""
        line = bisect_right(self._starts, offset)
        start = self._starts[line - 1]
        inner = bisect_left(self._inner, offset) - bisect_left(self._inner, start) if self._inner else 0
        return Position(line, offset - start - inner + 1)


def read_json(text: str | bytes, report: Report) -> Node | None:
    """Parses ``text``; ``None`` after a finding that leaves nothing to parse."""
    if len(text) > MAX_BYTES:
        message, instead = f"the file is too large: more than {MAX_BYTES} bytes", "split it into several messages"
        report.add(Rule.SPEC_SIZE, Position(1, 1), "", message, instead)
        return None
    data = _utf8(text, report)
    if data is None:
        return None
    try:
        return _Builder(data, report).build()
    except _StopError:
        return None


def plain(node: Node) -> Plain:
    """The node as dicts, lists and scalars, for ``jsonschema``."""
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, ArrayNode):
        return [plain(item) for item in node.items]
    return {name: plain(member.value) for name, member in node.members.items()}


def _utf8(text: str | bytes, report: Report) -> bytes | None:
    """The text as UTF-8 without a byte order mark."""
    if isinstance(text, str):
        text = text.encode("utf-8", "surrogatepass")
    data = text.removeprefix(b"\xef\xbb\xbf")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line_start = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[line_start : error.start].decode()) + 1
        position = Position(data.count(b"\n", 0, error.start) + 1, column)
        message = f"invalid UTF-8: byte 0x{data[error.start]:02x}"
        report.add(Rule.SPEC_TEXT_UTF8, position, "", message, "save the file as UTF-8")
        return None
    return data


def _without_plus(data: bytes) -> bytes:
    """The text with exponents such as ``e+16`` written as ``e016``, because the grammar does not know the plus sign."""
    return re.sub(rb"(?<=[0-9][eE])\+(?=[0-9])", b"0", data)


class _Builder:
    """Turns tree-sitter's syntax tree into nodes."""

    def __init__(self, data: bytes, report: Report) -> None:
        self._data = data
        self._lines = Lines(data)
        self._report = report

    def build(self) -> Node:
        text = self._data.decode()
        root = tree_sitter.Parser(_LANGUAGE).parse(self._data).root_node
        if root.has_error or _UNUSUAL_BLANKS.search(text):
            problem = explain(text)
            if problem is not None and not self._dropped(problem, text):
                raise self._stop_at(problem)
            root = tree_sitter.Parser(_LANGUAGE).parse(_without_plus(self._data)).root_node
            if root.has_error:
                raise self._not_json(root)
        values = [child for child in root.named_children if child.type != "comment"]
        if not values:
            raise self._stop(
                Rule.SPEC_TEXT_ONE_VALUE, 0, "missing JSON value: the file is empty", 'write one object: {"type": ...}'
            )
        if len(values) > 1:
            instead = "remove it, or put it into a separate file"
            raise self._stop(Rule.SPEC_TEXT_ONE_VALUE, values[1].start_byte, "unexpected text after the spec", instead)
        return self._node(values[0], 1, "")

    def _dropped(self, problem: Problem, text: str) -> bool:
        """Ignores, with a warning, closing brackets after the spec, as in a spec of Kafka 2.8."""
        if problem.rule != "SPEC_TEXT_ONE_VALUE" or not _CLOSING_BRACKETS.fullmatch(text, problem.offset):
            return False
        offset = len(text[: problem.offset].encode())
        message, instead = f"unmatched {text[problem.offset]} after the spec, ignored", "remove what follows the spec"
        position = self._lines.position(offset)
        self._report.add(Rule.SPEC_TEXT_ONE_VALUE, position, "", message, instead, severity="warning")
        self._data = self._data[:offset]
        return True

    def _not_json(self, source: tree_sitter.Node) -> _StopError:
        """Reports why text is not JSON; ``source`` is where the grammar fails."""
        problem = explain(self._data.decode())
        if problem is None:
            return self._stop(Rule.SPEC_TEXT_JSON, source.start_byte, "invalid JSON", "look for a stray character")
        return self._stop_at(problem)

    def _stop_at(self, problem: Problem) -> _StopError:
        offset = len(self._data.decode()[: problem.offset].encode())
        return self._stop(Rule[problem.rule], offset, problem.message, problem.instead)

    def _stop(self, rule: Rule, offset: int, message: str, instead: str) -> _StopError:
        self._report.add(rule, self._lines.position(offset), "", message, instead)
        return _StopError()

    def _node(self, source: tree_sitter.Node, depth: int, path: str) -> Node:
        kind, position = source.type, self._lines.position(source.start_byte)
        if kind in {"object", "array"}:
            if depth > MAX_DEPTH:
                message = f"objects and arrays are nested too deeply: more than {MAX_DEPTH} levels"
                raise self._stop(
                    Rule.SPEC_TEXT_NESTING, source.start_byte, message, "put the inner structs into commonStructs"
                )
            if kind == "object":
                return self._object(source, position, depth, path)
            children = (child for child in source.named_children if child.type != "comment")
            items = tuple(self._node(child, depth + 1, f"{path}[{i}]") for i, child in enumerate(children))
            return ArrayNode(position, items)
        if kind == "string":
            text = self._string(source)
            return ScalarNode(position, text, text)
        text = self._data[source.start_byte : source.end_byte].decode()
        if kind == "number":
            return ScalarNode(position, self._number(source, text), text)
        return ScalarNode(position, {"true": True, "false": False, "null": None}[kind], text)

    def _object(self, source: tree_sitter.Node, position: Position, depth: int, path: str) -> ObjectNode:
        members: dict[str, Member] = {}
        for pair in source.named_children:
            if pair.type != "pair":
                continue
            key, value = (child for child in pair.named_children if child.type != "comment")
            name, place = self._string(key), self._lines.position(key.start_byte)
            below = f"{path}.{name}" if path else name
            member = Member(place, self._node(value, depth + 1, below))
            if name in members:
                self._tell_twice(name, members[name], member, below)
            members[name] = member
        return ObjectNode(position, members)

    def _tell_twice(self, name: str, first: Member, second: Member, path: str) -> None:
        """Reports a duplicate property; the same value twice does no harm and occurs in three specs of Kafka 3.8."""
        where = first.name_position
        message = f"duplicate property {quoted(name)}, first at {where.line}:{where.column}"
        severity: Severity = "warning" if plain(first.value) == plain(second.value) else "error"
        instead = "remove one of the two"
        self._report.add(Rule.PROPERTY_WRITTEN_ONCE, second.name_position, path, message, instead, severity)

    def _string(self, source: tree_sitter.Node) -> str:
        text = self._data[source.start_byte : source.end_byte].decode()
        inner = text[1:-1]
        # Nearly all strings are like this, and a parser takes ten times as long.
        if "\\" not in inner and inner.isprintable():
            return inner
        try:
            value: str = json.loads(text)
        except ValueError:
            raise self._not_json(source) from None
        if _SURROGATE.search(value):
            message = "unpaired surrogate in a string"
            raise self._stop(Rule.SPEC_TEXT_UTF8, source.start_byte, message, "write the character itself")
        return value

    def _number(self, source: tree_sitter.Node, text: str) -> int | float:
        if not _NUMBER.fullmatch(text):
            raise self._not_json(source)
        # Python rejects ints with thousands of digits, and no property needs them.
        if text.lstrip("-").isdigit() and len(text) <= _INTEGER_DIGITS:
            return int(text)
        return float(text)
