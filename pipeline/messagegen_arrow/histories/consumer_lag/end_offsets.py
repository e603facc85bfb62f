"""The end offsets of partitions over time."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final, NamedTuple

import pyarrow as pa

from messagegen_arrow.histories.consumer_lag.topic_ids import KnownTopics
from messagegen_arrow.histories.consumer_lag.write_times import WriteTimes
from messagegen_arrow.histories.records import TIMESTAMP

END_COLUMNS: Final = ("topic", "partition", "offset", "timestamp", "batchOffset")
"""The log columns that end offsets are read from."""
LATEST_TIME: Final = 253_402_300_799_999_999
"""The end of the year 9999, in microseconds since 1970.

Later timestamps must be mistakes, such as nanoseconds in place of milliseconds.
"""

_ALWAYS: Final = -(1 << 63)
"""The time of an end offset that holds at all times."""


class _End(NamedTuple):
    """An end offset of a partition, which holds from a time on."""

    end: int
    is_exact: bool
    """Whether the end is certain. If not, it may be lower: records before it are gone, or have no usable timestamp.

    If an end exists twice, exact and not exact, it is exact from its time on, and the records before it are gone.
    """
    time: int


class _Ends:
    """The end offsets of a partition, which take 17 bytes each."""

    def __init__(self) -> None:
        self._times = array("q")
        self._ends = array("q")
        self._are_exact = array("b")

    def add(self, end: int, time: int, *, is_exact: bool) -> None:
        self._ends.append(end)
        self._are_exact.append(is_exact)
        self._times.append(time)

    def pop(self) -> _End:
        return _End(self._ends.pop(), bool(self._are_exact.pop()), self._times.pop())

    def sorted_by_time(self) -> _Ends:
        """Return the ends sorted by time. An end that is lower than an earlier one is raised to it."""
        found = _Ends()
        highest = -1
        is_exact = False
        for each in sorted(self._with_known_times(), key=lambda each: each.time):
            highest, is_exact = max((highest, is_exact), (each.end, each.is_exact))
            found.add(highest, each.time, is_exact=is_exact)
        return found

    def write_times(self) -> WriteTimes:
        """Return the times when the records between the ends were written.

        The times of records before the lowest end are unknown, as are the times of records just before an end that is
        not exact.
        """
        found = WriteTimes()
        latest_of_lower = _ALWAYS
        is_lowest = True
        for end, group in groupby(self._with_known_times(), key=lambda each: each.end):
            same_end = sorted(group)
            first = same_end[0]
            is_known = not is_lowest and first.is_exact and first.time != _ALWAYS
            found.add(end, first.time if is_known else None, latest_of_lower)
            latest_of_lower = max(latest_of_lower, *(each.time for each in same_end))
            is_lowest = False
        return found

    def _with_known_times(self) -> Iterator[_End]:
        """Yield the ends in order.

        An end with an impossible time gets the latest time of lower ends, and is not exact.
        """
        ends = sorted(map(_End, self._ends, map(bool, self._are_exact), self._times))
        latest = _ALWAYS
        for end, group in groupby(ends, key=lambda each: each.end):
            latest_of_lower = latest
            for each in group:
                if each.time == _ALWAYS:
                    yield each
                elif _is_possible(each.time):
                    latest = max(latest, each.time)
                    yield each
                else:
                    yield _End(end, is_exact=False, time=latest_of_lower)

    def at(self, time: int, offset: int | None) -> int | None:
        """Return the end at the time when ``offset`` was committed; ``None`` if it is unknown.

        The ends must be sorted by time.
        """
        place = bisect_right(self._times, time)
        if not place:
            return None
        end = self._ends[place - 1]
        if offset == end:
            # The end cannot be lower than the committed offset.
            return end
        if not self._are_exact[place - 1]:
            return None
        if offset is not None and end < offset <= self._ends[-1]:
            # The partition must already have reached the committed offset, so the records before that offset are
            # older than their timestamps.
            return None
        return end


class EndOffsets:
    """The end offsets of partitions, and the write times of records. Each end offset takes 41 bytes of memory.

    All ends must be added before the first query.
    """

    def __init__(self, topics: KnownTopics | None = None) -> None:
        self._topics = topics or KnownTopics()
        self._ends: dict[tuple[str, int], _Ends] = {}
        self._write_times: dict[tuple[str, int], WriteTimes] = {}
        self._log: _PartitionLog | None = None
        """The log that the last row belongs to."""
        self._is_sorted = False

    @classmethod
    def of_log(cls, batches: Iterable[pa.RecordBatch], topics: KnownTopics | None = None) -> EndOffsets:
        """Return the ends in the rows of a log; see ``add_log``."""
        found = cls(topics)
        for batch in batches:
            found.add_log(batch)
        return found

    @classmethod
    def of_rows(cls, batches: Iterable[pa.RecordBatch]) -> EndOffsets:
        """Return the ends in rows that contain end offsets; see ``add``."""
        found = cls()
        for batch in batches:
            found.add(batch)
        return found

    def add_log(self, rows: pa.RecordBatch) -> None:
        """Add rows of a log, in order. Each record batch results in an end, at the highest time in the batch.

        A row without an ``offset`` is the row of a segment (``includeSegments``), whose name contains an end, too.
        """
        row_numbers = pa.array(range(rows.num_rows), pa.int64())
        numbered = pa.table(rows.select(END_COLUMNS)).append_column("row", row_numbers)
        batches = numbered.group_by(["topic", "partition", "batchOffset"], use_threads=False)
        highest = batches.aggregate([("offset", "max"), ("timestamp", "max"), ("row", "min")])
        # Arrow returns groups in any order.
        in_order = highest.sort_by("row_min")

        names = ("topic", "partition", "batchOffset", "offset_max")
        columns = [in_order.column(name).to_pylist() for name in names]
        times = _times(in_order.column("timestamp_max"))
        for topic, partition, base, offset, time in zip(*columns, times, strict=True):
            ends = self._of(topic, partition)
            if self._log is None or self._log.ends is not ends or base < self._log.base:
                self._end_log()
                self._log = _PartitionLog(ends)
            self._log.add(base, offset, time)

    def add(self, rows: pa.RecordBatch) -> None:
        """Add ends; ``timestamp`` may be missing or null for ends that hold at all times."""
        has_times = "timestamp" in rows.schema.names
        times = _times(rows.column("timestamp")) if has_times else [_ALWAYS] * rows.num_rows
        columns = (rows.column(name).to_pylist() for name in ("topic", "partition", "endOffset"))
        for topic, partition, end, time in zip(*columns, times, strict=True):
            if topic is not None and end is not None:
                self._of(topic, partition).add(end, time, is_exact=True)

    def are_of_another_topic(self, topic: str | None, topic_id: str | None, time: int | None) -> bool:
        """Whether the ends under this name belong to a topic that has a different id or was created after ``time``."""
        known = self._topics.ids.get(topic or "")
        if topic_id is not None and known is not None:
            return topic_id not in known
        created = self._topics.created.get(topic or "")
        return time is not None and created is not None and time < created

    def has_id(self, topic: str | None) -> bool:
        """Whether the id of a topic is known."""
        return topic in self._topics.ids

    def at(self, topic: str | None, partition: int, time: int | None, offset: int | None) -> int | None:
        """Return the end offset of a partition at the ``time``, in microseconds, when ``offset`` was committed.

        Returns ``None`` if it is unknown.
        """
        self._sort()
        ends = self._ends.get((topic or "", partition))
        if ends is None:
            return None
        return ends.at(_ALWAYS if time is None else time, offset)

    def written_at(self, topic: str | None, partition: int, time: int | None, offset: int | None) -> int | None:
        """Return the time, in microseconds, of the first record after a commit of ``offset`` at ``time``.

        Returns ``None`` if it is unknown, or if no such record existed yet.
        """
        self._sort()
        write_times = self._write_times.get((topic or "", partition))
        if write_times is None or time is None or offset is None:
            return None
        return write_times.at(time, offset)

    def _sort(self) -> None:
        if self._is_sorted:
            return
        self._end_log()
        self._write_times = {key: ends.write_times() for key, ends in self._ends.items()}
        self._ends = {key: ends.sorted_by_time() for key, ends in self._ends.items()}
        self._is_sorted = True

    def _of(self, topic: str, partition: int) -> _Ends:
        return self._ends.setdefault((topic, partition), _Ends())

    def _end_log(self) -> None:
        if self._log is not None:
            self._log.finish()
            self._log = None


class _PartitionLog:
    """The log of one partition, read in the order of offsets."""

    def __init__(self, ends: _Ends) -> None:
        self.ends = ends
        self.base = -1
        """The base offset of the last batch or segment."""
        self._end: int | None = None
        """The highest end of all batches so far."""
        self._time = _ALWAYS
        """The highest time of all batches so far."""
        self._open: int | None = None
        """The base offset of the latest batch, which the next rows may also belong to."""

    def add(self, base: int, offset: int | None, time: int) -> None:
        """Add a batch, or more rows of the latest batch. If ``offset`` is ``None``, add the start of a segment."""
        self.base = base
        if offset is None:
            return
        if base == self._open:
            before = self.ends.pop()
            self.ends.add(max(before.end, offset + 1), max(before.time, time), is_exact=True)
        else:
            self._pass_over_gap(base)
            self.ends.add(offset + 1, time, is_exact=True)
        self._open = base
        self._end = max(self._end or 0, offset + 1)
        self._time = max(self._time, time)

    def _pass_over_gap(self, base: int) -> None:
        """If the records before a batch are gone, add an end that is not exact, because their times are unknown.

        No records precede offset 0, so an end there is exact.
        """
        if self._end is None or base > self._end:
            self.ends.add(base, self._time, is_exact=base == 0)

    def finish(self) -> None:
        """Add the end in the name of the last segment, if the segment has no records."""
        if self._end is None or self.base > self._end:
            # The records before it are gone, so their times are unknown.
            self.ends.add(self.base, self._time, is_exact=False)
            self.ends.add(self.base, self._time, is_exact=True)


def _is_possible(time: int) -> bool:
    """Whether a record can have been written at ``time``; Kafka's -1 means a missing timestamp."""
    return 0 <= time <= LATEST_TIME


def _times(column: pa.Array | pa.ChunkedArray) -> list[int]:
    microseconds = column.cast(TIMESTAMP).cast(pa.int64()).to_pylist()
    return [_ALWAYS if time is None else time for time in microseconds]
