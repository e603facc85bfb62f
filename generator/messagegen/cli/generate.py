"""The command ``messagegen generate``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import click

from messagegen.build import BUILD
from messagegen.cli.findings import format_option, purposes_of_specs, show_findings, show_json
from messagegen.cli.options import (
    check_option,
    config_option,
    count,
    fetch_releases,
    message_option,
    read_outputs,
    shown,
    specs_option,
)
from messagegen.config import Settings, choose
from messagegen.findings import Finding, printable

if TYPE_CHECKING:
    from messagegen.generation.package import Package
    from messagegen.publish.changes import Changes, FileChange, Kind

EXIT_DRIFT: Final = 1
DRIFT_RULE: Final = "OUTPUT_UP_TO_DATE"
SHOWN_DIFFS: Final = 20
_STATES: Final[dict[Kind, str]] = {
    "new": "does not exist",
    "changed": "would change",
    "edited": "was edited",
    "stale": "is no longer generated",
}
_DIFF_COLOURS: Final = {"+": "green", "-": "red", "@": "cyan"}


@click.command()
@specs_option
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Output folder; its last part is the name of the package.",
)
@message_option
@click.option(
    "--error-codes", type=click.Path(path_type=Path), metavar="FILE", help="File of error codes, to write an enum."
)
@click.option("--include", multiple=True, metavar="NAME", help="Only this output, such as python (repeatable).")
@config_option
@check_option
@format_option
def generate(
    specs: Sequence[Path],
    output: Path | None,
    messages: Sequence[str],
    error_codes: Path | None,
    include: Sequence[str],
    config: Path | None,
    check: bool,
    form: str,
) -> None:
    """Write a Python package from message specs, or check it.

    Without flags, the settings are read from [tool.messagegen] in the nearest pyproject.toml; flags override them:

    \b
      [tool.messagegen]
      specs = ["message_specs"]                      # folders, files, or kafka:RELEASE
      output = "src/kafka_messages"                  # the last part is the package's name
      messages = ["MetadataRequest"]                 # optional: only these messages
      versions = { MetadataRequest = "9-12" }        # optional: only these of the valid versions
      error_codes = "error_codes/kafka.json"         # optional: also write an enum of error codes
      include = ["python"]                           # optional: only these outputs
      license = "Apache-2.0"                         # optional: the licence in generated files
      required-version = ">=0.1,<0.2"                # optional: versions of messagegen that may run

    For several outputs, write a [[tool.messagegen.outputs]] table for each; keys above them are their defaults.

    Only files that differ are written, only files that an earlier run wrote are removed (MANIFEST.json lists
    them), and hand edits of generated files are overwritten. Your own files in the folder are left alone.
    With --specs, the keys messages, versions and error_codes are ignored, because they belong to the specs of the table.

    \b
    Examples:
      messagegen generate
      messagegen generate --check                    also shows how files differ
      messagegen generate --check --format github    annotations in a GitHub workflow
      messagegen generate --specs kafka_specs --output src/kafka_messages --message FetchRequest
      messagegen generate --specs kafka:4.4.0 --output src/kafka_messages

    Exit codes: 0 written or up to date, 1 out of date (--check), 2 specs with errors, wrong usage or another error.
    """
    outputs = choose(
        read_outputs(config), specs=specs, output=output, messages=messages, error_codes=error_codes, include=include
    )
    deliver(outputs, "generate", form, check=check)


def deliver(outputs: Sequence[Settings], command: str, form: str, *, check: bool) -> NoReturn:
    """Builds outputs, writes or checks them, reports, and exits with the exit code."""
    from messagegen.publish import output as writer

    packages = [(build(settings), settings.require_output()) for settings in outputs]
    if len(packages) > 1 and not check:
        # Errors stop the run before any output is written.
        for package, output in packages:
            writer.check(package.files, output, made=package.made)
    act = writer.check if check else writer.publish
    outcomes = [
        Outcome(shown(output), package, act(package.files, output, made=package.made), written=not check)
        for package, output in packages
    ]
    _report(outcomes, form, command)
    raise click.exceptions.Exit(EXIT_DRIFT if any(outcome.status == "drift" for outcome in outcomes) else 0)


def build(settings: Settings) -> Package:
    """The files of one output, in memory. Raises ``SpecError``, ``ConfigError``, ``UsageError`` and ``OSError``."""
    from messagegen.generation.package import build_package

    settings = replace(settings, specs=tuple(fetch_releases(settings.require_specs())))
    settings.require_output()
    return build_package(settings)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened to one output: its folder, and its changes, which were ``written`` or not."""

    output: str
    package: Package
    changes: Changes
    written: bool

    @property
    def status(self) -> str:
        """The outcome in a word, as JSON has it."""
        return "written" if self.written else "up to date" if not self.changes.files else "drift"

    @property
    def drift(self) -> Sequence[tuple[str, FileChange]]:
        """The paths of files that are out of date."""
        return [] if self.written else [(f"{self.output}/{file.path}", file) for file in self.changes.files]


