"""Reads the text of a spec: JSON with comments, whose errors become findings."""

from __future__ import annotations

from collections.abc import Iterator

from messagegen.findings import Severity, quoted
from messagegen.jsonc import Array, Document, JsonError, Object, Part, Value, parse_json, plain
from messagegen.spec.report import Report, below
from messagegen.spec.rules import Rule


def read_json(text: str | bytes | Document, report: Report) -> Value | None:
    """The value of ``text``; ``None`` after a finding that leaves nothing to read."""
    try:
        document = text if isinstance(text, Document) else parse_json(text)
    except JsonError as error:
        report.add(Rule[error.rule], error.position, "", error.message, error.instead)
        return None
    if document.stray is not None:
        position, sign = document.position(document.stray), document.text[document.stray]
        message, instead = f"unmatched {sign} after the spec, ignored", "remove what follows the spec"
        report.add(Rule.SPEC_TEXT_ONE_VALUE, position, "", message, instead, severity="warning")
    if document.twice:
        for first, second, path in _twice(document.root.value, ""):
            _tell_twice(first, second, path, report)
    return document.root.value


def _twice(value: Value, path: str) -> Iterator[tuple[Part, Part, str]]:
    """The properties that an object has more than once, each with the one before it and its path."""
    if isinstance(value, Array):
        for index, item in enumerate(value.items):
            yield from _twice(item, f"{path}[{index}]")
    elif isinstance(value, Object):
        before: dict[str, Part] = {}
        for part in value.parts:
            inside = below(path, part.name)
            yield from _twice(part.value, inside)
            if part.name in before:
                yield before[part.name], part, inside
            before[part.name] = part


def _tell_twice(first: Part, second: Part, path: str, report: Report) -> None:
    """Reports a duplicate property; the same value twice does no harm and occurs in three specs of Kafka 3.8."""
    where = first.position
    message = f"duplicate property {quoted(second.name)}, first at {where.line}:{where.column}"
    severity: Severity = "warning" if plain(first.value) == plain(second.value) else "error"
    report.add(Rule.PROPERTY_WRITTEN_ONCE, second.position, path, message, "remove one of the two", severity)
