"""The command ``messagegen verify-vectors``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.options import VersionedCommand, config_option, message_option, specs_option
from messagegen.cli.vectors import plans_of_vectors
from messagegen.console.output import show
from messagegen.console.parameters import Seconds
from messagegen.findings import UsageError

if TYPE_CHECKING:
    from messagegen.conformance.verify import Tally

EXIT_DIFFERENCES: Final = 1


@click.command("verify-vectors", cls=VersionedCommand)
@specs_option
@message_option
@click.option(
    "--timeout",
    type=Seconds(),
    default=600,
    show_default=True,
    metavar="SECONDS",
    help="How long the command may take.",
)
@config_option
@click.argument("command", nargs=-1, type=click.UNPROCESSED, required=True)
@click.pass_context
def verify_vectors(
    ctx: click.Context,
    /,
    specs: Sequence[Path],
    messages: Sequence[str],
    timeout: float,
    config: Path | None,
    command: Sequence[str],
) -> None:
    """Test another implementation with vectors.

    COMMAND runs the implementation, which reads the conformance protocol from standard input: a line of JSON for each
    question. It answers each question with a line on standard output, in order, and ends after the last answer:

    \b
      {"op": "encode", "message": NAME, "version": N, "json": {...}}    {"hex": "..."}
      {"op": "decode", "message": NAME, "version": N, "hex": "..."}     {"json": {...}}
      {"op": "reencode", "message": NAME, "version": N, "hex": "..."}   {"hex": "..."}
      a message, version or op that it does not have                    {"unsupported": "..."}
      anything that fails                                               {"error": "..."}

    JSON is in the form of Kafka's own JsonConverter classes; records are base64. The vectors are the output of
    `messagegen vectors` for the same specs, from --specs or [tool.messagegen].

    \b
    Examples:
      messagegen verify-vectors --specs kafka_specs -- python adapter.py
      messagegen verify-vectors --specs kafka_specs --message FetchRequest -- ./adapter
      messagegen verify-vectors --specs kafka_specs -- messagegen conformance --specs kafka_specs

    Exit codes: 0 all checks passed, 1 some failed, 2 wrong usage or a command that cannot be judged.
    """
    from messagegen.conformance.verify import verify

    tallies = verify(plans_of_vectors(specs, messages, config), command, timeout)
    failing = [tally for tally in tallies if tally.failures]
    for tally in failing:
        show(f"{tally.message}: {len(tally.failures)} of {tally.checks} checks failed", bold=True)
        for failure in tally.failures:
            show(f"  {failure}", fg="red")
    if not any(tally.checks for tally in tallies):
        raise UsageError("the command supports none of these messages")
    show(f"Messages: {_message_counts(tallies)}. Checks: {_check_counts(tallies)}.")
    ctx.exit(EXIT_DIFFERENCES if failing else 0)


def _message_counts(tallies: Sequence[Tally]) -> str:
    failed = sum(bool(tally.failures) for tally in tallies)
    not_supported = sum(not tally.checks for tally in tallies)
    return _counts(len(tallies) - failed - not_supported, failed, not_supported)


def _check_counts(tallies: Sequence[Tally]) -> str:
    failed = sum(len(tally.failures) for tally in tallies)
    passed = sum(tally.checks for tally in tallies) - failed
    return _counts(passed, failed, sum(tally.unsupported for tally in tallies))


def _counts(passed: int, failed: int, not_supported: int) -> str:
    return f"{passed} passed, {failed} failed, {not_supported} not supported"
