"""Parses a file of error codes into a model and findings.

Upstream: the enum ``org.apache.kafka.common.protocol.Errors``. Kafka has no such file: its error codes are Java code.
The file is checked as strictly as message specs, and its findings have rules and locations, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from messagegen.findings import Finding
from messagegen.jsonc import Document
from messagegen.spec.model import MessageSpec
from messagegen.spec.parsing import Parsed, parse_text
from messagegen.spec.place import Place
from messagegen.spec.report import Report, finding_at
from messagegen.spec.structure import ERROR_CODES


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


def parse_error_codes(text: str | bytes | Document, file: str) -> Parsed[ErrorCodesSpec]:
    """Parse a file of error codes: JSON in UTF-8 with comments, like message specs.

    ``file`` is the name for findings. Invalid files don't raise: each problem is a finding.
    """
    return parse_text(text, file, ERROR_CODES, lambda place, report: ErrorCodesSpec(file, _read(place, report)))


def _read(place: Place, report: Report) -> tuple[ErrorSpec, ...]:
    errors: list[ErrorSpec] = []
    known: dict[int | str, ErrorSpec] = {}
    for one in place.objects("errors"):
        error = ErrorSpec(
            code=one.number("code") or 0,
            name=one.text("name"),
            place=one,
            retriable=one.flag("retriable"),
            about=one.text("about"),
        )
        errors.append(error)
        for key, value in (("code", error.code), ("name", error.name)):
            first = known.setdefault(value, error)
            if first is not error:
                message = f"duplicate {key}: error code {first.code}, {first.name}, has it already"
                report.tell(one.of(key), one.path(key), "ERROR_CODE_UNIQUE", message, "change one of them")
    if (0, "NONE") not in {(error.code, error.name) for error in errors}:
        message = "missing error code 0, NONE"
        instead = 'write { "code": 0, "name": "NONE" }'
        report.tell(place.of("errors"), "errors", "ERROR_CODE_NONE", message, instead)
    return tuple(errors)


def check_beside_error_codes(specs: Sequence[MessageSpec]) -> tuple[Finding, ...]:
    """Return the findings about messages that can't share a package with error codes because of their names."""
    instead = "rename it, or generate the error codes into a separate package"
    return tuple(
        finding_at(spec, "name", "MESSAGE_NAME_UNIQUE", "this is the name of the error codes", instead, file=spec.file)
        for spec in sorted(specs, key=lambda spec: spec.file)
        if spec.name.replace("_", "").lower() in ("errorcode", "errorcodes")
    )
