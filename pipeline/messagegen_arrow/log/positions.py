"""How far a stream has come in the log of a partition, and how far it may go."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.files import OpenFile, joined, opened, read_bytes, shown
from messagegen_arrow.log.files import MAX_OFFSET, PartitionLog, Segment
from messagegen_arrow.log.indexes import last_indexed, position_before
from messagegen_arrow.log.recovery import headers_past_damage
from messagegen_arrow.log.scan import Tail
from messagegen_arrow.malformed import ERROR_NAME
from messagegen_arrow.records.engine import record_reader
from messagegen_kafka._runtime.records.headers import HEADER_SIZE, Frame, frame_at

_LOG: Final = logging.getLogger(__name__)
_METADATA_FILE: Final = "partition.metadata"
_MOST_SHOWN: Final = 100


class LogGapError(RuntimeError):
    """Raised where records were deleted before they were read."""


class CheckpointError(ValueError):
    """Raised for a checkpoint that another version of messagegen wrote."""


@dataclass(frozen=True, slots=True)
class LogPosition:
    """A place between two batches of a partition's log; it is the stream's offset, in JSON."""

    segment: int
    """The base offset of the segment."""
    position: int
    """The byte in it."""
    offset: int
    """The offset after the last record before it: finds the place again when segments were cleaned, merged or deleted."""
    topic_id: str | None
    """Tells a topic from one that had its name before."""

    def to_json(self) -> dict[str, int | str | None]:
        """Plain values, for Spark's checkpoint."""
        place = {"segment": self.segment, "position": self.position, "offset": self.offset}
        return {**place, "topicId": self.topic_id} if self.topic_id else dict(place)


def places_of(offsets: object) -> dict[str, LogPosition]:
    """The places by folder that ``LogPosition.to_json`` told, out of a checkpoint.

    Raises ``CheckpointError`` for anything else.
    """
    if not isinstance(offsets, Mapping):
        raise _of_other_version(offsets)
    return {folder: _place(value) for folder, value in offsets.items()}


def _place(value: object) -> LogPosition:
    match value:
        case {"segment": int(segment), "position": int(position), "offset": int(offset), **rest} if not rest:
            return LogPosition(segment, position, offset, None)
        case {
            "segment": int(segment),
            "position": int(position),
            "offset": int(offset),
            "topicId": str(id_),
            **rest,
        } if not rest:
            return LogPosition(segment, position, offset, id_)
    raise _of_other_version(value)


def _of_other_version(found: object) -> CheckpointError:
    return CheckpointError(
        f"the checkpoint has {json.dumps(found)[:_MOST_SHOWN]} as the place in a log: another version of messagegen wrote it; "
        "start with a new checkpoint folder (option checkpointLocation)"
    )


def topic_id(folder: str) -> str | None:
    """The topic's id, which brokers write beside the segments since Kafka 2.8; ``None`` where it is not known.

    That it can't be read says nothing of the topic: the file may be copied later, or the disk may have failed just now.
    """
    path = joined(folder, _METADATA_FILE)
    try:
        text = read_bytes(path).decode(errors="replace")
    except FileNotFoundError:
        return None
    except OSError as problem:
        _LOG.warning("%s can't be read (%s), so the topic is taken for the same as before", shown(path), problem)
        return None
    match = re.search(r"^topic_id: (\S+)$", text, re.MULTILINE)
    return match[1] if match else None


def beginning(log: PartitionLog) -> LogPosition:
    """The place before all that a log still has."""
    base_offsets = [segment.base_offset or 0 for segment in log.segments]
    base_offset = max((each for each in base_offsets if each <= log.start_offset), default=base_offsets[0])
    return LogPosition(base_offset, 0, max(base_offset, log.start_offset), topic_id(log.folder))


