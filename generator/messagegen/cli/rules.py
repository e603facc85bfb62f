"""The command ``messagegen rules``: a list of all rules, or a single rule with examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.findings import all_rules, show_json
from messagegen.cli.options import VersionedCommand, form_option
from messagegen.console.text import aligned
from messagegen.findings import UsageError
from messagegen.selection import nearest_rule

if TYPE_CHECKING:
    from messagegen.examples import Example

EXAMPLE_IN_DOC: Final = re.compile(r"^- not `(?P<bad>.*)`\n- but `(?P<good>.*)`$", re.MULTILINE)
"""The example in the docstring of a style rule: two lines that end with a backtick."""


@click.command(cls=VersionedCommand)
@click.argument("rule", required=False)
@form_option("text", "json")
def rules(rule: str | None, form: str) -> None:
    """List the rules of all findings: the id, the kind of rule and its categories, and what it checks.

    With RULE, show this rule: why it exists, what breaks it, and what does not.

    \b
    Examples:
      messagegen rules
      messagegen rules | grep lint
      messagegen rules FIELD_NAME_CASE
      messagegen rules --format json

    Exit codes: 0 done, 2 an unknown rule or wrong usage.
    """
    rows = {name: (of, purpose) for name, of, purpose in all_rules()}
    if rule is not None:
        _show_rule(rule.upper(), rows, form)
    elif form == "json":
        show_json({name: purpose for name, (_, purpose) in rows.items()})
    else:
        for name, line in zip(rows, aligned([(name, *row) for name, row in rows.items()]), strict=True):
            click.echo(click.style(name, bold=True) + line.removeprefix(name))


def _show_rule(name: str, rows: dict[str, tuple[str, str]], form: str) -> None:
    """Print a rule. Raise ``UsageError`` for an unknown one."""
    if name not in rows:
        raise UsageError(f"unknown rule {name}; {nearest_rule(name, rows, '`messagegen rules` lists all')}")
    of, purpose = rows[name]
    why, example = _why_and_example(name)
    parts = {"before": example.before, "bad": example.bad or "(removed)", "good": example.good}
    if form == "json":
        show_json({"rule": name, "of": of, "purpose": purpose, "why": why, **parts})
        return
    click.echo(f"{click.style(name, bold=True)} ({of})\n\n{purpose}")
    if why:
        click.echo(f"\n{why}")
    for key, text in parts.items():
        if text:
            click.echo(f"\n{key}:")
            click.echo("\n".join(_indented(text)))


def _indented(text: str) -> Iterator[str]:
    return (f"  {line}" for line in text.splitlines())


def _why_and_example(name: str) -> tuple[str, Example]:
    """Return the reason for a rule, and its example. The reason is empty if the rule's purpose explains it."""
    from messagegen import lint
    from messagegen.examples import CHANGES, COMMANDS, SPECS, Example
    from messagegen.spec.rules import RULES

    docs = {rule.id: rule.doc for rule in (*RULES, *lint.RULES)}
    doc = docs.get(name, "")
    found = EXAMPLE_IN_DOC.search(doc)
    if found is not None:
        return doc[: found.start()].strip(), Example(bad=found["bad"], good=found["good"])
    return doc, {**SPECS, **CHANGES, **COMMANDS}[name]
