"""The commands ``messagegen-data lag-history`` and ``metadata-history``."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    moment_option,
    output_option,
    paths_argument,
    warn,
)
from messagegen_arrow.cli.progress import RowProgress
from messagegen_arrow.cli.rows import check_output, out_of, write_rows
from messagegen_arrow.console.output import show

if TYPE_CHECKING:
    from messagegen_arrow.histories.counts import HistoryCounts, Progress
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
_BRIEF_LAG_AT: Final = ("group", "topic", "partition", "offset", "endOffset", "lag", "lagMs", "commitTimestamp")
_BRIEF_METADATA: Final = ("timestamp", "action", "subject", "name", "property", "value", "previous")
_NO_HISTORY: Final = "the logs have no records that belong to this history"
_NO_CHANGES: Final = "the history has no such changes"
_NO_COMMIT: Final = "no group had committed an offset at that time, or the logs no longer have the commits of that time"


class _OutputOptions(TypedDict):
    """The options for the output: columns, limit, format and file."""

    columns: str | None
    limit: int | None
    form: str
    output: Path | None


def _history_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that both commands share to a command."""
    for option in (output_option, format_option, limit_option, columns_option):
        command = option(command)
    return paths_argument(command)


@click.command(name="lag-history", short_help="List the commits of consumer groups, with the lag.")
@_history_options
@click.option(
    "--ends", multiple=True, type=Name(), metavar="PATH", help="Logs of the consumed topics, for the lag (repeatable)."
)
@click.option(
    "--at",
    metavar="TIME",
    help="Only what groups had committed at this time, and the lag then: now, -1h, 2026-03-01T12:00Z, or milliseconds.",
)
@click.option("--group", "groups", multiple=True, type=Name(), metavar="NAME", help="Only this group (repeatable).")
@click.pass_context
def lag(
    ctx: click.Context,
    /,
    paths: Sequence[str],
    ends: Sequence[str],
    at: str | None,
    groups: Sequence[str],
    **output: Unpack[_OutputOptions],
) -> None:
    """List the commits of consumer groups in the logs of a broker: a row for each commit, with the previous one.

    PATH is a broker's folder (log.dirs), or a folder of a partition of __consumer_offsets. With --ends each commit has
    the end offset of its partition at that time, and the lag in records and in milliseconds (lagMs). Share groups are
    read if __share_group_state is there too. Pass the logs of one broker only.

    With --at there is a row for each partition of a group: the offset that it had committed at this time, and the end
    and the lag at this time. In option --at, -1h is an hour ago; the units are ms, s, m, h, d and w.

    \b
    Examples:
      messagegen-data lag-history /var/lib/kafka/data --ends /var/lib/kafka/data --format table
      messagegen-data lag-history /var/lib/kafka/data --ends /var/lib/kafka/data --at -1h --group billing
      messagegen-data lag-history /var/lib/kafka/data --format parquet --output commits.parquet

    Exit codes: 0 done, 1 some records could not be read, 2 wrong usage or an error.
    """
    from messagegen_arrow.histories.consumer_lag.history import consumer_lag_history

    moment = None if at is None else moment_option(at)

    def history(counts: HistoryCounts, progress: Progress) -> ColumnStream:
        found = consumer_lag_history([*paths], [*ends] or None, at=moment, counts=counts, progress=progress)
        return _of_groups(found, groups) if groups else found

    if moment is None:
        _run(ctx, history, _BRIEF_LAG, _NO_HISTORY, **output)
    else:
        _run(ctx, history, _BRIEF_LAG_AT, _NO_COMMIT, **output)


