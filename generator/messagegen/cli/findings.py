"""The printing of all findings and errors: as text, JSON, GitHub annotations or SARIF 2.1.0 (OASIS)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import click

from messagegen.build import BUILD
from messagegen.console.output import show
from messagegen.console.running import show_error
from messagegen.console.text import json_text, printable, printable_in_place
from messagegen.texts import read_text

if TYPE_CHECKING:
    from messagegen.findings import Finding, Location

FORMATS: Final = ("text", "json", "github", "sarif")
_AROUND: Final = 60
"""The maximum number of characters that are shown of a long line, on each side of a location."""
_SARIF: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def all_rules() -> Iterator[tuple[str, str, str]]:
    """Yield all rules of findings: the id, the command with the rule's categories, and the purpose."""
    from messagegen import evolve, lint
    from messagegen.merge import CANNOT_MERGE
    from messagegen.spec import PURPOSES

    yield from ((rule, "specs", purpose) for rule, purpose in PURPOSES.items())
    yield from ((rule.id, f"lint {rule.categories[0]}", rule.purpose) for rule in lint.RULES)
    yield "SPEC_FORMATTED", "fmt", "Checks that a spec has the format that messagegen fmt writes."
    yield "OUTPUT_UP_TO_DATE", "generate", "Checks that generated code matches the specs."
    yield from ((rule.id, f"breaking {' '.join(rule.categories)}", rule.purpose) for rule in evolve.RULES)
    yield CANNOT_MERGE, "merge-specs", "Checks that the spec language can express the merge."


def show_findings(
    findings: Sequence[Finding],
    form: str = "text",
    *,
    error: str | None = None,
    err: bool = False,
    more: Mapping[str, object] | None = None,
    texts: Mapping[str, bytes] | None = None,
) -> None:
    """Print findings, and ``error``, the reason of a failed run; with ``err``, print text to standard error.

    ``more`` are further keys in JSON. ``texts`` are files that were read already, by their names in findings.
    """
    match form:
        case "json":
            _show_report(findings, error, more or {})
        case "sarif":
            show_json(_sarif(findings, error))
        case "github":
            _show_annotations(findings, error)
        case _:
            _show_text(findings, error, texts or {}, err=err)


def _show_report(findings: Sequence[Finding], error: str | None, more: Mapping[str, object]) -> None:
    """Print findings and the error as a JSON object."""
    report: dict[str, object] = {"status": "findings" if findings else "clean"}
    if error is not None:
        report = {"status": "error", "error": error}
    report.update(more)
    report["findings"] = [finding.as_json() for finding in findings]
    show_json(report)


def _show_annotations(findings: Sequence[Finding], error: str | None) -> None:
    """Print workflow commands, so that GitHub shows findings on the lines of a pull request."""
    for finding in findings:
        _annotate(
            finding.severity,
            finding.text,
            file=finding.file,
            line=finding.line,
            col=finding.column,
            title=finding.rule,
        )
    if error is not None:
        _annotate("error", error, title="messagegen")


def _show_text(findings: Sequence[Finding], error: str | None, texts: Mapping[str, bytes], *, err: bool) -> None:
    """Print findings as text, each with the line of its file."""

    # A file may have thousands of findings, so it is split into lines once.
    @cache
    def lines_of(file: str) -> Sequence[str]:
        return _lines(file, texts)

    for finding in findings:
        show(str(finding), err=err, fg="red" if finding.severity == "error" else "yellow")
        for line in _excerpt(finding, lines_of(finding.file)):
            show(line, err=err, dim=True)
    if error is not None:
        show_error(error)


def show_json(value: object) -> None:
    """Print a value as indented JSON."""
    show(*json_text(value).split("\n"))


def _annotate(level: str, text: str, **properties: str | int) -> None:
    """Print a workflow command, with the escapes that GitHub's runner expects."""
    places = ",".join(f"{name}={_escaped(str(value), ',:')}" for name, value in properties.items())
    click.echo(f"::{level} {places}::{_escaped(text)}")


def _escaped(text: str, also: str = "") -> str:
    return printable("".join(f"%{ord(letter):02X}" if letter in f"%\r\n{also}" else letter for letter in text))


def _sarif(findings: Sequence[Finding], error: str | None) -> dict[str, object]:
    rules = sorted({finding.rule for finding in findings})
    purposes = {rule: purpose for rule, _, purpose in all_rules()} if rules else {}
    described = [{"id": rule, "shortDescription": {"text": purposes.get(rule, rule)}} for rule in rules]
    results = [
        {
            "ruleId": finding.rule,
            "ruleIndex": rules.index(finding.rule),
            "level": finding.severity,
            "message": {"text": finding.text},
            "locations": [_sarif_location(finding)],
            **({"relatedLocations": [_sarif_location(finding.previous)]} if finding.previous else {}),
        }
        for finding in findings
    ]
    driver = {"name": "messagegen", "version": BUILD, "rules": described}
    run: dict[str, object] = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    if error is not None:
        failure = {"level": "error", "message": {"text": error}}
        run["invocations"] = [{"executionSuccessful": False, "toolExecutionNotifications": [failure]}]
    return {"$schema": _SARIF, "version": "2.1.0", "runs": [run]}


def _sarif_location(place: Finding | Location) -> dict[str, object]:
    uri = quote(Path(place.file).as_posix())
    region = {"startLine": place.line, "startColumn": place.column}
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def _lines(file: str, texts: Mapping[str, bytes]) -> Sequence[str]:
    """Return the lines of a file, or nothing if it cannot be read."""
    try:
        text = texts[file] if file in texts else read_text(Path(file))
        return text.decode("utf-8-sig").split("\n")
    except (OSError, ValueError):
        return ()


def _excerpt(finding: Finding, lines: Sequence[str]) -> Iterator[str]:
    """Yield the source line of a finding with a caret below the location."""
    if finding.line > len(lines) or not lines[finding.line - 1].strip():
        return
    number, offset = str(finding.line), finding.column - 1
    start = max(0, offset - _AROUND)
    text = printable_in_place(lines[finding.line - 1][start : start + 2 * _AROUND])
    yield f" {number} | {text.rstrip()}"
    yield f" {' ' * len(number)} | {' ' * (offset - start)}^"
