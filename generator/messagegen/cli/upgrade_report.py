"""The command ``messagegen upgrade-report``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from messagegen.cli.findings import show_json
from messagegen.cli.options import config_option, form_option, message_option, specs_options
from messagegen.cli.spec_sets import compare_chosen, compared_sets
from messagegen.findings import count

_COLOURS: Final = {"+": "green", "-": "red", "~": "yellow"}


@click.command("upgrade-report")
@click.option("--from", "old", metavar="WHAT", required=True, help="The old specs: kafka:RELEASE, git:REF or a folder.")
@click.option("--to", "new", metavar="WHAT", help="The new specs; default: those of --specs or [tool.messagegen].")
@specs_options
@message_option
@form_option("text", "json")
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

    Exit codes: 0 done, with or without differences, 2 wrong usage or specs that cannot be read.
    """
    from messagegen.evolve.report import report_json, report_lines

    before, after, partial = compared_sets(old, new, specs, config)
    found = compare_chosen(before, after, messages, partial=partial, strict=False)
    if form == "json":
        sets = {"from": before.label, "to": after.label, "compared": found.compared}
        show_json({**sets, "messages": report_json(found.messages)})
    else:
        changed = count(len(found.messages), "message") if found.messages else "no message"
        compared = f"{found.compared} compared" if found.compared else "none is in both sets"
        click.secho(f"{before.label} -> {after.label}: {changed} with changes, {compared}", bold=True)
        for line in report_lines(found.messages):
            click.secho(line, fg=_COLOURS.get(line.lstrip()[:1]))
