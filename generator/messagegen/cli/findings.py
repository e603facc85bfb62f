"""Prints findings and errors: as text, JSON, GitHub annotations or SARIF 2.1.0 (OASIS). Nothing else does."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import click

from messagegen.build import BUILD
from messagegen.findings import printable
from messagegen.texts import read_text

if TYPE_CHECKING:
    from messagegen.findings import Finding, Location

FORMATS: Final = ("text", "json", "github", "sarif")
_MARGIN: Final = 10
"""How many characters before a location are shown if the line is too long."""
_SARIF: Final = "https://json.schemastore.org/sarif-2.1.0.json"

format_option = click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to report."
)


def show_findings(
    findings: Sequence[Finding],
    form: str = "text",
    purposes: Mapping[str, str] | None = None,
    *,
    error: str | None = None,
    excerpts: bool = True,
    err: bool = False,
) -> None:
    """Prints findings; for SARIF, ``purposes`` says of rules what they check. ``error`` is why a run failed.

    For text, ``excerpts`` shows the source line of each finding, and ``err`` prints to standard error.
    """
    if form == "json":
        status = "error" if error is not None else "findings" if findings else "clean"
        told = {} if error is None else {"error": error}
        show_json({"status": status, **told, "findings": [finding.as_json() for finding in findings]})
    elif form == "sarif":
        show_json(_sarif(findings, purposes or {}, error))
    elif form == "github":
        for finding in findings:
            place = {"line": finding.line, "col": finding.column}
            _annotate(finding.severity, finding.text, file=finding.file, **place, title=finding.rule)
        if error is not None:
            _annotate("error", error, title="messagegen")
    else:
        lines = cache(_lines_of)
        for finding in findings:
            click.secho(str(finding), err=err, fg="red" if finding.severity == "error" else "yellow")
            for line in _excerpt(finding, lines(finding.file), get_terminal_size().columns) if excerpts else ():
                click.secho(line, err=err, dim=True)
        if error is not None:
            click.secho(f"Error: {printable(error)}", err=True, fg="red")


def purposes_of_specs() -> dict[str, str]:
    """What the rules of the spec language check."""
    from messagegen.spec import PURPOSES

    return dict(PURPOSES)


def list_rules(rules: Iterable[tuple[str, ...]]) -> None:
    """Prints rules as a table: the id, and more, such as the categories and what it checks."""
    rows = list(rules)
    *widths, _ = (max(map(len, column)) for column in zip(*rows, strict=True))
    for name, *others in rows:
        title = click.style(f"{name:{widths[0]}}", bold=True)
        click.echo(
            "  ".join([title, *(f"{text:{width}}" for text, width in zip(others, [*widths[1:], 0], strict=True))])
        )


def show_json(value: object) -> None:
    """Prints a value of JSON."""
    click.echo(json.dumps(value, indent=2))


def _annotate(level: str, text: str, **properties: str | int) -> None:
    """Prints a command for a GitHub workflow, with the escapes that GitHub's runner expects."""
    places = ",".join(f"{name}={_escaped(str(value), ',:')}" for name, value in properties.items())
    click.echo(f"::{level} {places}::{_escaped(text)}")


def _escaped(text: str, also: str = "") -> str:
    return printable("".join(f"%{ord(letter):02X}" if letter in f"%\r\n{also}" else letter for letter in text))


def _sarif(findings: Sequence[Finding], purposes: Mapping[str, str], error: str | None) -> dict[str, object]:
    rules = sorted({finding.rule for finding in findings})
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


def _excerpt(finding: Finding, lines: Sequence[str], width: int) -> Iterator[str]:
    """The source line of a finding with a caret below the location, at most ``width`` terminal columns wide; nothing without text."""
    from rich.cells import cell_len, set_cell_size

    text = lines[finding.line - 1].removesuffix("\r") if 1 <= finding.line <= len(lines) else ""
    # Nothing may do anything other than take up columns.
    text = "".join(c if c.isprintable() else " " if c == "\t" else "?" for c in text)
    number, offset = str(finding.line), finding.column - 1
    if not text.strip() or offset > len(text):
        return
    room = max(width - len(number) - 6, 2 * _MARGIN)
    start = 0 if cell_len(text) <= room else max(0, offset - _MARGIN)
    yield f" {number} | {set_cell_size(text[start:], min(room, cell_len(text[start:])))}"
    yield f" {' ' * len(number)} | {' ' * cell_len(text[start:offset])}^"


def _lines_of(file: str) -> Sequence[str]:
    """The lines of a file; none where it cannot be read."""
    try:
        return read_text(Path(file)).decode("utf-8", errors="replace").removeprefix("\ufeff").split("\n")
    except (OSError, ValueError):
        return ()
