"""One search for offsets: each leader is asked for its partitions, and again for those that it could not answer for."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from messagegen_client.cluster import Answer, BrokerId, Cluster
from messagegen_client.deadlines import Deadline, Progress
from messagegen_client.errors import BrokerConnectionError, BrokerError, KafkaError, ProtocolError, broker_error
from messagegen_client.metadata import ClusterMetadata, PartitionMetadata
from messagegen_client.offset_specs import IsolationLevel, OffsetSpec
from messagegen_client.partitions import UNKNOWN_ATTEMPTS, TopicPartition
from messagegen_kafka import ListOffsetsRequest, ListOffsetsResponse
from messagegen_kafka.error_codes import ErrorCode
from messagegen_kafka.list_offsets_request import ListOffsetsPartition, ListOffsetsTopic
from messagegen_kafka.list_offsets_response import ListOffsetsPartitionResponse

_CONSUMER: Final = -1
"""The replica id of those who are no broker."""
_PATIENCE: Final = 0.1
"""The part of a request's time after which to ask who the leader is, while its answer is waited for."""
_NONE: Final = -1
"""What ListOffsets answers for an offset, a timestamp or a leader epoch that there is not."""


@dataclass(frozen=True, slots=True)
class OffsetAndTimestamp:
    """An offset, and the timestamp of its record (upstream: ``org.apache.kafka.clients.consumer.OffsetAndTimestamp``).

    ``timestamp`` is in milliseconds since 1970, and -1 where the offset was not found by way of a record, as at the ends of a
    partition. ``leader_epoch`` is the epoch of the leader that wrote the record; ``None`` where the broker does not say.
    """

    offset: int
    timestamp: int
    leader_epoch: int | None = None


