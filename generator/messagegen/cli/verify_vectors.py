"""The command ``messagegen verify-vectors``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.findings import annotate, show_json
from messagegen.cli.options import (
    config_option,
    errors_as_usage,
    message_option,
    one_of_each,
    progress_line,
    read_plans,
    specs_option,
)
from messagegen.cli.vectors import warn_of_too_large
from messagegen.findings import printable

if TYPE_CHECKING:
    from messagegen.conformance.verify import Locate, Tally
    from messagegen.plan.ops import MessagePlan
    from messagegen.vectors import Vector

EXIT_DIFFERENCES: Final = 1
_SHOWN: Final = 3


@click.command("verify-vectors")
@click.option(
    "--vectors",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A folder that `messagegen vectors` wrote; by default, vectors are made from the specs.",
)
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
@click.option("--all", "show_all", is_flag=True, help=f"Show all failures; as text, {_SHOWN} a message otherwise.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json", "github")),
    default="text",
    show_default=True,
    help="How to report.",
)
@config_option
@click.argument("command", nargs=-1, type=click.UNPROCESSED, required=True)
@click.pass_context
def verify_vectors(
    ctx: click.Context,
    /,
    folder: Path | None,
    specs: Sequence[Path],
    messages: Sequence[str],
    timeout: float,
    show_all: bool,
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

    JSON is in the form of Kafka's own JsonConverter classes; records are base64. A command that ends or takes too
    long fails the current check, and is started again for the next one.

    \b
    Examples:
      messagegen verify-vectors --specs kafka_specs -- python adapter.py
      messagegen verify-vectors --vectors vectors --message FetchRequest --all -- ./adapter
      messagegen verify-vectors --vectors vectors -- messagegen conformance --specs kafka_specs

    Exit codes: 0 all checks passed, 1 some failed, 2 wrong usage or a command that cannot be judged.
    """
    with errors_as_usage():
        if folder is not None and specs:
            raise click.UsageError("Pass either --vectors DIR or --specs DIR.")
        vectors, locate = _vectors(folder, specs, messages, config)
        tallies = _verify(vectors, locate, command, timeout)
    failed = any(tally.failures for tally in tallies)
    if form == "json":
        status = "failed" if failed else "passed"
        show_json({"status": status, "messages": [asdict(tally) for tally in tallies]})
    elif form == "github":
        for failure in (failure for tally in tallies for failure in tally.failures):
            annotate("error", str(failure), title=failure.message)
    else:
        _show(tallies, show_all=show_all)
    ctx.exit(EXIT_DIFFERENCES if failed else 0)


def _vectors(
    folder: Path | None, specs: Sequence[Path], messages: Sequence[str], config: Path | None
) -> tuple[list[Vector], Locate]:
    from messagegen.findings import UsageError
    from messagegen.vectors import make_vectors
    from messagegen.vectors.files import read_vectors

    if folder is None:
        plans = one_of_each(read_plans(specs, messages, config))
        warn_of_too_large(plans)
        return list(make_vectors(plans)), _locator(plans)
    vectors = read_vectors(folder)
    for name in messages:
        if not any(vector.message == name for vector in vectors):
            raise UsageError(f"{folder} has no vectors of {name}")
    chosen = [vector for vector in vectors if not messages or vector.message in messages]
    return chosen, lambda _vector, _offset: ""


def _locator(plans: Sequence[MessagePlan]) -> Locate:
    """Finds the field of a byte by decoding the bytes before it: the reference codec names the field that is cut off."""
    from messagegen.plan.walkable import walkable
    from messagegen.runtime.errors import DecodeError
    from messagegen.runtime.walk import walk_decode

    sources = {plan.name: plan for plan in plans}

    def locate(vector: Vector, offset: int) -> str:
        try:
            walk_decode(walkable(sources[vector.message]), vector.data[:offset], 0, vector.version)
        except DecodeError as error:
            return error.path
        return ""

    return locate


def _verify(vectors: Sequence[Vector], locate: Locate, command: Sequence[str], timeout: float) -> list[Tally]:
    from messagegen.conformance.peer import Peer, PeerError
    from messagegen.conformance.verify import verify
    from messagegen.findings import UsageError

    total = len({vector.message for vector in vectors})
    tallies: list[Tally] = []
    try:
        with Peer(command, timeout) as peer, progress_line("Verifying", quiet=False) as advance:
            for tally in verify(vectors, peer, locate):
                tallies.append(tally)
                if advance:
                    advance(len(tallies), total, tally.message)
    except PeerError as error:
        raise click.ClickException(printable(str(error))) from error
    if not any(tally.checks for tally in tallies):
        raise UsageError("the command supports none of these messages")
    return tallies


def _show(tallies: Sequence[Tally], *, show_all: bool) -> None:
    for tally in tallies:
        if tally.failures:
            click.secho(f"{tally.message}: {len(tally.failures)} of {tally.checks} checks failed", bold=True)
            shown = tally.failures if show_all else tally.failures[:_SHOWN]
            for failure in shown:
                click.secho(f"  {printable(str(failure))}", fg="red")
            if len(shown) < len(tally.failures):
                click.echo(f"  and {len(tally.failures) - len(shown)} more; --all shows them")
    checks = sum(tally.checks for tally in tallies)
    failures = sum(len(tally.failures) for tally in tallies)
    unsupported = sum(tally.unsupported for tally in tallies)
    lacking = sum(not tally.checks for tally in tallies)
    failing = sum(bool(tally.failures) for tally in tallies)
    click.echo(
        f"Messages: {len(tallies) - failing - lacking} passed, {failing} failed, {lacking} not supported. "
        f"Checks: {checks - failures} passed, {failures} failed, {unsupported} not supported."
    )
