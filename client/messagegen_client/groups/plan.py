"""The commits that give groups the offsets of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from messagegen_client.groups.calls import list_consumer_group_offsets
from messagegen_client.groups.file import GroupOffsets
from messagegen_client.groups.members import count_members
from messagegen_client.offsets.calls import beginning_offsets, end_offsets
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.transport.cluster import Cluster
from messagegen_client.transport.deadlines import Timeout


@dataclass(frozen=True, slots=True)
class OffsetChange:
    """The offset of a partition before and after; ``before`` is ``None`` if the group has committed none."""

    partition: TopicPartition
    before: int | None
    after: int


@dataclass(frozen=True, slots=True)
class GroupChange:
    """The changes of one group, at least one, sorted by partition."""

    group_id: str
    changes: tuple[OffsetChange, ...]
    members: int
    """How many members the group has. While it has some, it can't be changed."""

    def offsets(self) -> dict[TopicPartition, int]:
        """The offsets to commit."""
        return {change.partition: change.after for change in self.changes}


@dataclass(frozen=True, slots=True)
class OffsetPlan:
    """The differences, sorted by group; and offsets that the partitions do not have."""

    groups: tuple[GroupChange, ...]
    problems: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.groups)

    @property
    def refusals(self) -> list[str]:
        """Why the plan can't be applied: offsets out of range, and groups with members."""
        active = [
            f"group {group.group_id} has members; stop its consumers first" for group in self.groups if group.members
        ]
        return [*self.problems, *active]


async def plan_offsets(cluster: Cluster, wanted: GroupOffsets, *, timeout: Timeout = None) -> OffsetPlan:
    """The plan that gives groups the offsets ``wanted``. Offsets of other partitions and groups are kept.

    Raises ``ListOffsetsError`` if a partition does not exist, what ``list_consumer_group_offsets`` raises, and what
    ``Cluster.call`` raises.
    """
    deadline = cluster.deadline(timeout)
    partitions = {partition for offsets in wanted.values() for partition in offsets}
    first = await beginning_offsets(cluster, partitions, timeout=deadline)
    end = await end_offsets(cluster, partitions, timeout=deadline)

    groups: list[GroupChange] = []
    problems: list[str] = []
    for group_id, offsets in sorted(wanted.items()):
        problems += (f"group {group_id}: {problem}" for problem in _out_of_range(offsets, first, end))
        committed = await list_consumer_group_offsets(cluster, group_id, timeout=deadline)
        before = {partition: place.offset for partition, place in committed.items()}
        changes = tuple(_changes(offsets, before))
        if changes:
            members = await count_members(cluster, group_id, deadline=deadline)
            groups.append(GroupChange(group_id, changes, members))
    return OffsetPlan(tuple(groups), tuple(problems))


def _out_of_range(
    offsets: Mapping[TopicPartition, int], first: Mapping[TopicPartition, int], end: Mapping[TopicPartition, int]
) -> Iterator[str]:
    for partition, offset in sorted(offsets.items()):
        if not first[partition] <= offset <= end[partition]:
            yield (
                f"invalid offset {offset} of {partition}: "
                f"its first offset is {first[partition]}, and its end is {end[partition]}"
            )


def _changes(wanted: Mapping[TopicPartition, int], committed: Mapping[TopicPartition, int]) -> Iterator[OffsetChange]:
    for partition, after in sorted(wanted.items()):
        before = committed.get(partition)
        if before != after:
            yield OffsetChange(partition, before, after)
