"""What each task reads: ranges of files that begin and end between batches, of about equal size."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pyspark.sql.datasource import InputPartition

from messagegen_spark.records.pure_reader import Bounds
from messagegen_spark.sources.log_files import MAX_OFFSET, PartitionLog, Segment
from messagegen_spark.sources.log_indexes import indexed_positions
from messagegen_spark.sources.log_options import MEBIBYTE, LogOptions
from messagegen_spark.sources.log_recovery import headers_past_damage, intact_batch_at
from messagegen_spark.sources.log_scan import opened

_COST_OF_FILE: Final = 4 * MEBIBYTE
"""Opening a file costs about as much as reading so many bytes (Spark's ``openCostInBytes``)."""


@dataclass(frozen=True, slots=True)
class Planned:
    """What a range was planned for: positions hold in this file only, offsets after the log cleaner too."""

    inode: int
    first_offset: int
    last_offset: int


@dataclass(frozen=True, slots=True)
class FileRange:
    """Batches of one file, from one position to another."""

    path: str
    topic: str | None
    partition: int | None
    start: int
    end: int
    ends_file: bool
    """Whether the file ended there when this was planned."""
    is_complete: bool
    """Whether nothing is ever appended to the file, so that bytes at its end which are no batch are damage."""
    read_until: int | None = None
    """For ``read_committed`` the log's last stable offset (``MAX_OFFSET`` where all is decided), otherwise ``None``."""
    offsets: tuple[int, int] | None = None
    """The first and the last offset that are wanted of the file, ``None`` for all."""
    planned: Planned | None = None
    """``None`` for files whose names tell no offset."""


class LogInputPartition(InputPartition):
    """What one task reads."""

    def __init__(self, ranges: Iterable[FileRange]) -> None:
        super().__init__(tuple(ranges))

    @property
    def ranges(self) -> tuple[FileRange, ...]:
        """The ranges, in the order of topic, partition and offset."""
        ranges: tuple[FileRange, ...] = self.value
        return ranges


def plan(
    logs: Sequence[PartitionLog], bounds: Bounds, options: LogOptions, read_until: Sequence[int | None]
) -> list[LogInputPartition]:
    """The tasks that read all segments which may hold records within ``bounds``.

    Large segments are split between batches, small ones share a task; ``maxPartitionBytes`` and ``minPartitions`` say what is large.
    ``read_until`` has the last stable offset of each log for ``read_committed``. Files that are gone by now are left to the task that reads them.
    """
    chosen = [(log, number, segment) for number, log in enumerate(logs) for segment in segments_within(log, bounds)]
    total = sum(segment.size + _COST_OF_FILE for _, _, segment in chosen)
    target = max(1, min(options.max_partition_bytes, total // options.min_partitions))
    ranges = (
        FileRange(
            segment.path,
            log.topic,
            log.partition,
            start,
            end,
            ends_file=end == segment.size,
            is_complete=segment.is_complete,
            read_until=read_until[number],
            offsets=log.offsets,
            planned=planned,
        )
        for log, number, segment in chosen
        for start, end, planned in with_offsets(segment, split(segment, target))
    )
    return [LogInputPartition(group) for group in packed(ranges, target)]


def segments_within(log: PartitionLog, bounds: Bounds) -> Iterator[Segment]:
    """The segments whose offsets, as their names say, may lie within ``bounds`` and are to be read."""
    bounds = bounds.within_offsets(log.start_offset, log.end_offset - 1)
    for segment in log.segments:
        ends_before = segment.next_base_offset is not None and segment.next_base_offset <= bounds.min_offset
        begins_after = segment.base_offset is not None and segment.base_offset > bounds.max_offset
        if segment.size and not ends_before and not begins_after:
            yield segment


def packed(ranges: Iterable[FileRange], target: int) -> Iterator[list[FileRange]]:
    """Neighbours together, as long as they cost at most ``target`` bytes."""
    group: list[FileRange] = []
    cost = 0
    for each in ranges:
        own = each.end - each.start + _COST_OF_FILE
        if group and cost + own > target + _COST_OF_FILE:
            yield group
            group, cost = [], 0
        group.append(each)
        cost += own
    if group:
        yield group


def split(segment: Segment, target: int, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """The segment from ``start`` to ``end`` in ranges of about ``target`` bytes, each of which begins where a batch does."""
    stop = segment.size if end is None else end
    parts = -(-(stop - start) // target)
    size = -(-(stop - start) // max(parts, 1))
    goals = range(start + size, stop, size) if parts > 1 else ()
    begin = start
    for border in borders(segment, start, goals):
        if begin < border < stop:
            yield begin, border
            begin = border
    yield begin, stop


def with_offsets(
    segment: Segment, ranges: Iterable[tuple[int, int]], first: int | None = None, last: int | None = None
) -> Iterator[tuple[int, int, Planned | None]]:
    """Ranges of a segment with the offsets that lie in them, ``first`` and ``last`` in all (``None``: those of its name)."""
    each_range = list(ranges)
    if segment.base_offset is None:
        yield from ((start, end, None) for start, end in each_range)
        return
    least = segment.base_offset if first is None else first
    most = (MAX_OFFSET if segment.next_base_offset is None else segment.next_base_offset) - 1 if last is None else last
    begins = [least, *(_base_offset_at(segment, start) for start, _ in each_range[1:])]
    for number, (start, end) in enumerate(each_range):
        until = begins[number + 1] - 1 if number + 1 < len(begins) else most
        yield start, end, Planned(segment.inode, begins[number], until)


def _base_offset_at(segment: Segment, position: int) -> int:
    """The base offset of the batch at a position. A file that is gone by now has no more there, and then it does not matter."""
    try:
        with opened(segment.path) as descriptor:
            return int.from_bytes(os.pread(descriptor, 8, position), "big", signed=True)
    except FileNotFoundError:
        return MAX_OFFSET


def borders(segment: Segment, start: int, goals: Sequence[int]) -> Iterator[int]:
    """For each position of ``goals`` (ascending) a place where a batch begins, at or soon after it.

    The broker's offset index has one for every 4 KiB or so, which saves reading the segment here. Without an index, and where
    it leads to no batch, headers are hopped over. Fewer borders come where there are no more batches.
    """
    if not goals:
        return
    try:
        with opened(segment.path) as descriptor:
            indexed = list(indexed_positions(segment))
            yield from _borders(descriptor, segment, start, goals, indexed)
    except FileNotFoundError:
        return


def _borders(
    descriptor: int, segment: Segment, start: int, goals: Sequence[int], indexed: Sequence[int]
) -> Iterator[int]:
    entry, position = 0, start
    for goal in goals:
        while entry < len(indexed) and indexed[entry] < goal:
            entry += 1
        if entry < len(indexed) and intact_batch_at(descriptor, indexed[entry], segment.size):
            position = max(position, indexed[entry])
        if position < goal:
            reached = _hop_to(descriptor, position, goal, segment.size)
            if reached is None:
                return
            position = reached
        yield position


def _hop_to(descriptor: int, position: int, goal: int, end: int) -> int | None:
    """The first batch from ``position`` on that begins at ``goal`` or after it, ``None`` if there is none."""
    for headers in headers_past_damage(descriptor, position, end, is_complete=True):
        positions = headers.column("position").to_numpy()
        for found in positions[positions.searchsorted(goal) :].tolist():
            # Behind a damaged length headers lead astray.
            if intact_batch_at(descriptor, found, end):
                return int(found)
    return None
