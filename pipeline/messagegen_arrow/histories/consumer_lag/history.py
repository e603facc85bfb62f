"""The history of commits and their lag, from ``__consumer_offsets`` and ``__share_group_state``."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.consumer_lag.end_offsets import END_COLUMNS, EndOffsets
from messagegen_arrow.histories.consumer_lag.last_commits import last_commits
from messagegen_arrow.histories.consumer_lag.positions import commit_positions
from messagegen_arrow.histories.consumer_lag.recreated import KEY_FIELDS
from messagegen_arrow.histories.consumer_lag.schema import (
    ALL_TYPES,
    COMMITS,
    GROUP_TYPES,
    LAG_HISTORY,
    MICROSECONDS_OF_MILLISECOND,
    NAMES,
    TOPICS,
)
from messagegen_arrow.histories.consumer_lag.state import CommitHistory
from messagegen_arrow.histories.consumer_lag.topic_ids import known_topics
from messagegen_arrow.histories.counts import HistoryCounts, Progress
from messagegen_arrow.histories.logs import Log, log_of, paths_of, reported
from messagegen_arrow.histories.moments import parse_moment
from messagegen_arrow.histories.records import Batches, check_history_mode, counted, decoded_log, in_order, readable
from messagegen_arrow.malformed import ERROR_NAME
from messagegen_arrow.streams.sources import read_log
from messagegen_arrow.streams.stream import ColumnStream, require_columns, stream_of

_COMMITTED: Final[dict[str, Any]] = {"isolationLevel": "read_committed", "untilLastStableOffset": "false"}
"""The isolation of group coordinators: commits after an open transaction count, but commits in it do not count yet."""


def consumer_lag_history(
    log: Log,
    ends: Log | None = None,
    mode: str = "DROPMALFORMED",
    *,
    at: datetime | int | str | None = None,
    counts: HistoryCounts | None = None,
    catalog: Catalog | None = None,
    progress: Progress | None = None,
) -> ColumnStream:
    """Return a row for each commit of a group and each deletion of a commit (``isTombstone``), in log order.

    ``log`` is the path of a broker's folder, or several paths; or it is the rows of ``read_log(...)``, in the order of
    offsets. ``groupType`` is classic, consumer, streams or share: the last type in the log, or null if the log has
    none. ``offset`` is null in place of -1, which means no commit. ``previousOffset`` is the offset in the previous
    record that is still in the log, or null after a deletion. ``delta`` is the difference of the two offsets. For share
    groups, ``offset`` is the start offset (KIP-932).

    ``endOffset``, ``lag`` and ``lagMs`` are null without ``ends``. ``ends`` are paths of logs; or rows of logs, with
    ``topic``, ``partition``, ``offset``, ``timestamp`` and ``batchOffset`` (one row for each batch is enough); or rows
    with ``topic``, ``partition`` and ``endOffset``. If they have a column ``timestamp``, the result's ``endOffset`` is
    the end at the time of the commit; otherwise it is the highest end. The columns are null if the logs do not contain
    the end at that time, as ``docs/logs-and-captures.md`` explains. ``lag`` is ``endOffset`` minus ``offset``, as in
    ``kafka-consumer-groups``; it is negative for a commit beyond the end. ``lagMs`` is the age of the first record
    after the committed offset, at the time of the commit, in milliseconds. The record's time is the timestamp of its
    batch, or a later timestamp of a batch before it. With rows of ``endOffset``, it is the time of the first row whose
    end is higher than the committed offset. ``lagMs`` is 0 if ``lag`` is 0, and null if the record's time is unknown.

    With ``at``, each partition of a group has only one row: the commit that held at this time, unless it had been
    deleted. ``endOffset``, ``lag`` and ``lagMs`` then describe this time, and rows are sorted by group, topic and
    partition. ``at`` is a ``datetime`` with a time zone, a number of milliseconds since 1970, or text such as
    ``2026-03-01T12:00Z``. A commit that compaction has removed has no row.

    The log is read twice, because the type of a group may come after its commits. With ``at``, it is read once more,
    for the positions at this time. ``progress`` is called with the number of rows in each batch that was read. Memory
    usage is an offset for each partition of each group, and 41 bytes for each batch of ``ends``, whatever the length of
    the log. Records that can't be read are left out (``counts`` has their number), or raise ``MalformedMessageError``
    (``mode`` FAILFAST).

    Raises ``LogPathError`` for paths without these topics, and ``ValueError`` for rows that lack columns, for other
    modes, and for any other ``at``.
    """
    checked = check_history_mode(mode)
    source = reported(log_of(log, TOPICS, checked, **_COMMITTED), progress)
    records = decoded_log(source, TOPICS, ALL_TYPES, catalog)
    about_groups = decoded_log(source, TOPICS, _types_about_groups(), catalog)
    read_ends = _ends_reader(ends, mode, progress)
    count = HistoryCounts() if counts is None else counts
    moment = None if at is None else parse_moment(at)
    time = None if moment is None else moment * MICROSECONDS_OF_MILLISECOND

    def rows() -> Batches:
        found = of_commits()
        if moment is None or time is None:
            yield from found
        else:
            yield from last_commits(found, time, commit_positions(log, checked, moment, progress))

    def of_commits() -> Batches:
        history = CommitHistory(read_ends(), time)
        for batch in counted(about_groups, checked, HistoryCounts()):
            history.learn(readable(batch))
        count.clear()
        for batch in in_order(counted(records, checked, count)):
            yield history.rows(readable(batch))

    return ColumnStream(LAG_HISTORY, rows)


def _types_about_groups() -> dict[str, list[str] | None]:
    """Return the record types with facts about groups and topics, and the fields to read of them (``None``: all)."""
    fields: dict[str, list[str] | None] = {NAMES: None}
    fields |= {record_type: list(KEY_FIELDS) for record_type in COMMITS}
    fields["OffsetCommit"] = [*KEY_FIELDS, "value.topicId"]
    for record_type, (_, key) in GROUP_TYPES.items():
        fields[record_type] = [f"key.{key}"]
    return fields


def _ends_reader(ends: Log | None, mode: str, progress: Progress | None) -> Callable[[], EndOffsets]:
    """Return a function that reads the ends. It is called each time the history is read.

    Raises ``ValueError`` for missing columns.
    """
    if ends is None:
        return EndOffsets
    paths = paths_of(ends)
    if paths is not None:
        log = reported(_log_of_ends(ends, mode), progress)
        return lambda: EndOffsets.of_log(log, known_topics(paths))
    rows = reported(stream_of(ends), progress)
    if "endOffset" not in rows.schema.names and "batchOffset" in rows.schema.names:
        require_columns(rows, END_COLUMNS)
        return lambda: EndOffsets.of_log(in_order(_undamaged(rows)))
    require_columns(rows, ["topic", "partition", "endOffset"])
    return lambda: EndOffsets.of_rows(rows)


def _undamaged(log: ColumnStream) -> Batches:
    """Leave out the rows of damaged batches."""
    return map(readable, log) if ERROR_NAME in log.schema.names else iter(log)


def _log_of_ends(ends: Log, mode: str) -> ColumnStream:
    """Return the logs of the consumed topics, including deleted records in the files, because these show earlier ends.

    Damaged batches are left out, because later offsets also show the ends.
    """
    options: dict[str, Any] = {"include_control": True, "include_segments": True, "from_log_start": False}
    return read_log(*(paths_of(ends) or ()), columns=END_COLUMNS, mode=mode, **options)
