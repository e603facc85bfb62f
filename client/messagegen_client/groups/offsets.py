"""The offsets that groups have committed: reading them, and setting them from outside of the group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from messagegen_client.errors import KafkaError, ProtocolError, broker_error, check_error_code
from messagegen_client.groups.coordinators import REFUSED_FOR_NOW, Coordinator
from messagegen_client.net.cluster import Answer, Cluster
from messagegen_client.net.partitions import TopicPartition, topic_partition
from messagegen_client.outcomes import AlterationResults, counts
from messagegen_kafka import OffsetCommitRequest, OffsetCommitResponse, OffsetFetchRequest, OffsetFetchResponse
from messagegen_kafka.error_codes import ErrorCode
from messagegen_kafka.offset_commit_request import OffsetCommitRequestPartition, OffsetCommitRequestTopic
from messagegen_kafka.offset_fetch_request import (
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
)
from messagegen_kafka.offset_fetch_response import OffsetFetchResponsePartition, OffsetFetchResponsePartitions

Pair = TypeVar("Pair", bound=tuple[str, int])
"""A ``TopicPartition``, or a plain pair of a topic and a number."""

_COMMIT_VERSIONS: Final = range(2, 10)
"""From version 10 on topics have ids in place of names. The same goes for version 10 of OffsetFetch."""
_WITH_GROUPS: Final = range(8, 10)
_WITH_STABLE: Final = range(7, 8)
_WITH_ALL_TOPICS: Final = range(2, 8)
_NONE: Final = -1
"""An offset or a leader epoch that there is not."""
_HIGHEST: Final = 2**63 - 1
_UNSURE: Final = frozenset({ErrorCode.REQUEST_TIMED_OUT, ErrorCode.NETWORK_EXCEPTION, ErrorCode.UNKNOWN_SERVER_ERROR})
"""What a coordinator answers that does not know whether it has committed an offset."""


@dataclass(frozen=True, slots=True)
class OffsetAndMetadata:
    """A committed offset (upstream: ``org.apache.kafka.clients.consumer.OffsetAndMetadata``).

    ``offset`` is that of the record to read next, ``metadata`` a note of the consumer, ``leader_epoch`` the epoch of the last
    record that was read (``None`` where it was not committed along).
    """

    offset: int
    metadata: str = ""
    leader_epoch: int | None = None


class AlterConsumerGroupOffsetsError(KafkaError):
    """The offsets of several partitions were not committed; ``errors`` says why for each of them."""

    def __init__(self, errors: Mapping[TopicPartition, KafkaError]) -> None:
        self.errors = dict(errors)
        super().__init__(self.errors)

    def text(self) -> str:
        """How many partitions have which outcome, and the first of them."""
        first = next(iter(self.errors.values()))
        return f"{len(self.errors)} offsets were not committed ({counts(self.errors.values())}), the first one: {first}"


class AlterConsumerGroupOffsetsResult(AlterationResults[TopicPartition]):
    """One result for each partition; several errors are an ``AlterConsumerGroupOffsetsError``."""

    def _several(self, errors: dict[TopicPartition, KafkaError]) -> KafkaError:
        return AlterConsumerGroupOffsetsError(errors)


async def list_consumer_group_offsets(
    cluster: Cluster,
    group_id: str,
    partitions: Iterable[tuple[str, int]] | None = None,
    *,
    require_stable: bool = False,
    timeout: float | None = None,  # noqa: ASYNC109 - one deadline for several requests
) -> dict[TopicPartition, OffsetAndMetadata | None]:
    """The offsets that a group has committed (upstream: ``Admin.listConsumerGroupOffsets``).

    For ``partitions`` each, ``None`` where the group has committed none; without them all that it has. A group that is not
    there has none. With ``require_stable`` it waits for transactions that have committed offsets and are still open.
    ``timeout`` is in seconds, for the whole call; without it the config's ``api_timeout`` counts.

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
            raise ProtocolError(f"{doing}: the answer does not mention {missing}")
        return {partition: offsets[partition] for partition in wanted}

    topics = None if wanted is None else _by_topic(wanted)
    group = OffsetFetchRequestGroup(
        group_id=group_id,
        topics=(
            None
            if topics is None
            else tuple(OffsetFetchRequestTopics(name=name, partition_indexes=tuple(topics[name])) for name in topics)
        ),
    )
    single = OffsetFetchRequest(
        group_id=group_id,
        topics=(
            None
            if topics is None
            else tuple(OffsetFetchRequestTopic(name=name, partition_indexes=tuple(topics[name])) for name in topics)
        ),
        require_stable=require_stable,
    )
    forms = [
        (OffsetFetchRequest(groups=(group,), require_stable=require_stable), _WITH_GROUPS),
        (single, _WITH_STABLE if require_stable else _WITH_ALL_TOPICS),
    ]
    coordinator = Coordinator(cluster, group_id, cluster.deadline(timeout))
    return await coordinator.ask(forms, OffsetFetchResponse, read, doing=doing)


