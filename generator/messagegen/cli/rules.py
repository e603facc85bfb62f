"""The command ``messagegen rules``."""

from __future__ import annotations

import click

from messagegen.cli.findings import list_rules, purposes_of_specs, show_json


@click.command()
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def rules(form: str) -> None:
    """List the rules that specs are checked against: the id and purpose of each.

    \b
    Examples:
      messagegen rules
      messagegen rules --format json

    Exit codes: 0 done, 2 wrong usage.
    """
    if form == "json":
        show_json(purposes_of_specs())
    else:
        list_rules(purposes_of_specs().items())
