"""Parses a file of error codes into a model and findings (upstream: the enum ``org.apache.kafka.common.protocol.Errors``).

Kafka has no such file: its error codes are Java code. The file is checked as strictly as message specs, and its
findings have rules and locations, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from messagegen.findings import Finding, quoted
from messagegen.jsonc import Document, Object, Position
from messagegen.spec.model import MessageSpec, Place
from messagegen.spec.parsing import read_json
from messagegen.spec.properties import Properties
from messagegen.spec.report import Report, finding_at
from messagegen.spec.rules import Rule
from messagegen.spec.structure import ERROR_CODES, check_structure

_TAKEN: Final = frozenset({"errorcode", "errorcodes"})
"""Message names, ignoring case and underscores, whose class or module name the error codes use."""


@dataclass(frozen=True, slots=True)
class ErrorSpec:
    """An error code: its number (16 bits), its name, whether a retry may succeed, and what it means."""

    code: int
    name: str
    place: Place
    retriable: bool = False
    about: str = ""


@dataclass(frozen=True, slots=True)
class ErrorCodesSpec:
    """The error codes of a file, in file order."""

    file: str
    errors: tuple[ErrorSpec, ...]


@dataclass(frozen=True, slots=True)
class ParsedErrorCodes:
    """The result of parsing a file: the model, or ``None`` if there are findings, and all findings in order."""

    spec: ErrorCodesSpec | None
    findings: tuple[Finding, ...]


def parse_error_codes(text: str | bytes | Document, file: str) -> ParsedErrorCodes:
    """Parses a file of error codes: JSON in UTF-8 with comments, like message specs.

    ``file`` is the name for findings. Invalid files don't raise: each problem is a finding.
    """
    report = Report(file)
    spec = _read(text, file, report)
    return ParsedErrorCodes(None if report.failed else spec, report.findings())


def check_beside_error_codes(specs: Sequence[MessageSpec]) -> tuple[Finding, ...]:
    """The findings about messages that can't be in a package with error codes, because they have the same name."""
    findings: list[Finding] = []
    for spec in specs:
        if spec.name.replace("_", "").lower() in _TAKEN:
            message = f"message {quoted(spec.name)} has the same name as the class of the error codes"
            instead = "rename it, or generate the error codes into a separate package"
            findings.append(finding_at(spec, "name", Rule.MESSAGE_NAME_UNIQUE.name, message, instead))
    return tuple(sorted(findings))


def _read(text: str | bytes | Document, file: str, report: Report) -> ErrorCodesSpec | None:
    root = read_json(text, report)
    if root is None:
        return None
    check_structure(root, report, ERROR_CODES)
    if not isinstance(root, Object):
        return None
    properties = Properties(root, "", report)
    errors = tuple(
        error
        for node, path in properties.objects("errors")
        if (error := _read_error(Properties(node, path, report))) is not None
    )
    _check_unique(errors, report)
    # Without its damaged parts, a file may appear to lack things that it has.
    if not report.failed:
        _check_none(errors, properties.position_of("errors"), report)
    return ErrorCodesSpec(file, errors)


def _read_error(properties: Properties) -> ErrorSpec | None:
    code, name = properties.number("code"), properties.text("name")
    if code is None or name is None:
        return None
    return ErrorSpec(
        code, name, properties.place(), retriable=properties.flag("retriable"), about=properties.text("about") or ""
    )


def _check_unique(errors: Sequence[ErrorSpec], report: Report) -> None:
    by_code: dict[int, ErrorSpec] = {}
    by_name: dict[str, ErrorSpec] = {}
    for error in errors:
        first = by_code.setdefault(error.code, error)
        if first is not error:
            message = f"duplicate error code {error.code}: {quoted(error.name)} and {quoted(first.name)}"
            report.add_at(error.place, "code", Rule.ERROR_CODE_UNIQUE, message, "change the code of one of them")
        first = by_name.setdefault(error.name, error)
        if first is not error:
            message = f"duplicate error name {quoted(error.name)}: codes {first.code} and {error.code}"
            report.add_at(error.place, "name", Rule.ERROR_NAME_UNIQUE, message, "rename or remove one of them")


def _check_none(errors: Sequence[ErrorSpec], whole: Position, report: Report) -> None:
    instead = 'write { "code": 0, "name": "NONE" }'
    for error in errors:
        if error.code == 0 and error.name != "NONE":
            message = f"error code 0 must be named NONE, not {quoted(error.name)}"
            report.add_at(error.place, "name", Rule.ERROR_CODE_NONE, message, instead)
        elif error.name == "NONE" and error.code != 0:
            message = f"NONE must have code 0, not {error.code}"
            report.add_at(error.place, "code", Rule.ERROR_CODE_NONE, message, instead)
    if not any(error.code == 0 or error.name == "NONE" for error in errors):
        report.add(Rule.ERROR_CODE_NONE, whole, "errors", "missing error code 0, NONE", instead)
