"""Lists and alters the committed offsets of groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from messagegen_client.errors import (
    OUTCOME_UNKNOWN_CODES,
    KafkaError,
    ProtocolError,
    broker_error,
    check_error_code,
)
from messagegen_client.groups.coordinators import TEMPORARILY_REFUSED, Coordinator
from messagegen_client.net.cluster import Answer, Cluster
from messagegen_client.net.deadlines import Timeout
from messagegen_client.net.partitions import Pair, TopicPartition, by_topic, checked_offset, topic_partition
from messagegen_client.outcomes import AlterationError, AlterationResults
from messagegen_kafka import OffsetCommitRequest, OffsetCommitResponse, OffsetFetchRequest, OffsetFetchResponse
from messagegen_kafka.error_codes import ErrorCode
from messagegen_kafka.offset_commit_request import OffsetCommitRequestPartition, OffsetCommitRequestTopic
from messagegen_kafka.offset_fetch_request import (
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
)
from messagegen_kafka.offset_fetch_response import OffsetFetchResponsePartition, OffsetFetchResponsePartitions

Topic = TypeVar("Topic")

_COMMIT_VERSIONS: Final = range(2, 10)
"""From version 10 topics have ids instead of names. The same is true of version 10 of OffsetFetch."""
_WITH_GROUPS: Final = range(8, 10)
_WITH_STABLE: Final = range(7, 8)
_WITH_ALL_TOPICS: Final = range(2, 8)
_NONE: Final = -1
"""No offset, or no leader epoch."""


@dataclass(frozen=True, slots=True)
class OffsetAndMetadata:
    """A committed offset (upstream: ``org.apache.kafka.clients.consumer.OffsetAndMetadata``).

    ``offset`` is the offset of the next record to read, ``metadata`` a note of the consumer, ``leader_epoch`` the epoch of the
    last record that was read (``None`` if it was not committed).
    """

    offset: int
    metadata: str = ""
    leader_epoch: int | None = None


class AlterConsumerGroupOffsetsError(AlterationError[TopicPartition]):
    """The offsets of some partitions were not committed."""

    FAILED = "offsets were not committed"


class AlterConsumerGroupOffsetsResult(AlterationResults[TopicPartition]):
    """A result for each partition."""

    ERROR = AlterConsumerGroupOffsetsError


async def list_consumer_group_offsets(
    cluster: Cluster,
    group_id: str,
    partitions: Iterable[tuple[str, int]] | None = None,
    *,
    require_stable: bool = False,
    timeout: Timeout = None,
) -> dict[TopicPartition, OffsetAndMetadata | None]:
    """The committed offsets of a group (upstream: ``Admin.listConsumerGroupOffsets``).

    ``None`` for each of ``partitions`` without a committed offset; without ``partitions``, all committed offsets. An unknown group
    has none. ``require_stable`` waits for open transactions that have committed offsets.

    Raises ``AuthorizationError``, other ``BrokerError``, and what ``Cluster.call`` raises.
    """
    doing = f"listing the offsets of group {group_id}"
    wanted = None if partitions is None else sorted({topic_partition(pair) for pair in partitions})
    if wanted == []:
        return {}

    def read(answer: Answer[OffsetFetchResponse]) -> dict[TopicPartition, OffsetAndMetadata | None]:
        found = _fetched(answer, group_id, doing)
        offsets = {partition: _committed(one, f"{doing}, {partition}") for partition, one in sorted(found.items())}
        if wanted is None:
            return {partition: offset for partition, offset in offsets.items() if offset is not None}
        missing = next((partition for partition in wanted if partition not in offsets), None)
        if missing is not None:
            raise ProtocolError(f"{doing}: {missing} is missing in the response")
        return {partition: offsets[partition] for partition in wanted}

    forms = [
        (_in_groups(group_id, wanted, require_stable=require_stable), _WITH_GROUPS),
        (
            _single(group_id, wanted, require_stable=require_stable),
            _WITH_STABLE if require_stable else _WITH_ALL_TOPICS,
        ),
    ]
    coordinator = Coordinator(cluster, group_id, cluster.deadline(timeout))
    return await coordinator.ask(forms, OffsetFetchResponse, read, doing=doing)


def _in_groups(group_id: str, wanted: list[TopicPartition] | None, *, require_stable: bool) -> OffsetFetchRequest:
    group = OffsetFetchRequestGroup(group_id=group_id, topics=_topics(OffsetFetchRequestTopics, wanted))
    return OffsetFetchRequest(groups=(group,), require_stable=require_stable)


def _single(group_id: str, wanted: list[TopicPartition] | None, *, require_stable: bool) -> OffsetFetchRequest:
    topics = _topics(OffsetFetchRequestTopic, wanted)
    return OffsetFetchRequest(group_id=group_id, topics=topics, require_stable=require_stable)


def _topics(topic: Callable[..., Topic], wanted: list[TopicPartition] | None) -> tuple[Topic, ...] | None:
    if wanted is None:
        return None
    return tuple(
        topic(name=name, partition_indexes=tuple(one.partition for one in partitions))
        for name, partitions in by_topic(wanted).items()
    )


async def alter_consumer_group_offsets(
    cluster: Cluster, group_id: str, offsets: Mapping[Pair, int | OffsetAndMetadata], *, timeout: Timeout = None
) -> AlterConsumerGroupOffsetsResult:
    """Commits offsets for a group without members, each partition by itself (upstream: ``Admin.alterConsumerGroupOffsets``).

    Creates the group if it does not exist. If the group has members, the coordinator refuses with UNKNOWN_MEMBER_ID. A request
    that the coordinator may have received is not sent again, because somebody else may have committed since; the error then has
    ``outcome_unknown``.

    Raises ``ValueError`` for an invalid offset before anything is sent, an error that concerns all partitions
    (``AuthorizationError`` for the group), and what ``Cluster.call`` raises.
    """
    wanted = {topic_partition(pair): _to_commit(offset) for pair, offset in offsets.items()}
    doing = f"altering the offsets of group {group_id}"
    if not wanted:
        return AlterConsumerGroupOffsetsResult()

    def read(answer: Answer[OffsetCommitResponse]) -> AlterConsumerGroupOffsetsResult:
        codes = {
            TopicPartition(topic.name, partition.partition_index): partition.error_code
            for topic in answer.message.topics
            for partition in topic.partitions
        }
        for code in codes.values():
            if code in TEMPORARILY_REFUSED:
                raise broker_error(code, doing)
        return AlterConsumerGroupOffsetsResult(
            {partition: _result(codes.get(partition), f"{doing}, {partition}") for partition in wanted}
        )

    topics = tuple(
        OffsetCommitRequestTopic(name=name, partitions=tuple(_commit(one.partition, wanted[one]) for one in partitions))
        for name, partitions in by_topic(wanted).items()
    )
    forms = [(OffsetCommitRequest(group_id=group_id, topics=topics), _COMMIT_VERSIONS)]
    coordinator = Coordinator(cluster, group_id, cluster.deadline(timeout))
    return await coordinator.ask(forms, OffsetCommitResponse, read, doing=doing, idempotent=False)


def _fetched(
    answer: Answer[OffsetFetchResponse], group_id: str, doing: str
) -> dict[TopicPartition, OffsetFetchResponsePartition | OffsetFetchResponsePartitions]:
    if answer.version < _WITH_GROUPS.start:
        check_error_code(answer.message.error_code, doing)
        return {
            TopicPartition(topic.name, one.partition_index): one
            for topic in answer.message.topics
            for one in topic.partitions
        }
    group = next((group for group in answer.message.groups if group.group_id == group_id), None)
    if group is None:
        raise ProtocolError(f"{doing}: missing in the response")
    check_error_code(group.error_code, doing)
    return {TopicPartition(topic.name, one.partition_index): one for topic in group.topics for one in topic.partitions}


def _committed(
    found: OffsetFetchResponsePartition | OffsetFetchResponsePartitions, doing: str
) -> OffsetAndMetadata | None:
    check_error_code(found.error_code, doing)
    if found.committed_offset <= _NONE:
        return None
    leader_epoch = None if found.committed_leader_epoch == _NONE else found.committed_leader_epoch
    return OffsetAndMetadata(found.committed_offset, found.metadata or "", leader_epoch)


def _to_commit(offset: int | OffsetAndMetadata) -> OffsetAndMetadata:
    wanted = offset if isinstance(offset, OffsetAndMetadata) else OffsetAndMetadata(offset)
    checked_offset(wanted.offset)
    return wanted


def _commit(number: int, offset: OffsetAndMetadata) -> OffsetCommitRequestPartition:
    return OffsetCommitRequestPartition(
        partition_index=number,
        committed_offset=offset.offset,
        committed_leader_epoch=_NONE if offset.leader_epoch is None else offset.leader_epoch,
        committed_metadata=offset.metadata,
    )


def _result(code: int | None, doing: str) -> KafkaError | None:
    if code is None:
        return ProtocolError(f"{doing}: missing in the response", outcome_unknown=True)
    if not code:
        return None
    reason = "the group has members, which commit its offsets" if code == ErrorCode.UNKNOWN_MEMBER_ID else None
    error = broker_error(code, doing, reason)
    error.outcome_unknown = error.code in OUTCOME_UNKNOWN_CODES
    return error
