"""``spark.readStream.format("kafka-log")``: follows logs that brokers are writing. PySpark 4.2 or newer."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxBytes,
    ReadMaxRows,
    SupportsTriggerAvailableNow,
)

from messagegen_arrow.files import opened, shown
from messagegen_arrow.log.files import MAX_OFFSET, PartitionLog, Segment, find_logs, given_paths
from messagegen_arrow.log.kafka_options import EARLIEST, LATEST
from messagegen_arrow.log.offsets import starting_offsets
from messagegen_arrow.log.planning import FileRange, split, wanted_bytes, with_offsets, within
from messagegen_arrow.log.positions import (
    LogPosition,
    advanced,
    beginning,
    found_by_offset,
    is_other_topic,
    is_same_place,
    is_there,
    located,
    places_of,
    ranges_between,
    report_gap,
    unread_bytes,
)
from messagegen_arrow.log.transactions.stable_offset import OpenAt, last_stable_offset
from messagegen_arrow.options import OptionError
from messagegen_arrow.task_size import TaskSize, packed, task_size
from messagegen_kafka._runtime.records.headers import HEADER_SIZE, header_at
from messagegen_spark.sources.log.partitions import LogInputPartition
from messagegen_spark.sources.log.query import LogQuery

Offsets = dict[str, Any]
"""A ``LogPosition`` as JSON for each folder of a partition: Spark's offset of the whole stream."""


class KafkaLogStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Plans micro-batches that end between batches of records; a place in a log says what was read.

    New segments and new folders are found at each trigger. The place in a folder that is gone is kept, for it may come back.
    Each record is read once: Spark's checkpoint keeps the places, and reading between two of them again gives the same records.
    """

    def __init__(self, query: LogQuery) -> None:
        options = query.options
        self._query = query
        self._options = options
        self._until: list[PartitionLog] | None = None
        self._open: dict[str, OpenAt] = {}
        # A micro-batch ends before what is undecided.
        self._read_until = MAX_OFFSET if options.isolation_level == "read_committed" else None
        if not options.until_last_stable_offset:
            # The records that are left out are decided later, when the stream is behind them.
            raise OptionError(
                "option untilLastStableOffset: streams end at the last stable offset, or they would lose records"
            )
        if options.ending_offsets != "latest" or options.ending_offsets_by_timestamp is not None:
            raise OptionError("options endingOffsets, endingOffsetsByTimestamp: a stream does not end; remove them")
        given_paths(options.path, options.paths)

    def __getstate__(self) -> dict[str, Any]:
        """What tasks need: nothing of what planning remembers."""
        return {**self.__dict__, "_until": None, "_open": {}}

    def initialOffset(self) -> Offsets:  # noqa: N802 - Spark's name
        """Nothing read, everything that there is with ``startingOffsets=latest``, or what the options say of each partition.

        Raises ``OptionError`` for an offset after the end of a partition, and ``LogGapError`` for one before its beginning.
        """
        if self._options.starting_offsets == "latest" and self._options.starting_offsets_by_timestamp is None:
            return self.latestOffset({}, ReadAllAvailable())
        logs = self._logs()
        chosen = starting_offsets(logs, self._options) or {}
        begins = {log.folder: self._begin(log, chosen[log.topic or "", log.partition or 0]) for log in logs if chosen}
        return {folder: begin.to_json() for folder, begin in begins.items() if begin is not None}

    def _begin(self, log: PartitionLog, offset: int) -> LogPosition | None:
        """The place of an offset, ``None`` for the beginning of the log."""
        first = beginning(log)
        if offset in (EARLIEST, first.offset):
            return None
        end = advanced(log, first)
        if offset in (LATEST, MAX_OFFSET):
            return end
        if offset > end.offset:
            raise OptionError(f"option startingOffsets: {log.folder} ends at offset {end.offset}, before {offset}")
        if offset < first.offset:
            reason = f"{shown(log.folder)} begins at offset {first.offset}, and startingOffsets says {offset}"
            report_gap(reason, fail_on_data_loss=self._options.fail_on_data_loss)
            return None
        return end if offset == end.offset else found_by_offset(log, replace(first, offset=offset))

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802 - Spark's name
        """``maxBytesPerTrigger`` or ``maxOffsetsPerTrigger``, or all that there is."""
        options = self._options
        if options.max_offsets_per_trigger is not None:
            return ReadMaxRows(options.max_offsets_per_trigger)
        return (
            ReadAllAvailable() if options.max_bytes_per_trigger is None else ReadMaxBytes(options.max_bytes_per_trigger)
        )

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802 - Spark's name
        """Takes note of the sizes that files have now; nothing later is read."""
        self._until = self._logs()

    def latestOffset(self, start: Offsets, limit: ReadLimit) -> Offsets:  # noqa: N802 - Spark's name
        """How far to read from ``start`` on. All partitions get a share of the limit, none less than one batch of records."""
        before = places_of(start)
        logs = self._logs() if self._until is None else self._until
        begins = {log.folder: self._located(log, before) for log in logs}
        unread = {log.folder: unread_bytes(log, begins[log.folder]) for log in logs}
        shares = _shares(unread, limit.max_bytes if isinstance(limit, ReadMaxBytes) else sum(unread.values()))
        most = _offsets_each(unread, limit)
        ends = {log.folder: self._end(log, begins[log.folder], shares[log.folder], most) for log in logs}
        # A place that was found again without anything after it is not yet the place to go on from: a log that comes back in
        # parts still lacks records that were read before.
        reached = {
            folder: end.to_json()
            for folder, end in ends.items()
            if folder not in before or _is_further(before[folder], begins[folder], end)
        }
        return {**start, **reached}

    def partitions(self, start: Offsets, end: Offsets) -> Sequence[InputPartition]:
        """The tasks that read between two offsets of the stream. Raises ``LogGapError`` where what lies between is gone."""
        begins, stops = places_of(start), places_of(end)
        folders = {folder for folder, stop in stops.items() if stop != begins.get(folder)}
        logs = [log for log in self._logs() if log.folder in folders]
        self._report_missing(folders - {log.folder for log in logs})
        reads = [read for log in logs for read in self._reads(log, begins, stops[log.folder])]
        size = task_size(sum(read.stop - read.start for read in reads), len(reads), self._options)
        ranges = (each for read in reads for each in self._ranges(read, size))
        return [LogInputPartition(group) for group in packed(ranges, size)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of a task."""
        assert isinstance(partition, LogInputPartition)
        return self._query.read(partition.ranges, self._options.bounds)

    def _logs(self) -> list[PartitionLog]:
        options = self._options
        paths = given_paths(options.path, options.paths)
        found = options.limited(find_logs(paths, options.take_partition, may_be_empty=True))
        return [log for log in found if any(segment.base_offset is not None for segment in log.segments)]

    def _report_missing(self, folders: Collection[str]) -> None:
        for folder in sorted(folders):
            reason = f"{shown(folder)} is gone, and a micro-batch was to read it"
            report_gap(reason, fail_on_data_loss=self._options.fail_on_data_loss)

    def _is_gone(self, log: PartitionLog, begin: LogPosition, stop: LogPosition) -> bool:
        """Whether nothing is left of what lies before ``stop``; that is reported."""
        if is_other_topic(begin, stop):
            reason = f"{shown(log.folder)} belongs to another topic of the same name since a micro-batch was planned"
        elif begin.offset > stop.offset:
            reason = f"{shown(log.folder)} begins at offset {begin.offset} now, and a micro-batch was to read up to {stop.offset}"
        else:
            return False
        report_gap(reason, fail_on_data_loss=self._options.fail_on_data_loss)
        return True

    def _located(self, log: PartitionLog, before: Mapping[str, LogPosition]) -> LogPosition:
        return located(log, before.get(log.folder), fail_on_data_loss=self._options.fail_on_data_loss)

    def _end(self, log: PartitionLog, begin: LogPosition, share: int, most: int) -> LogPosition:
        limit_offset = min(log.end_offset, begin.offset + most)
        end = advanced(log, begin, budget=share, limit_offset=limit_offset)
        if end == begin and share and limit_offset < log.end_offset:
            # The next offset that there is lies further than so many.
            end = advanced(log, begin, budget=1, limit_offset=log.end_offset)
        if self._options.isolation_level == "read_uncommitted" or end == begin:
            return end
        undecided, self._open[log.folder] = last_stable_offset(log, end.offset - 1, self._open.get(log.folder))
        if undecided is None or undecided >= end.offset:
            return end
        return advanced(log, begin, budget=share, limit_offset=min(undecided, limit_offset))

    def _reads(self, log: PartitionLog, start: Mapping[str, LogPosition], stop: LogPosition) -> Iterator[_Read]:
        """What a micro-batch reads of the segments of a log."""
        begin = self._located(log, start)
        if self._is_gone(log, begin, stop):
            return
        # Segments that were cleaned or merged since hold the same records at other positions.
        is_same = _is_same(start.get(log.folder), begin) and is_there(log, stop)
        offsets = None if is_same else (begin.offset, stop.offset - 1)
        if is_same and (first_wanted := max(log.start_offset, _within_batch(log, begin))):
            offsets = (first_wanted, MAX_OFFSET)
        for segment, range_start, range_end in ranges_between(log, begin, stop):
            wanted_start, wanted_stop = wanted_bytes(segment, within(log, self._options.bounds))
            place = max(range_start, wanted_start), min(range_end, wanted_stop)
            is_first = segment.base_offset == begin.segment and place[0] == range_start
            is_last = segment.base_offset == stop.segment and place[1] == range_end
            first = begin.offset if is_first else None
            last = (range_end, stop.offset - 1) if is_last else None
            if place[0] < place[1]:
                yield _Read(log, segment, *place, offsets, first, last)

    def _ranges(self, read: _Read, size: TaskSize) -> Iterator[FileRange]:
        log, segment = read.log, read.segment
        parts = split(segment, size.bytes, read.start, read.stop)
        for start, end, planned in with_offsets(segment, parts, read.first, read.last):
            yield FileRange(
                segment.path,
                log.topic,
                log.partition,
                start,
                end,
                ends_file=end == segment.size,
                is_complete=segment.is_complete,
                read_until=self._read_until,
                offsets=read.offsets,
                planned=planned,
            )


