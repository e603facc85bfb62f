"""The spec parser: from text to a frozen model and findings, stage by stage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from messagegen.findings import Finding, Severity, quoted
from messagegen.jsonc import Array, Document, JsonError, Object, Part, Value, parse_json, plain
from messagegen.spec.field_rules import check_fields
from messagegen.spec.message_rules import check_message
from messagegen.spec.model import MessageSpec
from messagegen.spec.reader import read_message
from messagegen.spec.registry import resolve
from messagegen.spec.report import Report, below
from messagegen.spec.rules import Rule
from messagegen.spec.structure import check_structure


@dataclass(frozen=True, slots=True)
class ParsedSpec:
    """The result of parsing a spec: the model, or ``None`` if there are errors, and all findings in order."""

    spec: MessageSpec | None
    findings: tuple[Finding, ...]


def parse(text: str | bytes | Document, file: str, *, released: bool = False, valid: bool = False) -> ParsedSpec:
    """Parses a message spec.

    ``text`` is JSON in UTF-8, with or without a byte order mark, with ``//`` and ``/* */`` comments allowed; ``file`` is
    the name for findings. ``released`` specs are those of a Kafka release, which nobody can change: what old releases wrote and
    Apache's generator then accepted, such as a struct without fields, is a warning in them and otherwise an error. Apart from that,
    accepts and rejects the same specs as Apache's generator 4.3.1. ``valid`` text is known to fit the schema, which is slow to
    check. Invalid specs don't raise: each problem is a finding, and ``spec`` is ``None`` if one of them is an error.
    """
    report = Report(file, released=released)
    spec = _read(text, file, report, valid=valid)
    return ParsedSpec(None if report.failed else spec, report.findings())


def _read(text: str | bytes | Document, file: str, report: Report, *, valid: bool) -> MessageSpec | None:
    root = read_json(text, report)
    if root is None:
        return None
    if not valid:
        check_structure(root, report)
    if not isinstance(root, Object):
        return None
    message = read_message(root, file, report)
    check_message(message, report)
    check_fields(message, report)
    return replace(message, structs=resolve(message, report))


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
            where = first.position
            message = f"duplicate property {quoted(second.name)}, first at {where.line}:{where.column}"
            # The same value twice does no harm and occurs in three specs of Kafka 3.8.
            severity: Severity = "warning" if plain(first.value) == plain(second.value) else "error"
            report.add(Rule.PROPERTY_WRITTEN_ONCE, second.position, path, message, "remove one of the two", severity)
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
