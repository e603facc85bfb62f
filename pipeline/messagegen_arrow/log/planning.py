"""What each task reads: ranges of files that begin and end between batches, of about equal size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from messagegen_arrow.files import OpenFile, is_url, opened
from messagegen_arrow.log.files import MAX_OFFSET, PartitionLog, Segment
from messagegen_arrow.log.indexes import indexed_positions, position_after, position_before, position_of_time
from messagegen_arrow.log.names import is_tiered_segment
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.recovery import headers_past_damage, intact_batch_at
from messagegen_arrow.records.pure_reader import Bounds
from messagegen_arrow.task_size import TaskSize, packed, task_size

_NO_BOUNDS: Final = Bounds()


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
    goals_in: Segment | None = None
    """The segment of which the range is a part that only says how many bytes to read: ``settled`` finds where its batches begin and end."""


def plan(
    logs: Sequence[PartitionLog], bounds: Bounds, options: LogOptions, read_until: Sequence[int | None]
) -> list[tuple[FileRange, ...]]:
    """The tasks that read all that may hold records within ``bounds``, as far as names of files and indexes tell.

    Large segments are split between batches, small ones share a task; ``maxPartitionBytes`` and ``minPartitions`` say what is large.
    ``read_until`` has the last stable offset of each log for ``read_committed``. Files that are gone by now are left to the task that reads them.

    No object of a store is opened here, which would take seconds for a hundred: ranges of them get their borders from ``settled``, in the tasks.
    """
    chosen = [
        (log, number, segment, *_bytes_to_share(segment, within(log, bounds)))
        for number, log in enumerate(logs)
        for segment in segments_within(log, bounds)
    ]
    chosen = [each for each in chosen if each[3] < each[4]]
    size = task_size(sum(stop - start for *_, start, stop in chosen), len(chosen), options)
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
            offsets=_wanted_offsets(log, segment),
            planned=planned,
            goals_in=segment if is_url(segment.path) else None,
        )
        for log, number, segment, first, stop in chosen
        for start, end, planned in _shares(segment, within(log, bounds), (first, stop), size)
    )
    return [tuple(group) for group in packed(ranges, size)]


def _bytes_to_share(segment: Segment, bounds: Bounds) -> tuple[int, int]:
    return (0, segment.size) if is_url(segment.path) else wanted_bytes(segment, bounds)


def _wanted_offsets(log: PartitionLog, segment: Segment) -> tuple[int, int] | None:
    """What is wanted of a segment. In tiered storage segments of several leaders overlap: each counts up to the next one."""
    if not is_tiered_segment(segment.path) or segment.next_base_offset is None:
        return log.offsets
    first, last = log.offsets or (0, MAX_OFFSET)
    return first, min(last, segment.next_base_offset - 1)


def _shares(
    segment: Segment, bounds: Bounds, place: tuple[int, int], size: TaskSize
) -> Iterator[tuple[int, int, Planned | None]]:
    """The ranges of a segment that tasks read. An object is cut by its size, if an index will tell where batches begin there."""
    if not is_url(segment.path):
        yield from ranges_within(segment, bounds, place, size)
        return
    start, stop = place
    parts = -(-(stop - start) // size.bytes) if segment.is_indexed else 1
    share = -(-(stop - start) // parts)
    planned = None
    if segment.base_offset is not None:
        following = MAX_OFFSET if segment.next_base_offset is None else segment.next_base_offset
        planned = Planned(segment.inode, segment.base_offset, following - 1)
    for begin in range(start, stop, share):
        yield begin, min(begin + share, stop), planned


def settled(each: FileRange, bounds: Bounds) -> FileRange:
    """A range with borders where batches begin, and without what the indexes leave out; ranges of local files have them.

    A border depends on the segment and the position alone, so the task before finds the same one. Raises ``FileNotFoundError``.
    """
    segment = each.goals_in
    if segment is None:
        return each
    start, end = (_border(segment, goal) for goal in (each.start, each.end))
    if each.offsets is not None:
        bounds = bounds.within_offsets(*each.offsets)
    first, stop = wanted_bytes(segment, bounds)
    start, end = max(start, first), min(end, stop)
    return replace(each, start=start, end=max(start, end), ends_file=end == segment.size, goals_in=None)


def _border(segment: Segment, goal: int) -> int:
    """Where the first batch at a position or after it begins."""
    return goal if goal in (0, segment.size) else next(borders(segment, 0, [goal]), segment.size)


def within(log: PartitionLog, bounds: Bounds) -> Bounds:
    """The bounds, as far as the log is to be read."""
    return bounds.within_offsets(log.start_offset, log.end_offset - 1)


def ranges_within(
    segment: Segment, bounds: Bounds, place: tuple[int, int], size: TaskSize
) -> Iterator[tuple[int, int, Planned | None]]:
    """The ranges of a task's size between two positions of a segment, without those that lie outside the bounds by their offsets."""
    for start, end, planned in with_offsets(segment, split(segment, size.bytes, *place)):
        if planned is not None and planned.first_offset > bounds.max_offset:
            return
        if planned is None or planned.last_offset >= bounds.min_offset:
            yield start, end, planned


