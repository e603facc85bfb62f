"""Finding the records of a range again where the log cleaner has rewritten, merged or deleted its file since planning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from messagegen_arrow.files import OpenFile, parent_of
from messagegen_arrow.log.files import partition_log, segment_files
from messagegen_arrow.log.planning import FileRange, Planned


def is_as_planned(file: OpenFile, each: FileRange) -> bool:
    """Whether an open file is the one that the range was planned for: a cleaned segment is a new file of the same name."""
    return each.planned is None or file.inode() == each.planned.inode


def is_part(each: FileRange) -> bool:
    """Whether a range is one of several of an object: which of its records the others read can't be told of another object."""
    return each.goals_in is not None and (each.start, each.end) != (0, each.goals_in.size)


def has_begin(planned: Planned, path: str) -> bool:
    """Whether the log of a segment's folder still begins at the first offset of a range, or before it."""
    folder = parent_of(path)
    bases = [each.base_offset for each in partition_log(folder, segment_files(folder)).segments]
    return any(base is not None and base <= planned.first_offset for base in bases)


def relocated(each: FileRange, planned: Planned) -> Iterator[FileRange]:
    """The segments that may hold the offsets of a range now, each as a whole and bounded by these offsets."""
    first, last = planned.first_offset, planned.last_offset
    if each.offsets is not None:
        first, last = max(first, each.offsets[0]), min(last, each.offsets[1])
    folder = parent_of(each.path)
    for segment in partition_log(folder, segment_files(folder)).segments:
        ends_before = segment.next_base_offset is not None and segment.next_base_offset <= first
        if segment.base_offset is None or segment.base_offset > last or ends_before:
            continue
        yield replace(
            each,
            path=segment.path,
            start=0,
            end=segment.size,
            ends_file=True,
            is_complete=segment.is_complete,
            offsets=(first, last),
            planned=Planned(segment.inode, first, last),
            goals_in=None,
        )
