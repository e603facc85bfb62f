"""What the group commands do on a cluster."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from messagegen_client.cli.groups.output import Lags, Reset
from messagegen_client.cli.offsets.input import named_partitions
from messagegen_client.cli.offsets.topics import Choice
from messagegen_client.cli.support import printable
from messagegen_client.errors import GroupIdNotFoundError, KafkaError
from messagegen_client.groups.descriptions import ConsumerGroupDescription, describe_consumer_groups
from messagegen_client.groups.files import csv_text, write_new
from messagegen_client.groups.lag import ConsumerGroupLagError, consumer_group_lag
from messagegen_client.groups.offsets import alter_consumer_group_offsets, list_consumer_group_offsets
from messagegen_client.groups.resets import OffsetReset, plan_consumer_group_reset
from messagegen_client.net.cluster import Cluster
from messagegen_client.net.deadlines import Deadline
from messagegen_client.net.partitions import TopicPartition, partitions_for
from messagegen_client.offsets.specs import IsolationLevel

_SHOWN_MEMBERS: Final = 10
_NOT_IN_NAMES: Final = re.compile("[^A-Za-z0-9._-]")
_LONGEST_NAME: Final = 100


async def describe(cluster: Cluster, group_id: str, deadline: Deadline) -> ConsumerGroupDescription | None:
    """The group; ``None`` where there is none."""
    try:
        return (await describe_consumer_groups(cluster, [group_id], timeout=rest(deadline)))[group_id]
    except GroupIdNotFoundError:
        return None


async def make_plan(
    cluster: Cluster, group_id: str, target: OffsetReset, choice: Choice | None, what: str, deadline: Deadline
) -> Reset:
    """The plan; ``choice`` is ``None`` where the target names partitions itself."""
    group = await describe(cluster, group_id, deadline)
    partitions = None if choice is None else await chosen(cluster, group_id, choice, (), deadline)
    plan = await plan_consumer_group_reset(cluster, group_id, target, partitions, timeout=rest(deadline))
    return Reset(plan, what, group)


async def execute(cluster: Cluster, reset: Reset, backup: Path, deadline: Deadline) -> Reset:
    """Writes the file to go back with, and then commits the new offsets."""
    plan = reset.plan
    if not plan.offsets:
        return Reset(plan, reset.target, reset.group, {})
    if plan.before:
        _write_backup(backup, plan.before)
    results: Mapping[TopicPartition, KafkaError | None]
    try:
        results = await alter_consumer_group_offsets(cluster, plan.group_id, plan.offsets, timeout=rest(deadline))
    except KafkaError as problem:
        results = dict.fromkeys(plan.offsets, problem)
    return Reset(plan, reset.target, reset.group, results, str(backup) if plan.before else None)


def _write_backup(path: Path, offsets: Mapping[TopicPartition, int]) -> None:
    try:
        write_new(path, csv_text(offsets))
    except FileExistsError:
        raise click.ClickException(
            f"{path} is there already, and is not overwritten; nothing was changed. Give another --backup FILE"
        ) from None
    except OSError as problem:
        raise click.ClickException(
            f"the offsets to go back to can't be written to {path} ({problem.strerror}), so nothing was changed; "
            "give another --backup FILE"
        ) from None


def default_backup(group_id: str, now: datetime) -> Path:
    """The file in the current folder that offsets are written to before they are replaced."""
    name = _NOT_IN_NAMES.sub("_", group_id).lstrip(".")[:_LONGEST_NAME]
    return Path(f"{name}-offsets-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}.csv")


def members_text(group: ConsumerGroupDescription) -> str:
    """The members of a group by client id and host, the first few of them."""
    names = [f"{one.client_id} ({one.host.removeprefix('/')})" for one in group.members]
    more = f" and {len(names) - _SHOWN_MEMBERS} more" if len(names) > _SHOWN_MEMBERS else ""
    count = f"{len(names)} member{'s' if len(names) > 1 else ''}"
    return printable(f"group {group.group_id} has {count}: {', '.join(names[:_SHOWN_MEMBERS])}{more}")


async def find_lags(cluster: Cluster, group_id: str, choice: Choice, level: IsolationLevel, deadline: Deadline) -> Lags:
    """How far the group lags behind, also in partitions that members have and nothing is committed for."""
    group = (await describe_consumer_groups(cluster, [group_id], timeout=rest(deadline)))[group_id]
    assigned = [partition for member in group.members for partition in member.assignment]
    partitions = await chosen(cluster, group_id, choice, assigned, deadline)
    now = time.time_ns() // 1_000_000
    try:
        found = await consumer_group_lag(cluster, group_id, partitions, isolation_level=level, timeout=rest(deadline))
    except ConsumerGroupLagError as problem:
        return Lags(group, now, problem.results, problem.errors)
    return Lags(group, now, found)


async def chosen(
    cluster: Cluster, group_id: str, choice: Choice, assigned: Iterable[TopicPartition], deadline: Deadline
) -> list[TopicPartition]:
    """The partitions that are meant: all of topics with names, and what patterns find among those of the group.

    Raises ``click.ClickException`` where there are none.
    """
    partitions = set(named_partitions(choice.named))
    whole = [name for name, numbers in choice.named.items() if numbers is None]
    if whole:
        known = await partitions_for(cluster, whole, timeout=rest(deadline))
        partitions |= {partition for name in whole for partition in known[name]}
    if choice.filters:
        committed = await list_consumer_group_offsets(cluster, group_id, timeout=rest(deadline))
        partitions |= {partition for partition in {*committed, *assigned} if choice.chooses(partition)}
    if not partitions:
        raise click.ClickException(
            f"no partition matches that group {printable(group_id)} has committed an offset for; "
            "name topics with --topic to choose others"
        )
    return sorted(partitions)


def rest(deadline: Deadline) -> float:
    """The seconds that are left, for the next call."""
    # No time at all is no timeout: the call itself has to say that it is over.
    return max(deadline.remaining(), 0.001)
