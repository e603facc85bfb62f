"""``kafka-offsets plan``, ``reset`` and ``lag``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from messagegen_client.cli.support import (
    EXIT_FAILED,
    Connection,
    check_output,
    connection_options,
    printable,
    say,
    with_cluster,
)

if TYPE_CHECKING:
    from messagegen_client.cli.groups.options import Target
    from messagegen_client.cli.groups.output import Lags, Reset
    from messagegen_client.cli.offsets.topics import Choice
    from messagegen_client.net.cluster import Cluster

_SETTINGS: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_LEVELS: Final = ("read_uncommitted", "read_committed")
_SHOWN_ERRORS: Final = 5
_TARGET_HELP: Final[dict[str, tuple[str | None, str]]] = {
    "to_datetime": ("TIME", "The first record at or after a time: 2026-11-01T00:00Z, or milliseconds since 1970."),
    "by_duration": ("DURATION", "The same, so long ago: 2h, 30m, 7d, or P1DT2H."),
    "to_earliest": (None, "The first record that each partition still has."),
    "to_latest": (None, "Behind the last record."),
    "to_offset": ("OFFSET", "One offset for all partitions."),
    "shift_by": ("NUMBER", "So many offsets on from the committed one; back for a negative number."),
    "to_current": (None, "The committed offset; behind the last record where there is none."),
    "from_file": ("FILE", "Offsets from a file of topic,partition,offset, such as one from before a reset."),
}


def _connected(function: Callable[..., None]) -> Callable[..., None]:
    """Adds the group, the choice of partitions and the connection, whose options may stand before the command's name too."""

    @functools.wraps(function)
    @click.pass_context
    def command(
        context: click.Context,
        /,
        bootstrap_server: str | None,
        command_config: Path | None,
        timeout: float | None,
        **options: Any,
    ) -> None:
        own = Connection(bootstrap_server=bootstrap_server, command_config=command_config, timeout=timeout)
        function(context, own.otherwise(context.obj), **options)

    options = (
        click.option("--group", required=True, metavar="GROUP", help="The consumer group."),
        click.option(
            "--topic",
            multiple=True,
            metavar="NAME[:FIRST[-LAST]][,...]",
            help="Only these topics (repeatable), with all their partitions or those that are named. A regular expression "
            "finds topics that the group has committed offsets for. Without topics: all of those.",
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
            help="Form of output.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return connection_options(command)


def _with_targets(function: Callable[..., None]) -> Callable[..., None]:
    for name, (metavar, text) in reversed(_TARGET_HELP.items()):
        option = f"--{name.replace('_', '-')}"
        if metavar is None:
            function = click.option(option, is_flag=True, help=text)(function)
        else:
            kind = click.Path(dir_okay=False, path_type=Path) if metavar == "FILE" else None
            function = click.option(option, type=kind, metavar=metavar, help=text)(function)
    return function


@click.command(context_settings=_SETTINGS, short_help="Show which offsets a reset would give a group.")
@_connected
@_with_targets
def plan(_: click.Context, connection: Connection, group: str, output: str, **options: Any) -> None:
    """Show which offsets a reset would give a group, and change nothing.

    Works for groups with members too, which a reset refuses.

    \b
    Examples, each with --bootstrap-server localhost:9092:
      kafka-offsets plan --group billing --to-datetime 2026-11-01T00:00Z
      kafka-offsets plan --group billing --by-duration 2h --topic orders --output json

    Exit codes: 0 done, 1 something failed, 2 wrong usage.
    """
    target, choice = _read(options, group)
    planned = _planned(connection, group, target, choice, refuse_members=False)
    if planned.group is not None and planned.group.members:
        from messagegen_client.cli.groups.running import members_text

        click.echo(f"warning: {members_text(planned.group)}; a reset is refused as long as that is so", err=True)
    _show(planned, output)


@click.command(context_settings=_SETTINGS, short_help="Set the offsets of a group without members; dry by default.")
@_connected
@_with_targets
@click.option("--execute", is_flag=True, help="Do it. Without this the plan is shown, and nothing is changed.")
@click.option(
    "--backup",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write the offsets that are replaced; a file that is there is never overwritten. "
    "By default GROUP-offsets-TIME.csv in the current folder.",
)
def reset(
    context: click.Context,
    connection: Connection,
    group: str,
    output: str,
    execute: bool,
    backup: Path | None,
    **options: Any,
) -> None:
    """Set the committed offsets of a group that has no members. Without --execute nothing is changed.

    Before anything is changed the old offsets are written to a file, which `reset --from-file` takes, and so does
    `kafka-consumer-groups --reset-offsets --from-file`. Offsets outside of a partition become its nearer end.

    \b
    Examples, each with --bootstrap-server localhost:9092:
      kafka-offsets reset --group billing --to-datetime 2026-11-01T00:00Z
      kafka-offsets reset --group billing --to-datetime 2026-11-01T00:00Z --backup before.csv --execute
      kafka-offsets reset --group billing --from-file before.csv --execute
      kafka-offsets reset --group billing --shift-by -100 --topic orders:0-3 --execute

    Exit codes: 0 done, 1 something failed or the group has members, 2 wrong usage.
    """
    target, choice = _read(options, group)
    if backup is not None and not execute:
        raise click.UsageError("--backup goes with --execute: without that nothing is changed.")
    check_output()
    planned = _planned(connection, group, target, choice, backup=_backup(group, backup) if execute else None)
    _show(planned, output)
    context.exit(_report(planned) if execute else _say_dry(planned))


@click.command(context_settings=_SETTINGS, short_help="Show how far a group lags behind, in records and in seconds.")
@_connected
@click.option(
    "--isolation-level",
    type=click.Choice(_LEVELS),
    default="read_uncommitted",
    show_default=True,
    help="With read_committed, open transactions and what comes after them do not count.",
)
def lag(
    context: click.Context, connection: Connection, group: str, output: str, isolation_level: str, **options: Any
) -> None:
    """Show how far a group lags behind in each partition, in records and in seconds.

    The lag in records is the end offset minus the committed one. The lag in seconds is now minus the timestamp of the first
    record not yet consumed, and 0 where there is none.

    \b
    Examples, each with --bootstrap-server localhost:9092:
      kafka-offsets lag --group billing
      kafka-offsets lag --group billing --topic 'orders-.*' --output json

    Exit codes: 0 done, 1 something failed (what was found is printed), 2 wrong usage.
    """
    lags = with_cluster(
        connection, lambda cluster: _lags(cluster, connection, group, _choice(options), isolation_level)
    )
    from messagegen_client.cli.groups.output import lag_csv, lag_json, lag_table

    say({"table": lag_table, "json": lag_json, "csv": lag_csv}[output](lags))
    errors = [*lags.errors.values(), *(one.time_error for one in lags.results.values() if one.time_error is not None)]
    for error in errors[:_SHOWN_ERRORS]:
        click.echo(f"Error: {printable(str(error))}", err=True)
    if len(errors) > _SHOWN_ERRORS:
        click.echo(f"and {len(errors) - _SHOWN_ERRORS} more partitions failed", err=True)
    context.exit(EXIT_FAILED if errors else 0)


COMMANDS: Final = (plan, reset, lag)


def _read(options: dict[str, Any], group: str) -> tuple[Target, Choice | None]:
    """Where to go, and which partitions; the latter is ``None`` where a file names them."""
    from messagegen_client.cli.groups.options import parse_target, selected
    from messagegen_client.cli.offsets.input import OptionError

    try:
        target = parse_target(options, group, datetime.now(UTC))
    except OptionError as problem:
        raise click.UsageError(f"{problem}.") from None
    if target.doubt is not None:
        click.echo(f"warning: --to-datetime: {target.doubt}", err=True)
    if options["from_file"] is None:
        return target, _choice(options)
    if given := selected(options):
        raise click.UsageError(f"{given[0]} does not go with --from-file, which names the partitions.")
    return target, None


def _choice(options: dict[str, Any]) -> Choice:
    from messagegen_client.cli.offsets.input import OptionError
    from messagegen_client.cli.offsets.topics import parse_choice

    try:
        return parse_choice(
            options["topic"],
            partitions=options["partitions"],
            topic_partitions=options["topic_partitions"],
            exclude_internal=False,
        )
    except OptionError as problem:
        raise click.UsageError(f"{problem}.") from None


def _backup(group: str, given: Path | None) -> Path:
    from messagegen_client.cli.groups.running import default_backup

    return given or default_backup(group, datetime.now(UTC))


def _planned(
    connection: Connection,
    group: str,
    target: Target,
    choice: Choice | None,
    *,
    refuse_members: bool = True,
    backup: Path | None = None,
) -> Reset:
    """The plan; with a file for the old offsets it is carried out."""
    from messagegen_client.cli.groups import running

    async def work(cluster: Cluster) -> Reset:
        deadline = cluster.deadline(connection.timeout)
        planned = await running.make_plan(cluster, group, target.reset, choice, target.text, deadline)
        if refuse_members and planned.group is not None and planned.group.members:
            raise click.ClickException(
                f"{running.members_text(planned.group)}; only a group without members can be reset, so stop them first. "
                "`kafka-offsets plan` shows what a reset would do"
            )
        return planned if backup is None else await running.execute(cluster, planned, backup, deadline)

    return with_cluster(connection, work)


def _show(reset: Reset, output: str) -> None:
    from messagegen_client.cli.groups.output import reset_csv, reset_json, reset_table

    say({"table": reset_table, "json": reset_json, "csv": reset_csv}[output](reset))


def _say_dry(reset: Reset) -> int:
    if reset.plan.offsets:
        click.echo("Nothing was changed; --execute does it.", err=True)
    else:
        click.echo("There is nothing to change.", err=True)
    return 0


def _report(reset: Reset) -> int:
    """Says on standard error what was done, what went wrong, and how to go back; gives the exit code."""
    errors = [error for error in (reset.results or {}).values() if error is not None]
    for text in dict.fromkeys(str(error) for error in errors[:_SHOWN_ERRORS]):
        click.echo(f"Error: {printable(text)}", err=True)
    if len(errors) > _SHOWN_ERRORS:
        click.echo(f"and {len(errors) - _SHOWN_ERRORS} more partitions failed", err=True)
    if not reset.plan.offsets:
        click.echo("There was nothing to change.", err=True)
    elif reset.backup is not None:
        click.echo(f"The offsets from before are in {reset.backup}: reset --from-file takes them.", err=True)
    new = len(reset.plan.offsets) - len(reset.plan.before)
    if new:
        click.echo(f"{new} of the partitions had no committed offset before, which no file brings back.", err=True)
    return EXIT_FAILED if errors else 0


async def _lags(cluster: Cluster, connection: Connection, group: str, choice: Choice, isolation_level: str) -> Lags:
    from messagegen_client.cli.groups.running import find_lags
    from messagegen_client.offsets.specs import IsolationLevel

    level = IsolationLevel[isolation_level.upper()]
    return await find_lags(cluster, group, choice, level, cluster.deadline(connection.timeout))
