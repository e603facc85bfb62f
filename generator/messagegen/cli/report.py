"""Reports of ``messagegen generate``: as text, JSON, GitHub annotations or SARIF."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.excerpt import excerpt
from messagegen.cli.options import shown
from messagegen.findings import Finding, printable

if TYPE_CHECKING:
    from messagegen.publish import Drift, FileDrift, OutputChanges

DRIFT_RULE: Final = "OUTPUT_UP_TO_DATE"
SHOWN_DIFFS: Final = 20

_STATES: Final = {
    "new": "does not exist yet",
    "changed": "would change",
    "edited": "was edited by hand",
    "conflicted": "has merge conflicts",
    "missing": "was deleted",
    "stale": "is no longer generated",
}
_REMEDY: Final = "run `messagegen {}` and commit what it writes; to change a generated file, change its spec"
DIFF_COLOURS: Final = {"+": "green", "-": "red", "@": "cyan"}


class Report:
    """Reports a run as text, with one method for each way that a run can end. ``quiet`` prints errors only."""

    def __init__(self, quiet: bool = False, diff: bool = True, command: str = "generate") -> None:
        self._command = command
        self._remedy = f"{_remedy(command).capitalize()}."
        self._quiet = quiet
        self._diff = diff

    def findings(self, findings: Sequence[Finding]) -> None:
        """The specs have errors, so nothing was rendered."""
        self.warnings(findings)
        click.echo(f"{_found(findings)}; nothing was written", err=True)

    def warnings(self, findings: Sequence[Finding]) -> None:
        """The specs have only warnings; called before anything is written or compared."""
        for finding in findings:
            show_finding(finding, err=True)

    def error(self, text: str) -> None:
        """The run failed."""
        click.secho(f"Error: {printable(text)}", err=True, fg="red")

    def written(self, changes: OutputChanges, output: Path, messages: int) -> None:
        """The output was written."""
        if self._quiet:
            return
        for path in changes.edited:
            click.echo(f"{path} was edited by hand and was regenerated")
        for path in changes.conflicted:
            click.echo(f"{path} had merge conflicts and was regenerated")
        click.echo(_summary(changes, output, messages))

    def checked(self, drift: Drift, output: Path, messages: int) -> None:
        """The output was compared."""
        if self._quiet:
            return
        if drift.up_to_date:
            click.echo(f"{shown(output)}: up to date with {_messages(messages)}")
            return
        for file in drift.files:
            click.echo(f"{shown(output)}/{file.path} {_STATES[file.kind]}")
        if self._diff:
            self._print_diffs(drift)
        if drift.written_by and drift.written_by != drift.checked_by:
            click.echo(f"It was written by {drift.written_by}; this is {drift.checked_by}.")
        click.echo(f"{shown(output)}: {_count(drift.files, 'file')} out of date. {self._remedy}")

    def done(self) -> None:
        """All outputs have been reported."""

    def _print_diffs(self, drift: Drift) -> None:
        differing = _comparable(drift)
        for file in differing[:SHOWN_DIFFS]:
            click.echo()
            for line in file.diff():
                click.secho(line, fg=DIFF_COLOURS.get(line[:1]))
        if len(differing) > SHOWN_DIFFS:
            click.echo(f"... and {len(differing) - SHOWN_DIFFS} more files that differ")
        if differing:
            click.echo()


def report_as(form: str, quiet: bool, diff: bool, command: str = "generate") -> Report:
    """The report for a format; ``quiet`` only applies to text, because the other formats are for programs."""
    if form == "json":
        return _JsonReport(diff)
    if form == "sarif":
        from messagegen.cli.sarif import sarif_report

        return sarif_report(command)
    return _GithubReport(command=command) if form == "github" else Report(quiet, diff, command)


class _JsonReport(Report):
    def __init__(self, diff: bool) -> None:
        super().__init__(diff=diff)
        self._warnings: list[dict[str, object]] = []
        self._outputs: list[dict[str, object]] = []

    def warnings(self, findings: Sequence[Finding]) -> None:
        self._warnings = [finding.as_json() for finding in findings]

    def findings(self, findings: Sequence[Finding]) -> None:
        _print_json({"status": "findings", "findings": [finding.as_json() for finding in findings]})

    def error(self, text: str) -> None:
        _print_json({"status": "error", "error": text, "findings": []})

    def written(self, changes: OutputChanges, output: Path, messages: int) -> None:
        value: dict[str, object] = {"status": "written", "output": shown(output), "messages": messages}
        self._outputs.append(value | {"changes": _as_json(changes), "warnings": self._warnings})

    def checked(self, drift: Drift, output: Path, messages: int) -> None:
        value: dict[str, object] = {
            "status": "up to date" if drift.up_to_date else "drift",
            "output": shown(output),
            "messages": messages,
            "changes": _as_json(drift.changes),
            "written_by": drift.written_by,
            "checked_by": drift.checked_by,
            "warnings": self._warnings,
        }
        if self._diff:
            value["diffs"] = {file.path: list(file.diff()) for file in _comparable(drift)}
        self._outputs.append(value)

    def done(self) -> None:
        if len(self._outputs) == 1:
            _print_json(self._outputs[0])
            return
        states = [output["status"] for output in self._outputs]
        _print_json({"status": "drift" if "drift" in states else states[0], "outputs": self._outputs})


class _GithubReport(Report):
    def findings(self, findings: Sequence[Finding]) -> None:
        self.warnings(findings)

    def warnings(self, findings: Sequence[Finding]) -> None:
        for finding in findings:
            annotate(finding)

    def error(self, text: str) -> None:
        annotate_text("error", text, title="messagegen")

    def written(self, changes: OutputChanges, output: Path, messages: int) -> None:
        click.echo(_summary(changes, output, messages))

    def checked(self, drift: Drift, output: Path, messages: int) -> None:
        for file in drift.files:
            finding = drift_finding(file, output, self._command)
            annotate_text("error", f"{finding.message}. {self._remedy}", file=finding.file, title="Out of date")
        if drift.up_to_date:
            click.echo(f"{shown(output)}: up to date with {_messages(messages)}")


def show_finding(finding: Finding, *, lines: bool = True, err: bool = False) -> None:
    """Prints a finding for people, with the line that it is about unless ``lines`` is false."""
    click.secho(str(finding), err=err, fg="red" if finding.severity == "error" else "yellow")
    for line in excerpt(finding, get_terminal_size().columns) if lines else ():
        click.secho(line, err=err, dim=True)


def annotate(finding: Finding) -> None:
    """Prints a finding as an annotation for a GitHub workflow."""
    place = {"line": finding.line, "col": finding.column}
    annotate_text(finding.severity, finding.text, file=finding.file, **place, title=finding.rule)


def annotate_text(level: str, text: str, **properties: str | int) -> None:
    """Prints a workflow command, with the escapes that GitHub's runner expects."""
    places = ",".join(f"{name}={_escaped(str(value), ',:')}" for name, value in properties.items())
    click.echo(f"::{level} {places}::{_escaped(text)}")


