"""The positions of partitions at a point in time: the records that count, and whether any of them are gone."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.histories.records import not_in_order
from messagegen_arrow.malformed import ERROR_NAME

PLACE_COLUMNS: Final = ("topic", "partition", "offset", "timestamp", "batchOffset", ERROR_NAME)
"""The log columns that determine the positions of partitions."""
TRANSACTION_COLUMNS: Final = ("producerId", "isTransactional", "isControl")
"""The log columns that identify the transactions of records."""
POSITION_COLUMNS: Final = (*PLACE_COLUMNS, *TRANSACTION_COLUMNS)
_UNKNOWN: Final = -1
"""In place of an unknown partition number."""

Partition = tuple[str, int]
_Ints = np.ndarray[Any, np.dtype[np.int64]]
_Flags = np.ndarray[Any, np.dtype[np.bool_]]


class PartitionPosition:
    """The position of a partition at a point in time.

    All records before the first record with a later timestamp count, as for Kafka's offsets by time: a log is in the
    order of writes, even if the clocks of brokers differed.
    """

    def __init__(self, name: str, at: int | None) -> None:
        """Begin without rows.

        ``at`` is in milliseconds since 1970 (``None``: all records count). Errors contain ``name``.
        """
        self._name = name
        self._at = at
        self._last = -1
        """The last offset, whether its record counts or not."""
        self.first: int | None = None
        """The first offset that still exists, whether its record counts or not."""
        self.first_time: int | None = None
        self.cut: int | None = None
        """The offset of the first record with a later timestamp; ``None`` if there is none."""
        self.run_start: int | None = None
        """The start of the gapless run of records up to the last record that counts; ``None`` if none counts."""
        self.end = 0
        """The offset after the last record that counts."""
        self.time: int | None = None
        """The time when the last record that counts was written."""
        self.is_out_of_order = False
        """Whether some records after the first later record have earlier timestamps again."""
        self._open: dict[int, set[int]] = {}
        """By producer, the offsets of records that count and whose transaction has not ended yet."""
        self._is_behind_damage = False
        self._has_damage = False

    @property
    def is_whole(self) -> bool:
        """Whether all records that were written up to the requested time still exist and can be read."""
        begins_at_first = self.run_start in (0, None)
        return begins_at_first and not self.lacks_last and not self._has_damage

    @property
    def lacks_last(self) -> bool:
        """Whether records just before the first later record are gone. They may have belonged to the requested time."""
        return self.cut is not None and self.cut != self.end and not self._is_behind_damage

    def is_pending(self, offset: int) -> bool:
        """Whether a record belonged to a transaction that had not ended yet."""
        return any(offset in offsets for offsets in self._open.values())

    def add(self, rows: pa.RecordBatch) -> None:
        """Add the next rows of the partition, with the available columns of ``POSITION_COLUMNS``."""
        offsets = _offsets(rows)
        rows = rows.filter(offsets.is_valid())
        places: _Ints = offsets.drop_null().to_numpy()
        if not len(places):
            return
        are_damaged = rows.column("offset").is_null().to_numpy(zero_copy_only=False)
        times = _times(rows)
        self._check_order(places[~are_damaged])
        if self.first is None:
            self.first = int(places[0])
            self.first_time = None if are_damaged[0] else int(times[0])

        count = self._count_of(times, are_damaged)
        if self.cut is None and count < len(places):
            self.cut = int(places[count])
        if not count:
            return
        self._extend(places[:count], are_damaged[:count])
        of_records = times[:count][~are_damaged[:count]]
        if len(of_records):
            self.time = int(of_records[-1])
        self._transactions(rows.slice(0, count))

    def _check_order(self, offsets: _Ints) -> None:
        """Raise ``ValueError`` for records that are not in the order of their offsets."""
        if not len(offsets):
            return
        if offsets[0] <= self._last or (np.diff(offsets) <= 0).any():
            raise not_in_order(self._name)
        self._last = int(offsets[-1])

    def _count_of(self, times: _Ints, are_damaged: _Flags) -> int:
        """Return the number of rows that count; they are at the start of the batch."""
        if self._at is None:
            return len(times)
        are_later = (times > self._at) & ~are_damaged
        count = len(times)
        if self.cut is not None:
            count = 0
        elif are_later.any():
            count = int(are_later.argmax())
        behind = ~are_later[count:] & ~are_damaged[count:]
        self.is_out_of_order = self.is_out_of_order or bool(behind.any())
        return count

    def _extend(self, places: _Ints, are_damaged: _Flags) -> None:
        """Extend the position, and find gaps.

        A gap after a damaged batch is ignored, because the batch's last offset is unknown.
        """
        expected = np.concatenate([[self.end], places[:-1] + 1])
        are_behind_damage = np.concatenate([[self._is_behind_damage], are_damaged[:-1]])
        gaps = np.flatnonzero((places != expected) & ~are_behind_damage)
        if len(gaps):
            self.run_start = int(places[gaps[-1]])
        elif self.run_start is None:
            self.run_start = int(places[0])
        self.end = int(places[-1]) + 1
        self._is_behind_damage = bool(are_damaged[-1])
        self._has_damage = self._has_damage or bool(are_damaged.any())

    def _transactions(self, rows: pa.RecordBatch) -> None:
        """Track the transactions that begin and end."""
        if not set(TRANSACTION_COLUMNS) <= set(rows.schema.names):
            return
        of_transactions = rows.filter(pc.fill_null(rows.column("isTransactional"), fill_value=False))
        columns = (of_transactions.column(name).to_pylist() for name in ("offset", "producerId", "isControl"))
        for offset, producer, is_end in zip(*columns, strict=True):
            if is_end:
                self._open.pop(producer, None)
            else:
                self._open.setdefault(producer, set()).add(offset)


def _offsets(rows: pa.RecordBatch) -> pa.Int64Array:
    """Return the offset of each record, or the first offset of a damaged batch; null for rows of segments."""
    offsets = rows.column("offset").cast(pa.int64())
    if "batchOffset" not in rows.schema.names or ERROR_NAME not in rows.schema.names:
        return offsets
    is_damaged = rows.column(ERROR_NAME).is_valid()
    of_batches = pc.if_else(is_damaged, rows.column("batchOffset").cast(pa.int64()), pa.scalar(None, pa.int64()))
    return pc.coalesce(offsets, of_batches)


def _times(rows: pa.RecordBatch) -> _Ints:
    """Return the timestamps in milliseconds; 0 for damaged batches."""
    times = rows.column("timestamp").cast(pa.timestamp("ms", "UTC"), safe=False).cast(pa.int64())
    found: _Ints = pc.fill_null(times, 0).to_numpy()
    return found


class Positions:
    """The positions of partitions, which may have no records."""

    def __init__(self, at: int | None) -> None:
        """Begin without partitions. ``at`` is in milliseconds since 1970; if it is ``None``, all records count."""
        self._at = at
        self._found: dict[Partition, PartitionPosition] = {}

    def add(self, batch: pa.RecordBatch) -> None:
        """Add the next rows of a log, with the available columns of ``POSITION_COLUMNS``."""
        for partition, rows in _by_partition(batch):
            name = f"{partition[0]}-{partition[1]}"
            self._found.setdefault(partition, PartitionPosition(name, self._at)).add(rows)

    def of(self, partition: Partition) -> PartitionPosition:
        """Return the position of a partition, which must have had rows."""
        return self._found[partition]

    def all(self) -> Mapping[Partition, PartitionPosition]:
        """Return the positions of all partitions."""
        return self._found


def partition_of(topic: str | None, number: int | None) -> Partition:
    """Return the partition of a row, with an empty name or -1 for an unknown topic or number."""
    return topic or "", _UNKNOWN if number is None else number


def _by_partition(batch: pa.RecordBatch) -> Iterator[tuple[Partition, pa.RecordBatch]]:
    """Yield the rows of each partition."""
    topics = pc.fill_null(batch.column("topic").cast(pa.string()), "")
    numbers = pc.fill_null(batch.column("partition").cast(pa.int32()), _UNKNOWN)
    for topic in topics.unique().to_pylist():
        is_of_topic = pc.equal(topics, topic)
        for number in numbers.filter(is_of_topic).unique().to_pylist():
            yield (topic, number), batch.filter(pc.and_(is_of_topic, pc.equal(numbers, number)))
