"""Shows findings of commands that check specs: as text, JSON, GitHub annotations or SARIF."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.report import annotate, show_finding
from messagegen.cli.sarif import sarif_text

if TYPE_CHECKING:
    from messagegen.evolve import Location
    from messagegen.findings import Finding

FINDING_FORMATS: Final = ("text", "json", "github", "sarif")

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
    """Prints findings; for SARIF, ``purposes`` maps rules to their purpose, and ``previous`` findings to previous locations.

    For text, ``excerpts`` shows the source line of each finding, and ``err`` prints to standard error.
    """
    if form == "json":
        status = "findings" if findings else "clean"
        click.echo(json.dumps({"status": status, "findings": [finding.as_json() for finding in findings]}, indent=2))
    elif form == "sarif":
        click.echo(sarif_text(findings, purposes, previous=previous or {}))
    elif form == "github":
        for finding in findings:
            annotate(finding)
    else:
        for finding in findings:
            show_finding(finding, lines=excerpts, err=err)
