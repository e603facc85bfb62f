"""Runs ``kafka-offsets plan``, ``reset`` and ``lag``."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click

from messagegen_client.admin import AsyncAdmin
from messagegen_client.cli.groups.options import Target, parse_target, selected
from messagegen_client.cli.groups.output import (
    Lags,
    Reset,
    lag_csv,
    lag_json,
    lag_table,
    reset_csv,
    reset_json,
    reset_table,
)
from messagegen_client.cli.offsets.input import OptionError, named_partitions
from messagegen_client.cli.offsets.topics import Choice, parse_choice
from messagegen_client.cli.support import (
    EXIT_FAILED,
    Connection,
    check_output,
    echo_errors,
    plural,
    printable,
    say,
    with_admin,
)
from messagegen_client.errors import GroupIdNotFoundError, KafkaError
from messagegen_client.groups.descriptions import ConsumerGroupDescription, DescribeConsumerGroupsError
from messagegen_client.groups.files import csv_text, write_new
from messagegen_client.groups.lag import ConsumerGroupLagError
from messagegen_client.net.deadlines import Deadline
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.offsets.specs import IsolationLevel

_SHOWN_MEMBERS: Final = 10
_NOT_IN_FILE_NAMES: Final = re.compile("[^A-Za-z0-9._-]")
_LONGEST_NAME: Final = 100


def run_plan(connection: Connection, options: Mapping[str, Any]) -> None:
    """Prints the plan of a reset."""
    target, choice = _target_and_choice(options)
    reset = with_admin(connection, lambda admin, deadline: _plan(admin, deadline, options["group"], target, choice))
    if reset.group is not None and reset.group.members:
        click.echo(f"warning: {members_text(reset.group)}; a reset needs a group without members", err=True)
    _show(reset, options["output"])


def run_reset(connection: Connection, options: Mapping[str, Any]) -> int:
    """Prints the plan of a reset, and executes it with ``--execute``. Returns the exit code."""
    target, choice = _target_and_choice(options)
    group, dry_run = options["group"], not options["execute"]
    if options["backup"] is not None and dry_run:
        raise click.UsageError("--backup requires --execute.")
    check_output()
    backup = options["backup"] or default_backup(group, datetime.now(UTC))

    async def work(admin: AsyncAdmin, deadline: Deadline) -> Reset:
        planned = await _plan(admin, deadline, group, target, choice)
        if planned.group is not None and planned.group.members:
            raise click.ClickException(
                f"{members_text(planned.group)}; stop them first. `kafka-offsets plan` shows what a reset would do"
            )
        return planned if dry_run else await execute(admin, deadline, planned, backup)

    reset = with_admin(connection, work)
    _show(reset, options["output"])
    return _report_dry_run(reset) if dry_run else _report(reset)


def run_lag(connection: Connection, options: Mapping[str, Any]) -> int:
    """Prints the lag of a group. Returns the exit code."""
    choice, level = _choice(options), IsolationLevel[options["isolation_level"].upper()]
    lags = with_admin(connection, lambda admin, deadline: _lags(admin, deadline, options["group"], choice, level))
    say({"table": lag_table, "json": lag_json, "csv": lag_csv}[options["output"]](lags))
    errors = [*lags.errors.values(), *(one.time_error for one in lags.results.values() if one.time_error is not None)]
    echo_errors(errors)
    return EXIT_FAILED if errors else 0


def _target_and_choice(options: Mapping[str, Any]) -> tuple[Target, Choice | None]:
    """The target, and the partitions; ``None`` if a file has them."""
    try:
        target = parse_target(options, options["group"], datetime.now(UTC))
    except OptionError as problem:
        raise click.UsageError(f"{problem}.") from None
    if target.warning is not None:
        click.echo(f"warning: --to-datetime: {target.warning}", err=True)
    if options["from_file"] is None:
        return target, _choice(options)
    if given := selected(options):
        raise click.UsageError(f"{given[0]} can't be used with --from-file, which lists the partitions.")
    return target, None


def _choice(options: Mapping[str, Any]) -> Choice:
    try:
        return parse_choice(
            options["topic"],
            partitions=options["partitions"],
            topic_partitions=options["topic_partitions"],
            exclude_internal=False,
        )
    except OptionError as problem:
        raise click.UsageError(f"{problem}.") from None


async def _plan(admin: AsyncAdmin, deadline: Deadline, group_id: str, target: Target, choice: Choice | None) -> Reset:
    """The plan. ``choice`` is ``None`` if the target lists partitions."""
    group = None
    try:
        group = (await admin.describe_consumer_groups([group_id], timeout=deadline))[group_id]
    except DescribeConsumerGroupsError as problem:
        if not isinstance(problem.errors[group_id], GroupIdNotFoundError):
            raise
    partitions = None if choice is None else await _chosen(admin, deadline, group_id, choice, ())
    plan = await admin.plan_consumer_group_reset(group_id, target.reset, partitions, timeout=deadline)
    return Reset(plan, target.text, group)


async def execute(admin: AsyncAdmin, deadline: Deadline, reset: Reset, backup: Path) -> Reset:
    """Writes the backup, then commits the new offsets."""
    plan = reset.plan
    if not plan.offsets:
        return Reset(plan, reset.target, reset.group, {})
    if plan.before:
        _write_backup(backup, plan.before)
    results: Mapping[TopicPartition, KafkaError | None]
    try:
        results = await admin.alter_consumer_group_offsets(plan.group_id, plan.offsets, timeout=deadline)
    except KafkaError as problem:
        results = dict.fromkeys(plan.offsets, problem)
    return Reset(plan, reset.target, reset.group, results, str(backup) if plan.before else None)


def _write_backup(path: Path, offsets: Mapping[TopicPartition, int]) -> None:
    try:
        write_new(path, csv_text(offsets))
    except FileExistsError:
        raise click.ClickException(f"{path} exists; nothing was changed. Choose another --backup FILE") from None
    except OSError as problem:
        raise click.ClickException(
            f"can't write the backup {path} ({problem.strerror}); nothing was changed. Choose another --backup FILE"
        ) from None


def default_backup(group_id: str, now: datetime) -> Path:
    """The default backup file, in the current folder."""
    name = _NOT_IN_FILE_NAMES.sub("_", group_id).lstrip(".")[:_LONGEST_NAME]
    return Path(f"{name}-offsets-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}.csv")


def members_text(group: ConsumerGroupDescription) -> str:
    """The first few members of a group, by client id and host."""
    names = [f"{one.client_id} ({one.host.removeprefix('/')})" for one in group.members]
    more = f" and {len(names) - _SHOWN_MEMBERS} more" if len(names) > _SHOWN_MEMBERS else ""
    count = plural(len(names), "member")
    return printable(f"group {group.group_id} has {count}: {', '.join(names[:_SHOWN_MEMBERS])}{more}")


async def _lags(admin: AsyncAdmin, deadline: Deadline, group_id: str, choice: Choice, level: IsolationLevel) -> Lags:
    """The lag of the group, also in partitions that members have without a committed offset."""
    group = (await admin.describe_consumer_groups([group_id], timeout=deadline))[group_id]
    assigned = [partition for member in group.members for partition in member.assignment]
    partitions = await _chosen(admin, deadline, group_id, choice, assigned)
    now = time.time_ns() // 1_000_000
    try:
        return Lags(
            group, now, await admin.consumer_group_lag(group_id, partitions, isolation_level=level, timeout=deadline)
        )
    except ConsumerGroupLagError as problem:
        return Lags(group, now, problem.results, problem.errors)


async def _chosen(
    admin: AsyncAdmin, deadline: Deadline, group_id: str, choice: Choice, assigned: Iterable[TopicPartition]
) -> list[TopicPartition]:
    """The chosen partitions: all of named topics, and those of the group that match a pattern.

    Raises ``click.ClickException`` if there are none.
    """
    partitions = set(named_partitions(choice.named))
    known = await admin.partitions_for(choice.whole_topics, timeout=deadline)
    partitions |= {partition for name in known for partition in known[name]}
    if choice.filters:
        committed = await admin.list_consumer_group_offsets(group_id, timeout=deadline)
        partitions |= {partition for partition in {*committed, *assigned} if choice.chooses(partition)}
    if not partitions:
        raise click.ClickException(
            f"no partition with a committed offset of group {printable(group_id)} matches; use --topic to choose others"
        )
    return sorted(partitions)


def _show(reset: Reset, output: str) -> None:
    say({"table": reset_table, "json": reset_json, "csv": reset_csv}[output](reset))


def _report_dry_run(reset: Reset) -> int:
    done = "Nothing was changed; use --execute to commit." if reset.plan.offsets else "Nothing to change."
    click.echo(done, err=True)
    return 0


def _report(reset: Reset) -> int:
    """Prints errors and how to undo the reset on standard error. Returns the exit code."""
    errors = [error for error in (reset.results or {}).values() if error is not None]
    echo_errors(errors)
    if not reset.plan.offsets:
        click.echo("Nothing to change.", err=True)
    elif reset.backup is not None:
        click.echo(f"The previous offsets are in {reset.backup}; restore them with reset --from-file.", err=True)
    new = len(reset.plan.offsets) - len(reset.plan.before)
    if new:
        click.echo(f"{plural(new, 'partition')} had no committed offset before; this can't be restored.", err=True)
    return EXIT_FAILED if errors else 0
