"""The command ``kafka-offsets``: offsets of partitions by time (KIP-79), first and last, and offsets of groups.

Exit codes: 0 success, 1 failure, 2 usage error, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from messagegen_client.cli.groups.commands import COMMANDS
from messagegen_client.cli.support import (
    CONTEXT_SETTINGS,
    Connection,
    connection_options,
    isolation_level_option,
    run,
    version_option,
)

NAME: Final = "kafka-offsets"


@click.group(invoke_without_command=True, context_settings=CONTEXT_SETTINGS, subcommand_metavar="[COMMAND [ARGS]...]")
@connection_options
@click.option(
    "--topic",
    multiple=True,
    metavar="NAME[:FIRST[-LAST]][,...]",
    help="Only these topics (repeatable), with all partitions or a range that includes LAST. NAME may be a regular "
    "expression. Default: all topics.",
)
@click.option("--partitions", metavar="NUMBER[,...]", help="Only these partitions of each topic.")
@click.option(
    "--topic-partitions",
    multiple=True,
    metavar="PATTERN[:FIRST-STOP][,...]",
    help="Instead of --topic, as in kafka-get-offsets: regular expressions, with a partition or a range without STOP.",
)
@click.option("--exclude-internal-topics", is_flag=True, help="Leave out internal topics, unless they are named.")
@click.option(
    "--time",
    default="latest",
    show_default=True,
    metavar="TIME",
    help="A time, or a special offset; see above.",
)
@isolation_level_option
@click.option(
    "--output",
    type=click.Choice(["table", "json", "tsv"]),
    default="table",
    show_default=True,
    help="Output format. Timestamps in json and tsv are in milliseconds since 1970.",
)
@version_option(NAME)
@click.pass_context
def offsets(
    context: click.Context,
    /,
    bootstrap_server: str | None,
    command_config: Path | None,
    timeout: float | None,
    **options: Any,
) -> None:
    """Show offsets of partitions: of the first record at or after a time, or special offsets such as the last.

    The commands show the lag of a consumer group and reset its offsets.

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
      kafka-offsets --topic orders:0-3,payments --time -2h --output json
      kafka-offsets --topic orders --time latest --isolation-level read_committed
      kafka-offsets lag --group billing
      kafka-offsets reset --group billing --to-datetime 2026-11-01T00:00Z

    Exit codes: 0 success, 1 failure (the results so far are printed), 2 wrong usage.
    """
    connection = Connection(bootstrap_server=bootstrap_server, command_config=command_config, timeout=timeout)
    if context.invoked_subcommand is not None:
        _check_before_command(context)
        context.obj = connection
        return
    from messagegen_client.cli.offsets.running import run_offsets

    context.exit(run_offsets(connection, options))


def _check_before_command(context: click.Context) -> None:
    """Raises ``click.UsageError`` for an option before a subcommand, unless it is a connection option."""
    for name in context.params:
        if name in {"bootstrap_server", "command_config", "timeout"}:
            continue
        if context.get_parameter_source(name) not in (ParameterSource.DEFAULT, None):
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} can't be used before {context.invoked_subcommand}.")


for _command in COMMANDS:
    offsets.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command with ``arguments`` (default: those of the process) and exits with its code."""
    sys.exit(run(offsets, NAME, arguments))


if __name__ == "__main__":
    main()
