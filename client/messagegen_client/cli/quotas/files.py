"""The commands ``plan``, ``apply`` and ``export``, for quota files."""

from __future__ import annotations

from typing import IO, Final

import click

from messagegen_client.cli.support import Connection, with_connection

_OUTPUT: Final = click.option("--output", type=click.Choice(["text", "json"]), help="Output format.")
_FILE: Final = click.argument("file", type=click.File(encoding="utf-8"))
_PRUNE: Final = click.option(
    "--prune",
    is_flag=True,
    help="Also remove quotas that are not in the file: of its entities, and of all entities with the same types.",
)

_MAX_REMOVALS: Final = click.option(
    "--max-removals",
    type=click.IntRange(min=0),
    metavar="NUMBER",
    help="Fail and change nothing if more quotas would be removed.",
)


@click.command(short_help="Show the changes that apply would make.")
@_FILE
@_PRUNE
@click.option("--validate", is_flag=True, help="Let the broker check the changes; exit with 1 if it refuses any.")
@_MAX_REMOVALS
@_OUTPUT
@with_connection
def plan(
    context: click.Context,
    connection: Connection,
    output: str | None,
    file: IO[str],
    prune: bool,
    validate: bool,
    max_removals: int | None,
) -> None:
    """Show the changes that apply would make, and change nothing.

    FILE is YAML or JSON; - is standard input. Quotas that are not in the file are kept, unless --prune is given. Exits with 2
    if there are changes, and with 0 if there are none.

    \b
    A quota file:
      quotas:
        - entity: {user: alice, client-id: null}     # null: the default client id
          values: {producer_byte_rate: 1000000, request_percentage: null}     # null: remove the quota
    """
    from messagegen_client.cli.quotas.running import FileOptions, run_plan

    options = FileOptions(file=file, prune=prune, max_removals=max_removals, as_json=_as_json(context, output))
    context.exit(run_plan(connection, options, validate=validate))


@click.command(name="apply", short_help="Change the quotas of the cluster to those of a file.")
@_FILE
@_PRUNE
@click.option("--validate-only", is_flag=True, help="Let the broker check the changes, and change nothing.")
@_MAX_REMOVALS
@click.option("--wait", is_flag=True, help="Wait until all brokers describe the changes.")
@_OUTPUT
@with_connection
def apply(
    context: click.Context,
    connection: Connection,
    output: str | None,
    file: IO[str],
    prune: bool,
    validate_only: bool,
    max_removals: int | None,
    wait: bool,
) -> None:
    """Change the quotas of the cluster to those in FILE: only differences, thousands of entities in one request.

    Prints the plan and applies it without confirmation. Entities are independent: if the broker refuses one, the others are
    still changed. Exits with 1 if a change was refused, was not sent, or has an unknown outcome because no answer came.
    Applying a file again changes nothing.
    """
    if wait and validate_only:
        raise click.UsageError("--wait can't be used with --validate-only, which changes nothing.")
    from messagegen_client.cli.quotas.running import FileOptions, run_apply

    options = FileOptions(file=file, prune=prune, max_removals=max_removals, as_json=_as_json(context, output))
    context.exit(run_apply(connection, options, validate_only=validate_only, wait=wait))


def _as_json(context: click.Context, output: str | None) -> bool:
    """Whether ``--output`` is json, here or before the subcommand."""
    assert context.parent is not None
    return (output or context.parent.params["output"]) == "json"


@click.command(short_help="Print the quotas of the cluster as a quota file.")
@_OUTPUT
@with_connection
def export(context: click.Context, connection: Connection, output: str | None) -> None:
    """Print all quotas of the cluster as a quota file in YAML, or in JSON with --output json.

    A plan of this file has no changes until somebody alters a quota.
    """
    from messagegen_client.cli.quotas.running import run_export

    context.exit(run_export(connection, as_json=_as_json(context, output)))
