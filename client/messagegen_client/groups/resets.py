"""Plans to set a group back, or forward: which offset each partition would get, and which it has.

The targets are those of Kafka's ``kafka-consumer-groups --reset-offsets`` (KIP-122).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Final, Self

from messagegen_client.errors import KafkaError
from messagegen_client.groups.offsets import OffsetAndMetadata, Pair, list_consumer_group_offsets
from messagegen_client.net.cluster import Cluster
from messagegen_client.net.deadlines import Deadline
from messagegen_client.net.partitions import TopicPartition, topic_partition
from messagegen_client.offsets.calls import beginning_offsets, end_offsets, offsets_for_times
from messagegen_client.offsets.search import OffsetAndTimestamp
from messagegen_client.offsets.specs import milliseconds

_HIGHEST: Final = 2**63 - 1


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
    """Where a group is to go on; made by its class methods. What lies outside of a partition means its nearer end."""

    kind: _Kind
    number: int = 0
    offsets: Mapping[TopicPartition, int] = field(default_factory=dict[TopicPartition, int])

    @classmethod
    def to_earliest(cls) -> Self:
        """At the first record that each partition still has."""
        return cls(_Kind.EARLIEST)

    @classmethod
    def to_latest(cls) -> Self:
        """Behind the last record."""
        return cls(_Kind.LATEST)

    @classmethod
    def to_current(cls) -> Self:
        """Where the group has got to; behind the last record where it has committed nothing."""
        return cls(_Kind.CURRENT)

    @classmethod
    def to_offset(cls, offset: int) -> Self:
        """At one offset in all partitions. Raises ``ValueError`` for what is no offset."""
        return cls(_Kind.OFFSET, _checked(offset))

    @classmethod
    def shift_by(cls, records: int) -> Self:
        """So many offsets after the committed one, or before it for a negative number."""
        if type(records) is not int:
            raise ValueError(f"a shift is a whole number of offsets, not {records!r}")
        return cls(_Kind.SHIFT, records)

    @classmethod
    def to_datetime(cls, time: int | datetime) -> Self:
        """At the first record at or after a time, behind the last one where all are older; see ``milliseconds``."""
        return cls(_Kind.TIME, milliseconds(time))

    @classmethod
    def by_duration(cls, duration: timedelta, now: datetime | None = None) -> Self:
        """As ``to_datetime``, so long before ``now``, which is the clock's time unless it is given."""
        return cls.to_datetime((datetime.now(UTC) if now is None else now) - duration)

    @classmethod
    def to_offsets(cls, offsets: Mapping[Pair, int]) -> Self:
        """At an offset for each partition, such as those that the group had before."""
        wanted = {topic_partition(pair): _checked(offset) for pair, offset in offsets.items()}
        return cls(_Kind.EACH, offsets=wanted)


@dataclass(frozen=True, slots=True)
class OffsetChange:
    """What a plan has for one partition: the committed offset (``None``: there is none) and the new one.

    ``note`` says why that is another one than was asked for.
    """

    current: int | None
    new: int
    note: str | None = None

    @property
    def changes(self) -> bool:
        """Whether the new offset is another one."""
        return self.current != self.new


@dataclass(frozen=True, slots=True)
class ConsumerGroupResetPlan:
    """What a reset of a group would do; nothing has been done yet."""

    group_id: str
    partitions: Mapping[TopicPartition, OffsetChange]

    @property
    def offsets(self) -> dict[TopicPartition, int]:
        """The new offsets where they differ, as ``alter_consumer_group_offsets`` takes them."""
        return {partition: one.new for partition, one in self.partitions.items() if one.changes}

    @property
    def before(self) -> dict[TopicPartition, int]:
        """The offsets that would be replaced: what to go back to."""
        return {
            partition: one.current
            for partition, one in self.partitions.items()
            if one.changes and one.current is not None
        }


class NoCommittedOffsetError(KafkaError, ValueError):
    """A shift is asked for in partitions without a committed offset."""


async def plan_consumer_group_reset(
    cluster: Cluster,
    group_id: str,
    target: OffsetReset,
    partitions: Iterable[tuple[str, int]] | None = None,
    *,
    timeout: float | None = None,  # noqa: ASYNC109 - one deadline for several requests
) -> ConsumerGroupResetPlan:
    """Which offsets ``partitions`` would get; without them all of which the group has committed an offset.

    For offsets by partition the partitions are theirs. Nothing is changed, and the group may have members. ``timeout`` is
    in seconds, for the whole call; without it the config's ``api_timeout`` counts.

    Raises ``ListOffsetsError`` where leaders do not answer for a partition, ``NoCommittedOffsetError``, and what
    ``list_consumer_group_offsets`` raises.
    """
    deadline = cluster.deadline(timeout)
    if target.kind is _Kind.EACH:
        partitions = target.offsets
    committed = await list_consumer_group_offsets(cluster, group_id, partitions, timeout=_rest(deadline))
    if not committed:
        return ConsumerGroupResetPlan(group_id, {})
    if target.kind is _Kind.SHIFT:
        _check_committed(committed)
    starts = await beginning_offsets(cluster, committed, timeout=_rest(deadline))
    ends = await end_offsets(cluster, committed, timeout=_rest(deadline))
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
    return await offsets_for_times(cluster, dict.fromkeys(partitions, target.number), timeout=_rest(deadline))


def _wanted(
    target: OffsetReset, partition: TopicPartition, current: int | None, found: OffsetAndTimestamp | None, log: range
) -> tuple[int, str | None]:
    """The offset that is asked for in a partition with these offsets, and what there is to say about it."""
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
            return log.stop, "no record is that late: the end"
        case _ if current is None:
            return log.stop, "nothing is committed: the end"
        case _:
            return current + target.number, None


def _within(current: int | None, wanted: int, log: range, note: str | None) -> OffsetChange:
    new = min(max(wanted, log.start), log.stop)
    if new != wanted:
        note = f"{wanted} is {'before the first offset' if wanted < log.start else 'behind the end'}"
    return OffsetChange(current, new, note)


def _check_committed(committed: Mapping[TopicPartition, OffsetAndMetadata | None]) -> None:
    without = [partition for partition, offset in committed.items() if offset is None]
    if without:
        more = f" and {len(without) - 1} more" if len(without) > 1 else ""
        raise NoCommittedOffsetError(
            f"a shift starts from the committed offset, and {without[0]}{more} has none; leave it out, or give another target"
        )


def _checked(offset: int) -> int:
    if type(offset) is not int or not 0 <= offset <= _HIGHEST:
        raise ValueError(f"an offset is a whole number from 0 to {_HIGHEST}, not {offset!r}")
    return offset


def _rest(deadline: Deadline) -> float:
    # No time at all is no timeout: the call itself has to say that it is over.
    return max(deadline.remaining(), 0.001)
