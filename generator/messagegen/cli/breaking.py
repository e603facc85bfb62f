"""The command ``messagegen breaking``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.findings import CheckCommand, format_option, list_rules, show_findings
from messagegen.cli.options import (
    config_option,
    errors_as_usage,
    message_option,
    read_outputs,
    specs_option,
)
from messagegen.cli.selection import read_section, read_selection, use_options
from messagegen.cli.spec_sets import read_files, read_spec_set
from messagegen.config import ConfigError

if TYPE_CHECKING:
    from messagegen.evolve import BreakingChange

EXIT_FINDINGS: Final = 1


@click.command(cls=CheckCommand)
@click.option("--against", metavar="WHAT", help="What to compare with: git:REF, a folder, or kafka:RELEASE.")
@specs_option
@message_option
@use_options
@format_option
@click.option("--list-rules", "lists", is_flag=True, help="List the rules with their categories, then exit.")
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
    lists: bool,
    config: Path | None,
) -> None:
    """Find breaking changes in specs, field by field.

    Compares the current specs, from --specs or [tool.messagegen], with those of --against:

    \b
      git:REF          the same files in a commit, branch or tag; git:REF:FOLDER if they were in another folder
      DIR              another folder of specs, or one spec
      kafka:RELEASE    the official specs of a Kafka release, for the messages that you have now

    Every finding names the rule, the current and the previous location. Rules have one or more categories: WIRE
    (bytes of a released version are rejected, read as another value, or written differently), API (Python code that
    uses the generated classes breaks) and JSON (the JSON form changes). Versions marked by latestVersionUnstable
    may change. `messagegen breaking --list-rules` lists all rules.

    \b
      [tool.messagegen.breaking]
      against = "git:main"                           # the default of --against
      use = ["WIRE", "JSON"]                         # rules and categories; default: all
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
    from messagegen.evolve import RULES

    if lists:
        list_rules((rule.id, " ".join(rule.categories), rule.purpose) for rule in RULES)
        return
    with errors_as_usage():
        changes = _changes(against, specs, messages, use, excluded, config)
    show_findings(changes, form, {rule.id: rule.purpose for rule in RULES})
    if form == "text":
        click.echo(_summary(changes), err=True)
    ctx.exit(EXIT_FINDINGS if changes else 0)


def _changes(
    against: str | None,
    specs: Sequence[Path],
    messages: Sequence[str],
    use: Sequence[str],
    excluded: Sequence[str],
    config: Path | None,
) -> list[BreakingChange]:
    from messagegen.evolve import RULE_NAMES, compare_texts

    section, folder = read_section(config, "breaking", "against")
    selection = read_selection(section, folder, RULE_NAMES, use, excluded)
    against = against or _text(section, "against")
    if against is None:
        raise ConfigError(
            'nothing to compare with; pass --against git:REF, or write against = "git:main" below [tool.messagegen.breaking]'
        )
    sources = list(specs) or [path for settings in read_outputs(config) for path in settings.require_specs()]
    now = read_files(sources)
    before = read_spec_set(against, sources)
    # Kafka messages that are missing now only count as removed if all of them were fetched.
    partial = against.startswith("kafka:") and not now.official
    changes = compare_texts(before.texts, now.texts, partial=partial, messages=messages)
    return [change for change in changes if selection.keeps(change.rule, *_places(change, before.paths))]


def _places(change: BreakingChange, paths: Mapping[str, Path]) -> set[str | Path]:
    """The files of a change in the work tree."""
    names = {change.file, change.previous.file if change.previous else change.file}
    return {paths.get(name, name) for name in names}


def _text(table: Mapping[str, object], key: str) -> str | None:
    value = table.get(key)
    if value is not None and not (isinstance(value, str) and value):
        raise ConfigError(f'{key} must be a string; write {key} = "git:main"')
    return value


def _summary(changes: Sequence[BreakingChange]) -> str:
    if not changes:
        return "No breaking changes"
    number = len(changes)
    wire = sum("WIRE" in change.categories for change in changes)
    return f"{number} breaking change{'' if number == 1 else 's'}, {wire} on the wire"
