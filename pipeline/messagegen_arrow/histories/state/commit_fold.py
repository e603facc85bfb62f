"""Folds the records of groups into the last commit of each partition of a group at a point in time."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.histories.consumer_lag.columns import commit_columns, is_state
from messagegen_arrow.histories.consumer_lag.groups import KnownGroups
from messagegen_arrow.histories.consumer_lag.schema import COMMITS, STATES
from messagegen_arrow.histories.positions import (
    TRANSACTION_COLUMNS,
    Partition,
    PartitionPosition,
    Positions,
    partition_of,
)

_COMMIT_MARKER: Final = "COMMIT"
"""The type of the control record that commits a transaction."""
_MARKERS: Final = (_COMMIT_MARKER, "ABORT")


class Commit(NamedTuple):
    """A commit, the deletion of a commit, or the state of a share partition, from one record.

    Times are in microseconds.
    """

    is_state: bool
    group: str
    topic: str | None
    """The topic; ``None`` in states, which only have the topic's id."""
    topicId: str | None  # noqa: N815 - the name of the column
    partition: int
    offset: int | None
    leaderEpoch: int | None  # noqa: N815
    metadata: str | None
    commitTimestamp: int | None  # noqa: N815
    expireTimestamp: int | None  # noqa: N815
    isTombstone: bool  # noqa: N815
    logTopic: str | None  # noqa: N815
    logPartition: int | None  # noqa: N815
    logOffset: int  # noqa: N815

    @property
    def key(self) -> CommitKey:
        """The partition of a group that is committed. A topic that was created again has a new id."""
        return CommitKey(self.is_state, self.group, self.topicId if self.is_state else self.topic, self.partition)

    @property
    def has_same_start(self) -> bool:
        """Whether a share group kept its start offset: a record only has a start offset if it has changed."""
        return self.is_state and self.offset is None and not self.isTombstone

    def replaces(self, other: Commit) -> bool:
        """Whether it replaces a commit with the same key, because it is later in the same log or in a different log."""
        is_in_same_log = (self.logTopic, self.logPartition) == (other.logTopic, other.logPartition)
        return not is_in_same_log or self.logOffset > other.logOffset


class CommitKey(NamedTuple):
    """A partition of a group."""

    is_state: bool
    group: str
    topic: str | None
    """The topic; for share groups it is the topic's id, because the name may be unknown."""
    partition: int


class _Transactional(NamedTuple):
    """The role of a record in a transaction."""

    producer: int | None
    """The producer; ``None`` if the record belongs to no transaction."""
    marker: str | None
    """The type of the record if it is the control record that ends the transaction."""


_NO_TRANSACTION: Final = _Transactional(None, None)


class CommitFold:
    """The last commits at a point in time, from all records of the logs in the order of their offsets.

    Records in a transaction count once the transaction has ended, but at their own place (upstream:
    ``OffsetMetadataManager.replayEndTransactionMarker``). Memory holds a commit for each partition of a group, and the
    records of open transactions.
    """

    def __init__(self, positions: Positions) -> None:
        """Begin without commits. ``positions`` must receive each row before ``add`` does."""
        self._positions = positions
        self._groups = KnownGroups()
        self._last: dict[CommitKey, Commit] = {}
        """The last commit that counts, or its deletion."""
        self._in_doubt: dict[CommitKey, Commit] = {}
        """The first later record, for keys whose commit at the time may be gone."""
        self._open: dict[tuple[Partition, int], list[Commit]] = {}
        """The commits in transactions that have not ended yet, by log and producer."""
        self._has_markers = False

    @property
    def groups(self) -> KnownGroups:
        """The facts about groups in the logs."""
        return self._groups

    @property
    def lacks_markers(self) -> bool:
        """Whether there are transactions, but no ends of transactions: the reader may have left out control records."""
        return bool(self._open) and not self._has_markers

    def held(self) -> Iterator[Commit]:
        """Return the commits that the groups had at the time."""
        return (each for each in self._last.values() if not each.isTombstone)

    def unknown(self) -> Iterator[Commit]:
        """Return later records of those partitions whose commit at the time is gone or never existed."""
        return (each for key, each in self._in_doubt.items() if key not in self._last)

    def add(self, batch: pa.RecordBatch) -> None:
        """Add the next decoded records, which must be readable."""
        self._groups.learn(batch)
        types = batch.column("recordType")
        rows = batch.filter(pc.is_in(types, pa.array([*COMMITS, *STATES, *_MARKERS])))
        for commit, transaction in zip(_commits(rows), _transactions(rows), strict=True):
            log = partition_of(commit.logTopic, commit.logPartition)
            if transaction.producer is None:
                self._take(commit, self._positions.of(log), commit.logOffset)
            elif transaction.marker is None:
                self._open.setdefault((log, transaction.producer), []).append(commit)
            else:
                self._end(log, transaction.producer, transaction.marker, commit.logOffset)

    def _end(self, log: Partition, producer: int, marker: str, offset: int) -> None:
        """End a transaction. If it was committed, its commits take effect at ``offset``, where its marker is."""
        self._has_markers = True
        for commit in self._open.pop((log, producer), ()):
            if marker == _COMMIT_MARKER:
                self._take(commit, self._positions.of(log), offset)

    def _take(self, commit: Commit, position: PartitionPosition, counts_from: int) -> None:
        """Add a commit that takes effect at the offset ``counts_from`` of its log."""
        last = self._last.get(commit.key)
        if position.cut is not None and counts_from >= position.cut:
            self._doubt(commit, position)
        elif last is not None and not commit.replaces(last):
            return
        elif not commit.has_same_start:
            self._last[commit.key] = commit
        elif last is not None and not last.isTombstone:
            self._last[commit.key] = commit._replace(offset=last.offset)
        else:
            # Either no start offset had been set, so that a state existed but no commit, or the record that set it is
            # gone.
            self._doubt(commit, position)

    def _doubt(self, commit: Commit, position: PartitionPosition) -> None:
        """Remember the first later record of a key whose commit at the time may be gone."""
        if not position.is_whole:
            self._in_doubt.setdefault(commit.key, commit)


def _commits(rows: pa.RecordBatch) -> Iterator[Commit]:
    """Return the records as commits. For a control record, only the place in the log is used."""
    columns = {**commit_columns(rows), "is_state": is_state(rows)}
    values = [_plain(columns[name]).to_pylist() for name in Commit._fields]
    return map(Commit._make, zip(*values, strict=True))


def _transactions(rows: pa.RecordBatch) -> Iterator[_Transactional]:
    """Yield the role of each record in a transaction. Rows without these columns belong to no transaction."""
    if not set(TRANSACTION_COLUMNS) <= set(rows.schema.names):
        yield from (_NO_TRANSACTION for _ in range(rows.num_rows))
        return
    columns = [rows.column(name).to_pylist() for name in (*TRANSACTION_COLUMNS, "recordType")]
    for producer, is_transactional, is_control, record_type in zip(*columns, strict=True):
        if is_control:
            yield _Transactional(producer, record_type)
        else:
            yield _Transactional(producer, None) if is_transactional else _NO_TRANSACTION


def _plain(column: pa.Array) -> pa.Array:
    """Return times as integers, because Python has no dates after the year 9999."""
    return column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column
