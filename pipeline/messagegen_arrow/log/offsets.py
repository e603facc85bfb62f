"""From which offset to which each partition is read, as the options of Spark's own ``kafka`` source say it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from messagegen_arrow.files import opened
from messagegen_arrow.log.files import MAX_OFFSET, PartitionLog, Segment
from messagegen_arrow.log.indexes import position_of_time
from messagegen_arrow.log.kafka_options import EARLIEST, LATEST, PartitionNumbers
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.recovery import headers_past_damage
from messagegen_arrow.options import OptionError
from messagegen_arrow.records.engine import record_reader
from messagegen_arrow.records.pure_reader import Bounds


def with_chosen_offsets(logs: Sequence[PartitionLog], options: LogOptions) -> list[PartitionLog]:
    """The logs, each from its starting up to its ending offset. Raises ``OptionError`` for partitions that are not there or missing."""
    starts, ends = starting_offsets(logs, options), _ending_offsets(logs, options)
    if options.starting_offsets == "latest" or (starts is not None and LATEST in starts.values()):
        raise OptionError("option startingOffsets: a batch query can't begin at the latest offset; streams can")
    chosen = []
    for log in logs:
        start = _of(log, starts, EARLIEST)
        end = _of(log, ends, LATEST)
        first = log.start_offset if start == EARLIEST else max(log.start_offset, start)
        last = log.end_offset if end == LATEST else min(log.end_offset, end)
        chosen.append(replace(log, start_offset=first, end_offset=last))
    return chosen


def starting_offsets(logs: Sequence[PartitionLog], options: LogOptions) -> PartitionNumbers | None:
    """Where each partition begins, also as ``EARLIEST`` and ``LATEST``; ``None`` where the options don't say.

    Times win over offsets, as in Spark.
    """
    if options.starting_offsets_by_timestamp is not None:
        found = _by_time(logs, options.starting_offsets_by_timestamp, "startingOffsetsByTimestamp")
        missing = [f"{topic}-{partition}" for (topic, partition), offset in found.items() if offset is None]
        if missing and options.starting_offsets_by_timestamp_strategy == "error":
            raise OptionError(
                f"option startingOffsetsByTimestamp: {missing[0]} has no record as late as that; "
                "startingOffsetsByTimestampStrategy=latest begins after its last record"
            )
        return {each: MAX_OFFSET if offset is None else offset for each, offset in found.items()}
    return _checked(logs, options.starting_offsets, "startingOffsets", "-2 is the earliest offset")


def _ending_offsets(logs: Sequence[PartitionLog], options: LogOptions) -> PartitionNumbers | None:
    if options.ending_offsets_by_timestamp is not None:
        found = _by_time(logs, options.ending_offsets_by_timestamp, "endingOffsetsByTimestamp")
        return {each: LATEST if offset is None else offset for each, offset in found.items()}
    return _checked(logs, options.ending_offsets, "endingOffsets", "-1 is the latest offset")


def _of(log: PartitionLog, offsets: PartitionNumbers | None, otherwise: int) -> int:
    return otherwise if offsets is None else offsets.get((log.topic or "", log.partition or 0), otherwise)


def _by_time(logs: Sequence[PartitionLog], times: PartitionNumbers, option: str) -> dict[tuple[str, int], int | None]:
    _checked(logs, times, option, "all partitions that are read need a time")
    found: dict[tuple[str, int], int | None] = {}
    for log in logs:
        partition = log.topic or "", log.partition or 0
        offset = offset_for_time(log, times[partition])
        known = found.get(partition)
        # Of several replicas the one that has more decides.
        found[partition] = offset if known is None else known if offset is None else min(known, offset)
    return found


def _checked(
    logs: Iterable[PartitionLog], offsets: str | PartitionNumbers, option: str, advice: str
) -> PartitionNumbers | None:
    """The offsets, if they name all partitions and no others. Spark's own source asks for that too."""
    if isinstance(offsets, str):
        return None
    there = {(log.topic or "", log.partition or 0) for log in logs}
    for wanted, reason in ((there - offsets.keys(), f"is missing; {advice}"), (offsets.keys() - there, "is not there")):
        if wanted:
            topic, partition = min(wanted)
            raise OptionError(f"option {option}: {topic}-{partition} {reason}")
    return offsets


def offset_for_time(log: PartitionLog, timestamp: int) -> int | None:
    """The offset of the first record that is as late as a timestamp or later, ``None`` if there is none (KIP-79)."""
    for segment in log.segments:
        if segment.base_offset is None or (segment.next_base_offset or MAX_OFFSET) <= log.start_offset:
            continue
        try:
            offset = _offset_in(segment, Bounds(min_offset=log.start_offset, min_timestamp=timestamp))
        except FileNotFoundError:
            continue
        if offset is not None:
            return offset
    return None


def _offset_in(segment: Segment, bounds: Bounds) -> int | None:
    with opened(segment.path) as file:
        start = position_of_time(file, segment, bounds.min_timestamp)
        for headers in headers_past_damage(file, start, segment.size, is_complete=segment.is_complete):
            late = headers.column("max_timestamp").fill_null(bounds.min_timestamp).to_numpy() >= bounds.min_timestamp
            for row in late.nonzero()[0].tolist():
                length, position = headers.column("length")[row].as_py(), headers.column("position")[row].as_py()
                batch = file.read_at(length, position)
                table = record_reader(batch, columns=["offset"], bounds=bounds).read(1)
                if table is not None and table.num_rows and table.column("offset")[0].is_valid:
                    return int(table.column("offset")[0].as_py())
    return None
