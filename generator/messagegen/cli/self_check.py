"""The command ``messagegen self-check``."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.findings import show_json

if TYPE_CHECKING:
    from messagegen.diagnosis import Diagnosis

EXIT_PROBLEMS: Final = 1


@click.command("self-check")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
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

    with warnings.catch_warnings(action="ignore"):  # what they say is among the problems
        found = diagnose()
    if form == "json":
        show_json(asdict(found))
    else:
        click.echo(_text(found))
    if found.problems:
        ctx.exit(EXIT_PROBLEMS)


def _text(found: Diagnosis) -> str:
    engine = f"Python ({found.engine.why_not_native})" if found.engine.why_not_native else "native"
    formats = f"plan format {found.engine.plan_format}, engine format {found.engine.engine_format}"
    rows = [
        ("messagegen", f"{found.version} ({found.location})"),
        ("Python", found.python),
        ("platform", found.platform),
        ("engine", f"{engine}, {formats}"),
        *((name, version or "not installed") for name, version in found.distributions.items() if name != "messagegen"),
    ]
    width = max(len(name) for name, _ in rows)
    lines = [f"{name:{width}}  {value}" for name, value in rows]
    lines += [f"{click.style('problem:', fg='red', bold=True)} {problem}" for problem in found.problems]
    return "\n".join([*lines, *(() if found.problems else ("No problems found.",))])
