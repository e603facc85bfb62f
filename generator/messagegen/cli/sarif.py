"""Findings in SARIF 2.1.0 (OASIS), as code scanning services read them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import click

from messagegen.build import BUILD
from messagegen.cli.report import DRIFT_RULE, Report, drift_finding

if TYPE_CHECKING:
    from messagegen.evolve import Location
    from messagegen.findings import Finding
    from messagegen.publish import Drift, OutputChanges

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_DRIFT_PURPOSE: Final = "Checks that generated code is what the specs give."


def sarif_text(
    findings: Sequence[Finding],
    purposes: Mapping[str, str],
    *,
    previous: Mapping[Finding, Location] | None = None,
    error: str | None = None,
) -> str:
    """One run as text. ``purposes`` says by rule what is checked, ``previous`` where changes were before.

    ``error`` is why the run failed.
    """
    before = previous or {}
    rules = sorted({finding.rule for finding in findings})
    driver = {
        "name": "messagegen",
        "version": BUILD,
        "rules": [{"id": rule, "shortDescription": {"text": purposes.get(rule, rule)}} for rule in rules],
    }
    results = [
        {
            "ruleId": finding.rule,
            "ruleIndex": rules.index(finding.rule),
            "level": finding.severity,
            "message": {"text": finding.text},
            "locations": [_location(finding)],
            **({"relatedLocations": [_location(before[finding])]} if finding in before else {}),
        }
        for finding in findings
    ]
    run: dict[str, object] = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    if error is not None:
        failure = {"level": "error", "message": {"text": error}}
        run["invocations"] = [{"executionSuccessful": False, "toolExecutionNotifications": [failure]}]
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _location(place: Finding | Location) -> dict[str, object]:
    uri = quote(Path(place.file).as_posix())
    region = {"startLine": place.line, "startColumn": place.column}
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def sarif_report(command: str) -> Report:
    """The report of a run of a command that writes or checks outputs."""
    return _SarifReport(command)


class _SarifReport(Report):
    """Findings in specs, and files that are out of date."""

    def __init__(self, command: str) -> None:
        super().__init__(command=command)
        self._found: list[Finding] = []

    def findings(self, findings: Sequence[Finding]) -> None:
        self._found.extend(findings)
        self.done()

    def warnings(self, findings: Sequence[Finding]) -> None:
        self._found.extend(finding for finding in findings if finding not in self._found)

    def error(self, text: str) -> None:
        self._print(text)

    def written(self, changes: OutputChanges, output: Path, messages: int) -> None:
        pass

    def checked(self, drift: Drift, output: Path, messages: int) -> None:  # noqa: ARG002 - all reports get it
        self._found.extend(drift_finding(file, output, self._command) for file in drift.files)

    def done(self) -> None:
        self._print()

    def _print(self, error: str | None = None) -> None:
        from messagegen.spec import Rule

        purposes = {rule.name: rule.value for rule in Rule} | {DRIFT_RULE: _DRIFT_PURPOSE}
        click.echo(sarif_text(self._found, purposes, error=error))
