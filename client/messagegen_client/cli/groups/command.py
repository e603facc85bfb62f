"""The command ``kafka-group-offsets``: commits the offsets of a file for groups without members.

Exit codes: 0 success, 1 failure, 2 ``plan`` found changes, 64 usage error, 130 interrupted.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from typing import IO, Final, Unpack

import click

from messagegen_client.admin import AsyncAdmin
from messagegen_client.cli import support
from messagegen_client.cli.groups.output import Results, plan_json, plan_text, result_json, result_text, show_errors
from messagegen_client.errors import KafkaError
from messagegen_client.groups.calls import AlterConsumerGroupOffsetsResult, OffsetAndMetadata
from messagegen_client.groups.file.formats import (
    FILE_FORMATS,
    FileFormat,
    format_of,
    offset_file_text,
    read_offset_file,
)
from messagegen_client.groups.file.model import OffsetFile, OffsetFileError
from messagegen_client.groups.plan import GroupChange, OffsetPlan, plan_offsets
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.text import printable
from messagegen_client.transport.deadlines import Deadline

NAME: Final = "kafka-group-offsets"
EXIT_CHANGES: Final = 2
EXIT_USAGE: Final = 64  # EX_USAGE of sysexits.h

_FILE: Final = click.argument("file", type=support.InputFile())
_GROUP: Final = click.option(
    "--group", metavar="NAME", help="The group of all lines; FILE then has no first column: topic,partition,offset."
)
_FORMAT: Final = click.option(
    "--format",
    "form",
    type=click.Choice(FILE_FORMATS),
    help="The format of FILE (default: that of its name, CSV if it does not end with .json, .yaml or .yml).",
)
_OUTPUT: Final = click.option(
    "--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output format."
)


@click.group(context_settings=support.CONTEXT_SETTINGS)
@support.connection_options
@click.version_option(package_name="messagegen-client", prog_name=NAME)
def group_offsets(**_connection: Unpack[support.ConnectionOptions]) -> None:
    """Plan and commit offsets of consumer groups from a file, or export them.

    A file has a line group,topic,partition,offset for each offset, as the files of kafka-consumer-groups
    --reset-offsets. Files in JSON and YAML also have the metadata and leader epochs of commits. A group must have no
    members: stop its consumers first.

    \b
    Examples, each with --bootstrap-server localhost:9092:
      kafka-group-offsets export --group billing > before.csv
      kafka-group-offsets plan offsets.csv
      kafka-group-offsets apply offsets.csv
      messagegen-data state /data --at -1h --only groups | kafka-group-offsets plan --format json -

    Exit codes: 0 success, 1 failure, 2 plan found changes, 64 wrong usage.
    """


@group_offsets.command(short_help="Show the changes that apply would make.")
@_FILE
@_GROUP
@_FORMAT
@_OUTPUT
@support.connection_options
@click.pass_context
def plan(
    context: click.Context,
    /,
    file: IO[str],
    group: str | None,
    form: FileFormat | None,
    output: str,
    **connection: Unpack[support.ConnectionOptions],
) -> None:
    """Show the changes that apply would make, and change nothing.

    FILE is CSV without a header, or JSON or YAML as messagegen-data state --only groups prints it; - is standard input.
    Commits in FILE that can't be made are left out with a warning: start offsets of share groups, and those that a
    state does not know. Exits with 2 if there are changes, with 0 if there are none, and with 1 if apply would fail: an
    offset that its partition does not have, or a group with members.
    """
    wanted = _read(file, form, group)
    changes = support.with_admin(
        context, connection, lambda admin, deadline: plan_offsets(admin.cluster, wanted.offsets, timeout=deadline)
    )
    if output == "json":
        support.say_json(plan_json(changes, wanted.left_out))
    else:
        support.say(plan_text(changes))
    if _complains(changes):
        context.exit(support.EXIT_FAILED)
    context.exit(EXIT_CHANGES if changes else 0)


@group_offsets.command(name="apply", short_help="Commit the offsets of a file.")
@_FILE
@_GROUP
@_FORMAT
@_OUTPUT
@support.connection_options
@click.pass_context
def apply(
    context: click.Context,
    /,
    file: IO[str],
    group: str | None,
    form: FileFormat | None,
    output: str,
    **connection: Unpack[support.ConnectionOptions],
) -> None:
    """Commit the offsets in FILE that differ from those of the groups, one request for each group.

    Prints the plan, and applies it without confirmation. If an offset is out of range, or a group has members, nothing
    is committed. Exits with 1 if an offset was refused, was not sent, or has an unknown outcome because no answer came.
    Applying a file again changes nothing.
    """
    wanted = _read(file, form, group)
    support.check_output()

    async def work(admin: AsyncAdmin, deadline: Deadline) -> tuple[OffsetPlan, Results]:
        changes = await plan_offsets(admin.cluster, wanted.offsets, timeout=deadline)
        if output == "text":
            support.say(plan_text(changes))
        if changes.refusals:
            return changes, {}
        return changes, {change.group_id: await _commit(admin, deadline, change) for change in changes.groups}

    changes, results = support.with_admin(context, connection, work)
    if output == "json":
        support.say_json(plan_json(changes, wanted.left_out) | result_json(results))
    elif results:
        support.say(result_text(results))
    if _complains(changes):
        context.exit(support.EXIT_FAILED)
    context.exit(show_errors(results))


@group_offsets.command(short_help="Print the offsets of groups as a file.")
@click.option("--group", "groups", metavar="NAME", multiple=True, required=True, help="A group (repeatable).")
@click.option(
    "--format", "form", type=click.Choice(FILE_FORMATS), default="csv", show_default=True, help="The format to print."
)
@support.connection_options
@click.pass_context
def export(
    context: click.Context,
    /,
    groups: Sequence[str],
    form: FileFormat,
    **connection: Unpack[support.ConnectionOptions],
) -> None:
    """Print all offsets that the groups have committed, as a file for apply.

    JSON and YAML have the metadata of commits, which Kafka Streams uses, and leader epochs. CSV, the format of Kafka's
    own tool, can't have them; metadata that is left out gets a warning.
    """

    async def work(admin: AsyncAdmin, deadline: Deadline) -> dict[str, dict[TopicPartition, OffsetAndMetadata]]:
        return {
            group_id: await admin.list_consumer_group_offsets(group_id, timeout=deadline)
            for group_id in dict.fromkeys(groups)
        }

    offsets = support.with_admin(context, connection, work)
    for group_id, partitions in offsets.items():
        if not partitions:
            support.warn(f"group {group_id} has no offsets, or does not exist")
        if form == "csv" and any(place.metadata for place in partitions.values()):
            support.warn(f"group {group_id}: the metadata of commits is left out; --format json keeps it")
    support.say(offset_file_text(offsets, form))


async def _commit(admin: AsyncAdmin, deadline: Deadline, change: GroupChange) -> AlterConsumerGroupOffsetsResult:
    """The results of a group. An error becomes the result of all partitions, so that other groups go on.

    An interrupt (Ctrl-C) prints that the outcome is unknown.
    """
    offsets = change.offsets()
    try:
        return await admin.alter_consumer_group_offsets(change.group_id, offsets, timeout=deadline)
    except KafkaError as problem:
        return AlterConsumerGroupOffsetsResult(dict.fromkeys(offsets, problem))
    except asyncio.CancelledError:
        click.echo("Interrupted: the outcome is unknown; run plan again to see what was done.", err=True)
        raise


def _complains(changes: OffsetPlan) -> bool:
    """Prints why a plan can't be applied, if there is a reason."""
    for text in changes.refusals:
        support.complain(text)
    return bool(changes.refusals)


def _read(file: IO[str], form: FileFormat | None, group_id: str | None) -> OffsetFile:
    """The offsets of a file; warns of what is left out, and if nothing is there. Raises ``click.ClickException``."""
    name = support.input_name(file)
    chosen = form or format_of(name)
    if group_id is not None and chosen != "csv":
        raise click.UsageError("--group is for files in CSV; files in JSON and YAML name their groups")
    text = support.read_input(file)
    try:
        found = read_offset_file(text, name, form=chosen, group_id=group_id)
    except OffsetFileError as problem:
        raise click.ClickException("\n".join(map(printable, problem.problems))) from None
    for left_out in found.left_out:
        support.warn(left_out)
    if not found.offsets:
        # What was to write the file may have failed.
        support.warn(f"{name} has no offsets")
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command with ``arguments`` (default: those of the process) and exits with its code."""
    sys.exit(support.run(group_offsets, NAME, arguments, exit_usage=EXIT_USAGE))


if __name__ == "__main__":
    main()
