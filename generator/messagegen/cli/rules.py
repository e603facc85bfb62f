"""The command ``messagegen rules``."""

from __future__ import annotations

import json

import click


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
    from messagegen.spec.rules import Rule

    if form == "json":
        click.echo(json.dumps({rule.name: rule.value for rule in Rule}, indent=2))
        return
    width = max(len(rule.name) for rule in Rule)
    for rule in Rule:
        click.echo(f"{click.style(f'{rule.name:{width}}', bold=True)}  {rule.value}")
