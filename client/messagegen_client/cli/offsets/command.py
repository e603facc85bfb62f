"""The command ``kafka-offsets``: offsets of partitions by time (KIP-79), first and last.

Exit codes: 0 success, 1 failure, 2 usage error, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, Unpack

import click

from messagegen_client.admin import AsyncAdmin
from messagegen_client.cli import support
from messagegen_client.cli.offsets.output import Listing, as_json, as_table
from messagegen_client.cli.offsets.selection import parse_selection
from messagegen_client.cli.offsets.times import parse_time
from messagegen_client.console.running import CONTEXT_SETTINGS
from messagegen_client.offsets.calls import ListOffsetsError
from messagegen_client.offsets.specs import IsolationLevel
from messagegen_client.transport.deadlines import Deadline

NAME: Final = "kafka-offsets"
_SHOWN_ERRORS: Final = 20


@click.command(context_settings=CONTEXT_SETTINGS)
@support.connection_options
@click.option(
    "--topic",
    multiple=True,
    metavar="NAME[,...]",
    help="Only these topics (repeatable). NAME may be a regular expression. Default: all topics.",
)
@click.option("--partitions", metavar="NUMBER[,...]", help="Only these partitions of each topic.")
@click.option(
    "--topic-partitions",
    multiple=True,
    metavar="NAME[:FIRST-STOP][,...]",
    help="Topics with a partition (orders:3) or a range that excludes STOP (orders:0-3 is 0 to 2); not with --topic.",
)
@click.option("--exclude-internal-topics", is_flag=True, help="Leave out internal topics, unless they are named.")
@click.option(
    "--time",
    default="latest",
    show_default=True,
    metavar="TIME",
    help="A time, or a special offset; see above.",
)
@click.option(
    "--isolation-level",
    type=click.Choice(["read_uncommitted", "read_committed"]),
    default="read_uncommitted",
    show_default=True,
    help="read_committed ends before the first open transaction.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="Output format. Timestamps in json are in milliseconds since 1970.",
)
@click.version_option(package_name="messagegen-client", prog_name=NAME)
@click.pass_context
def offsets(
    context: click.Context,
    /,
    topic: Sequence[str],
    partitions: str | None,
    topic_partitions: Sequence[str],
    exclude_internal_topics: bool,
    time: str,
    isolation_level: str,
    form: str,
    **connection: Unpack[support.ConnectionOptions],
) -> None:
    """Show the offset of the first record at or after a time in each partition, or a special offset such as the latest.

    \b
    TIME is one of
      2026-11-01T00:00Z         ISO 8601 with a time zone, Z or +01:00
      1793491200000             milliseconds since 1970
      -2h                       a duration ago: ms, s, m, h, d or w
      earliest, latest          the first offset, and the one after the last
      max-timestamp             the record with the greatest timestamp
      earliest-local, latest-tiered, earliest-pending-upload
                                special offsets of tiered topics
      -1 to -6                  latest, earliest, max-timestamp, ..., by Kafka's numbers

    If all records of a partition are older than TIME, there is no such offset; this is not an error. In topics with
    CreateTime, timestamps need not ascend: the result is the first record in order of offsets.

    \b
    Examples, each with --bootstrap-server localhost:9092:
      kafka-offsets
      kafka-offsets --topic orders
      kafka-offsets --topic 'orders-.*' --partitions 0
      kafka-offsets --topic orders --time 2026-11-01T00:00Z
      kafka-offsets --topic-partitions orders:0-3,payments:0 --time -2h --format json
      kafka-offsets --topic orders --time latest --isolation-level read_committed

    Exit codes: 0 success, 1 failure (the results so far are printed), 2 wrong usage.
    """
    wanted = parse_time(time, datetime.now(UTC))
    for text in wanted.warnings:
        support.warn(text)
    selection = parse_selection(
        topic,
        partitions=partitions,
        topic_partitions=topic_partitions,
        exclude_internal=exclude_internal_topics,
    )
    level = IsolationLevel[isolation_level.upper()]

    async def work(admin: AsyncAdmin, deadline: Deadline) -> Listing:
        chosen = await selection.partitions(admin, deadline)
        specs = dict.fromkeys(chosen, wanted.spec)
        try:
            results = await admin.list_offsets(specs, isolation_level=level, timeout=deadline)
        except ListOffsetsError as problem:
            return Listing(wanted, chosen, problem.results, problem.errors)
        return Listing(wanted, chosen, results, {})

    listing = support.with_admin(context, connection, work)
    if form == "json":
        support.say_json(as_json(listing))
    else:
        support.say(as_table(listing))
    _show_errors(listing)
    context.exit(support.EXIT_FAILED if listing.errors else 0)


def _show_errors(listing: Listing) -> None:
    """Print the first errors, without repeating equal texts, and the number of further errors."""
    errors = list(listing.errors.values())
    for text in dict.fromkeys(map(str, errors[:_SHOWN_ERRORS])):
        support.complain(text)
    if len(errors) > _SHOWN_ERRORS:
        support.complain(f"{len(errors) - _SHOWN_ERRORS} more partitions failed")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with ``arguments`` (default: ``sys.argv[1:]``) and exit with its code."""
    sys.exit(support.run(offsets, NAME, arguments))


if __name__ == "__main__":
    main()
