"""The last commits of groups at a time: what the history of commits comes to by then."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.consumer_lag.history import COMMITTED, consumer_lag_history
from messagegen_arrow.histories.consumer_lag.positions import commit_positions
from messagegen_arrow.histories.consumer_lag.schema import LAG_HISTORY, TOPICS
from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.histories.logs import Log, NoTopicError, log_of, paths_of
from messagegen_arrow.histories.positions import (
    Partition,
    PartitionPosition,
    partition_of,
)
from messagegen_arrow.histories.records import check_columns
from messagegen_arrow.internal_topics.record_types import SHARE_GROUP_STATE
from messagegen_arrow.malformed import Mode

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
"""The columns of the history that a state has."""
_READ: Final = (*_SHOWN, "isTombstone", "logTopic", "logPartition", "logOffset")
_IS_KNOWN: Final = "isKnown"
COMMIT_STATE: Final = pa.schema([*(LAG_HISTORY.field(name) for name in _SHOWN), pa.field(_IS_KNOWN, pa.bool_())])
"""The columns of the last commits."""


@dataclass(frozen=True)
class CommitState:
    """The last commits of groups."""

    table: pa.Table
    """A row for each partition of a group, with the columns of ``COMMIT_STATE``.

    A row that is not known is one of a group that committed later; what it had committed by then is gone.
    """
    partitions: frozenset[Partition]
    """The partitions of internal topics that were read."""
    notes: tuple[str, ...]
    """What is uncertain, a sentence each."""


def commit_state(log: Log, at: int | None, mode: Mode, counts: HistoryCounts, catalog: Catalog | None) -> CommitState:
    """The last commits at a time in milliseconds since 1970 (``None``: the newest).

    Raises ``NoTopicError`` for a log without commits.
    """
    committed = log_of(log, TOPICS, mode, several_brokers=True, **COMMITTED)
    check_columns(committed)
    positions = commit_positions(log, mode, at, several_brokers=True)
    if not positions and paths_of(log) is None:
        raise NoTopicError(f"no rows of {TOPICS[0]}")
    last = _LastCommits(positions)
    for batch in consumer_lag_history(committed, mode=mode, counts=counts, catalog=catalog):
        last.add(batch)
    table = last.table()
    return CommitState(table, frozenset(positions), tuple(_notes(positions, table)))


class _Key(NamedTuple):
    """A partition of a group."""

    is_share: bool
    group: str
    topic: str | None
    partition: int


@dataclass
class _LastCommits:
    """The last commit of each partition of a group that counts."""

    positions: Mapping[Partition, PartitionPosition]
    _last: dict[_Key, dict[str, Any]] = field(default_factory=dict[_Key, dict[str, Any]])
    _deleted: set[_Key] = field(default_factory=set[_Key])
    """Those whose commit was deleted by then, so that they had none."""
    _unknown: dict[_Key, dict[str, Any]] = field(default_factory=dict[_Key, dict[str, Any]])
    """The first later commit of those that may have had one that is gone."""

    def add(self, batch: pa.RecordBatch) -> None:
        """Takes the next rows of the history."""
        for row in _rows(batch):
            is_share = row["logTopic"] == SHARE_GROUP_STATE
            key = _Key(is_share, row["group"], row["topicId"] if is_share else row["topic"], row["partition"])
            position = self.positions.get(partition_of(row["logTopic"], row["logPartition"]))
            if position is None or position.is_new(row["logOffset"]):
                continue
            if not position.counts(row["logOffset"]):
                if not position.is_whole:
                    self._unknown.setdefault(key, row)
            elif row["isTombstone"]:
                self._last.pop(key, None)
                self._deleted.add(key)
            else:
                self._last[key] = row
                self._deleted.discard(key)

    def table(self) -> pa.Table:
        """The commits in the order of groups, topics and partitions."""
        found = [{**row, _IS_KNOWN: True} for row in self._last.values()]
        nothing = dict.fromkeys(("offset", "leaderEpoch", "metadata", "commitTimestamp", "expireTimestamp"))
        for key, row in self._unknown.items():
            if key not in self._last and key not in self._deleted:
                found.append({**row, **nothing, _IS_KNOWN: False})
        found.sort(key=lambda row: (row["group"], row["topic"] or "", row["topicId"] or "", row["partition"]))
        columns = [pa.array([row[each.name] for row in found], _stored(each.type)) for each in COMMIT_STATE]
        return pa.Table.from_arrays(
            [column.cast(each.type) for column, each in zip(columns, COMMIT_STATE, strict=True)], schema=COMMIT_STATE
        )


def _stored(type_: pa.DataType) -> pa.DataType:
    """The type of a column as rows have its values: times are integers, because Python has none after year 9999."""
    return pa.int64() if pa.types.is_timestamp(type_) else type_


def _rows(batch: pa.RecordBatch) -> Iterator[dict[str, Any]]:
    columns = []
    for name in _READ:
        column = batch.column(name)
        columns.append(column.cast(_stored(column.type)).to_pylist())
    for values in zip(*columns, strict=True):
        yield dict(zip(_READ, values, strict=True))


def _notes(positions: Mapping[Partition, PartitionPosition], table: pa.Table) -> Iterator[str]:
    """What is uncertain."""
    unknown = table.num_rows - pc.sum(table.column(_IS_KNOWN)).as_py() if table.num_rows else 0
    if unknown:
        yield (
            f"groups: {unknown} of {table.num_rows} commits are not known, because later ones replaced them, or were "
            "the first (isKnown is false)"
        )
    if any(each.cut is not None and not each.is_whole for each in positions.values()):
        yield "groups: records from before are gone, so commits that were deleted since are missing"
    disordered = sorted(f"{topic}-{number}" for (topic, number), each in positions.items() if each.is_out_of_order)
    if disordered:
        yield (
            f"groups: timestamps in {', '.join(disordered)} are not in order, because the clocks of brokers differed; "
            "the records before the first later one count"
        )
