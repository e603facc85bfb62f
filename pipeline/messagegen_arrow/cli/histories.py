"""The commands ``messagegen-data lag-history`` and ``metadata-history``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, Unpack

import click

from messagegen_arrow.cli.options import (
    EXIT_MALFORMED,
    Name,
    columns_option,
    errors_as_messages,
    format_option,
    limit_option,
    listed,
    output_option,
    paths_argument,
    warn,
)
from messagegen_arrow.cli.rows import check_output, out_of, write_rows

if TYPE_CHECKING:
    from messagegen_arrow.histories.counts import HistoryCounts
    from messagegen_arrow.streams.stream import ColumnStream

_BRIEF_LAG: Final = (
    "logTimestamp",
    "group",
    "topic",
    "partition",
    "offset",
    "previousOffset",
    "endOffset",
    "lag",
    "lagMs",
)
_BRIEF_METADATA: Final = ("timestamp", "action", "subject", "name", "property", "value", "previous")


class _OutputOptions(TypedDict):
    """Which rows are written, and how."""

    columns: str | None
    limit: int | None
    form: str
    output: Path | None


def _history_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that both commands have."""
    for option in (output_option, format_option, limit_option, columns_option):
        command = option(command)
    return paths_argument(command)


@click.command(name="lag-history", short_help="List the commits of consumer groups, with the lag.")
@_history_options
@click.option(
    "--ends", multiple=True, type=Name(), metavar="PATH", help="Logs of the consumed topics, for the lag (repeatable)."
)
@click.pass_context
def lag(ctx: click.Context, /, paths: Sequence[str], ends: Sequence[str], **output: Unpack[_OutputOptions]) -> None:
    """List the commits of consumer groups in the logs of a broker: a row for each commit, with the previous one.

    PATH is a broker's folder (log.dirs), or a folder of a partition of __consumer_offsets. With --ends each commit has
    the end offset of its partition at that time, and the lag in records and in milliseconds (lagMs). Share groups are
    read if __share_group_state is there too. Pass the logs of one broker only.

    \b
    Examples:
      messagegen-data lag-history /var/lib/kafka/data --ends /var/lib/kafka/data --format table
      messagegen-data lag-history /var/lib/kafka/data --format parquet --output commits.parquet

    Exit codes: 0 done, 1 some records could not be read, 2 wrong usage or an error.
    """
    from messagegen_arrow.histories.consumer_lag.history import consumer_lag_history

    _run(ctx, lambda counts: consumer_lag_history([*paths], [*ends] or None, counts=counts), _BRIEF_LAG, **output)


@click.command(name="metadata-history", short_help="List the changes of topics, configs and quotas.")
@_history_options
@click.pass_context
def metadata_history(ctx: click.Context, /, paths: Sequence[str], **output: Unpack[_OutputOptions]) -> None:
    """List the changes of topics, configs and quotas in the logs of a broker: a row for each property that changed.

    PATH is a broker's or controller's folder (log.dirs), or the folder __cluster_metadata-0. Its snapshots are read
    too. A snapshot (*.checkpoint) is read alone. Pass the logs of one broker only.

    \b
    Examples:
      messagegen-data metadata-history /var/lib/kafka/data --format table
      messagegen-data metadata-history 00000000000000001234-0000000002.checkpoint
      messagegen-data metadata-history /var/lib/kafka/data | jq 'select(.subject == "config")'

    Exit codes: 0 done, 1 some records could not be read, 2 wrong usage or an error.
    """
    from messagegen_arrow.histories.metadata.history import metadata_history as history

    _run(ctx, lambda counts: history([*paths], counts=counts), _BRIEF_METADATA, **output)


def _run(
    ctx: click.Context,
    history: Callable[[HistoryCounts], ColumnStream],
    brief: tuple[str, ...],
    **output: Unpack[_OutputOptions],
) -> None:
    """Writes a history, and says how many records could not be read."""
    from messagegen_arrow.dump.request import Section, selected
    from messagegen_arrow.histories.counts import HistoryCounts

    form = output["form"]
    file = output["output"]
    limit = output["limit"]
    counts = HistoryCounts()
    with errors_as_messages():
        check_output(form, file)
        names = listed(output["columns"]) or (brief if form == "table" else None)
        tally = write_rows([Section(selected(history(counts), names, "a history"))], form, file, limit)
    if not tally.rows and limit != 0:
        click.echo("no rows: the logs have no records that belong to this history", err=True)
    if counts.malformed:
        said = out_of(counts.malformed, counts.rows, "record")
        warn(f"{said} could not be read; messagegen-data dump shows them, with what is wrong")
        ctx.exit(EXIT_MALFORMED)
