"""The offsets that groups have committed: lists them, and commits offsets for a group without members."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from messagegen_client.errors import (
    OUTCOME_UNKNOWN_CODES,
    KafkaError,
    PartialError,
    ProtocolError,
    broker_error,
    check_error_code,
)
from messagegen_client.groups.coordinator import Coordinator
from messagegen_client.offsets.partitions import Pair, TopicPartition, by_topic, topic_partition
from messagegen_client.outcomes import AlterationResult
from messagegen_client.transport.cluster import Cluster
from messagegen_client.transport.deadlines import Timeout
from messagegen_kafka import OffsetCommitRequest, OffsetCommitResponse, OffsetFetchRequest, OffsetFetchResponse
from messagegen_kafka.error_codes import ErrorCode
from messagegen_kafka.offset_commit_request import OffsetCommitRequestPartition, OffsetCommitRequestTopic
from messagegen_kafka.offset_fetch_request import OffsetFetchRequestGroup
from messagegen_kafka.offset_fetch_response import OffsetFetchResponseGroup, OffsetFetchResponsePartitions

_COMMIT_VERSIONS: Final = range(2, 10)
"""From version 10, requests have the ids of topics in place of their names."""
_FETCH_VERSIONS: Final = range(8, 10)
"""Version 8 is the first with a list of groups (KIP-709, Kafka 3.0); version 10 has the ids of topics."""
_NONE: Final = -1
"""No offset, or no leader epoch."""
_MAX_OFFSET: Final = 2**63 - 1
_HAS_MEMBERS: Final = frozenset(
    {
        ErrorCode.UNKNOWN_MEMBER_ID,
        ErrorCode.ILLEGAL_GENERATION,
        ErrorCode.REBALANCE_IN_PROGRESS,
        ErrorCode.STALE_MEMBER_EPOCH,
    }
)
"""What a coordinator answers to a commit of somebody who is not a member, if the group has members."""


@dataclass(frozen=True, slots=True)
class OffsetAndMetadata:
    """A committed offset (upstream: ``org.apache.kafka.clients.consumer.OffsetAndMetadata``).

    ``offset`` is that of the next record to read, ``metadata`` a text of the consumer. ``leader_epoch`` is the epoch of
    the leader that wrote the last record that was read; ``None`` if it was not committed.
    """

    offset: int
    metadata: str = ""
    leader_epoch: int | None = None


class AlterConsumerGroupOffsetsError(PartialError[TopicPartition, None]):
    """The offsets of some partitions were not committed, or have an unknown outcome.

    ``Outcome.of`` tells which of these an error means.
    """

    FAILED = "offsets were not committed"


class AlterConsumerGroupOffsetsResult(AlterationResult[TopicPartition]):
    """A result for each partition: ``None`` if its offset was committed, else its error."""

    def raise_for_errors(self) -> None:
        """Raises an ``AlterConsumerGroupOffsetsError`` if there are errors."""
        if self.errors:
            raise AlterConsumerGroupOffsetsError(self.errors, self.altered)


async def list_consumer_group_offsets(
    cluster: Cluster, group_id: str, *, timeout: Timeout = None
) -> dict[TopicPartition, OffsetAndMetadata]:
    """All offsets that a group has committed, sorted (upstream: ``Admin.listConsumerGroupOffsets``).

    A group that does not exist has none. Offsets of transactions that are still open are not included.

    Raises ``AuthorizationError`` if the user may not describe the group; other ``BrokerError``; what ``Cluster.call``
    raises, such as ``NoCommonVersionError`` for brokers before Kafka 3.0.
    """
    coordinator = Coordinator(cluster, group_id, cluster.deadline(timeout))
    doing = f"listing the offsets of group {group_id}"

    def group_in(response: OffsetFetchResponse) -> OffsetFetchResponseGroup:
        group = next((one for one in response.groups if one.group_id == group_id), None)
        if group is None:
            raise ProtocolError(f"{doing}: missing in the response")
        return group

    response = await coordinator.ask(
        OffsetFetchRequest(groups=(OffsetFetchRequestGroup(group_id=group_id, topics=None),)),
        OffsetFetchResponse,
        lambda response: group_in(response).error_code,
        doing=doing,
        versions=_FETCH_VERSIONS,
    )
    group = group_in(response)
    check_error_code(group.error_code, doing)
    return _committed_offsets(group, doing)


async def alter_consumer_group_offsets(
    cluster: Cluster, group_id: str, offsets: Mapping[Pair, int | OffsetAndMetadata], *, timeout: Timeout = None
) -> AlterConsumerGroupOffsetsResult:
    """Commits offsets for a group without members (upstream: ``Admin.alterConsumerGroupOffsets``).

    Each partition has its own result. A group that does not exist is created. If the group has members, the coordinator
    refuses all partitions, with UNKNOWN_MEMBER_ID in most cases. It does not know consumers without a group
    subscription (``assign``) as members. A request that the coordinator may have received is not sent again; without an
    answer the error has ``outcome_unknown``.

    Raises ``ValueError`` for an invalid partition or offset, before anything is sent; ``AuthorizationError`` if the
    user may not describe the group; what ``Cluster.call`` raises.
    """
    wanted = {topic_partition(pair): _checked(offset) for pair, offset in offsets.items()}
    if not wanted:
        return AlterConsumerGroupOffsetsResult()
    coordinator = Coordinator(cluster, group_id, cluster.deadline(timeout))
    doing = f"committing offsets of group {group_id}"
    response = await coordinator.ask(
        _commit_request(group_id, wanted),
        OffsetCommitResponse,
        lambda response: next(iter(_codes(response).values()), 0),
        doing=doing,
        versions=_COMMIT_VERSIONS,
        changes=True,
    )
    codes = _codes(response)
    return AlterConsumerGroupOffsetsResult(
        {partition: _result(codes.get(partition), f"{doing}, {partition}") for partition in wanted}
    )


def _committed_offsets(group: OffsetFetchResponseGroup, doing: str) -> dict[TopicPartition, OffsetAndMetadata]:
    """The offsets in a response, sorted. Raises ``BrokerError`` for the first partition with an error."""
    offsets: dict[TopicPartition, OffsetAndMetadata] = {}
    for topic in group.topics:
        for found in topic.partitions:
            partition = TopicPartition(topic.name, found.partition_index)
            check_error_code(found.error_code, f"{doing}, {partition}")
            if found.committed_offset > _NONE:
                offsets[partition] = _committed(found)
    return dict(sorted(offsets.items()))


def _committed(found: OffsetFetchResponsePartitions) -> OffsetAndMetadata:
    leader_epoch = None if found.committed_leader_epoch == _NONE else found.committed_leader_epoch
    return OffsetAndMetadata(found.committed_offset, found.metadata or "", leader_epoch)


def _checked(offset: int | OffsetAndMetadata) -> OffsetAndMetadata:
    wanted = offset if isinstance(offset, OffsetAndMetadata) else OffsetAndMetadata(offset)
    if type(wanted.offset) is not int or not 0 <= wanted.offset <= _MAX_OFFSET:
        raise ValueError(f"invalid offset {wanted.offset!r}: expected a whole number from 0 to {_MAX_OFFSET}")
    return wanted


def _commit_request(group_id: str, wanted: Mapping[TopicPartition, OffsetAndMetadata]) -> OffsetCommitRequest:
    topics: list[OffsetCommitRequestTopic] = []
    for name, partitions in by_topic(wanted).items():
        commits = tuple(_commit(partition, wanted[partition]) for partition in partitions)
        topics.append(OffsetCommitRequestTopic(name=name, partitions=commits))
    return OffsetCommitRequest(group_id=group_id, topics=tuple(topics))


def _commit(partition: TopicPartition, offset: OffsetAndMetadata) -> OffsetCommitRequestPartition:
    return OffsetCommitRequestPartition(
        partition_index=partition.partition,
        committed_offset=offset.offset,
        committed_leader_epoch=_NONE if offset.leader_epoch is None else offset.leader_epoch,
        committed_metadata=offset.metadata,
    )


def _codes(response: OffsetCommitResponse) -> dict[TopicPartition, int]:
    return {
        TopicPartition(topic.name, partition.partition_index): partition.error_code
        for topic in response.topics
        for partition in topic.partitions
    }


def _result(code: int | None, doing: str) -> KafkaError | None:
    if code is None:
        return ProtocolError(f"{doing}: missing in the response", outcome_unknown=True)
    if not code:
        return None
    reason = "the group has members; stop its consumers first" if code in _HAS_MEMBERS else None
    error = broker_error(code, doing, reason)
    error.outcome_unknown = error.code in OUTCOME_UNKNOWN_CODES
    return error
