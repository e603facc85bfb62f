"""Parses YAML and JSON into plain values, with the line of each value.

YAML values are built here from parser events, because a YAML loader has no lines, accepts duplicate keys, reads an empty value as
null (the default entity), and overflows the stack on deep nesting. Aliases are refused, so that a value is not larger than its
text.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Self, TypeAlias

import yaml
from yaml.constructor import SafeConstructor
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
)
from yaml.nodes import ScalarNode
from yaml.resolver import Resolver

from messagegen_client.quotas.names import QuotaTextError, parse_value

Path: TypeAlias = tuple[str | int, ...]
Value: TypeAlias = "dict[str, Value] | list[Value] | str | Number | bool | None"

_DEEPEST: Final = 10  # a quota file needs 4
_TAG: Final = "tag:yaml.org,2002:"
_FLOAT_OF_YAML_1_2: Final = re.compile(r"[-+]?(\.\d+|\d+(\.\d*)?)[eE][-+]?\d+")  # 1e6 is text in YAML 1.1
_LOADER: Final[type[yaml.SafeLoader]] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Number(float):
    """A number, parsed by ``parse_value``; NaN with a ``problem`` if that fails.

    ``repr`` is its text, because YAML may read a name as a number.
    """

    __slots__ = ("problem", "text")

    text: str
    problem: str | None

    def __new__(cls, text: str) -> Self:
        """Parses a number."""
        problem: str | None = None
        value = math.nan
        try:
            value = parse_value(text)
        except QuotaTextError as reason:
            problem = str(reason)
        number = super().__new__(cls, value)
        number.text, number.problem = text, problem
        return number

    def __repr__(self) -> str:
        return self.text


@dataclass
class Document:
    """The value of a text, the line (from 1) of each path, and errors in the text."""

    value: Value = None
    lines: dict[Path, int] = field(default_factory=dict[Path, int])
    problems: list[tuple[Path, str]] = field(default_factory=list[tuple[Path, str]])


class TextError(ValueError):
    """Text that is neither YAML nor JSON; ``line`` counts from 1, or is ``None``."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def parse_text(text: str) -> Document:
    """Parses a text: JSON if it starts with a brace, else YAML. Raises ``TextError``."""
    try:
        return _parse_json(text) if text.lstrip().startswith("{") else _parse_yaml(text)
    except RecursionError:
        raise TextError("lists or mappings are nested too deeply") from None


def _parse_json(text: str) -> Document:
    document = Document()

    def pairs_to_dict(pairs: list[tuple[str, Value]]) -> Value:
        result: dict[str, Value] = {}
        for key, value in pairs:
            if key in result:
                document.problems.append(((), f"duplicate key {key!r} in an object"))
            result[key] = value
        return result

    def refuse(constant: str) -> float:
        raise TextError(f'{constant} is not JSON; write "Infinity" for no limit')

    try:
        document.value = json.loads(
            text, object_pairs_hook=pairs_to_dict, parse_constant=refuse, parse_int=Number, parse_float=Number
        )
    except json.JSONDecodeError as problem:
        raise TextError(f"invalid JSON: {problem.msg} (column {problem.colno})", problem.lineno) from None
    return document


def _parse_yaml(text: str) -> Document:
    document = Document()
    try:
        document.value = _Reader(document, yaml.parse(text, Loader=_LOADER)).read()
    except yaml.MarkedYAMLError as problem:
        line = problem.problem_mark.line + 1 if problem.problem_mark else None
        raise TextError(f"invalid YAML: {problem.problem or problem.context}", line) from None
    except yaml.YAMLError as problem:
        raise TextError(f"invalid YAML: {problem}") from None
    return document


class _Reader:
    """Builds values from the events of a YAML parser, and collects lines and errors in the document."""

    def __init__(self, document: Document, events: Iterator[Event]) -> None:
        self.document = document
        self.events = events
        self.constructor = SafeConstructor()
        untyped: Any = Resolver()  # its stubs lack types
        self.resolve: Callable[[type[ScalarNode], str, tuple[bool, bool]], str] = untyped.resolve

    def read(self) -> Value:
        value: Value = None
        documents = 0
        for event in self.events:
            if isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise TextError("expected one YAML document, found a second one", _line(event))
            elif isinstance(event, NodeEvent):
                value = self.node(event, ())
        return value

    def node(self, event: Event, path: Path) -> Value:
        self.document.lines[path] = _line(event)
        if isinstance(event, AliasEvent):
            return self.problem(path, "aliases (*name) are not supported; repeat the value")
        if isinstance(event, ScalarEvent):
            return self.scalar(event, path)
        if len(path) > _DEEPEST:
            # Stops here, because the depth is not limited.
            raise TextError("lists or mappings are nested too deeply", _line(event))
        return self.mapping(path) if isinstance(event, MappingStartEvent) else self.sequence(path)

    def sequence(self, path: Path) -> Value:
        result: list[Value] = []
        while not isinstance(event := next(self.events), SequenceEndEvent):
            result.append(self.node(event, (*path, len(result))))
        return result

    def mapping(self, path: Path) -> Value:
        result: dict[str, Value] = {}
        while not isinstance(event := next(self.events), MappingEndEvent):
            if not isinstance(event, ScalarEvent):
                raise TextError("expected a string as key", _line(event))
            key: str = event.value
            inner = (*path, key)
            if key in result:
                self.document.lines[inner] = _line(event)
                self.problem(inner, "duplicate key")
            result[key] = self.node(next(self.events), inner)
        return result

    def scalar(self, event: ScalarEvent, path: Path) -> Value:
        text: str = event.value
        tag = event.tag or self.resolve(ScalarNode, text, event.implicit)
        kind = tag.removeprefix(_TAG)
        if kind == "null" and not text:
            return self.problem(path, "missing value; write null if that is meant")
        if kind == "str":
            is_number = event.implicit[0] and _FLOAT_OF_YAML_1_2.fullmatch(text)
            return Number(text) if is_number else text
        if kind == "null":
            return None
        if kind in {"int", "float"}:
            return Number(text)
        return self.other_scalar(kind, text, path)

    def other_scalar(self, kind: str, text: str, path: Path) -> Value:
        try:
            if kind == "bool":
                return bool(self.constructor.construct_yaml_bool(ScalarNode(_TAG + kind, text)))
        except (ValueError, KeyError):
            return self.problem(path, f"invalid {kind} {text!r}")
        return self.problem(path, f"{text!r} is a {kind} in YAML; put it in quotes")

    def problem(self, path: Path, message: str) -> Value:
        """Notes an error and continues, to find more errors."""
        self.document.problems.append((path, message))
        return None


def _line(event: Event) -> int:
    assert event.start_mark is not None
    return event.start_mark.line + 1
