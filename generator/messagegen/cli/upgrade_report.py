"""The command ``messagegen upgrade-report``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.findings import show_json
from messagegen.cli.options import VersionedCommand, config_option, form_option, message_option, specs_options
from messagegen.cli.spec_sets import compared_sets
from messagegen.console.output import show
from messagegen.console.text import count, markdown_text

if TYPE_CHECKING:
    from messagegen.evolve import Comparison

_COLOURS: Final = {"+": "green", "-": "red", "~": "yellow"}


@click.command("upgrade-report", cls=VersionedCommand)
@click.option("--from", "old", metavar="WHAT", required=True, help="The old specs: kafka:RELEASE, git:REF or a folder.")
@click.option("--to", "new", metavar="WHAT", help="The new specs; default: those of --specs or [tool.messagegen].")
@specs_options
@message_option
@form_option("text", "markdown", "json")
@config_option
def upgrade_report(
    old: str, new: str | None, specs: Sequence[Path], messages: Sequence[str], form: str, config: Path | None
) -> None:
    """Report what an upgrade of specs changes for users of the messages.

    --from and --to each name a set of specs:

    \b
      kafka:RELEASE    the official specs of a Kafka release
      git:REF          the specs of --specs or [tool.messagegen] in a commit, branch or tag;
                       git:REF:FOLDER if they were in another folder
      DIR              a folder of specs, or one spec

    The default for --to is the current specs, from PATHS, --specs or [tool.messagegen].

    The report lists new and removed messages and, for each changed message, what changed in its properties and in
    those of its fields. `messagegen breaking` judges the same changes; this command only reports them.

    \b
    Examples:
      messagegen upgrade-report --from kafka:4.3.1 --to kafka:4.4.0
      messagegen upgrade-report --from kafka:4.3.1 --to kafka:4.4.0 --message FetchRequest
      messagegen upgrade-report --from git:v1.2.0 --format json
      messagegen upgrade-report --from git:v1.2.0 --format markdown > upgrade.md

    Exit codes: 0 done, with or without differences, 2 wrong usage or specs that cannot be read.
    """
    from messagegen.evolve import compare_sets

    before, after, partial = compared_sets(old, new, specs, config)
    found = compare_sets(before, after, partial=partial, messages=messages, strict=False)
    print_report = _PRINTERS[form]
    print_report(before.label, after.label, found)


def _print_text(before: str, after: str, found: Comparison) -> None:
    from messagegen.evolve.report import report_lines

    show(f"{before} -> {after}: {_summary(found)}", bold=True)
    for line in report_lines(found.messages):
        show(line, fg=_COLOURS.get(line.lstrip()[:1]))


def _print_markdown(before: str, after: str, found: Comparison) -> None:
    from messagegen.evolve.report import report_markdown

    show(f"# Upgrade from {markdown_text(before)} to {markdown_text(after)}", "")
    show(_summary(found))
    for line in report_markdown(found.messages):
        show(line)


def _print_json(before: str, after: str, found: Comparison) -> None:
    from messagegen.evolve.report import report_json

    sets = {"from": before, "to": after, "compared": found.compared}
    show_json({**sets, "messages": report_json(found.messages)})


def _summary(found: Comparison) -> str:
    changed = count(len(found.messages), "message") if found.messages else "no message"
    compared = f"{found.compared} compared" if found.compared else "none is in both sets"
    return f"{changed} with changes, {compared}"


_PRINTERS: Final = {"text": _print_text, "markdown": _print_markdown, "json": _print_json}
"""The functions that print a report about two sets of specs, by format."""
