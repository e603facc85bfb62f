"""Plans that reset the offsets of a group: the committed and the new offset of each partition.

The targets are those of ``kafka-consumer-groups --reset-offsets`` (KIP-122).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Self

from messagegen_client.errors import KafkaError
from messagegen_client.groups.offsets import OffsetAndMetadata, list_consumer_group_offsets
from messagegen_client.net.cluster import Cluster
from messagegen_client.net.deadlines import Deadline, Timeout
from messagegen_client.net.partitions import Pair, TopicPartition, checked_offset, topic_partition
from messagegen_client.offsets.calls import beginning_offsets, end_offsets, offsets_for_times
from messagegen_client.offsets.search import OffsetAndTimestamp
from messagegen_client.offsets.specs import milliseconds


class _Kind(Enum):
    EARLIEST = "to the first offset"
    LATEST = "to the end"
    CURRENT = "to the committed offset"
    OFFSET = "to an offset"
    SHIFT = "by a number of records"
    TIME = "to a time"
    EACH = "to an offset for each partition"


@dataclass(frozen=True, slots=True)
class OffsetReset:
    """The target of a reset. Use the class methods. An offset outside the partition is replaced by its nearer end."""

    kind: _Kind
    number: int = 0
    offsets: Mapping[TopicPartition, int] = field(default_factory=dict[TopicPartition, int])

    @classmethod
    def to_earliest(cls) -> Self:
        """To the first record of each partition."""
        return cls(_Kind.EARLIEST)

    @classmethod
    def to_latest(cls) -> Self:
        """To the end of each partition."""
        return cls(_Kind.LATEST)

    @classmethod
    def to_current(cls) -> Self:
        """To the committed offset, or to the end if there is none."""
        return cls(_Kind.CURRENT)

    @classmethod
    def to_offset(cls, offset: int) -> Self:
        """To the same offset in all partitions. Raises ``ValueError`` for an invalid offset."""
        return cls(_Kind.OFFSET, checked_offset(offset))

    @classmethod
    def shift_by(cls, records: int) -> Self:
        """To a number of offsets after the committed one, or before it if negative."""
        if type(records) is not int:
            raise ValueError(f"invalid shift {records!r}: expected a whole number of offsets")
        return cls(_Kind.SHIFT, records)

    @classmethod
    def to_datetime(cls, time: int | datetime) -> Self:
        """To the first record at or after a time, or to the end if all are older; see ``milliseconds``."""
        return cls(_Kind.TIME, milliseconds(time))

    @classmethod
    def by_duration(cls, duration: timedelta, now: datetime | None = None) -> Self:
        """As ``to_datetime``, a duration before ``now`` (default: the current time)."""
        return cls.to_datetime((datetime.now(UTC) if now is None else now) - duration)

    @classmethod
    def to_offsets(cls, offsets: Mapping[Pair, int]) -> Self:
        """To an offset for each partition, for example to those before an earlier reset."""
        wanted = {topic_partition(pair): checked_offset(offset) for pair, offset in offsets.items()}
        return cls(_Kind.EACH, offsets=wanted)


@dataclass(frozen=True, slots=True)
class OffsetChange:
    """The committed offset of a partition (``None`` if there is none) and the new one.

    ``note`` says why the new offset is not the target.
    """

    current: int | None
    new: int
    note: str | None = None

    @property
    def changes(self) -> bool:
        """Whether the new offset differs from the committed one."""
        return self.current != self.new


@dataclass(frozen=True, slots=True)
class ConsumerGroupResetPlan:
    """The changes of a reset, which has not been executed."""

    group_id: str
    partitions: Mapping[TopicPartition, OffsetChange]

    @property
    def offsets(self) -> dict[TopicPartition, int]:
        """The new offsets that differ from the committed ones, for ``alter_consumer_group_offsets``."""
        return {partition: one.new for partition, one in self.partitions.items() if one.changes}

    @property
    def before(self) -> dict[TopicPartition, int]:
        """The committed offsets that the reset replaces, to restore them later."""
        return {
            partition: one.current
            for partition, one in self.partitions.items()
            if one.changes and one.current is not None
        }


class NoCommittedOffsetError(KafkaError, ValueError):
    """A shift needs a committed offset in each partition."""


async def plan_consumer_group_reset(
    cluster: Cluster,
    group_id: str,
    target: OffsetReset,
    partitions: Iterable[tuple[str, int]] | None = None,
    *,
    timeout: Timeout = None,
) -> ConsumerGroupResetPlan:
    """The new offsets for ``partitions``; without them, for all partitions with a committed offset.

    A target with an offset for each partition brings its own partitions. Nothing is changed, and the group may have members.

    Raises ``ListOffsetsError``, ``NoCommittedOffsetError``, and what ``list_consumer_group_offsets`` raises.
    """
    deadline = cluster.deadline(timeout)
    if target.kind is _Kind.EACH:
        partitions = target.offsets
    committed = await list_consumer_group_offsets(cluster, group_id, partitions, timeout=deadline)
    if not committed:
        return ConsumerGroupResetPlan(group_id, {})
    if target.kind is _Kind.SHIFT:
        _check_committed(committed)
    starts = await beginning_offsets(cluster, committed, timeout=deadline)
    ends = await end_offsets(cluster, committed, timeout=deadline)
    times = await _times(cluster, target, committed, deadline)
    changes: dict[TopicPartition, OffsetChange] = {}
    for partition, offset in committed.items():
        current = None if offset is None else offset.offset
        log = range(starts[partition], ends[partition])
        wanted, note = _wanted(target, partition, current, times.get(partition), log)
        changes[partition] = _within(current, wanted, log, note)
    return ConsumerGroupResetPlan(group_id, changes)


async def _times(
    cluster: Cluster, target: OffsetReset, partitions: Iterable[TopicPartition], deadline: Deadline
) -> dict[TopicPartition, OffsetAndTimestamp | None]:
    if target.kind is not _Kind.TIME:
        return {}
    return await offsets_for_times(cluster, dict.fromkeys(partitions, target.number), timeout=deadline)


def _wanted(
    target: OffsetReset, partition: TopicPartition, current: int | None, found: OffsetAndTimestamp | None, log: range
) -> tuple[int, str | None]:
    """The target offset in a partition with the offsets ``log``, and a note."""
    match target.kind:
        case _Kind.EARLIEST:
            return log.start, None
        case _Kind.LATEST:
            return log.stop, None
        case _Kind.OFFSET:
            return target.number, None
        case _Kind.EACH:
            return target.offsets[partition], None
        case _Kind.TIME if found is not None:
            return found.offset, None
        case _Kind.TIME:
            return log.stop, "all records are older: using the end"
        case _ if current is None:
            return log.stop, "no committed offset: using the end"
        case _:
            return current + target.number, None


def _within(current: int | None, wanted: int, log: range, note: str | None) -> OffsetChange:
    new = min(max(wanted, log.start), log.stop)
    if new != wanted:
        note = f"{wanted} is {'before the first offset' if wanted < log.start else 'after the end'}"
    return OffsetChange(current, new, note)


def _check_committed(committed: Mapping[TopicPartition, OffsetAndMetadata | None]) -> None:
    without = [partition for partition, offset in committed.items() if offset is None]
    if without:
        more = f" and {len(without) - 1} more" if len(without) > 1 else ""
        raise NoCommittedOffsetError(
            f"no committed offset to shift for {without[0]}{more}; leave it out, or choose another target"
        )
