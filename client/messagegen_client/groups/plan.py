"""The commits that give groups the offsets of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from messagegen_client.groups.calls import OffsetAndMetadata, list_consumer_group_offsets
from messagegen_client.groups.file.model import GroupOffsets, plain_offset
from messagegen_client.groups.members import count_members
from messagegen_client.offsets.calls import beginning_offsets, end_offsets
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.transport.cluster import Cluster
from messagegen_client.transport.deadlines import Deadline, Timeout


@dataclass(frozen=True, slots=True)
class OffsetChange:
    """The commit of a partition before and after; ``before`` is ``None`` if the group has committed none."""

    partition: TopicPartition
    before: OffsetAndMetadata | None
    after: OffsetAndMetadata


@dataclass(frozen=True, slots=True)
class GroupChange:
    """The changes of one group, at least one, sorted by partition."""

    group_id: str
    changes: tuple[OffsetChange, ...]
    members: int
    """How many members the group has. While it has some, it can't be changed."""

    def offsets(self) -> dict[TopicPartition, OffsetAndMetadata]:
        """What to commit."""
        return {change.partition: change.after for change in self.changes}


@dataclass(frozen=True, slots=True)
class OffsetPlan:
    """The differences, sorted by group; and offsets and leader epochs that the partitions do not have."""

    groups: tuple[GroupChange, ...]
    problems: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.groups)

    @property
    def refusals(self) -> list[str]:
        """Why the plan can't be applied: offsets and leader epochs out of range, and groups with members."""
        active = [
            f"group {group.group_id} has members; stop its consumers first" for group in self.groups if group.members
        ]
        return [*self.problems, *active]


async def plan_offsets(cluster: Cluster, wanted: GroupOffsets, *, timeout: Timeout = None) -> OffsetPlan:
    """The plan that gives groups the offsets ``wanted``. Offsets of other partitions and groups are kept.

    A plain offset changes nothing if it is committed already, with any metadata; otherwise it is committed without
    metadata and leader epoch, which belong to the offset before.

    Raises ``ListOffsetsError`` if a partition does not exist, what ``list_consumer_group_offsets`` raises, and what
    ``Cluster.call`` raises.
    """
    deadline = cluster.deadline(timeout)
    partitions = {partition for offsets in wanted.values() for partition in offsets}
    first = await beginning_offsets(cluster, partitions, timeout=deadline)
    end = await end_offsets(cluster, partitions, timeout=deadline)
    epochs = await _leader_epochs(cluster, wanted, deadline)

    groups: list[GroupChange] = []
    problems: list[str] = []
    for group_id, offsets in sorted(wanted.items()):
        found = [*_out_of_range(offsets, first, end), *_unknown_epochs(offsets, epochs)]
        problems += (f"group {group_id}: {problem}" for problem in found)
        committed = await list_consumer_group_offsets(cluster, group_id, timeout=deadline)
        changes = tuple(_changes(offsets, committed))
        if changes:
            members = await count_members(cluster, group_id, deadline=deadline)
            groups.append(GroupChange(group_id, changes, members))
    return OffsetPlan(tuple(groups), tuple(problems))


def _out_of_range(
    wanted: Mapping[TopicPartition, int | OffsetAndMetadata],
    first: Mapping[TopicPartition, int],
    end: Mapping[TopicPartition, int],
) -> Iterator[str]:
    for partition, place in sorted(wanted.items()):
        offset = plain_offset(place)
        if not first[partition] <= offset <= end[partition]:
            yield (
                f"invalid offset {offset} of {partition}: "
                f"its first offset is {first[partition]}, and its end is {end[partition]}"
            )


async def _leader_epochs(cluster: Cluster, wanted: GroupOffsets, deadline: Deadline) -> dict[TopicPartition, int]:
    """The epochs of the leaders of partitions of which a leader epoch is wanted, if brokers tell them."""
    places = (each for offsets in wanted.values() for each in offsets.items())
    topics = {partition.topic for partition, place in places if _epoch_of(place) is not None}
    if not topics:
        return {}
    metadata = await cluster.metadata(sorted(topics), deadline=deadline)
    return {
        TopicPartition(name, partition.partition_index): partition.leader_epoch
        for name, topic in metadata.topics.items()
        for partition in topic.partitions
        if partition.leader_epoch >= 0
    }


def _unknown_epochs(
    wanted: Mapping[TopicPartition, int | OffsetAndMetadata], epochs: Mapping[TopicPartition, int]
) -> Iterator[str]:
    """Epochs that leaders have not reached: a consumer would wait for a leader that has one (KIP-320)."""
    for partition, place in sorted(wanted.items()):
        epoch = _epoch_of(place)
        if epoch is not None and epoch > epochs.get(partition, epoch):
            yield (
                f"invalid leader epoch {epoch} of {partition}: its leader has epoch {epochs[partition]}; "
                "was the topic created again?"
            )


def _epoch_of(place: int | OffsetAndMetadata) -> int | None:
    return place.leader_epoch if isinstance(place, OffsetAndMetadata) else None


def _changes(
    wanted: Mapping[TopicPartition, int | OffsetAndMetadata], committed: Mapping[TopicPartition, OffsetAndMetadata]
) -> Iterator[OffsetChange]:
    for partition, place in sorted(wanted.items()):
        before = committed.get(partition)
        if isinstance(place, OffsetAndMetadata):
            is_same = place == before
            after = place
        else:
            is_same = before is not None and place == before.offset
            after = OffsetAndMetadata(place)
        if not is_same:
            yield OffsetChange(partition, before, after)
