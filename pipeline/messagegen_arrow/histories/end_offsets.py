"""How far partitions were at which time."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from itertools import accumulate
from typing import Any, Final

import pyarrow as pa

from messagegen_arrow.histories.records import TIMESTAMP

END_COLUMNS: Final = ("topic", "partition", "offset", "timestamp", "batchOffset")
"""The columns of a log that end offsets are read from."""

_ALWAYS: Final = -(1 << 63)
"""The time of an end offset without a time."""


class EndOffsets:
    """The end offsets of partitions. Memory holds 16 bytes for each of them."""

    def __init__(self) -> None:
        self._ends: dict[tuple[str, int], tuple[array[int], array[int]]] = {}
        self._open: list[Any] = []
        """Topic, partition and offset of the record batch whose rows came last."""
        self._is_sorted = False

    def add_log(self, rows: pa.RecordBatch) -> None:
        """Adds rows of a log, which come in order: an end for each of its record batches, at the highest time in it."""
        batches = pa.table(rows.select(END_COLUMNS)).group_by(["topic", "partition", "batchOffset"], use_threads=False)
        found = batches.aggregate([("offset", "max"), ("timestamp", "max")])
        names = ("topic", "partition", "batchOffset", "offset_max")
        columns = (found.column(name).to_pylist() for name in names)
        for *key, offset, time in zip(*columns, _times(found.column("timestamp_max")), strict=True):
            if offset is None:
                continue
            topic, partition, _ = key
            if key == self._open:
                # More rows of the record batch before.
                times, ends = self._ends[topic, partition]
                self._add(topic, partition, max(offset + 1, ends.pop()), max(time, times.pop()))
            else:
                self._add(topic, partition, offset + 1, time)
            self._open = key

    def add(self, rows: pa.RecordBatch) -> None:
        """Adds ends; ``timestamp`` may be missing or null for ends that hold at all times."""
        given = "timestamp" in rows.schema.names
        times = _times(rows.column("timestamp")) if given else [_ALWAYS] * rows.num_rows
        columns = (rows.column(name).to_pylist() for name in ("topic", "partition", "endOffset"))
        for topic, partition, end, time in zip(*columns, times, strict=True):
            if topic is not None and end is not None:
                self._add(topic, partition, end, time)

    def _add(self, topic: str, partition: int, end: int, time: int) -> None:
        times, ends = self._ends.setdefault((topic, partition), (array("q"), array("q")))
        times.append(time)
        ends.append(end)
        self._is_sorted = False

    def at(self, topic: str | None, partition: int, time: int | None) -> int | None:
        """The highest end offset of a partition up to a time in microseconds; ``None`` if none is known."""
        if not self._is_sorted:
            self._ends = {key: _rising(*known) for key, known in self._ends.items()}
            self._is_sorted = True
        times, ends = self._ends.get((topic or "", partition), ((), ()))
        place = bisect_right(times, _ALWAYS if time is None else time)
        return ends[place - 1] if place else None


def _rising(times: array[int], ends: array[int]) -> tuple[array[int], array[int]]:
    """The same in the order of times, with the highest end so far."""
    pairs = sorted(zip(times, ends, strict=True))
    return array("q", (time for time, _ in pairs)), array("q", accumulate((end for _, end in pairs), max))


def _times(column: pa.Array | pa.ChunkedArray) -> list[int]:
    microseconds = column.cast(TIMESTAMP).cast(pa.int64()).to_pylist()
    return [_ALWAYS if time is None else time for time in microseconds]