async def alter_consumer_group_offsets(
    cluster: Cluster,
    group_id: str,
    offsets: Mapping[Pair, int | OffsetAndMetadata],
    *,
    timeout: float | None = None,  # noqa: ASYNC109 - one deadline for several requests
) -> AlterConsumerGroupOffsetsResult:
    """Commits offsets for a group without members, each partition by itself (upstream: ``Admin.alterConsumerGroupOffsets``).

    A group that is not there comes into being. A coordinator refuses what is for a group with members: UNKNOWN_MEMBER_ID.
    The outcome of each partition is its own; ``Outcome.of`` says which. A request that may have reached the coordinator is
    not sent again, because somebody may have committed since, and the error that is raised then has ``outcome_unknown``.

    Raises ``ValueError`` for what is no offset before anything is sent, the error that is the same for all partitions
    (``AuthorizationError`` for the group), and what ``Cluster.call`` raises.
    """
    wanted = {topic_partition(pair): _checked(offset) for pair, offset in offsets.items()}
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
            if code in REFUSED_FOR_NOW:
                raise broker_error(code, doing)
        return AlterConsumerGroupOffsetsResult(
            {partition: _result(codes.get(partition), f"{doing}, {partition}") for partition in wanted}
        )

    topics = tuple(
        OffsetCommitRequestTopic(
            name=name,
            partitions=tuple(_to_commit(number, wanted[TopicPartition(name, number)]) for number in numbers),
        )
        for name, numbers in _by_topic(wanted).items()
    )
    forms = [(OffsetCommitRequest(group_id=group_id, topics=topics), _COMMIT_VERSIONS)]
    coordinator = Coordinator(cluster, group_id, cluster.deadline(timeout))
    return await coordinator.ask(forms, OffsetCommitResponse, read, doing=doing, idempotent=False)


def _by_topic(partitions: Iterable[TopicPartition]) -> dict[str, list[int]]:
    topics: dict[str, list[int]] = {}
    for partition in partitions:
        topics.setdefault(partition.topic, []).append(partition.partition)
    return topics


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
        raise ProtocolError(f"{doing}: the answer does not mention it")
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


def _checked(offset: int | OffsetAndMetadata) -> OffsetAndMetadata:
    wanted = offset if isinstance(offset, OffsetAndMetadata) else OffsetAndMetadata(offset)
    if type(wanted.offset) is not int or not 0 <= wanted.offset <= _HIGHEST:
        raise ValueError(f"an offset is a whole number from 0 to {_HIGHEST}, not {wanted.offset!r}")
    return wanted


def _to_commit(number: int, offset: OffsetAndMetadata) -> OffsetCommitRequestPartition:
    return OffsetCommitRequestPartition(
        partition_index=number,
        committed_offset=offset.offset,
        committed_leader_epoch=_NONE if offset.leader_epoch is None else offset.leader_epoch,
        committed_metadata=offset.metadata,
    )


def _result(code: int | None, doing: str) -> KafkaError | None:
    if code is None:
        return ProtocolError(f"{doing}: the answer does not mention it", outcome_unknown=True)
    if not code:
        return None
    reason = (
        "the group has members, and takes offsets from nobody else" if code == ErrorCode.UNKNOWN_MEMBER_ID else None
    )
    error = broker_error(code, doing, reason)
    error.outcome_unknown = error.code in _UNSURE
    return error
