"""Reports what a run did to outputs, or would do: as text, JSON, GitHub annotations or SARIF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.findings import purposes_of_specs, show_findings, show_json
from messagegen.findings import Finding

if TYPE_CHECKING:
    from messagegen.publish import Changes, FileChange

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


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened to one output: its folder, the number of its messages, and its changes, which were ``written`` or not."""

    output: str
    messages: int
    warnings: Sequence[Finding]
    changes: Changes
    written: bool

    @property
    def status(self) -> str:
        """The outcome in a word, as JSON has it."""
        return "written" if self.written else "up to date" if self.changes.up_to_date else "drift"

    @property
    def drift(self) -> Sequence[tuple[str, FileChange]]:
        """The paths of files that are out of date."""
        return [] if self.written else [(f"{self.output}/{file.path}", file) for file in self.changes.shown]

    @property
    def summary(self) -> str:
        """A line of text about an output that was written, or is up to date."""
        messages = count(self.messages, "message")
        if not self.written:
            return f"{self.output}: up to date with {messages}"
        changes = self.changes
        counts = (
            (len(changes.paths("new", "missing")), "new"),
            (len(changes.paths("changed", "edited", "conflicted")), "changed"),
            (len(changes.paths("stale")), "removed"),
            (len(changes.unchanged), "unchanged"),
        )
        parts = (f"{count(number, 'file')} {what}" for number, what in counts if number)
        return f"{self.output}: {', '.join([messages, *parts])}"


def report(outcomes: Sequence[Outcome], form: str, *, command: str, quiet: bool, diff: bool) -> None:
    """Prints the outcomes of a run of ``command``; ``quiet`` applies to text only, since the other formats are for programs."""
    remedy = f"run `messagegen {command}` and commit what it writes; to change a generated file, change its spec"
    warnings = list(dict.fromkeys(warning for outcome in outcomes for warning in outcome.warnings))
    if form == "json":
        values = [_as_json(outcome, diff=diff) for outcome in outcomes]
        states = [outcome.status for outcome in outcomes]
        status = "drift" if "drift" in states else states[0]
        show_json(values[0] if len(values) == 1 else {"status": status, "outputs": values})
    elif form == "text":
        show_findings(warnings, err=True)
        for line in (line for outcome in outcomes for line in _text(outcome, remedy, diff=diff)) if not quiet else ():
            click.echo(line)
    else:
        drift = [
            Finding(path, 1, 1, DRIFT_RULE, f"{path} {_STATES[file.kind]}", remedy)
            for outcome in outcomes
            for path, file in outcome.drift
        ]
        purposes = {**purposes_of_specs(), DRIFT_RULE: "Checks that generated code matches the specs."}
        show_findings([*warnings, *drift], form, purposes)
        for outcome in outcomes if form == "github" else ():
            if outcome.status != "drift":
                click.echo(outcome.summary)


def _text(outcome: Outcome, remedy: str, *, diff: bool) -> Iterator[str]:
    changes = outcome.changes
    for kind, state in (("edited", "was edited by hand"), ("conflicted", "had merge conflicts")):
        if outcome.written:
            yield from (f"{file.path} {state} and was regenerated" for file in changes.files if file.kind == kind)
    if outcome.status != "drift":
        yield outcome.summary
        return
    yield from (f"{path} {_STATES[file.kind]}" for path, file in outcome.drift)
    differing = _comparable(changes) if diff else []
    for file in differing[:SHOWN_DIFFS]:
        yield ""
        yield from (click.style(line, fg=DIFF_COLOURS.get(line[:1])) for line in file.diff())
    if len(differing) > SHOWN_DIFFS:
        yield f"... and {len(differing) - SHOWN_DIFFS} more files that differ"
    if differing:
        yield ""
    if changes.written_by and changes.written_by != changes.checked_by:
        yield f"It was written by {changes.written_by}; this is {changes.checked_by}."
    yield f"{outcome.output}: {count(len(changes.shown), 'file')} out of date. {remedy[:1].upper()}{remedy[1:]}."


def _as_json(outcome: Outcome, *, diff: bool) -> dict[str, object]:
    changes = outcome.changes
    kinds = {kind: [file.path for file in changes.files if file.kind == kind] for kind in _STATES}
    state: dict[str, object] = {"changes": {**kinds, "foreign": changes.foreign, "unchanged": len(changes.unchanged)}}
    if not outcome.written:
        state |= {"written_by": changes.written_by, "checked_by": changes.checked_by}
        if diff:
            state["diffs"] = {file.path: file.diff() for file in _comparable(changes)}
    about = {"status": outcome.status, "output": outcome.output, "messages": outcome.messages}
    return {**about, **state, "warnings": [warning.as_json() for warning in outcome.warnings]}


def _comparable(changes: Changes) -> list[FileChange]:
    """The files that are on both sides; for any other file, the diff would be the whole file."""
    return [file for file in changes.shown if file.before is not None and file.after is not None]


def count(number: int, word: str) -> str:
    """A number with its word: ``1 file``, ``2 files``."""
    return f"{number} {word}{'s' * (number != 1)}"
