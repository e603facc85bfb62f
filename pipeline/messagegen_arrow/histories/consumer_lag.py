"""Who committed what when, from ``__consumer_offsets`` and ``__share_group_state``, and how far behind they were."""

from __future__ import annotations

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.commits import ALL_TYPES, KEYS_OF_GROUPS, TOPICS, commits_of
from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.histories.end_offsets import END_COLUMNS, END_SCHEMA, EndOffsets, ends_of_batches
from messagegen_arrow.histories.lag import LAG_HISTORY, CommitHistory, with_lag
from messagegen_arrow.histories.logs import COMMITTED, Log, log_mode, log_of, paths_of
from messagegen_arrow.histories.records import Batches, HistoryReader, in_order
from messagegen_arrow.streams.sources import read_log
from messagegen_arrow.streams.stream import ColumnStream, require_columns, stream_of


def consumer_lag_history(
    log: Log,
    ends: Log | None = None,
    mode: str = "DROPMALFORMED",
    *,
    counts: HistoryCounts | None = None,
    catalog: Catalog | None = None,
) -> ColumnStream:
    """A row for each commit of a group for a partition, and for each deletion of one (``isTombstone``), in the order of the log.

    ``log`` is the path of a broker's folder, or several paths; or the rows of ``read_log(...)``, in the order of offsets.
    ``groupType`` is classic, consumer, streams or share: the last one that the log names, null if it names none.
    ``previousOffset`` is that of the record before which is still in the log, null after a deletion, and ``delta`` the
    difference. For share groups ``offset`` is the start offset (KIP-932).

    ``endOffset`` and ``lag`` are null without ``ends``, which says how far partitions were: paths of logs, or rows with
    ``topic``, ``partition``, ``endOffset``. With a column ``timestamp``, the end is that at the time of the commit, otherwise
    the highest one.

    The log is read twice: the type of a group may come after its commits. Memory holds an offset for each partition of each
    group, and 16 bytes for each batch of ``ends``; the length of the log does not matter. Records that can't be read
    are left out (``counts`` has how many), or raise ``MalformedMessageError`` (``mode`` FAILFAST).

    Raises ``LogPathError`` for paths without these topics, ``ValueError`` for rows that lack columns, and for other modes.
    """
    everything = HistoryReader.of(TOPICS, ALL_TYPES, mode, catalog)
    groups = HistoryReader.of(TOPICS, KEYS_OF_GROUPS, mode, catalog)
    source = log_of(log, TOPICS, **COMMITTED, mode=log_mode(mode))
    known_ends = None if ends is None else _end_rows(ends, mode)
    counted = HistoryCounts() if counts is None else counts

    def rows() -> Batches:
        history, ends_so_far, uncounted = CommitHistory(), EndOffsets(), HistoryCounts()
        for batch in known_ends or ():
            ends_so_far.add(batch)
        for batch in source:
            history.learn(groups.read(batch, uncounted))
        counted.clear()
        for batch in in_order(source, paths_of(log)):
            yield with_lag(history.commits(commits_of(everything.read(batch, counted))), ends_so_far)

    return ColumnStream(LAG_HISTORY, rows)


def _end_rows(ends: Log, mode: str) -> ColumnStream:
    """Rows of end offsets: those given, or those of logs."""
    paths = paths_of(ends)
    if paths is None:
        given = stream_of(ends)
        require_columns(given, ["topic", "partition", "endOffset"])
        return given
    # Damaged batches are left out: later offsets still show how far the partition had got.
    log = read_log(*paths, columns=END_COLUMNS, include_control=True, mode=mode)
    return ColumnStream(END_SCHEMA, lambda: ends_of_batches(log))
