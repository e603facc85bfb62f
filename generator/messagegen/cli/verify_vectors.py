"""The command ``messagegen verify-vectors``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.findings import show_json
from messagegen.cli.options import (
    config_option,
    message_option,
    read_plans,
    specs_option,
    status_line,
)
from messagegen.cli.vectors import warn_of_too_large
from messagegen.findings import UsageError, printable

if TYPE_CHECKING:
    from messagegen.conformance.verify import Tally

EXIT_DIFFERENCES: Final = 1
_SHOWN: Final = 3


@click.command("verify-vectors")
@specs_option
@message_option
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="How long an answer may take.",
)
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)
@config_option
@click.argument("command", nargs=-1, type=click.UNPROCESSED, required=True)
@click.pass_context
def verify_vectors(
    ctx: click.Context,
    /,
    specs: Sequence[Path],
    messages: Sequence[str],
    timeout: float,
    form: str,
    config: Path | None,
    command: Sequence[str],
) -> None:
    """Test another implementation with vectors.

    COMMAND runs it. It reads the conformance protocol from standard input, a line of JSON for each question, and
    answers each with a line on standard output, in order:

    \b
      {"op": "encode", "message": NAME, "version": N, "json": {...}}    {"hex": "..."}
      {"op": "decode", "message": NAME, "version": N, "hex": "..."}     {"json": {...}}
      {"op": "reencode", "message": NAME, "version": N, "hex": "..."}   {"hex": "..."}
      a message, version or op that it does not have                    {"unsupported": "..."}
      anything that fails                                               {"error": "..."}

    JSON is in the form of Kafka's own JsonConverter classes; records are base64. The vectors are those that
    `messagegen vectors` writes for the same specs. Questions may be sent before earlier ones are answered.

    \b
    Examples:
      messagegen verify-vectors --specs kafka_specs -- python adapter.py
      messagegen verify-vectors --specs kafka_specs --message FetchRequest --format json -- ./adapter
      messagegen verify-vectors --specs kafka_specs -- messagegen conformance --specs kafka_specs

    Exit codes: 0 all checks passed, 1 some failed, 2 wrong usage or a command that cannot be judged.
    """
    from messagegen.conformance.peer import PeerError
    from messagegen.conformance.verify import verify

    plans = read_plans(specs, messages, config)
    warn_of_too_large(plans)
    tallies: list[Tally] = []
    try:
        with status_line() as show:
            for tally in verify(plans, command, timeout):
                tallies.append(tally)
                show(f"Verified {len(tallies)}/{len(plans)} messages")
    except PeerError as error:
        raise UsageError(str(error)) from error
    if not any(tally.checks for tally in tallies):
        raise UsageError("the command supports none of these messages")
    failed = any(tally.failures for tally in tallies)
    if form == "json":
        status = "failed" if failed else "passed"
        show_json({"status": status, "messages": [asdict(tally) for tally in tallies]})
    else:
        _show(tallies)
    ctx.exit(EXIT_DIFFERENCES if failed else 0)


def _show(tallies: Sequence[Tally]) -> None:
    for tally in tallies:
        if tally.failures:
            click.secho(f"{tally.message}: {len(tally.failures)} of {tally.checks} checks failed", bold=True)
            for failure in tally.failures[:_SHOWN]:
                click.secho(f"  {printable(str(failure))}", fg="red")
            if len(tally.failures) > _SHOWN:
                click.echo(f"  and {len(tally.failures) - _SHOWN} more; --format json has all")
    checks = sum(tally.checks for tally in tallies)
    failures = sum(len(tally.failures) for tally in tallies)
    unsupported = sum(tally.unsupported for tally in tallies)
    lacking = sum(not tally.checks for tally in tallies)
    failing = sum(bool(tally.failures) for tally in tallies)
    click.echo(
        f"Messages: {len(tallies) - failing - lacking} passed, {failing} failed, {lacking} not supported. "
        f"Checks: {checks - failures} passed, {failures} failed, {unsupported} not supported."
    )
