"""Parses YAML, including JSON, into plain values, with the line of each value.

YAML values are built here from the nodes of the parser. A YAML loader would lose the lines, accept duplicate keys, and
read an empty value as null (the default entity). Aliases are refused so that a value cannot be larger than its text.
Deep nesting is refused so that the parser does not overflow the stack.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import yaml
from yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

Path: TypeAlias = tuple[str | int, ...]
Value: TypeAlias = "dict[str, Value] | list[Value] | str | bool | None"

_DEEPEST: Final = 10
"""The maximum depth of nesting. Quota files need 4 levels."""
_TAG: Final = "tag:yaml.org,2002:"
_FLOAT_OF_YAML_1_2: Final = re.compile(r"[-+]?(\.\d+|\d+(\.\d*)?)[eE][-+]?\d+")  # 1e6 is text in YAML 1.1
_SURROGATES: Final = re.compile(r"\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})", re.IGNORECASE)
_LOADER: Final[type[yaml.SafeLoader]] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Number(str):
    """The text of a number, which ``parse_value`` reads.

    YAML may read a name as a number, so ``repr`` shows the text.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass
class Document:
    """A parsed text: its value, the line (from 1) of each path, and the errors in the text."""

    value: Value = None
    lines: dict[Path, int] = field(default_factory=dict[Path, int])
    problems: list[tuple[Path, str]] = field(default_factory=list[tuple[Path, str]])
    unread: set[Path] = field(default_factory=set[Path])
    """The paths of values that are not text, a number, a bool or null."""


class TextError(ValueError):
    """Text that is not YAML; ``line`` counts from 1, or is ``None``."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def parse_text(text: str) -> Document:
    """Parse YAML, or JSON, which is a form of YAML. Raises ``TextError``."""
    document = Document()
    if text.lstrip().startswith("{"):
        # JSON escapes characters above U+FFFF as two surrogates, which YAML refuses.
        text = _SURROGATES.sub(lambda pair: f"\\U{ord(_utf_16(pair[1] + pair[2])):08x}", text)
    try:
        _check_structure(text)
        root = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as problem:
        line = problem.problem_mark.line + 1 if problem.problem_mark else None
        reasons = (reason for reason in (problem.context, problem.problem) if reason)
        raise TextError(f"invalid YAML: {', '.join(reasons)}", line) from None
    except yaml.YAMLError as problem:
        raise TextError(f"invalid YAML: {problem}") from None
    if root is not None:
        document.value = _value(root, (), document)
    return document


def _utf_16(digits: str) -> str:
    return bytes.fromhex(digits).decode("utf-16-be")


def _check_structure(text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, CollectionStartEvent):
            depth += 1
        elif isinstance(event, CollectionEndEvent):
            depth -= 1
        elif isinstance(event, AliasEvent):
            raise TextError("aliases (*name) are not supported; repeat the value", _line(event))
        if depth > _DEEPEST:
            raise TextError("lists or mappings are nested too deeply", _line(event))


def _value(node: Node, path: Path, document: Document) -> Value:
    """Return the value of a node, and collect lines and errors in the document."""
    document.lines[path] = _line(node)
    if isinstance(node, SequenceNode):
        return [_value(item, (*path, index), document) for index, item in enumerate(node.value)]
    if isinstance(node, MappingNode):
        result: dict[str, Value] = {}
        for key, value in node.value:
            if not isinstance(key, ScalarNode):
                raise TextError("expected a string as key", _line(key))
            inner = (*path, key.value)
            if key.value in result:
                document.problems.append((inner, "duplicate key"))
            result[key.value] = _value(value, inner, document)
        return result
    assert isinstance(node, ScalarNode)
    return _scalar(node, path, document)


def _scalar(node: ScalarNode, path: Path, document: Document) -> Value:
    text: str = node.value
    kind = node.tag.removeprefix(_TAG)
    if kind in {"int", "float"} or (kind == "str" and not node.style and _FLOAT_OF_YAML_1_2.fullmatch(text)):
        return Number(text)
    if kind == "str":
        return text
    if kind == "null" and text:
        return None
    if kind == "bool":
        return text.lower() in {"yes", "true", "on"}
    problem = "missing value; write null if that is meant"
    if kind != "null":
        problem = f"{text!r} is a {kind} in YAML; put it in quotes"
    document.problems.append((path, problem))
    document.unread.add(path)
    return None


def _line(place: Any) -> int:
    line: int = place.start_mark.line
    return line + 1
