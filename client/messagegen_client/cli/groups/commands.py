"""``kafka-offsets plan``, ``reset`` and ``lag``: options and help. The work is in ``running``, loaded when a command runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from messagegen_client.cli.support import CONTEXT_SETTINGS, Connection, isolation_level_option, with_connection

_NEW_FILE: Final = click.Path(dir_okay=False, path_type=Path)
_TARGETS: Final = (
    click.option(
        "--to-datetime",
        metavar="TIME",
        help="The first record at or after a time: 2026-11-01T00:00Z, or milliseconds since 1970.",
    ),
    click.option(
        "--by-duration", metavar="DURATION", help="The first record after a time in the past: 2h, 30m, 7d, or P1DT2H."
    ),
    click.option("--to-earliest", is_flag=True, help="The first record of each partition."),
    click.option("--to-latest", is_flag=True, help="The end of each partition."),
    click.option("--to-offset", metavar="OFFSET", help="The same offset for all partitions."),
    click.option("--shift-by", metavar="NUMBER", help="The committed offset plus a number, which may be negative."),
    click.option("--to-current", is_flag=True, help="The committed offset, or the end if there is none."),
    click.option(
        "--from-file",
        type=_NEW_FILE,
        metavar="FILE",
        help="Offsets from a file with topic,partition,offset lines, such as the backup of a reset.",
    ),
)
_PARTITIONS: Final = (
    click.option("--group", required=True, metavar="GROUP", help="The consumer group."),
    click.option(
        "--topic",
        multiple=True,
        metavar="NAME[:FIRST[-LAST]][,...]",
        help="Only these topics (repeatable), with all partitions or a range. A regular expression selects topics with "
        "committed offsets. Default: all topics with committed offsets.",
    ),
    click.option("--partitions", metavar="NUMBER[,...]", help="Only these partitions of each topic."),
    click.option(
        "--topic-partitions",
        multiple=True,
        metavar="PATTERN[:FIRST-STOP][,...]",
        help="Instead of --topic: regular expressions, with a partition or a range without STOP.",
    ),
    click.option(
        "--output",
        type=click.Choice(["table", "json", "csv"]),
        default="table",
        show_default=True,
        help="Output format.",
    ),
)


def _with(options: tuple[Callable[..., Any], ...]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Adds options, in their order."""

    def add(function: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            function = option(function)
        return function

    return add


@click.command(context_settings=CONTEXT_SETTINGS, short_help="Show the offsets that a reset would set.")
@with_connection
@_with(_PARTITIONS)
@_with(_TARGETS)
def plan(_: click.Context, connection: Connection, **options: Any) -> None:
    """Show the offsets that a reset of a group would set. Nothing is changed.

    The group may have members; a reset needs a group without members.

    \b
    Examples, each with --bootstrap-server localhost:9092:
      kafka-offsets plan --group billing --to-datetime 2026-11-01T00:00Z
      kafka-offsets plan --group billing --by-duration 2h --topic orders --output json

    Exit codes: 0 success, 1 failure, 2 usage error.
    """
    from messagegen_client.cli.groups.running import run_plan

    run_plan(connection, options)


@click.command(context_settings=CONTEXT_SETTINGS, short_help="Reset the offsets of a group without members.")
@with_connection
@_with(_PARTITIONS)
@_with(_TARGETS)
@click.option(
    "--execute", is_flag=True, help="Commit the offsets. Without it the plan is shown and nothing is changed."
)
@click.option(
    "--backup",
    type=_NEW_FILE,
    metavar="FILE",
    help="A new file for the offsets that are replaced. Default: GROUP-offsets-TIME.csv in the current folder.",
)
def reset(context: click.Context, connection: Connection, **options: Any) -> None:
    """Reset the committed offsets of a group without members. Without --execute nothing is changed.

    Before the offsets are committed, the old ones are written to a file for `reset --from-file` or
    `kafka-consumer-groups --reset-offsets --from-file`. An offset outside a partition is replaced by its nearer end.

    \b
    Examples, each with --bootstrap-server localhost:9092:
      kafka-offsets reset --group billing --to-datetime 2026-11-01T00:00Z
      kafka-offsets reset --group billing --to-datetime 2026-11-01T00:00Z --backup before.csv --execute
      kafka-offsets reset --group billing --from-file before.csv --execute
      kafka-offsets reset --group billing --shift-by -100 --topic orders:0-3 --execute

    Exit codes: 0 success, 1 failure or the group has members, 2 usage error.
    """
    from messagegen_client.cli.groups.running import run_reset

    context.exit(run_reset(connection, options))


@click.command(context_settings=CONTEXT_SETTINGS, short_help="Show the lag of a group, in records and seconds.")
@with_connection
@_with(_PARTITIONS)
@isolation_level_option
def lag(context: click.Context, connection: Connection, **options: Any) -> None:
    """Show the lag of a group in each partition, in records and in seconds.

    The lag in records is the end offset minus the committed offset. The lag in seconds is the current time minus the
    timestamp of the next record, or 0 if there is none.

    \b
    Examples, each with --bootstrap-server localhost:9092:
      kafka-offsets lag --group billing
      kafka-offsets lag --group billing --topic 'orders-.*' --output json

    Exit codes: 0 success, 1 failure (the results so far are printed), 2 usage error.
    """
    from messagegen_client.cli.groups.running import run_lag

    context.exit(run_lag(connection, options))


COMMANDS: Final = (plan, reset, lag)
