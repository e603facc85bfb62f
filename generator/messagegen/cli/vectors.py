"""The commands for other implementations: ``messagegen vectors``, ``verify-vectors`` and ``conformance``."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.options import config_option, message_option, read_plans, read_specs, specs_option, specs_options
from messagegen.findings import UsageError, printable

if TYPE_CHECKING:
    from messagegen.plan.ops import MessagePlan

EXIT_DIFFERENCES: Final = 1


@click.command()
@specs_options
@message_option
@config_option
def vectors(specs: Sequence[Path], messages: Sequence[str], config: Path | None) -> None:
    """Write test vectors of messages, for other implementations.

    Each vector is the bytes of a message with its value, in Kafka's JSON form. Standard output gets a line of JSON for each.
    The same specs give the same lines everywhere. The bytes come from the reference codec, not from generated code.
    The specs are those of PATHS, --specs or [tool.messagegen].

    There are up to eight vectors for each version of a message: default, empty, null, typical, edges, unicode, long,
    and unknown-tags. A version whose smallest message has more than 10,000 values has none.

    \b
    Examples:
      messagegen vectors > vectors.jsonl
      messagegen vectors --specs kafka_specs --message FetchRequest
      messagegen vectors | diff vectors.jsonl -       check that a file is up to date

    Exit codes: 0 done, 2 specs with errors, wrong usage or another error.
    """
    from messagegen.vectors import make_vectors

    for vector in make_vectors(_plans(specs, messages, config)):
        click.echo(json.dumps(vector.as_json()))


@click.command("verify-vectors")
@specs_option
@message_option
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
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

    COMMAND runs it. It reads the conformance protocol from standard input, a line of JSON for each question, answers
    each with a line on standard output, in order, and ends:

    \b
      {"op": "encode", "message": NAME, "version": N, "json": {...}}    {"hex": "..."}
      {"op": "decode", "message": NAME, "version": N, "hex": "..."}     {"json": {...}}
      {"op": "reencode", "message": NAME, "version": N, "hex": "..."}   {"hex": "..."}
      a message, version or op that it does not have                    {"unsupported": "..."}
      anything that fails                                               {"error": "..."}

    JSON is in the form of Kafka's own JsonConverter classes; records are base64. The vectors are those that
    `messagegen vectors` writes for the same specs, which are those of --specs or [tool.messagegen].

    \b
    Examples:
      messagegen verify-vectors --specs kafka_specs -- python adapter.py
      messagegen verify-vectors --specs kafka_specs --message FetchRequest -- ./adapter
      messagegen verify-vectors --specs kafka_specs -- messagegen conformance --specs kafka_specs

    Exit codes: 0 all checks passed, 1 some failed, 2 wrong usage or a command that cannot be judged.
    """
    from messagegen.conformance.verify import verify

    tallies = verify(_plans(specs, messages, config), command, timeout)
    failing = [tally for tally in tallies if tally.failures]
    for tally in failing:
        click.secho(f"{tally.message}: {len(tally.failures)} of {tally.checks} checks failed", bold=True)
        for failure in tally.failures:
            click.secho(f"  {printable(failure)}", fg="red")
    checks = sum(tally.checks for tally in tallies)
    if not checks:
        raise UsageError("the command supports none of these messages")
    failures = sum(len(tally.failures) for tally in tallies)
    unsupported = sum(tally.unsupported for tally in tallies)
    lacking = sum(not tally.checks for tally in tallies)
    click.echo(
        f"Messages: {len(tallies) - len(failing) - lacking} passed, {len(failing)} failed, {lacking} not supported. "
        f"Checks: {checks - failures} passed, {failures} failed, {unsupported} not supported."
    )
    ctx.exit(EXIT_DIFFERENCES if failing else 0)


@click.command()
@specs_options
@click.option("--package", metavar="NAME", help="An importable generated package, instead of specs.")
@config_option
def conformance(specs: Sequence[Path], package: str | None, config: Path | None) -> None:
    """Answer each JSON line on standard input with one on standard output, in order.

    \b
    Lines and answers:
      {"op": "encode", "message": NAME, "version": N, "json": {...}}    {"hex": "..."}
      {"op": "decode", "message": NAME, "version": N, "hex": "..."}     {"json": {...}}
      {"op": "reencode", "message": NAME, "version": N, "hex": "..."}   {"hex": "..."}
      anything that fails                                               {"error": "..."}

    JSON has the format of Kafka's own JsonConverter classes. Code is generated from the specs of PATHS, --specs or
    [tool.messagegen] in memory, or imported from a generated package. Use this to compare implementations with each other.

    \b
    Examples:
      messagegen conformance --specs kafka_specs < cases.jsonl
      messagegen conformance --package kafka_messages < cases.jsonl
      MESSAGEGEN_PURE=1 messagegen conformance --specs kafka_specs < cases.jsonl

    Exit codes: 0 every line has its answer, 2 specs with errors, wrong usage or an error.
    """
    from messagegen.conformance import answer
    from messagegen.generation.loading import load_specs

    if specs and package is not None:
        raise click.UsageError("Pass either specs or --package NAME.")
    try:
        messages = importlib.import_module(package) if package else load_specs(read_specs(specs, config).values())
    except ImportError as error:
        raise click.UsageError(f"{package} cannot be imported ({error}); is its folder on PYTHONPATH?") from error
    for line in sys.stdin.buffer:
        # A line that is not UTF-8 gets an error as its answer, like any other invalid line.
        text = line.decode("utf-8", errors="surrogateescape")
        if text.strip():
            click.echo(json.dumps(answer(messages, text)))


def _plans(specs: Sequence[Path], messages: Sequence[str], config: Path | None) -> Sequence[MessagePlan]:
    """The plans of the chosen messages; names the versions that have no vectors on standard error."""
    from messagegen.vectors import MOST_VALUES, too_large

    plans = read_plans(specs, messages, config)
    for plan in plans:
        if versions := too_large(plan):
            names = ", ".join(map(str, sorted(versions)))
            text = f"{plan.name}: no vectors of versions {names}; each message has more than {MOST_VALUES:,} values"
            click.echo(text, err=True)
    return plans
