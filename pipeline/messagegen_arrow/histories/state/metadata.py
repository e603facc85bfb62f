"""The metadata of a cluster at a point in time: its properties after all changes up to then."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.console.times import iso
from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.histories.logs import NoTopicError
from messagegen_arrow.histories.metadata.history import TOPICS, metadata_records
from messagegen_arrow.histories.metadata.properties import Properties
from messagegen_arrow.histories.metadata.records import SNAPSHOT, Record
from messagegen_arrow.histories.positions import POSITION_COLUMNS, PartitionPosition
from messagegen_arrow.histories.records import decoded_log
from messagegen_arrow.histories.state.snapshots import FOOTER, HEADER, Snapshot
from messagegen_arrow.histories.state.source import StateSource
from messagegen_arrow.streams.stream import Batches, ColumnStream

_ADVICE: Final = "read them with the snapshots (*.checkpoint) beside the log, or the folder of another broker"


class UnknownStateError(ValueError):
    """Raised if the logs do not contain the state at the requested time."""


@dataclass(frozen=True)
class MetadataState:
    """The properties of a cluster."""

    properties: Properties
    offset: int | None
    """The offset of the last record that counts; ``None`` for a snapshot without an offset in its name."""
    time: int | None
    """The time when that record was written, in milliseconds since 1970; ``None`` if the snapshot has no such time."""
    notes: tuple[str, ...]
    """The uncertain parts, a sentence each."""


def metadata_state(source: StateSource, counts: HistoryCounts) -> MetadataState:
    """Return the cluster's metadata at the time ``source.at``.

    It is the state in the last earlier snapshot, with the later changes from the log. The logs are read twice: the
    choice of the snapshot depends on all rows, and keeping the contents of all snapshots would need too much memory.
    Raises ``NoTopicError`` for a log without metadata, and ``UnknownStateError``.
    """
    log = source.log_of(TOPICS, snapshots=True)
    known = _KnownMetadata.of(log, source.at, source.catalog)
    if source.has_rows and known.is_empty:
        raise NoTopicError(f"no rows of {TOPICS[0]}")
    base = known.base()
    known.check(base)
    properties = Properties()
    rows = _until(log, base, known.position.end)
    for record in metadata_records(rows, source.mode, counts, source.catalog)():
        _apply(properties, record)
    offset, time = known.last(base)
    return MetadataState(properties, offset, time, tuple(known.notes(base)))


def _apply(properties: Properties, record: Record) -> None:
    """Apply a record to the properties, without the rows of the history."""
    for _ in properties.apply(record):
        pass


@dataclass(frozen=True)
class _KnownMetadata:
    """The records and snapshots of a cluster's metadata up to a time."""

    at: int | None
    position: PartitionPosition
    """The position of the log."""
    snapshots: tuple[Snapshot, ...]
    """The usable snapshots, in the order of their places."""

    @classmethod
    def of(cls, source: ColumnStream, at: int | None, catalog: Catalog | None) -> _KnownMetadata:
        """Read the places of records and snapshots, not their contents."""
        position = PartitionPosition(f"{TOPICS[0]}-0", at)
        snapshots: dict[str, Snapshot] = {}
        for batch in decoded_log(source, TOPICS, [HEADER, FOOTER], catalog):
            for path, rows in _by_snapshot(batch):
                if path is not None:
                    snapshots.setdefault(path, Snapshot(path)).add(rows)
                else:
                    position.add(rows.select([name for name in rows.schema.names if name in POSITION_COLUMNS]))
        usable = (each for each in snapshots.values() if each.is_usable)
        return cls(at, position, tuple(sorted(usable, key=lambda each: each.place)))

    @property
    def is_empty(self) -> bool:
        """Whether there are neither records nor snapshots."""
        return self.position.first is None and not self.snapshots

    def base(self) -> Snapshot | None:
        """Return the last snapshot that contains no records after the requested time."""
        return next((each for each in reversed(self.snapshots) if self._is_before(each)), None)

    def _is_before(self, snapshot: Snapshot) -> bool:
        """Whether a snapshot contains no records after the requested time."""
        has_log = self.position.first is not None
        if snapshot.end < 0 and has_log:
            # The snapshot's place in the log is unknown.
            return False
        if self.at is None:
            return True
        if self.position.cut is not None and snapshot.end > self.position.cut:
            return False
        if snapshot.time is not None:
            return snapshot.time <= self.at
        start = self.position.run_start
        return start is not None and start < snapshot.end <= self.position.end

    def check(self, base: Snapshot | None) -> None:
        """Raise ``UnknownStateError`` if records up to the time are gone.

        Only records after the base, if any, are needed.
        """
        position = self.position
        if base is None:
            is_known = position.run_start == 0 and self._has_last
        elif self._ends_behind(base):
            is_known = self._joins(base) and self._has_last
        else:
            is_known = position.cut in (None, base.end) or base.time == self.at
        if not is_known:
            raise UnknownStateError(self._why_unknown(base))

    def _ends_behind(self, base: Snapshot) -> bool:
        """Whether the log has records that count and come after a snapshot."""
        return self.position.run_start is not None and self.position.end > base.end

    def _joins(self, base: Snapshot) -> bool:
        """Whether no record is gone between a snapshot and the last record that counts."""
        return self.position.run_start is not None and self.position.run_start <= base.end

    @property
    def _has_last(self) -> bool:
        """Whether the last record that was written up to the requested time still exists.

        Even if later records are gone, the state at the time of an existing record is known.
        """
        return not self.position.lacks_last or self.position.time == self.at

    def _why_unknown(self, base: Snapshot | None) -> str:
        """Return the error text: which records are missing, and which state is known, if any."""
        position = self.position
        if self.at is None:
            if position.first is None:
                return "the state is unknown: there are no records of cluster metadata"
            missing = position.first if position.run_start is None else position.run_start
            return f"the state is unknown: records of cluster metadata before offset {missing} are gone; {_ADVICE}"

        unknown = f"the state at {iso(self.at)} is unknown"
        oldest = self._oldest()
        if oldest is None:
            return f"{unknown}: older records of cluster metadata are gone; {_ADVICE}"
        if self.at < oldest:
            return f"{unknown}: the oldest known state is at {iso(oldest)}"
        gone = f"{unknown}: some older records of cluster metadata are gone"
        if base is None or base.time is None:
            return f"{gone}; {_ADVICE}"
        return f"{gone}; the last known state before that is at {iso(base.time)}"

    def _oldest(self) -> int | None:
        """Return the time of the oldest state that is known."""
        times = [each.time for each in self.snapshots if each.time is not None]
        if self.position.first == 0 and self.position.first_time is not None:
            times.append(self.position.first_time)
        return min(times, default=None)

    def last(self, base: Snapshot | None) -> tuple[int | None, int | None]:
        """Return the offset and the time of the last record that counts."""
        if base is None or self._ends_behind(base):
            return self.position.end - 1, self.position.time
        return base.end - 1 if base.end >= 0 else None, base.time

    def notes(self, base: Snapshot | None) -> Iterator[str]:
        """Yield a sentence about each uncertain part."""
        if self.position.is_out_of_order and self.position.cut is not None:
            yield (
                f"metadata: records after offset {self.position.cut} have earlier timestamps again, because the "
                "clocks of controllers differed; only records before this offset are used"
            )
        is_behind_log = base is not None and self.position.end < base.end
        if self.at is not None and is_behind_log and self.position.cut is None:
            yield "metadata: the state is from a snapshot; the log with later changes is missing"


