"""How commands that check specs show findings: for people, as JSON, as annotations for GitHub workflows, as SARIF."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import click

from messagegen import __version__
from messagegen.cli.excerpt import excerpt
from messagegen.cli.report import annotate

if TYPE_CHECKING:
    from messagegen.evolve import Location
    from messagegen.findings import Finding

FINDING_FORMATS: Final = ("text", "json", "github", "sarif")
_SARIF_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"

format_option = click.option(
    "--format", "form", type=click.Choice(FINDING_FORMATS), default="text", show_default=True, help="How to report."
)


def show_findings(
    findings: Sequence[Finding],
    form: str,
    purposes: Mapping[str, str],
    *,
    previous: Mapping[Finding, Location] | None = None,
    excerpts: bool = True,
    err: bool = False,
) -> None:
    """Prints findings; ``purposes`` says by rule what is checked, and ``previous`` where changes were before, for SARIF.

    As text, ``excerpts`` shows the line that each is about, and ``err`` prints to standard error.
    """
    if form == "json":
        status = "findings" if findings else "clean"
        click.echo(json.dumps({"status": status, "findings": [finding.as_json() for finding in findings]}, indent=2))
    elif form == "sarif":
        click.echo(json.dumps(_sarif(findings, purposes, previous or {}), indent=2))
    elif form == "github":
        for finding in findings:
            annotate(finding)
    else:
        for finding in findings:
            click.secho(str(finding), fg="red" if finding.severity == "error" else "yellow", err=err)
            for line in excerpt(finding, get_terminal_size().columns) if excerpts else ():
                click.secho(line, dim=True, err=err)


def _sarif(
    findings: Sequence[Finding], purposes: Mapping[str, str], previous: Mapping[Finding, Location]
) -> dict[str, object]:
    """One run in SARIF 2.1.0 (OASIS), as code scanning services read it."""
    rules = sorted({finding.rule for finding in findings})
    driver = {
        "name": "messagegen",
        "version": __version__,
        "rules": [{"id": rule, "shortDescription": {"text": purposes.get(rule, rule)}} for rule in rules],
    }
    results = [
        {
            "ruleId": finding.rule,
            "ruleIndex": rules.index(finding.rule),
            "level": finding.severity,
            "message": {"text": finding.text},
            "locations": [_sarif_location(finding)],
            **({"relatedLocations": [_sarif_location(previous[finding])]} if finding in previous else {}),
        }
        for finding in findings
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _sarif_location(place: Finding | Location) -> dict[str, object]:
    uri = quote(Path(place.file).as_posix())
    region = {"startLine": place.line, "startColumn": place.column}
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}
