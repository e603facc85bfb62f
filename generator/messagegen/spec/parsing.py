"""The spec parser: from text to a frozen model and findings, stage by stage."""

from __future__ import annotations

from dataclasses import dataclass, replace

from messagegen.findings import Finding
from messagegen.jsonc import Document, Object
from messagegen.spec.field_rules import check_fields
from messagegen.spec.limits import check_versions, count_fields
from messagegen.spec.message_rules import check_message
from messagegen.spec.model import MessageSpec
from messagegen.spec.reader import read_message
from messagegen.spec.registry import resolve
from messagegen.spec.report import Report
from messagegen.spec.structure import check_structure
from messagegen.spec.text import read_json


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
    fields = count_fields(root, report) if isinstance(root, Object) else 0
    if fields is None:
        return None
    if not valid:
        check_structure(root, report)
    if not isinstance(root, Object):
        return None
    draft = read_message(root, file, report)
    check_message(draft.message, report)
    check_versions(draft.message, fields, report)
    check_fields(draft.message, draft.common_structs, report)
    return replace(draft.message, structs=resolve(draft.message, draft.common_structs, report))
