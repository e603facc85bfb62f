"""A cluster in memory that knows groups and their offsets, as far as brokers do: for tests without a broker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from messagegen_client.offsets.partitions import TopicPartition
from messagegen_kafka import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
    DescribeGroupsRequest,
    DescribeGroupsResponse,
    FindCoordinatorRequest,
    FindCoordinatorResponse,
    ListOffsetsRequest,
    OffsetCommitRequest,
    OffsetCommitResponse,
    OffsetFetchRequest,
    OffsetFetchResponse,
    Request,
    Response,
)
from messagegen_kafka.consumer_group_describe_response import DescribedGroup, Member
from messagegen_kafka.describe_groups_response import DescribedGroup as DescribedClassicGroup
from messagegen_kafka.describe_groups_response import DescribedGroupMember
from messagegen_kafka.error_codes import ErrorCode
from messagegen_kafka.find_coordinator_response import Coordinator
from messagegen_kafka.offset_commit_request import OffsetCommitRequestPartition
from messagegen_kafka.offset_commit_response import OffsetCommitResponsePartition, OffsetCommitResponseTopic
from messagegen_kafka.offset_fetch_response import (
    OffsetFetchResponseGroup,
    OffsetFetchResponsePartitions,
    OffsetFetchResponseTopics,
)
from tests.client.support.offset_cluster import OffsetCluster, OffsetStore

_HANDLED = (
    ConsumerGroupDescribeRequest,
    DescribeGroupsRequest,
    FindCoordinatorRequest,
    OffsetCommitRequest,
    OffsetFetchRequest,
)


@dataclass(frozen=True)
class Commit:
    """A commit that a coordinator keeps."""

    offset: int
    metadata: str = ""
    leader_epoch: int = -1


@dataclass
class GroupStore(OffsetStore):
    """The groups, and what was asked of their coordinator."""

    commits: dict[str, dict[TopicPartition, Commit]] = field(default_factory=dict)
    classic_members: dict[str, int] = field(default_factory=dict)
    consumer_members: dict[str, int] = field(default_factory=dict)
    offered_to_groups: dict[int, tuple[int, int]] = field(
        default_factory=lambda: {one.API_KEY: (one.VALID_VERSIONS[0], one.VALID_VERSIONS[-1]) for one in _HANDLED}
    )
    """The versions that the coordinator supports."""
    asked_of_groups: list[Request] = field(default_factory=list)
    errors: dict[type[Request], Iterator[int]] = field(default_factory=dict)
    """Error codes for the group, one for each request of a class; 0 is none."""
    silent: type[Response] | None = None
    """A class of responses that are empty."""
    partition_errors: dict[TopicPartition, int] = field(default_factory=dict)
    """Error codes of commits."""

    def commit(self, group_id: str, **offsets: int) -> None:
        """Commits offsets of partition 0 of topics."""
        commits = self.commits.setdefault(group_id, {})
        commits |= {TopicPartition(topic, 0): Commit(offset) for topic, offset in offsets.items()}


class GroupCluster(OffsetCluster):
    """The cluster over a store."""

    def __init__(self, store: GroupStore) -> None:
        super().__init__(store)
        self.groups = store

    def offered(self) -> Mapping[int, tuple[int, int]]:
        return {**super().offered(), **self.groups.offered_to_groups}

    def answer(self, request: Request, version: int, to: int | None) -> Response:
        if isinstance(request, ListOffsetsRequest):
            return super().answer(request, version, to)
        self.groups.asked_of_groups.append(request)
        if to is not None:
            self.groups.before(to)
        answer = self._answer_group(request, next(self.groups.errors.get(type(request), iter(())), 0))
        return type(answer)() if type(answer) is self.groups.silent else answer

    def _answer_group(self, request: Request, error: int) -> Response:
        if isinstance(request, FindCoordinatorRequest):
            found = tuple(Coordinator(key=key, node_id=1, error_code=error) for key in request.coordinator_keys)
            return FindCoordinatorResponse(coordinators=found)
        if isinstance(request, OffsetFetchRequest):
            return self._fetch(request.groups[0].group_id, error)
        if isinstance(request, OffsetCommitRequest):
            return self._commit(request, error)
        if isinstance(request, DescribeGroupsRequest):
            return self._describe_classic(request.groups[0], error)
        assert isinstance(request, ConsumerGroupDescribeRequest)
        return self._describe_consumer(request.group_ids[0], error)

    def _fetch(self, group_id: str, error: int) -> OffsetFetchResponse:
        topics = tuple(
            OffsetFetchResponseTopics(
                name=partition.topic,
                partitions=(
                    OffsetFetchResponsePartitions(
                        partition_index=partition.partition,
                        committed_offset=commit.offset,
                        committed_leader_epoch=commit.leader_epoch,
                        metadata=commit.metadata,
                    ),
                ),
            )
            for partition, commit in self.groups.commits.get(group_id, {}).items()
        )
        group = OffsetFetchResponseGroup(group_id=group_id, error_code=error, topics=topics)
        return OffsetFetchResponse(groups=(group,))

    def _commit(self, request: OffsetCommitRequest, error: int) -> OffsetCommitResponse:
        members = self.groups.classic_members | self.groups.consumer_members
        if members.get(request.group_id):
            error = error or int(ErrorCode.UNKNOWN_MEMBER_ID)
        topics: list[OffsetCommitResponseTopic] = []
        for topic in request.topics:
            partitions: list[OffsetCommitResponsePartition] = []
            for one in topic.partitions:
                place = TopicPartition(topic.name, one.partition_index)
                code = error or self.groups.partition_errors.get(place, 0)
                if not code:
                    self.groups.commits.setdefault(request.group_id, {})[place] = _kept(one)
                partitions.append(OffsetCommitResponsePartition(partition_index=place.partition, error_code=code))
            topics.append(OffsetCommitResponseTopic(name=topic.name, partitions=tuple(partitions)))
        return OffsetCommitResponse(topics=tuple(topics))

    def _describe_classic(self, group_id: str, error: int) -> DescribeGroupsResponse:
        known = group_id in self.groups.classic_members
        members = self.groups.classic_members.get(group_id, 0)
        group = DescribedClassicGroup(
            group_id=group_id,
            error_code=error or (0 if known else int(ErrorCode.GROUP_ID_NOT_FOUND)),
            group_state="Stable" if known else "Dead",
            members=tuple(DescribedGroupMember(member_id=str(number)) for number in range(members)),
        )
        return DescribeGroupsResponse(groups=(group,))

    def _describe_consumer(self, group_id: str, error: int) -> ConsumerGroupDescribeResponse:
        known = group_id in self.groups.consumer_members
        members = self.groups.consumer_members.get(group_id, 0)
        group = DescribedGroup(
            group_id=group_id,
            error_code=error or (0 if known else int(ErrorCode.GROUP_ID_NOT_FOUND)),
            members=tuple(Member(member_id=str(number)) for number in range(members)),
        )
        return ConsumerGroupDescribeResponse(groups=(group,))


def _kept(one: OffsetCommitRequestPartition) -> Commit:
    return Commit(one.committed_offset, one.committed_metadata or "", one.committed_leader_epoch)