def _escaped(text: str, also: str = "") -> str:
    escaped = "".join(f"%{ord(letter):02X}" if letter in f"%\r\n{also}" else letter for letter in text)
    return printable(escaped)


def _remedy(command: str) -> str:
    return _REMEDY.format(command)


def drift_finding(file: FileDrift, output: Path, command: str) -> Finding:
    """The finding about a file of an output that is not as it would be generated."""
    path = f"{shown(output)}/{file.path}"
    return Finding(path, 1, 1, DRIFT_RULE, f"{path} {_STATES[file.kind]}", _remedy(command))


def _print_json(value: dict[str, object]) -> None:
    click.echo(json.dumps(value, indent=2))


def _comparable(drift: Drift) -> list[FileDrift]:
    """The files that are on both sides; for any other file, the diff would be the whole file."""
    return [file for file in drift.files if file.before is not None and file.after is not None]


def _as_json(changes: OutputChanges) -> dict[str, object]:
    kinds = ("new", "changed", "edited", "conflicted", "missing", "stale", "foreign")
    return {**{kind: getattr(changes, kind) for kind in kinds}, "unchanged": len(changes.unchanged)}


def _summary(changes: OutputChanges, output: Path, messages: int) -> str:
    return f"{shown(output)}: {_messages(messages)}, {', '.join(_counts(changes))}"


def _counts(changes: OutputChanges) -> Iterator[str]:
    for paths, what in (
        ((*changes.new, *changes.missing), "new"),
        (changes.replaced, "changed"),
        (changes.stale, "removed"),
    ):
        if paths:
            yield f"{_count(paths, 'file')} {what}"
    if changes.unchanged:
        yield f"{_count(changes.unchanged, 'file')} unchanged"


def _found(findings: Sequence[Finding]) -> str:
    """The number of findings, with warnings counted separately if there are any."""
    errors = [finding for finding in findings if finding.severity == "error"]
    warnings = [finding for finding in findings if finding.severity == "warning"]
    if not warnings:
        return _count(errors, "finding")
    return f"{_count(errors, 'error')} and {_count(warnings, 'warning')}"


def _count(things: Sequence[object], word: str) -> str:
    return f"{len(things)} {word}" if len(things) == 1 else f"{len(things)} {word}s"


def _messages(number: int) -> str:
    return "1 message" if number == 1 else f"{number} messages"
