"""The last commits of groups at a point in time, from the records of groups up to then."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.histories.consumer_lag.groups import KnownGroups
from messagegen_arrow.histories.consumer_lag.schema import ALL_TYPES, LAG_HISTORY, TOPICS
from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.histories.logs import HISTORY_COLUMNS, NoTopicError
from messagegen_arrow.histories.positions import (
    PLACE_COLUMNS,
    TRANSACTION_COLUMNS,
    Partition,
    PartitionPosition,
    Positions,
)
from messagegen_arrow.histories.records import counted, decoded_log, readable, rows_of_topics
from messagegen_arrow.histories.state.commit_fold import Commit, CommitFold
from messagegen_arrow.histories.state.source import StateSource
from messagegen_arrow.malformed import ERROR_NAME
from messagegen_arrow.streams.stream import Batches, ColumnStream

_SHOWN: Final = (
    "group",
    "groupType",
    "topic",
    "topicId",
    "partition",
    "offset",
    "leaderEpoch",
    "metadata",
    "commitTimestamp",
    "expireTimestamp",
)
"""The columns of the history that are also in a state."""
_IS_KNOWN: Final = "isKnown"
COMMIT_STATE: Final = pa.schema([*(LAG_HISTORY.field(name) for name in _SHOWN), pa.field(_IS_KNOWN, pa.bool_())])
"""The columns of the last commits."""
_OF_COMMIT: Final = ("offset", "leaderEpoch", "metadata", "commitTimestamp", "expireTimestamp")
"""The columns that are unknown if the commit is unknown."""
_READ: Final = tuple(dict.fromkeys([*HISTORY_COLUMNS, *TRANSACTION_COLUMNS]))
"""The columns that are read from a log."""

_Row = dict[str, Any]


@dataclass(frozen=True)
class CommitState:
    """The last commits of groups."""

    table: pa.Table
    """A row for each partition of a group, with the columns of ``COMMIT_STATE``.

    If ``isKnown`` is false, the group committed again later, and its commit at the time is gone.
    """
    partitions: frozenset[Partition]
    """The partitions of internal topics that were read."""
    notes: tuple[str, ...]
    """A sentence about each uncertain part."""


def commit_state(source: StateSource, counts: HistoryCounts) -> CommitState:
    """Return the last commits at the time of a source, whose logs are read once.

    Raises ``NoTopicError`` if the logs have no commits.
    """
    positions = Positions(source.at)
    fold = CommitFold(positions)
    log = source.log_of(TOPICS, columns=_READ, include_segments=True)
    records = decoded_log(_records(log, positions), TOPICS, ALL_TYPES, source.catalog, also=TRANSACTION_COLUMNS)
    for batch in counted(records, source.mode, counts):
        fold.add(readable(batch))

    found = positions.all()
    if not found and source.has_rows:
        raise NoTopicError(f"no rows of {TOPICS[0]}")
    held = [_row(each, fold.groups) for each in fold.held()]
    unknown = [_unknown_row(each, fold.groups) for each in fold.unknown()]
    notes = [*_notes(found, len(held), len(unknown))]
    if fold.lacks_markers and source.has_rows:
        notes.append(
            "groups: the rows have transactions, but no control records that end them, so their commits are left out; "
            "read the log with include_control=True"
        )
    return CommitState(_table([*held, *unknown]), frozenset(found), tuple(notes))


def _records(log: ColumnStream, positions: Positions) -> ColumnStream:
    """Return the records and damaged batches of a log, without the rows of segments.

    ``positions`` receives all rows.
    """
    names = [name for name in PLACE_COLUMNS if name in log.schema.names]

    def batches() -> Batches:
        for batch in rows_of_topics(log, TOPICS):
            positions.add(batch.select(names))
            is_row_of_segment = batch.column("offset").is_null()
            if ERROR_NAME in batch.schema.names:
                is_row_of_segment = pc.and_(is_row_of_segment, batch.column(ERROR_NAME).is_null())
            yield batch.filter(pc.invert(is_row_of_segment))

    return ColumnStream(log.schema, batches)


def _row(commit: Commit, groups: KnownGroups) -> _Row:
    """Return the row of a commit, with the facts about its group from other records."""
    found = commit._asdict()
    found["groupType"] = groups.type_of(commit.group, is_share=commit.is_state)
    if commit.is_state:
        found["topic"] = groups.topic_name(commit.topicId)
    return {**found, _IS_KNOWN: True}


def _unknown_row(later: Commit, groups: KnownGroups) -> _Row:
    """Return the row of a commit that is gone, based on a later commit."""
    return {**_row(later, groups), **dict.fromkeys(_OF_COMMIT), _IS_KNOWN: False}


def _table(rows: list[_Row]) -> pa.Table:
    """Return the commits, sorted by group, topic and partition."""
    in_order = sorted(rows, key=lambda row: (row["group"], row["topic"] or "", row["topicId"] or "", row["partition"]))
    columns = []
    for each in COMMIT_STATE:
        stored = pa.int64() if pa.types.is_timestamp(each.type) else each.type
        columns.append(pa.array([row[each.name] for row in in_order], stored).cast(each.type))
    return pa.Table.from_arrays(columns, schema=COMMIT_STATE)


def _notes(positions: Mapping[Partition, PartitionPosition], held: int, unknown: int) -> Iterator[str]:
    """Yield a sentence about each uncertain part."""
    if unknown:
        yield (
            f"groups: {unknown} of {held + unknown} commits are unknown (isKnown is false): the logs have only later "
            "commits, which may be the first"
        )
    if any(each.cut is not None and not each.is_whole for each in positions.values()):
        yield "groups: older records are gone, so commits that were deleted after the requested time are missing"
    disordered = sorted(f"{topic}-{number}" for (topic, number), each in positions.items() if each.is_out_of_order)
    if disordered:
        yield (
            f"groups: timestamps in {', '.join(disordered)} are not in order, because the clocks of brokers differed; "
            "only records before the first record after the requested time are used"
        )