def located(log: PartitionLog, before: LogPosition | None, *, fail_on_data_loss: bool) -> LogPosition:
    """Where to go on in a log as it is now: ``before``, unless segments were cleaned, merged, truncated or deleted since.

    Raises ``LogGapError`` where unread records are gone; without ``fail_on_data_loss`` it goes on after the gap.
    """
    first = beginning(log)
    if before is None:
        return first
    if is_other_topic(first, before):
        _LOG.warning(
            "%s belongs to another topic of the same name now, and is read from its beginning", shown(log.folder)
        )
        return first
    before = replace(before, topic_id=before.topic_id or first.topic_id)
    if first.offset > before.offset:
        reason = f"{shown(log.folder)} begins at offset {first.offset} now, and was read up to {before.offset}"
        report_gap(reason, fail_on_data_loss=fail_on_data_loss)
        return first
    if is_there(log, before):
        return before
    return found_by_offset(log, before)


def report_gap(reason: str, *, fail_on_data_loss: bool) -> None:
    """Says that unread records are gone: raises ``LogGapError``, or logs a warning without ``fail_on_data_loss``."""
    if fail_on_data_loss:
        raise LogGapError(f"{reason}; option failOnDataLoss=false continues without the missing records")
    _LOG.warning("%s; the records that are gone are missing", reason)


def is_other_topic(one: LogPosition, other: LogPosition) -> bool:
    """Whether two places belong to different topics of the same name. An id that is not known tells nothing."""
    return None not in (one.topic_id, other.topic_id) and one.topic_id != other.topic_id


def is_same_place(one: LogPosition, other: LogPosition) -> bool:
    """Whether two places are the same, as far as is known of their topics."""
    return replace(one, topic_id=None) == replace(other, topic_id=None) and not is_other_topic(one, other)


def advanced(
    log: PartitionLog, start: LogPosition, *, budget: int = MAX_OFFSET, limit_offset: int = MAX_OFFSET
) -> LogPosition:
    """The place up to which a log can be read from ``start`` on.

    At most ``budget`` bytes further, but at least a batch, and before the first batch that begins at ``limit_offset``
    or after it. What is not yet a whole batch at the end of the last segment is left for later.
    """
    at, left = start, budget
    for segment in _segments_from(log, start):
        if segment.base_offset != at.segment:
            at = replace(at, segment=segment.base_offset or 0, position=0, offset=segment.base_offset or 0)
        size = segment.size - at.position
        following = segment.next_base_offset
        if following is not None and size <= left and following <= limit_offset:
            at = replace(at, position=segment.size, offset=max(at.offset, following))
            left -= size
            continue
        is_first = left == budget
        return _hop(segment, at, left, limit_offset, least=int(is_first))
    return at


def ranges_between(log: PartitionLog, start: LogPosition, end: LogPosition) -> Iterator[tuple[Segment, int, int]]:
    """The segments between two places, each with the positions from and to which it is to be read."""
    for segment in _segments_from(log, start):
        base_offset = segment.base_offset or 0
        if base_offset > end.segment:
            return
        begin = start.position if base_offset == start.segment else 0
        stop = end.position if base_offset == end.segment else segment.size
        if stop > begin:
            yield segment, begin, stop


def unread_bytes(log: PartitionLog, start: LogPosition) -> int:
    """How many bytes follow a place."""
    sizes = (segment.size for segment in _segments_from(log, start))
    return max(sum(sizes) - start.position, 0)


def _segments_from(log: PartitionLog, start: LogPosition) -> Iterator[Segment]:
    return (each for each in log.segments if each.base_offset is not None and each.base_offset >= start.segment)


def is_there(log: PartitionLog, place: LogPosition) -> bool:
    """Whether the segment is there and, as far as the next header tells, is what it was."""
    segment = next((each for each in log.segments if each.base_offset == place.segment), None)
    if segment is None or place.position > segment.size:
        return False
    if place.position == segment.size and segment.next_base_offset is not None:
        # After a copy that came back in parts, the next segment may hold what was read before.
        return segment.next_base_offset >= place.offset
    if place.position in (0, segment.size):
        return True
    try:
        with opened(segment.path) as file:
            data = memoryview(file.read_at(HEADER_SIZE, place.position))
    except FileNotFoundError:
        return False
    frame = frame_at(data, 0, segment.size - place.position)
    if isinstance(frame, Frame):
        return frame.base_offset >= place.offset and 0 <= frame.magic <= 2
    # A tail that is no batch yet is where the last segment was left.
    return not segment.is_complete or frame in ("truncated", "preallocated")


