"""The command ``kafka-offsets``: which offsets partitions have at a time (KIP-79), or at their ends; and offsets of groups.

Exit codes: 0 done, 1 something failed, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from messagegen_client.cli.groups.commands import COMMANDS
from messagegen_client.cli.support import (
    EXIT_FAILED,
    Connection,
    connection_options,
    printable,
    run,
    say,
    version_option,
    with_cluster,
)

if TYPE_CHECKING:
    from messagegen_client.cli.offsets.input import Wanted
    from messagegen_client.cli.offsets.output import Listing
    from messagegen_client.cli.offsets.topics import Choice
    from messagegen_client.net.cluster import Cluster
    from messagegen_client.net.deadlines import Deadline
    from messagegen_client.net.partitions import TopicPartition

NAME: Final = "kafka-offsets"
_SETTINGS: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_LEVELS: Final = ("read_uncommitted", "read_committed")
_SHOWN_ERRORS: Final = 20


@click.group(invoke_without_command=True, context_settings=_SETTINGS, subcommand_metavar="[COMMAND [ARGS]...]")
@connection_options
@click.option(
    "--topic",
    "topics",
    multiple=True,
    metavar="NAME[:FIRST[-LAST]][,...]",
    help="Topics, all partitions or those that are named, FIRST and LAST included (repeatable); NAME may be a regular "
    "expression. Without topics: all of them.",
)
@click.option("--partitions", metavar="NUMBER[,...]", help="Only these partitions of each topic.")
@click.option(
    "--topic-partitions",
    multiple=True,
    metavar="PATTERN[:FIRST-STOP][,...]",
    help="As kafka-get-offsets takes it, instead of --topic: regular expressions, with a partition or a range without STOP.",
)
@click.option("--exclude-internal-topics", is_flag=True, help="Leave out internal topics where no name was given.")
@click.option(
    "--time",
    default="latest",
    show_default=True,
    metavar="TIME",
    help="A time, or the name of a place; see above.",
)
@click.option(
    "--isolation-level",
    type=click.Choice(_LEVELS),
    default="read_uncommitted",
    show_default=True,
    help="With read_committed, open transactions and what comes after them do not count.",
)
@click.option(
    "--output",
    type=click.Choice(["table", "json", "tsv"]),
    default="table",
    show_default=True,
    help="Form of output; timestamps are in milliseconds since 1970 in json and tsv.",
)
@version_option(NAME)
@click.pass_context
def offsets(
    context: click.Context,
    bootstrap_server: str | None,
    command_config: Path | None,
    timeout: float | None,
    topics: Sequence[str],
    partitions: str | None,
    topic_partitions: Sequence[str],
    exclude_internal_topics: bool,
    time: str,
    isolation_level: str,
    output: str,
) -> None:
    """Offsets of partitions: of the first record at or after a time, or of a place with a name.

    With a command: how far a consumer group lags behind, and setting its offsets back by time.

    \b
    TIME is one of
      2026-11-01T00:00Z         ISO 8601; a time zone has to be there, Z or +01:00
      1793491200000             milliseconds since 1970
      -2h                       so long ago: ms, s, m, h, d or w
      earliest, latest          the first offset, and the one after the last
      max-timestamp             the record with the greatest timestamp
      earliest-local, latest-tiered, earliest-pending-upload
                                places in the log of a tiered topic
      -1 to -6                  latest, earliest, max-timestamp, and so on, as Kafka's tools number them

    A partition whose records are all older than TIME has no such offset, which is said and is no error. In topics
    with CreateTime, timestamps need not ascend: the answer is the first record in order of offsets.

    \b
    Examples, each with --bootstrap-server localhost:9092:
      kafka-offsets
      kafka-offsets --topic orders
      kafka-offsets --topic 'orders-.*' --partitions 0
      kafka-offsets --topic orders --time 2026-11-01T00:00Z
      kafka-offsets --topic orders:0-3,payments --time -2h --output json
      kafka-offsets --topic orders --time latest --isolation-level read_committed
      kafka-offsets lag --group billing
      kafka-offsets reset --group billing --to-datetime 2026-11-01T00:00Z

    Exit codes: 0 done, 1 something failed (what was found is printed), 2 wrong usage.
    """
    from messagegen_client.cli.offsets.input import OptionError, parse_time
    from messagegen_client.cli.offsets.topics import parse_choice

    connection = Connection(bootstrap_server=bootstrap_server, command_config=command_config, timeout=timeout)
    if context.invoked_subcommand is not None:
        _check_before_command(context)
        context.obj = connection
        return
    try:
        wanted = parse_time(time, datetime.now(UTC))
    except OptionError as problem:
        raise click.UsageError(f"--time: {problem}.") from None
    if wanted.doubt is not None:
        click.echo(f"warning: --time: {wanted.doubt}", err=True)
    try:
        chosen = parse_choice(
            topics,
            partitions=partitions,
            topic_partitions=topic_partitions,
            exclude_internal=exclude_internal_topics,
        )
    except OptionError as problem:
        raise click.UsageError(f"{problem}.") from None
    listing = with_cluster(connection, lambda cluster: _listing(cluster, wanted, chosen, isolation_level, timeout))
    _print(listing, output)
    context.exit(EXIT_FAILED if listing.errors else 0)


def _check_before_command(context: click.Context) -> None:
    """Raises ``click.UsageError`` for an option that is not of the connection: it belongs behind the command."""
    for name in context.params:
        if name in {"bootstrap_server", "command_config", "timeout"}:
            continue
        if context.get_parameter_source(name) not in (ParameterSource.DEFAULT, None):
            option = "--topic" if name == "topics" else f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} does not stand before {context.invoked_subcommand}.")


async def _listing(
    cluster: Cluster,
    wanted: Wanted,
    choice: Choice,
    isolation_level: str,
    timeout: float | None,  # noqa: ASYNC109 - one deadline for both calls
) -> Listing:
    from messagegen_client.cli.offsets.output import Listing
    from messagegen_client.offsets.calls import ListOffsetsError, list_offsets
    from messagegen_client.offsets.specs import IsolationLevel

    deadline = cluster.deadline(timeout)
    partitions = await _partitions(cluster, choice, deadline)
    specs = dict.fromkeys(partitions, wanted.spec)
    level = IsolationLevel[isolation_level.upper()]
    try:
        # No time at all is no timeout: the call itself has to say that it is over.
        rest = max(deadline.remaining(), 0.001)
        results = await list_offsets(cluster, specs, isolation_level=level, timeout=rest)
    except ListOffsetsError as problem:
        return Listing(wanted, partitions, problem.results, problem.errors)
    return Listing(wanted, partitions, results, {})


async def _partitions(cluster: Cluster, choice: Choice, deadline: Deadline) -> list[TopicPartition]:
    """The partitions that are meant: those of topics with names first, as they were given."""
    from messagegen_client.cli.offsets.input import named_partitions
    from messagegen_client.net.partitions import partitions_for

    found: list[str] = []
    if choice.filters:
        found = choice.matching((await cluster.metadata(None, deadline=deadline)).topics.values())
    whole = [name for name, numbers in choice.named.items() if numbers is None]
    known = await partitions_for(cluster, [*whole, *found], timeout=max(deadline.remaining(), 0.001))
    partitions = named_partitions(choice.named)
    partitions += [partition for name in whole for partition in known[name]]
    filtered = [partition for name in found for partition in known[name] if choice.chooses(partition)]
    if choice.filters and not filtered:
        raise click.ClickException("no partition matches; without topics, all those are listed that the user may see")
    place = {name: number for number, name in enumerate(dict.fromkeys([*choice.named, *found]))}
    return sorted({*partitions, *filtered}, key=lambda partition: (place[partition.topic], partition.partition))


def _print(listing: Listing, output: str) -> None:
    from messagegen_client.cli.offsets.output import as_json, as_table, as_tsv

    say({"table": as_table, "json": as_json, "tsv": as_tsv}[output](listing))
    errors = list(listing.errors.values())
    for error in errors[:_SHOWN_ERRORS]:
        click.echo(f"Error: {printable(str(error))}", err=True)
    if len(errors) > _SHOWN_ERRORS:
        click.echo(f"and {len(errors) - _SHOWN_ERRORS} more partitions failed", err=True)


for _command in COMMANDS:
    offsets.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line with ``arguments`` (else the process's own) and exits with its code."""
    sys.exit(run(offsets, NAME, arguments))


if __name__ == "__main__":
    main()