class _Read(NamedTuple):
    """A part of a segment that a micro-batch reads; ``first`` and ``last`` as for ``with_offsets``."""

    log: PartitionLog
    segment: Segment
    start: int
    stop: int
    offsets: tuple[int, int] | None
    first: int | None
    last: tuple[int, int] | None


def _is_same(before: LogPosition | None, begin: LogPosition) -> bool:
    return before is None or is_same_place(before, begin)


def _is_further(before: LogPosition, begin: LogPosition, end: LogPosition) -> bool:
    """Whether there is something to keep: records after the place, another topic, or the topic's id, not known before."""
    return end != begin or is_other_topic(before, begin) or (before == replace(begin, topic_id=None) != begin)


def _offsets_each(unread: Mapping[str, int], limit: ReadLimit) -> int:
    """How many offsets of each log may be read: the same for all that have something to read."""
    if not isinstance(limit, ReadMaxRows):
        return MAX_OFFSET
    return max(limit.max_rows // max(sum(size > 0 for size in unread.values()), 1), 1)


def _within_batch(log: PartitionLog, begin: LogPosition) -> int:
    """The offset of a place if it lies within the batch there, as one that an option names may; otherwise 0."""
    segment = next((each for each in log.segments if each.base_offset == begin.segment), None)
    if segment is None:
        return 0
    try:
        with opened(segment.path) as file:
            data = memoryview(file.read_at(HEADER_SIZE, begin.position))
    except FileNotFoundError:
        return 0
    if len(data) < HEADER_SIZE:
        return 0
    header = header_at(data, 0)
    return begin.offset if header.base_offset < begin.offset <= header.last_offset else 0


def _shares(unread: Mapping[str, int], limit: int) -> dict[str, int]:
    """How many bytes of each log may be read, the same for all that have so many, so that none has to wait."""
    shares = {}
    left = limit
    for number, folder in enumerate(sorted(unread, key=unread.__getitem__)):
        shares[folder] = min(unread[folder], left // (len(unread) - number))
        left -= shares[folder]
    return shares