def _by_snapshot(batch: pa.RecordBatch) -> Iterator[tuple[str | None, pa.RecordBatch]]:
    """Yield the rows of each snapshot with its path, and the rows of the log with ``None``."""
    if "path" not in batch.schema.names:
        yield None, batch
        return
    paths = batch.column("path")
    are_snapshots = pc.fill_null(pc.ends_with(paths, SNAPSHOT), fill_value=False)
    for path in paths.filter(are_snapshots).unique().to_pylist():
        yield path, batch.filter(pc.fill_null(pc.equal(paths, path), fill_value=False))
    yield None, batch.filter(pc.invert(are_snapshots))


def _until(source: ColumnStream, base: Snapshot | None, end: int) -> ColumnStream:
    """Return the rows of the base, and the later rows of the log before offset ``end``."""
    start = 0 if base is None else base.end

    def batches() -> Batches:
        for batch in source:
            yield from (_rows(path, rows) for path, rows in _by_snapshot(batch))

    def _rows(path: str | None, rows: pa.RecordBatch) -> pa.RecordBatch:
        if path is not None:
            return rows if base is not None and path == base.path else rows.slice(0, 0)
        offsets = rows.column("offset").cast(pa.int64())
        if "batchOffset" in rows.schema.names:
            offsets = pc.coalesce(offsets, rows.column("batchOffset").cast(pa.int64()))
        return rows.filter(pc.and_(pc.greater_equal(offsets, start), pc.less(offsets, end)))

    return ColumnStream(source.schema, batches)
