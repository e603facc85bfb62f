"""The command ``messagegen vectors``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.options import (
    config_option,
    errors_as_usage,
    message_option,
    read_plans,
    shown,
    specs_option,
    status_line,
)

if TYPE_CHECKING:
    from messagegen.plan.ops import MessagePlan

EXIT_DRIFT: Final = 1


@click.command()
@specs_option
@message_option
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    required=True,
    help="The folder to write; created if missing.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the folder is out of date.")
@config_option
@click.pass_context
def vectors(
    ctx: click.Context,
    /,
    specs: Sequence[Path],
    messages: Sequence[str],
    output: Path,
    check: bool,
    config: Path | None,
) -> None:
    """Write test vectors of messages, for other implementations.

    Each vector is the bytes of a message with its value, in Kafka's JSON form.

    The folder gets vectors.jsonl, with a line of JSON for each vector, and the bytes of each vector in a file of its
    own, seeds/MESSAGE/VERSION/SHAPE.bin, as fuzzers take them. vectors.json has the number of vectors and the
    SHA-256 of vectors.jsonl. The same specs give the same files everywhere. The bytes come from the reference codec,
    not from generated code. Without --specs, those of [tool.messagegen] are read.

    There are up to eight vectors for each version of a message: default, empty, null, typical, edges, unicode, long,
    and unknown-tags. A version whose smallest message has more than 10,000 values has none.

    \b
    Examples:
      messagegen vectors --output vectors
      messagegen vectors --specs kafka_specs --output vectors
      messagegen vectors --specs kafka_specs --message FetchRequest --output vectors/fetch
      messagegen vectors --output vectors --check

    Exit codes: 0 written or up to date, 1 --check found a difference, 2 wrong usage or an error.
    """
    with errors_as_usage():
        from messagegen.findings import UsageError
        from messagegen.publish import MANIFEST, PublishError, publish
        from messagegen.publish import check as compare
        from messagegen.vectors import make_vectors
        from messagegen.vectors.files import INDEX, digest, files

        plans = read_plans(specs, messages, config)
        if (output / MANIFEST).exists() and not (output / INDEX).exists():
            raise UsageError(f"{shown(output)} holds another output of messagegen; name a new folder")
        warn_of_too_large(plans)
        with status_line() as show:
            show("Making vectors")
            made = files(make_vectors(plans))
        number = len(made) - 2
        text = f"{number} vectors of {len(plans)} message{'s' * (len(plans) != 1)}, SHA-256 {digest(made)}"
        try:
            if check:
                drift = compare(made, output).shown
                for file in drift:
                    click.echo(f"{shown(output / file.path)} is out of date ({file.kind})")
                ctx.exit(EXIT_DRIFT if drift else 0)
            changes = publish(made, output)
        except PublishError as error:
            raise UsageError(str(error)) from error
    removed = len(changes.paths("stale"))
    written = len(changes.files) - removed
    state = "unchanged" if changes.up_to_date else f"{written} files written, {removed} removed"
    click.echo(f"{shown(output)}: {text}; {state}")


def warn_of_too_large(plans: Sequence[MessagePlan]) -> None:
    """Names the versions that have no vectors on standard error."""
    from messagegen.evolve.changes import version_text
    from messagegen.vectors import too_large
    from messagegen.vectors.make import MOST_VALUES

    for plan in plans:
        if versions := too_large(plan):
            text = f"{plan.name}: no vectors of {version_text(versions)}; each message has more than {MOST_VALUES:,} values"
            click.echo(text, err=True)