def found_by_offset(log: PartitionLog, before: LogPosition) -> LogPosition:
    """The first batch that has the offset ``before`` reached, or a later one."""
    segments = [each for each in log.segments if (each.base_offset or 0) <= before.offset]
    segment = segments[-1]
    base_offset = segment.base_offset or 0
    position = 0
    try:
        with opened(segment.path) as file:
            position = position_before(file, segment, before.offset)
            hopping = headers_past_damage(file, position, segment.size, is_complete=segment.is_complete)
            for headers in hopping:
                last = pc.add(headers.column("base_offset"), pc.fill_null(headers.column("last_offset_delta"), 0))
                found = pc.index(pc.greater_equal(last, before.offset), pa.scalar(value=True)).as_py()
                if found >= 0:
                    position = headers.column("position")[found].as_py()
                    return replace(before, segment=base_offset, position=position)
                position = _end_of(headers)
    except FileNotFoundError:
        position = segment.size
    if segment.base_offset == before.segment and position < before.position <= segment.size:
        # Hopping met damage that was reported before.
        position = before.position
    return replace(before, segment=base_offset, position=position)


def _hop(segment: Segment, start: LogPosition, budget: int, limit_offset: int, *, least: int) -> LogPosition:
    """The furthest place in one segment. Headers are looked at from what the index names last of all that may be taken."""
    at, end = start, start.position + budget
    try:
        with opened(segment.path) as file:
            named = last_indexed(file, segment, start.position, min(end, segment.size), limit_offset)
            first = start.position if named is None else named
            hopping = headers_past_damage(file, first, segment.size, is_complete=segment.is_complete)
            while True:
                try:
                    headers = next(hopping)
                except StopIteration as stop:
                    return _at_tail(file, segment, first, at, stop.value)
                taken = _taken(headers, end, limit_offset, least)
                if taken:
                    at = _after(headers, taken, at)
                    least = max(least - taken, 0)
                if taken < headers.num_rows:
                    return at
    except FileNotFoundError:
        return at


def _taken(headers: pa.RecordBatch, last_position: int, limit_offset: int, least: int) -> int:
    """How many of the batches may be taken."""
    ends = pc.add(headers.column("position"), headers.column("length")).to_numpy()
    bases = headers.column("base_offset").to_numpy()
    within = int(ends.searchsorted(last_position, side="right"))
    allowed = (bases >= limit_offset).nonzero()[0]
    return min(max(within, least), int(allowed[0]) if len(allowed) else len(bases), len(bases))


def _after(headers: pa.RecordBatch, taken: int, at: LogPosition) -> LogPosition:
    last = headers.slice(taken - 1, 1).to_pylist()[0]
    offset = last["base_offset"] + (last["last_offset_delta"] or 0) + 1
    return replace(at, position=last["position"] + last["length"], offset=max(at.offset, offset))


def _end_of(headers: pa.RecordBatch) -> int:
    return int(headers.column("position")[-1].as_py() + headers.column("length")[-1].as_py())


def _at_tail(file: OpenFile, segment: Segment, first: int, at: LogPosition, tail: Tail | None) -> LogPosition:
    """The place at the end of a segment: what is damaged or will never be a batch is read too, as an error.

    ``first`` is where the first batch began that was looked at.
    """
    if tail is None or tail.stopped == "end":
        return at
    if segment.is_complete or tail.stopped == "damaged":
        return replace(at, position=segment.size)
    if tail.stopped == "preallocated" and at.position > first:
        return _before_half_written(file, first, at)
    return at


def _before_half_written(file: OpenFile, first: int, at: LogPosition) -> LogPosition:
    """The place without the last batch, if a broker has not written all of its bytes into preallocated zeros yet."""
    last = None
    for headers in headers_past_damage(file, first, at.position, is_complete=False):
        last = headers.slice(headers.num_rows - 1, 1).to_pylist()[0]
    if last is None:
        return at
    table = record_reader(file.read_at(last["length"], last["position"]), columns=[]).read(1)
    if table is None or table.column(ERROR_NAME).null_count == table.num_rows:
        return at
    return replace(at, position=last["position"], offset=last["base_offset"])