def _of_groups(history: ColumnStream, groups: Sequence[str]) -> ColumnStream:
    """Return the rows of the named groups."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from messagegen_arrow.streams.stream import ColumnStream

    wanted = pa.array(groups, pa.string())
    return ColumnStream(
        history.schema, lambda: (batch.filter(pc.is_in(batch.column("group"), wanted)) for batch in history)
    )


@click.command(name="metadata-history", short_help="List the changes of topics, configs and quotas.")
@_history_options
@click.option(
    "--since",
    metavar="TIME",
    help="Only from this time on: -1h (an hour ago), 2026-03-01T12:00Z, or milliseconds since 1970.",
)
@click.option("--until", metavar="TIME", help="Only before this time; write it as for --since.")
@click.option(
    "--subject", "subjects", multiple=True, type=Name(), metavar="SUBJECT", help="Only this subject (repeatable)."
)
@click.option("--name", "names", multiple=True, type=Name(), metavar="NAME", help="Only this name (repeatable).")
@click.pass_context
def metadata_history(
    ctx: click.Context,
    /,
    paths: Sequence[str],
    since: str | None,
    until: str | None,
    subjects: Sequence[str],
    names: Sequence[str],
    **output: Unpack[_OutputOptions],
) -> None:
    """List the changes of topics, configs and quotas in the logs of a broker: a row for each property that changed.

    PATH is a broker's or controller's folder (log.dirs), the folder __cluster_metadata-0, or a single snapshot
    (*.checkpoint). Snapshots in a folder are read, too. Pass the logs of one broker only; if it has several log.dirs,
    pass the one that contains __cluster_metadata-0.

    A subject is topic, partition, config, quota, feature, acl, scram, token, broker, controller, quorum, producer-ids
    or zk-migration. A name is a value of the column name, such as orders, orders-0, or 'topic orders' for configs.

    \b
    Examples:
      messagegen-data metadata-history /var/lib/kafka/data --format table
      messagegen-data metadata-history /var/lib/kafka/data --since -1d --subject config --name 'topic orders'
      messagegen-data metadata-history 00000000000000001234-0000000002.checkpoint
      messagegen-data metadata-history /var/lib/kafka/data | jq 'select(.property == "retention.ms")'

    Exit codes: 0 done, 1 some records could not be read, 2 wrong usage or an error.
    """
    from messagegen_arrow.histories.metadata.history import metadata_history as history

    wanted = {"subject": _known_subjects(subjects), "name": names}
    start, end = (
        None if text is None else moment_option(text, option)
        for option, text in (("--since", since), ("--until", until))
    )
    is_selected = any(wanted.values()) or (start, end) != (None, None)

    def of_paths(counts: HistoryCounts, progress: Progress) -> ColumnStream:
        found = history([*paths], counts=counts, progress=progress)
        return _changes(found, wanted, start, end)

    _run(ctx, of_paths, _BRIEF_METADATA, _NO_CHANGES if is_selected else _NO_HISTORY, **output)


def _known_subjects(subjects: Sequence[str]) -> Sequence[str]:
    """Return the subjects. Raises ``UsageError`` for an unknown subject."""
    from messagegen_arrow.histories.metadata.changes import SUBJECTS

    for subject in subjects:
        if subject not in SUBJECTS:
            raise click.UsageError(f"unknown subject {subject!r}; expected one of {', '.join(SUBJECTS)}")
    return subjects


def _changes(
    history: ColumnStream, wanted: Mapping[str, Sequence[str]], start: int | None, end: int | None
) -> ColumnStream:
    """Return the rows whose columns have the wanted values; an empty list means all values.

    Their times, in milliseconds, are at or after ``start`` and before ``end``. Rows without a time are left out if
    ``start`` or ``end`` is given.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    from messagegen_arrow.histories.records import TIMESTAMP
    from messagegen_arrow.streams.stream import ColumnStream

    def moment(milliseconds: int) -> pa.Scalar:
        return pa.scalar(milliseconds * 1000, pa.int64()).cast(TIMESTAMP)

    def selected(batch: pa.RecordBatch) -> pa.RecordBatch:
        for column, values in wanted.items():
            if values:
                batch = batch.filter(pc.is_in(batch.column(column), pa.array(values, pa.string())))
        if start is not None:
            batch = batch.filter(pc.greater_equal(batch.column("timestamp"), moment(start)))
        if end is not None:
            batch = batch.filter(pc.less(batch.column("timestamp"), moment(end)))
        return batch

    return ColumnStream(history.schema, lambda: map(selected, history))


def _run(
    ctx: click.Context,
    history: Callable[[HistoryCounts, Progress], ColumnStream],
    brief: tuple[str, ...],
    without_rows: str,
    **output: Unpack[_OutputOptions],
) -> None:
    """Write a history. Report the number of unreadable records, and the reason if the history has no rows."""
    from messagegen_arrow.dump.request import Section, selected
    from messagegen_arrow.histories.counts import HistoryCounts

    form = output["form"]
    file = output["output"]
    limit = output["limit"]
    counts = HistoryCounts()
    with errors_as_messages():
        check_output(form, file)
        names = listed(output["columns"]) or (brief if form == "table" else None)
        # Most rows of a log are read before the history yields its first row, or add no row to it.
        with RowProgress(prints_rows=file is None) as progress:
            section = Section(selected(history(counts, progress.add), names, "a history"))
            tally = write_rows([section], form, file, limit, shows_progress=False)
    if not tally.rows and limit != 0:
        show(f"no rows: {without_rows}", err=True)
    if counts.malformed:
        unreadable = out_of(counts.malformed, counts.rows, "record")
        warn(f"{unreadable} could not be read; messagegen-data dump shows them and their errors")
        ctx.exit(EXIT_MALFORMED)