def _report(outcomes: Sequence[Outcome], form: str, command: str) -> None:
    """Prints the outcomes of a run of ``command``."""
    remedy = f"run `messagegen {command}` and commit what it writes; to change a generated file, change its spec"
    warnings = list(dict.fromkeys(warning for outcome in outcomes for warning in outcome.package.warnings))
    drift = [
        Finding(path, 1, 1, DRIFT_RULE, f"{path} {_STATES[file.kind]}", remedy)
        for outcome in outcomes
        for path, file in outcome.drift
    ]
    if form == "text":
        show_findings(warnings, err=True)
        for line in (line for outcome in outcomes for line in _text(outcome, remedy)):
            click.echo(line)
    elif form == "json":
        status = "drift" if drift else outcomes[0].status
        findings = [finding.as_json() for finding in (*warnings, *drift)]
        show_json({"status": status, "findings": findings, "outputs": list(map(_as_json, outcomes))})
    else:
        purposes = {**purposes_of_specs(), DRIFT_RULE: "Checks that generated code matches the specs."}
        show_findings([*warnings, *drift], form, purposes)


def _text(outcome: Outcome, remedy: str) -> Iterator[str]:
    changes, messages = outcome.changes, count(outcome.package.message_count, "message")
    if outcome.written:
        yield from (f"{path} was edited and was regenerated" for path in changes.paths("edited"))
        counts = (
            (len(changes.paths("new")), "new"),
            (len(changes.paths("changed", "edited")), "changed"),
            (len(changes.paths("stale")), "removed"),
            (changes.unchanged, "unchanged"),
        )
        parts = (f"{count(number, 'file')} {what}" for number, what in counts if number)
        yield f"{outcome.output}: {', '.join([messages, *parts])}"
    elif not outcome.drift:
        yield f"{outcome.output}: up to date with {messages}"
    else:
        yield from (f"{path} {_STATES[file.kind]}" for path, file in outcome.drift)
        # A file that is on one side only would be in the diff as a whole.
        differing = [file for _, file in outcome.drift if file.before is not None and file.after is not None]
        for file in differing[:SHOWN_DIFFS]:
            yield from ("", *(click.style(printable(line), fg=_DIFF_COLOURS.get(line[:1])) for line in file.diff()))
        if len(differing) > SHOWN_DIFFS:
            yield f"... and {len(differing) - SHOWN_DIFFS} more files that differ"
        if changes.written_by not in ("", BUILD):
            yield f"It was written by messagegen {changes.written_by}; this is messagegen {BUILD}."
        files = count(len(outcome.drift), "file")
        yield f"{outcome.output}: {files} out of date. {remedy[:1].upper()}{remedy[1:]}."


def _as_json(outcome: Outcome) -> dict[str, object]:
    changes = {kind: outcome.changes.paths(kind) for kind in _STATES}
    about = {"output": outcome.output, "status": outcome.status, "messages": outcome.package.message_count}
    return {**about, "changes": changes, "unchanged": outcome.changes.unchanged}
