"""The command ``messagegen self-check``."""

from __future__ import annotations

import warnings
from typing import Final

import click

from messagegen.cli.findings import show_json
from messagegen.cli.options import form_option
from messagegen.console.output import show

EXIT_PROBLEMS: Final = 1


@click.command("self-check")
@form_option("text", "json")
@click.pass_context
def self_check(ctx: click.Context, form: str) -> None:
    """Check this installation: versions, native engine, Python.

    It generates a small message in memory, and encodes and decodes it. It reads no configuration and writes nothing.
    `pip check` checks the dependencies.

    \b
    Examples:
      messagegen self-check
      messagegen self-check --format json

    Exit codes: 0 nothing is wrong, 1 something is wrong, 2 wrong usage.
    """
    from dataclasses import asdict

    from messagegen.diagnosis import diagnose

    with warnings.catch_warnings(action="ignore"):  # the problems contain their texts
        found = asdict(diagnose())
    if form == "json":
        show_json(found)
        ctx.exit(EXIT_PROBLEMS if found["problems"] else 0)
    problems = found.pop("problems")
    distributions = found.pop("distributions")
    for name, value in {**found, **distributions}.items():
        show(f"{name:20}  {value or 'not installed'}")
    for problem in problems or ["No problems found."]:
        show(problem, fg="red" if problems else None)
    ctx.exit(EXIT_PROBLEMS if problems else 0)
