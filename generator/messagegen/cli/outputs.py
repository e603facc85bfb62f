"""Writing, checking and reporting of outputs, for ``messagegen generate`` and ``docs``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import click

from messagegen.build import BUILD
from messagegen.cli.diffs import show_diffs
from messagegen.cli.findings import show_findings
from messagegen.cli.options import shown
from messagegen.config import Settings
from messagegen.console.output import show
from messagegen.console.text import count
from messagegen.findings import Finding, Severity
from messagegen.progress import step

if TYPE_CHECKING:
    from messagegen.generation.package import Package
    from messagegen.publish.changes import Changes, Kind

EXIT_DRIFT: Final = 1
_STATES: Final[dict[Kind, str]] = {
    "new": "does not exist",
    "changed": "would change",
    "edited": "was edited",
    "stale": "is no longer generated",
}
_LOADED: Final = "was not generated, and can be imported or taken for a generated file"
_REMOVE: Final = "move it out of the folder, or delete it"


def run_outputs(
    outputs: Sequence[Settings], command: str, form: str, *, check: bool, others: Collection[Path] = ()
) -> NoReturn:
    """Build outputs, write or check them, report, and exit with the exit code.

    ``others`` are further output folders, which may be inside of these.
    """
    from messagegen.generation.package import build_package
    from messagegen.publish import output as writer

    packages = [(build_package(settings), settings.require_output()) for settings in outputs]
    places = [*others, *(output for _, output in packages)]
    if len(packages) > 1 and not check:
        # Errors stop the run before any output is written.
        for package, output in packages:
            writer.check(package.files, output, others=places)
    act = writer.check if check else writer.publish
    outcomes: list[tuple[Package, str, Changes]] = []
    for package, output in packages:
        with step("Comparing files" if check else "Writing files", shown(output)):
            outcomes.append((package, shown(output), act(package.files, output, others=places)))
    warnings = list(dict.fromkeys(warning for package, *_ in outcomes for warning in package.warnings))
    drift = [
        Finding(path, 1, 1, "OUTPUT_UP_TO_DATE", f"{path} {state}", _remedy(command, changes))
        for _, folder, changes in outcomes
        for path, state in (_states(folder, changes) if check else ())
    ]
    severity: Severity = "error" if check else "warning"
    planted = [
        finding for _, folder, changes in outcomes for finding in _loaded_findings(folder, changes.loaded, severity)
    ]
    if form != "text":
        show_findings([*warnings, *drift, *planted], form)
    else:
        show_findings(warnings, err=True)
        for package, folder, changes in outcomes:
            messages = count(package.message_count, "message")
            if check:
                _show_checked(folder, changes, messages, command)
            else:
                _show_written(folder, changes, messages)
        for finding in planted:
            show(finding.text, err=not check)
    raise click.exceptions.Exit(EXIT_DRIFT if check and (drift or planted) else 0)


def _loaded_findings(folder: str, loaded: Sequence[str], severity: Severity) -> Iterator[Finding]:
    """Yield findings about the ``loaded`` files: programs may load them, but no run of messagegen wrote them."""
    for path in (f"{folder}/{file}" for file in loaded):
        yield Finding(path, 1, 1, "OUTPUT_UP_TO_DATE", f"{path} {_LOADED}", _REMOVE, severity=severity)


def _remedy(command: str, changes: Changes) -> str:
    """Return what to do about an output that differs, depending on the messagegen that wrote it."""
    from messagegen.publish.output import newer_writer

    newer = newer_writer(changes.written_by)
    if newer:
        return f"it was written by {newer}"
    other = changes.written_by not in ("", BUILD)
    writer = f"it was written by messagegen {changes.written_by}, and this is messagegen {BUILD}; " if other else ""
    return f"{writer}run `messagegen {command}` and commit what it writes; to change a generated file, change its spec"


def _states(output: str, changes: Changes) -> Iterator[tuple[str, str]]:
    yield from ((f"{output}/{file.path}", _STATES[file.kind]) for file in changes.files)


def _show_written(output: str, changes: Changes, messages: str) -> None:
    """Print lines about the changes that a run made to an output."""
    from messagegen.publish.manifest import MANIFEST

    for path in changes.paths("edited"):
        show(f"{path} was edited by hand, and was regenerated")
    # The manifest is a file like the others, for git and for this count.
    manifest_differs = MANIFEST in changes.paths("new", "changed", "edited")
    counts = (
        (len(changes.paths("new")), "new"),
        (len(changes.paths("changed", "edited")), "changed"),
        (len(changes.paths("stale")), "removed"),
        (changes.unchanged + int(not manifest_differs), "unchanged"),
    )
    parts = (f"{count(number, 'file')} {what}" for number, what in counts if number)
    show(f"{output}: {', '.join([messages, *parts])}")


def _show_checked(output: str, changes: Changes, messages: str, command: str) -> None:
    """Print lines about the changes that a run would make to an output."""
    if not changes.files:
        beside = (
            f", but it contains {count(len(changes.loaded), 'file')} that messagegen did not write"
            if changes.loaded
            else ""
        )
        show(f"{output}: up to date with {messages}{beside}")
        return
    for each in _states(output, changes):
        show(" ".join(each))
    # A file that exists on only one side would be shown as a whole, so it has no diff.
    differing = [file for file in changes.files if file.before is not None and file.after is not None]
    show_diffs([file.diff for file in differing])
    files = count(len(changes.files), "file")
    remedy = _remedy(command, changes)
    show(f"{output}: {files} out of date. {remedy[:1].upper()}{remedy[1:]}.")
