"""The command ``messagegen breaking``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.findings import show_findings
from messagegen.cli.options import (
    VersionedCommand,
    config_option,
    format_option,
    message_option,
    specs_options,
    use_options,
)
from messagegen.cli.selection import read_selection
from messagegen.cli.spec_sets import compared_sets
from messagegen.config import ConfigError
from messagegen.console.output import show
from messagegen.console.text import count
from messagegen.findings import UsageError
from messagegen.git import GitError

if TYPE_CHECKING:
    from messagegen.evolve import BreakingChange

EXIT_FINDINGS: Final = 1


@click.command(cls=VersionedCommand)
@click.option("--against", metavar="WHAT", help="What to compare with: git:REF, a folder, or kafka:RELEASE.")
@specs_options
@message_option
@use_options
@format_option
@config_option
@click.pass_context
def breaking(
    ctx: click.Context,
    /,
    against: str | None,
    specs: Sequence[Path],
    messages: Sequence[str],
    use: Sequence[str],
    excluded: Sequence[str],
    form: str,
    config: Path | None,
) -> None:
    """Find breaking changes in specs, field by field.

    Compares the current specs, from PATHS, --specs or [tool.messagegen], with those of --against:

    \b
      git:REF          the same files in a commit, branch or tag; git:REF:FOLDER if they were in another folder
      DIR              another folder of specs, or one spec
      kafka:RELEASE    the official specs of a Kafka release, for the messages that you have now

    Every finding names the rule, the current and the previous location. Rules have one or more categories: WIRE
    (bytes of a released version are rejected, read as another value, or written differently), API (Python code that
    uses the generated classes breaks), JSON (the JSON form changes) and COLUMNS (tables with a column for each field
    do not accept the change). Versions marked by latestVersionUnstable may change. `messagegen rules` lists all rules.

    \b
      [tool.messagegen.breaking]
      against = "git:main"                           # the default of --against
      use = ["WIRE", "JSON"]                         # rules and categories; default: all but COLUMNS
      except = ["FIELD_SAME_NAME"]                   # rules and categories to exclude
      ignore = { "message_specs/drafts" = ["WIRE"] } # by spec, folder or pattern, relative to this file

    \b
    Examples:
      messagegen breaking --against git:main
      messagegen breaking --against git:v1.2.0 --format github
      messagegen breaking --against kafka:4.4.0 --use WIRE
      messagegen breaking --specs kafka:4.4.0 --against kafka:4.3.1

    Exit codes: 0 no breaking changes, 1 findings, 2 wrong usage or specs that cannot be read.
    """
    from messagegen.evolve import RULE_NAMES, breaking_changes, compare_sets

    selection, section = read_selection(config, "breaking", RULE_NAMES, use, excluded)
    place = against or section.get("against")
    if place is None:
        raise ConfigError(
            "nothing to compare with; pass --against git:REF, or write "
            'against = "git:main" below [tool.messagegen.breaking]'
        )
    try:
        before, now, partial = compared_sets(place, None, specs, config)
    except GitError as error:
        if against:
            raise
        raise UsageError(f"{error} (against in [tool.messagegen.breaking])") from None

    found = compare_sets(before, now, partial=partial, messages=messages)
    changes = [
        change
        for change in breaking_changes(found.messages)
        if selection.keeps(change.rule, *_files(change, before.paths))
    ]
    show_findings(changes, form, more={"compared": found.compared})
    if form == "text":
        show(_summary(changes, found.compared), err=True)
    ctx.exit(EXIT_FINDINGS if changes else 0)


def _files(change: BreakingChange, paths: Mapping[str, Path]) -> list[Path | str]:
    """Return the files of a change, for ``ignore`` in the settings; ``paths`` maps names of earlier specs to files."""
    files = [change.file]
    if change.previous:
        files.append(change.previous.file)
    return [paths.get(file, file) for file in files]


def _summary(changes: Sequence[BreakingChange], compared: int) -> str:
    if not changes and not compared:
        return "Nothing was compared: no message is in both sets of specs"
    wire = sum("WIRE" in change.categories for change in changes)
    summary = f"{count(len(changes), 'breaking change')}, {wire} on the wire" if changes else "No breaking changes"
    return f"{summary}; {count(compared, 'message')} compared"