def wanted_bytes(segment: Segment, bounds: Bounds) -> tuple[int, int]:
    """From where to where a segment may hold records that are wanted, as far as its indexes tell; both are between batches."""
    begins_before = segment.base_offset is not None and segment.base_offset < bounds.min_offset
    ends_after = bounds.max_offset < (MAX_OFFSET if segment.next_base_offset is None else segment.next_base_offset - 1)
    has_times = bounds.min_timestamp > _NO_BOUNDS.min_timestamp
    start, stop = 0, segment.size
    if not (begins_before or ends_after or has_times):
        return start, stop
    try:
        with opened(segment.path) as file:
            if begins_before:
                start = position_before(file, segment, bounds.min_offset)
            if ends_after:
                stop = position_after(file, segment, bounds.max_offset)
            if has_times:
                start = max(start, position_of_time(file, segment, bounds.min_timestamp))
    except FileNotFoundError:
        return 0, segment.size
    return start, stop


def segments_within(log: PartitionLog, bounds: Bounds) -> Iterator[Segment]:
    """The segments whose offsets, as their names say, may lie within ``bounds`` and are to be read."""
    bounds = within(log, bounds)
    for segment in log.segments:
        ends_before = segment.next_base_offset is not None and segment.next_base_offset <= bounds.min_offset
        begins_after = segment.base_offset is not None and segment.base_offset > bounds.max_offset
        if segment.size and not ends_before and not begins_after:
            yield segment


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
    segment: Segment, ranges: Iterable[tuple[int, int]], first: int | None = None, last: tuple[int, int] | None = None
) -> Iterator[tuple[int, int, Planned | None]]:
    """Ranges of a segment with the offsets that lie in them, as their batches and the segment's name say.

    ``first`` is the first offset if that is known better, ``last`` the position at which the ranges end and the last offset before it.
    """
    begin = first
    for start, end in ranges:
        if segment.base_offset is None:
            yield start, end, None
            continue
        if begin is None:
            begin = segment.base_offset if start == 0 else _base_offset_at(segment, start)
        following = MAX_OFFSET if segment.next_base_offset is None else segment.next_base_offset
        if last is not None and end == last[0]:
            following = last[1] + 1
        elif end < segment.size:
            following = _base_offset_at(segment, end)
        yield start, end, Planned(segment.inode, begin, following - 1)
        begin = following


def _base_offset_at(segment: Segment, position: int) -> int:
    """The base offset of the batch at a position. A file that is gone by now has no more there, and then it does not matter."""
    try:
        with opened(segment.path) as file:
            data = file.read_at(8, position)
            return int.from_bytes(data, "big", signed=True) if len(data) == 8 else MAX_OFFSET
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
        with opened(segment.path) as file:
            indexed = list(indexed_positions(segment))
            yield from _borders(file, segment, start, goals, indexed)
    except FileNotFoundError:
        return


def _borders(
    file: OpenFile, segment: Segment, start: int, goals: Sequence[int], indexed: Sequence[int]
) -> Iterator[int]:
    entry, position = 0, start
    for goal in goals:
        while entry < len(indexed) and indexed[entry] < goal:
            entry += 1
        if entry < len(indexed) and intact_batch_at(file, indexed[entry], segment.size):
            position = max(position, indexed[entry])
        if position < goal:
            reached = _hop_to(file, position, goal, segment.size)
            if reached is None:
                return
            position = reached
        yield position


def _hop_to(file: OpenFile, position: int, goal: int, end: int) -> int | None:
    """The first batch from ``position`` on that begins at ``goal`` or after it, ``None`` if there is none."""
    for headers in headers_past_damage(file, position, end, is_complete=True):
        positions = headers.column("position").to_numpy()
        for found in positions[positions.searchsorted(goal) :].tolist():
            # Behind a damaged length headers lead astray.
            if intact_batch_at(file, found, end):
                return int(found)
    return None
