"""Reports of the commands that write or check outputs: as text, JSON, GitHub annotations or SARIF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.findings import show_findings, show_json
from messagegen.cli.options import shown
from messagegen.findings import Finding

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
DIFF_COLOURS: Final = {"+": "green", "-": "red", "@": "cyan"}


class Report:
    """Reports a run as text, with one method for each way that a run can end. ``quiet`` prints errors only."""

    def __init__(self, quiet: bool = False, diff: bool = True, command: str = "generate") -> None:
        self._quiet = quiet
        self._diff = diff
        self._remedy = (
            f"run `messagegen {command}` and commit what it writes; to change a generated file, change its spec"
        )

    def findings(self, findings: Sequence[Finding]) -> None:
        """The specs have errors, so nothing was rendered."""
        self.warnings(findings)
        errors = sum(finding.severity == "error" for finding in findings)
        warnings = len(findings) - errors
        found = (
            f"{_count(errors, 'error')} and {_count(warnings, 'warning')}" if warnings else _count(errors, "finding")
        )
        click.echo(f"{found}; nothing was written", err=True)

    def warnings(self, findings: Sequence[Finding]) -> None:
        """The specs have only warnings; called before anything is written or compared."""
        show_findings(findings, err=True)

    def error(self, text: str) -> None:
        """The run failed."""
        show_findings((), error=text)

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
            click.echo(_up_to_date(output, messages))
            return
        for file in drift.files:
            click.echo(f"{shown(output)}/{file.path} {_STATES[file.kind]}")
        if self._diff:
            self._print_diffs(_comparable(drift))
        if drift.written_by and drift.written_by != drift.checked_by:
            click.echo(f"It was written by {drift.written_by}; this is {drift.checked_by}.")
        remedy = f"{self._remedy[:1].upper()}{self._remedy[1:]}."
        click.echo(f"{shown(output)}: {_count(len(drift.files), 'file')} out of date. {remedy}")

    def done(self) -> None:
        """All outputs have been reported."""

    def _print_diffs(self, differing: Sequence[FileDrift]) -> None:
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
    return Report(quiet, diff, command) if form == "text" else _ForPrograms(form, diff, command)


class _ForPrograms(Report):
    """Collects findings and outputs, and prints them at the end; a file that is out of date is a finding too."""

    def __init__(self, form: str, diff: bool, command: str) -> None:
        super().__init__(diff=diff, command=command)
        self._form = form
        self._found: list[Finding] = []
        self._outputs: list[dict[str, object]] = []
        self._lines: list[str] = []

    def findings(self, findings: Sequence[Finding]) -> None:
        self.warnings(findings)
        self._show()

    def warnings(self, findings: Sequence[Finding]) -> None:
        self._found += [finding for finding in findings if finding not in self._found]

    def error(self, text: str) -> None:
        self._show(text)

    def written(self, changes: OutputChanges, output: Path, messages: int) -> None:
        self._lines.append(_summary(changes, output, messages))
        self._add("written", output, messages, {"changes": _as_json(changes)})

    def checked(self, drift: Drift, output: Path, messages: int) -> None:
        state: dict[str, object] = {
            "changes": _as_json(drift.changes),
            "written_by": drift.written_by,
            "checked_by": drift.checked_by,
        }
        if self._diff:
            state["diffs"] = {file.path: list(file.diff()) for file in _comparable(drift)}
        self._lines += [_up_to_date(output, messages)] if drift.up_to_date else []
        self._add("up to date" if drift.up_to_date else "drift", output, messages, state)
        for file in drift.files:
            path = f"{shown(output)}/{file.path}"
            self._found.append(Finding(path, 1, 1, DRIFT_RULE, f"{path} {_STATES[file.kind]}", self._remedy))

    def done(self) -> None:
        if self._form == "json":
            states = [output["status"] for output in self._outputs]
            several = {"status": "drift" if "drift" in states else states[0], "outputs": self._outputs}
            show_json(self._outputs[0] if len(self._outputs) == 1 else several)
            return
        self._show()
        for line in self._lines if self._form == "github" else ():
            click.echo(line)

    def _add(self, status: str, output: Path, messages: int, state: dict[str, object]) -> None:
        warnings = [finding.as_json() for finding in self._found if finding.rule != DRIFT_RULE]
        about = {"status": status, "output": shown(output), "messages": messages}
        self._outputs.append({**about, **state, "warnings": warnings})

    def _show(self, error: str | None = None) -> None:
        from messagegen.spec import Rule

        purposes = {rule.name: rule.value for rule in Rule}
        purposes[DRIFT_RULE] = "Checks that generated code matches the specs."
        show_findings(self._found, self._form, purposes, error=error)


def _comparable(drift: Drift) -> list[FileDrift]:
    """The files that are on both sides; for any other file, the diff would be the whole file."""
    return [file for file in drift.files if file.before is not None and file.after is not None]


def _as_json(changes: OutputChanges) -> dict[str, object]:
    kinds = ("new", "changed", "edited", "conflicted", "missing", "stale", "foreign")
    return {**{kind: getattr(changes, kind) for kind in kinds}, "unchanged": len(changes.unchanged)}


def _up_to_date(output: Path, messages: int) -> str:
    return f"{shown(output)}: up to date with {_count(messages, 'message')}"


def _summary(changes: OutputChanges, output: Path, messages: int) -> str:
    return f"{shown(output)}: {_count(messages, 'message')}, {', '.join(_counts(changes))}"


def _counts(changes: OutputChanges) -> Iterator[str]:
    for paths, what in (
        ((*changes.new, *changes.missing), "new"),
        (changes.replaced, "changed"),
        (changes.stale, "removed"),
        (changes.unchanged, "unchanged"),
    ):
        if paths:
            yield f"{_count(len(paths), 'file')} {what}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"
