"""Parses the text of specs and error code files to a frozen model and findings, in stages.

The stages check the text, its structure, its values, and the rules. A stage runs only if earlier stages found no error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from messagegen.findings import Finding, Severity, quoted
from messagegen.jsonc import Document, JsonError, Object, parse_json, plain
from messagegen.spec.model import MessageSpec
from messagegen.spec.place import Place, place_of
from messagegen.spec.reader import read_message
from messagegen.spec.report import Report
from messagegen.spec.rules import RULES
from messagegen.spec.structure import MESSAGE_SPEC, check_structure

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T]):
    """The result of parsing a file: the model, or ``None`` if there are errors, and all findings in order."""

    spec: T | None
    findings: tuple[Finding, ...]


def parse(text: str | bytes | Document, file: str, *, released: bool = False) -> Parsed[MessageSpec]:
    """Parse a message spec.

    ``text`` is JSON in UTF-8, with or without a byte order mark, with ``//`` and ``/* */`` comments allowed; ``file``
    is the name for findings. ``released`` specs belong to a Kafka release, so they can't change. In such specs,
    mistakes that Apache's old generators accepted, such as a struct without fields, are only warnings. An unknown
    entity type is always a warning. Apart from that, the parser accepts and rejects the same specs as Apache's
    generator 4.3.1. Invalid specs don't raise: each problem is a finding, and ``spec`` is ``None`` if one of them is an
    error.
    """

    def read(place: Place, report: Report) -> MessageSpec:
        message = read_message(place, file, report)
        if report.failed:
            return message
        for rule in RULES:
            is_lenient = released and rule.allowed_in_releases
            for finding in rule.check([message]):
                report.add(replace(finding, severity="warning") if is_lenient else finding)
        return message

    return parse_text(text, file, MESSAGE_SPEC, read)


def parse_text(text: str | bytes | Document, file: str, schema: str, read: Callable[[Place, Report], T]) -> Parsed[T]:
    """Parse a file: check its structure against ``schema``, then build its model with ``read``."""
    report = Report(file)
    spec = None
    try:
        document = text if isinstance(text, Document) else parse_json(text)
    except JsonError as error:
        report.tell(error.position, "", "SPEC_TEXT_JSON", error.message, error.instead)
        return Parsed(None, report.findings())
    if document.stray is not None:
        message = "unmatched closing bracket after the spec, ignored"
        instead = "remove what follows the spec"
        report.tell(document.stray, "", "SPEC_TEXT_JSON", message, instead, "warning")
    for first, second in document.twice:
        line, column = first.position
        message = f"duplicate property {quoted(second.name)}, first at {line}:{column}"
        # Equal values do no harm and occur in three specs of Kafka 3.8.
        severity: Severity = "warning" if plain(first.value) == plain(second.value) else "error"
        report.tell(second.position, second.name, "PROPERTY_WRITTEN_ONCE", message, "remove one of the two", severity)
    root = document.root.value
    check_structure(root, report, schema)
    if isinstance(root, Object) and not report.failed:
        spec = read(place_of(root, ""), report)
    return Parsed(None if report.failed else spec, report.findings())
