"""Runs ``kafka-offsets`` without a subcommand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import click

from messagegen_client.admin import AsyncAdmin
from messagegen_client.cli.offsets.input import OptionError, TimeOption, named_partitions, parse_time
from messagegen_client.cli.offsets.output import Listing, as_json, as_table, as_tsv
from messagegen_client.cli.offsets.topics import Choice, parse_choice
from messagegen_client.cli.support import EXIT_FAILED, Connection, echo_errors, say, with_admin
from messagegen_client.net.deadlines import Deadline
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.offsets.calls import ListOffsetsError
from messagegen_client.offsets.specs import IsolationLevel

_SHOWN_ERRORS: Final = 20


def run_offsets(connection: Connection, options: Mapping[str, Any]) -> int:
    """Prints the offsets. Returns the exit code."""
    try:
        wanted = parse_time(options["time"], datetime.now(UTC))
    except OptionError as problem:
        raise click.UsageError(f"--time: {problem}.") from None
    if wanted.warning is not None:
        click.echo(f"warning: --time: {wanted.warning}", err=True)
    try:
        choice = parse_choice(
            options["topic"],
            partitions=options["partitions"],
            topic_partitions=options["topic_partitions"],
            exclude_internal=options["exclude_internal_topics"],
        )
    except OptionError as problem:
        raise click.UsageError(f"{problem}.") from None
    level = IsolationLevel[options["isolation_level"].upper()]
    listing = with_admin(connection, lambda admin, deadline: _listing(admin, deadline, wanted, choice, level))
    say({"table": as_table, "json": as_json, "tsv": as_tsv}[options["output"]](listing))
    echo_errors(list(listing.errors.values()), _SHOWN_ERRORS)
    return EXIT_FAILED if listing.errors else 0


async def _listing(
    admin: AsyncAdmin, deadline: Deadline, wanted: TimeOption, choice: Choice, level: IsolationLevel
) -> Listing:
    partitions = await _partitions(admin, deadline, choice)
    specs = dict.fromkeys(partitions, wanted.spec)
    try:
        results = await admin.list_offsets(specs, isolation_level=level, timeout=deadline)
    except ListOffsetsError as problem:
        return Listing(wanted, partitions, problem.results, problem.errors)
    return Listing(wanted, partitions, results, {})


async def _partitions(admin: AsyncAdmin, deadline: Deadline, choice: Choice) -> list[TopicPartition]:
    """The chosen partitions: first those of named topics, in the order of the options."""
    matching: list[str] = []
    if choice.filters:
        metadata = await admin.cluster.metadata(None, deadline=deadline)
        matching = choice.matching(metadata.topics.values())
    known = await admin.partitions_for([*choice.whole_topics, *matching], timeout=deadline)
    partitions = named_partitions(choice.named)
    partitions += [partition for name in choice.whole_topics for partition in known[name]]
    filtered = [partition for name in matching for partition in known[name] if choice.chooses(partition)]
    if choice.filters and not filtered:
        raise click.ClickException("no partition matches; without topics, all that the user may describe are listed")
    place = {name: number for number, name in enumerate(dict.fromkeys([*choice.named, *matching]))}
    return sorted({*partitions, *filtered}, key=lambda partition: (place[partition.topic], partition.partition))