class OffsetSearch:
    """Looks for one offset in each of some partitions, all leaders at the same time, until the deadline.

    Afterwards each partition is either in ``found`` (``None``: it has no such offset) or in ``failed``.
    """

    def __init__(
        self,
        cluster: Cluster,
        specs: Mapping[TopicPartition, OffsetSpec],
        *,
        isolation_level: IsolationLevel,
        versions: range,
        deadline: Deadline,
    ) -> None:
        self._cluster = cluster
        self._specs = specs
        self._isolation_level = isolation_level
        self._versions = versions
        self._deadline = deadline
        self._last_error: dict[TopicPartition, KafkaError] = {}
        self._times_unknown: Counter[TopicPartition] = Counter()
        self.found: dict[TopicPartition, OffsetAndTimestamp | None] = {}
        self.failed: dict[TopicPartition, KafkaError] = {}

    @property
    def pending(self) -> list[TopicPartition]:
        """The partitions that have yet to be answered for."""
        return [partition for partition in self._specs if partition not in self.found and partition not in self.failed]

    async def run(self) -> None:
        """Searches; raises what ``Cluster.metadata`` raises as long as nothing was answered."""
        backoff = self._cluster.backoff(self._deadline)
        await self._round()
        while self.pending and await backoff.pause():
            # Whatever went wrong, the leaders may be others by now.
            self._cluster.expire_metadata()
            await self._round()
        for partition in self.pending:
            last = self._last_error[partition]
            self.failed[partition] = self._deadline.error(_doing(partition), Progress(last_error=last))
            self.failed[partition].__cause__ = last

    async def _round(self) -> None:
        topics = {partition.topic for partition in self.pending}
        try:
            metadata = await self._cluster.metadata(sorted(topics), deadline=self._deadline, cached=True)
        except KafkaError as problem:
            if not self.found and not self.failed:
                raise
            self.failed |= dict.fromkeys(self.pending, problem)
            return
        async with asyncio.TaskGroup() as group:
            for leader, partitions in self._by_leader(metadata).items():
                group.create_task(self._ask(leader, partitions))

    def _by_leader(self, metadata: ClusterMetadata) -> dict[int, list[tuple[TopicPartition, int]]]:
        """The partitions that have a leader, each with its leader epoch; what the others lack is noted."""
        leaders: dict[int, list[tuple[TopicPartition, int]]] = {}
        for partition in self.pending:
            known = _described(metadata, partition)
            if isinstance(known, PartitionMetadata):
                leaders.setdefault(known.leader_id, []).append((partition, known.leader_epoch))
            else:
                self._refused(partition, known)
        return leaders

    async def _ask(self, leader: int, partitions: list[tuple[TopicPartition, int]]) -> None:
        asking = asyncio.create_task(
            self._cluster.call(
                self._request(partitions),
                ListOffsetsResponse,
                to=BrokerId(leader),
                deadline=self._deadline,
                versions=self._versions,
            )
        )
        try:
            await self._watch(asking, leader, [partition for partition, _ in partitions])
            answer = await asking
        except BrokerConnectionError as problem:
            self._last_error |= {partition: problem for partition, _ in partitions}
            return
        except KafkaError as problem:
            self.failed |= {partition: problem for partition, _ in partitions}
            return
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        answers = {
            TopicPartition(topic.name, found.partition_index): found
            for topic in answer.message.topics
            for found in topic.partitions
        }
        for partition, _ in partitions:
            self._take(partition, answers.get(partition))

    async def _watch(
        self, asking: asyncio.Task[Answer[ListOffsetsResponse]], leader: int, partitions: list[TopicPartition]
    ) -> None:
        """Waits for an answer; raises ``BrokerConnectionError`` if the others say meanwhile that they have a new leader.

        A leader that hangs is replaced after some seconds. One that is only slow stays the leader, and is waited for.
        """
        topics = sorted({partition.topic for partition in partitions})
        pause = min(self._cluster.config.request_timeout, self._deadline.remaining()) * _PATIENCE
        while not (await asyncio.wait([asking], timeout=pause))[0]:
            try:
                metadata = await self._cluster.metadata(topics, deadline=self._deadline)
            except KafkaError:
                continue  # Then nobody knows better, and the call ends at the deadline.
            leaders = {described.leader_id for one in partitions if (described := _leader(metadata, one)) is not None}
            if leaders - {leader}:
                raise BrokerConnectionError(
                    f"broker {leader} did not answer, and no longer leads all of {', '.join(topics)}"
                )

    def _request(self, partitions: list[tuple[TopicPartition, int]]) -> ListOffsetsRequest:
        topics: dict[str, list[ListOffsetsPartition]] = {}
        for partition, leader_epoch in partitions:
            wanted = ListOffsetsPartition(
                partition_index=partition.partition,
                current_leader_epoch=leader_epoch,
                timestamp=self._specs[partition].timestamp,
            )
            topics.setdefault(partition.topic, []).append(wanted)
        seconds = min(self._cluster.config.request_timeout, self._deadline.remaining())
        return ListOffsetsRequest(
            replica_id=_CONSUMER,
            isolation_level=self._isolation_level,
            topics=tuple(ListOffsetsTopic(name=name, partitions=tuple(wanted)) for name, wanted in topics.items()),
            timeout_ms=min(int(seconds * 1000), 2**31 - 1),
        )

    def _take(self, partition: TopicPartition, answer: ListOffsetsPartitionResponse | None) -> None:
        if answer is None:
            self.failed[partition] = ProtocolError(f"{_doing(partition)}: the answer does not mention it")
        elif answer.error_code:
            self._refused(partition, ErrorCode(answer.error_code))
        elif answer.offset < _NONE:
            self.failed[partition] = ProtocolError(f"{_doing(partition)}: the answer has the offset {answer.offset}")
        elif answer.offset == _NONE and self._specs[partition].always_there:
            self.failed[partition] = ProtocolError(f"{_doing(partition)}: the answer has no offset")
        elif answer.offset == _NONE:
            self.found[partition] = None
        else:
            leader_epoch = None if answer.leader_epoch == _NONE else answer.leader_epoch
            self.found[partition] = OffsetAndTimestamp(answer.offset, answer.timestamp, leader_epoch)

    def _refused(self, partition: TopicPartition, code: ErrorCode) -> None:
        """Takes note of an error: it ends the search in this partition, or may be gone the next time."""
        problem: BrokerError = broker_error(code, _doing(partition))
        self._last_error[partition] = problem
        self._times_unknown[partition] += code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        if not problem.retriable or self._times_unknown[partition] >= UNKNOWN_ATTEMPTS:
            self.failed[partition] = problem


def _described(metadata: ClusterMetadata, partition: TopicPartition) -> PartitionMetadata | ErrorCode:
    """Who leads a partition, or why that is not known."""
    topic = metadata.topics.get(partition.topic)
    if topic is None:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if topic.error:
        return topic.error
    known = topic.partitions.get(partition.partition)
    if known is None:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if known.leader_id < 0:
        return known.error or ErrorCode.LEADER_NOT_AVAILABLE
    # With a leader, an error is about other replicas.
    return known


def _leader(metadata: ClusterMetadata, partition: TopicPartition) -> PartitionMetadata | None:
    described = _described(metadata, partition)
    return described if isinstance(described, PartitionMetadata) else None


def _doing(partition: TopicPartition) -> str:
    return f"listing offsets of {partition}"
