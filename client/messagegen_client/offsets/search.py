"""Finds one offset in each of several partitions, with ListOffsets.

Asks the leaders of the partitions, all at the same time, and asks again for partitions whose leader could not answer.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from messagegen_client.errors import BrokerConnectionError, KafkaError, KafkaTimeoutError, ProtocolError, broker_error
from messagegen_client.offsets.partitions import UNKNOWN_ATTEMPTS, TopicPartition, by_topic
from messagegen_client.offsets.specs import IsolationLevel, OffsetSpec
from messagegen_client.transport.cluster import Cluster
from messagegen_client.transport.deadlines import Deadline, Progress
from messagegen_client.transport.metadata import ClusterMetadata
from messagegen_kafka import ListOffsetsRequest
from messagegen_kafka.error_codes import ErrorCode
from messagegen_kafka.list_offsets_request import ListOffsetsPartition, ListOffsetsTopic
from messagegen_kafka.list_offsets_response import ListOffsetsPartitionResponse
from messagegen_kafka.metadata_response import MetadataResponsePartition

_CONSUMER: Final = -1
"""The replica id of clients."""
_MILLISECONDS: Final = 1000
_LONGEST_TIMEOUT: Final = 2**31 - 1
"""The longest timeout in milliseconds: the largest int32."""
_NONE: Final = -1
"""No offset, no timestamp, or no leader epoch."""
LEADERLESS_ATTEMPTS: Final = 8
"""The maximum number of requests for a partition without a leader. Together, they take about 5 s.

