"""The commands ``messagegen consumer-lag-history``, ``metadata-history`` and ``transaction-history``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, Unpack

import click

from messagegen.cli.options import errors_as_usage
from messagegen.cli.rows import (
    EXIT_MALFORMED,
    check_output,
    columns_option,
    format_option,
    limit_option,
    listed,
    out_of,
    output_option,
    require_arrow,
    write_rows,
)
from messagegen.cli.types import Name
from messagegen.findings import UsageError, printable

if TYPE_CHECKING:
    from messagegen_arrow import ColumnStream, HistoryCounts

_BRIEF_LAG: Final = ("logTimestamp", "group", "topic", "partition", "offset", "previousOffset", "endOffset", "lag")
_BRIEF_METADATA: Final = ("timestamp", "action", "subject", "name", "property", "value", "previous")
_BRIEF_TRANSACTIONS: Final = ("logTimestamp", "transactionalId", "previousState", "state", "producerId", "partitions")


class _Output(TypedDict):
    """Which rows are written, and how."""

    columns: str | None
    limit: int | None
    form: str
    output: Path | str | None


def _history_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that the commands have in common."""
    mode = click.option(
        "--mode",
        type=click.Choice(("dropmalformed", "failfast"), case_sensitive=False),
        default="dropmalformed",
        show_default=True,
        help="Records that can't be read: leave them out, or stop.",
    )
    for option in (output_option, format_option, mode, limit_option, columns_option):
        command = option(command)
    return click.argument("paths", nargs=-1, required=True, type=Name(), metavar="PATH...")(command)


@click.command(name="consumer-lag-history")
@_history_options
@click.option(
    "--ends", multiple=True, type=Name(), metavar="PATH", help="Logs of the consumed topics, for the lag (repeatable)."
)
@click.pass_context
def consumer_lag(
    ctx: click.Context, /, paths: Sequence[str], mode: str, ends: Sequence[str], **output: Unpack[_Output]
) -> None:
    """List the commits of consumer groups in the logs of a broker: a row for each commit, with the previous one.

    PATH is a broker's folder (log.dirs), or a folder of a partition of __consumer_offsets. With --ends each commit has the end
    offset of its partition at that time, and the lag. Share groups are read if __share_group_state is there too. Pass the logs
    of one broker only. No broker has to run, and no Spark. It needs pip install 'messagegen[arrow]'.

    \b
    Examples:
      messagegen consumer-lag-history /var/lib/kafka/data --ends /var/lib/kafka/data --format table
      messagegen consumer-lag-history /var/lib/kafka/data --format parquet --output commits.parquet

    Exit codes: 0 done, 1 records could not be read, 2 wrong usage or an error.
    """
    require_arrow("consumer-lag-history")
    from messagegen_arrow import consumer_lag_history

    _run(ctx, lambda counts: consumer_lag_history([*paths], [*ends] or None, mode, counts=counts), _BRIEF_LAG, output)


@click.command(name="metadata-history")
@_history_options
@click.pass_context
def metadata(ctx: click.Context, /, paths: Sequence[str], mode: str, **output: Unpack[_Output]) -> None:
    """List the changes of topics, configs and quotas in the logs of a broker: a row for each property that changed.

    PATH is a broker's or controller's folder (log.dirs), or the folder __cluster_metadata-0. Its snapshots are read too. Pass the
    logs of one broker only. No broker has to run, and no Spark. It needs pip install 'messagegen[arrow]'.

    \b
    Examples:
      messagegen metadata-history /var/lib/kafka/data --format table
      messagegen metadata-history /var/lib/kafka/data | jq 'select(.subject == "config")'

    Exit codes: 0 done, 1 records could not be read, 2 wrong usage or an error.
    """
    require_arrow("metadata-history")
    from messagegen_arrow import metadata_history

    _run(ctx, lambda counts: metadata_history([*paths], mode, counts=counts), _BRIEF_METADATA, output)


@click.command(name="transaction-history")
@_history_options
@click.pass_context
def transactions(ctx: click.Context, /, paths: Sequence[str], mode: str, **output: Unpack[_Output]) -> None:
    """List the states of transactions in the logs of a broker: a row for each change of the state of a transactional id.

    PATH is a broker's folder (log.dirs), or a folder of a partition of __transaction_state. Pass the logs of one broker only. No
    broker has to run, and no Spark. It needs pip install 'messagegen[arrow]'.

    \b
    Examples:
      messagegen transaction-history /var/lib/kafka/data --format table
      messagegen transaction-history /var/lib/kafka/data | jq 'select(.state == "Ongoing")'

    Exit codes: 0 done, 1 records could not be read, 2 wrong usage or an error.
    """
    require_arrow("transaction-history")
    from messagegen_arrow import transaction_history

    _run(ctx, lambda counts: transaction_history([*paths], mode, counts=counts), _BRIEF_TRANSACTIONS, output)


def _run(
    ctx: click.Context, history: Callable[[HistoryCounts], ColumnStream], brief: tuple[str, ...], output: _Output
) -> None:
    """Writes a history, and says how many records could not be read."""
    from messagegen_arrow import HistoryCounts, MalformedMessageError
    from messagegen_arrow.dump.request import Section, selected

    form, file = output["form"], output["output"]
    counts = HistoryCounts()
    with errors_as_usage():
        check_output(form, file)
        names = listed(output["columns"]) or (brief if form == "table" else None)
        try:
            stream = selected(history(counts), names, "a history", ())
        except ValueError as error:
            raise UsageError(str(error)) from None
        try:
            write_rows([Section(stream, time_unit="ms")], form, file, "permissive", output["limit"])
        except MalformedMessageError as error:
            click.secho(printable(f"stopped at the first record that could not be read: {error}"), fg="red", err=True)
            ctx.exit(EXIT_MALFORMED)
    if counts.malformed:
        said = out_of(counts.malformed, counts.rows, "record")
        click.secho(f"{said} could not be read; messagegen dump shows them, with what is wrong", fg="red", err=True)
    ctx.exit(EXIT_MALFORMED if counts.malformed else 0)