If no new leader is elected in this time, no replica can become the leader.
"""
_MOST_ATTEMPTS: Final = {
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: UNKNOWN_ATTEMPTS,
    ErrorCode.LEADER_NOT_AVAILABLE: LEADERLESS_ATTEMPTS,
    ErrorCode.LISTENER_NOT_FOUND: LEADERLESS_ATTEMPTS,
}
"""The maximum number of attempts for a partition with one of these errors, even if others are still pending."""


@dataclass(frozen=True, slots=True)
class OffsetAndTimestamp:
    """An offset, and the timestamp of its record (upstream: ``org.apache.kafka.clients.consumer.OffsetAndTimestamp``).

    ``timestamp`` is in milliseconds since 1970. It is -1 if no record was looked up, as for the start or the end of a
    partition.
    ``leader_epoch`` is the epoch of the leader that wrote the record; ``None`` if the broker does not send it.
    """

    offset: int
    timestamp: int
    leader_epoch: int | None = None


@dataclass
class OffsetSearch:
    """Finds one offset in each partition.

    After the search, each partition is in ``found`` or in ``failed``. ``None`` in ``found`` means that no such offset
    exists.
    """

    cluster: Cluster
    specs: Mapping[TopicPartition, OffsetSpec]
    isolation_level: IsolationLevel
    versions: range
    deadline: Deadline

    def __post_init__(self) -> None:
        self.found: dict[TopicPartition, OffsetAndTimestamp | None] = {}
        self.failed: dict[TopicPartition, KafkaError] = {}
        self._last_error: dict[TopicPartition, KafkaError] = {}
        self._refusals: Counter[tuple[TopicPartition, ErrorCode]] = Counter()

    @property
    def pending(self) -> list[TopicPartition]:
        """The partitions without a result."""
        return [one for one in self.specs if one not in self.found and one not in self.failed]

    async def run(self) -> None:
        """Run the search until the deadline.

        Raises the errors of ``Cluster.metadata`` if no leader has answered yet.
        """
        backoff = self.cluster.backoff(self.deadline)
        await self._round()
        while self.pending and await backoff.pause():
            await self._round()
        for partition in self.pending:
            last = self._last_error.get(partition)
            self.failed[partition] = self.deadline.error(_doing(partition), Progress(last_error=last))
            self.failed[partition].__cause__ = last

    async def _round(self) -> None:
        """Ask the leaders of all pending partitions, at the same time."""
        topics = sorted({partition.topic for partition in self.pending})
        try:
            metadata = await self.cluster.metadata(topics, deadline=self.deadline)
        except KafkaError as problem:
            if not self.found and not self.failed:
                raise
            self.failed |= dict.fromkeys(self.pending, problem)
            return
        leaders: dict[int, dict[TopicPartition, int]] = {}
        described = _described(metadata)
        for partition in self.pending:
            known = described.get(partition)
            if known is not None and known.leader_id >= 0:  # Its error, if any, concerns other replicas.
                leaders.setdefault(known.leader_id, {})[partition] = known.leader_epoch
            else:
                self._refused(partition, _problem(metadata, partition, known))
        async with asyncio.TaskGroup() as group:
            for leader, epochs in leaders.items():
                group.create_task(self._ask(leader, epochs))

    async def _ask(self, leader: int, epochs: Mapping[TopicPartition, int]) -> None:
        call = self.cluster.call(
            self._request(epochs), to=leader, deadline=self.deadline.half(), versions=self.versions
        )
        try:
            response = (await call).message
        except (BrokerConnectionError, KafkaTimeoutError) as problem:
            # Half of the time is left. If this leader hangs, the partitions may get a new leader.
            self._last_error |= dict.fromkeys(epochs, problem)
            return
        except KafkaError as problem:
            self.failed |= dict.fromkeys(epochs, problem)
            return
        answers = {
            TopicPartition(topic.name, found.partition_index): found
            for topic in response.topics
            for found in topic.partitions
        }
        for partition in epochs:
            self._take(partition, answers.get(partition))

    def _request(self, epochs: Mapping[TopicPartition, int]) -> ListOffsetsRequest:
        topics: list[ListOffsetsTopic] = []
        for name, partitions in by_topic(epochs).items():
            wanted = tuple(self._wanted(partition, epochs[partition]) for partition in partitions)
            topics.append(ListOffsetsTopic(name=name, partitions=wanted))
        seconds = min(self.cluster.config.request_timeout, self.deadline.remaining())
        return ListOffsetsRequest(
            replica_id=_CONSUMER,
            isolation_level=self.isolation_level,
            topics=tuple(topics),
            timeout_ms=min(int(seconds * _MILLISECONDS), _LONGEST_TIMEOUT),
        )

    def _wanted(self, partition: TopicPartition, leader_epoch: int) -> ListOffsetsPartition:
        return ListOffsetsPartition(
            partition_index=partition.partition,
            current_leader_epoch=leader_epoch,
            timestamp=self.specs[partition].timestamp,
        )

    def _take(self, partition: TopicPartition, answer: ListOffsetsPartitionResponse | None) -> None:
        """Put an answer into ``found`` or ``failed``, or leave the partition pending."""
        doing = _doing(partition)
        if answer is None:
            self.failed[partition] = ProtocolError(f"{doing}: missing in the response")
        elif answer.error_code:
            self._refused(partition, ErrorCode(answer.error_code))
        elif answer.offset < _NONE or (answer.offset == _NONE and self.specs[partition].always_there):
            self.failed[partition] = ProtocolError(f"{doing}: invalid offset {answer.offset} in the response")
        elif answer.offset == _NONE:
            self.found[partition] = None
        else:
            leader_epoch = None if answer.leader_epoch == _NONE else answer.leader_epoch
            self.found[partition] = OffsetAndTimestamp(answer.offset, answer.timestamp, leader_epoch)

    def _refused(self, partition: TopicPartition, code: ErrorCode) -> None:
        """Note an error. It ends the search for this partition, unless the next attempt may succeed."""
        problem = broker_error(code, _doing(partition))
        self._last_error[partition] = problem
        self._refusals[partition, code] += 1
        most = _MOST_ATTEMPTS.get(code)
        given_up = most is not None and self._refusals[partition, code] >= most
        if given_up or not problem.retriable:
            self.failed[partition] = problem


def _doing(partition: TopicPartition) -> str:
    return f"listing offsets of {partition}"


def _described(metadata: ClusterMetadata) -> dict[TopicPartition, MetadataResponsePartition]:
    """Return the partitions of topics without errors."""
    return {
        TopicPartition(name, partition.partition_index): partition
        for name, topic in metadata.topics.items()
        if not topic.error_code
        for partition in topic.partitions
    }


def _problem(
    metadata: ClusterMetadata, partition: TopicPartition, known: MetadataResponsePartition | None
) -> ErrorCode:
    """Return the reason why the partition has no leader."""
    if known is not None:
        return ErrorCode(known.error_code or ErrorCode.LEADER_NOT_AVAILABLE)
    topic = metadata.topics.get(partition.topic)
    if topic is not None and topic.error_code:
        return ErrorCode(topic.error_code)
    return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
