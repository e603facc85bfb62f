"""Asks the leaders of partitions, and asks again for the partitions that a leader could not answer."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from messagegen_client.errors import BrokerConnectionError, BrokerError, KafkaError, ProtocolError, broker_error
from messagegen_client.net.cluster import BrokerId, Cluster
from messagegen_client.net.deadlines import Deadline, Progress
from messagegen_client.net.metadata import ClusterMetadata, PartitionMetadata
from messagegen_client.net.partitions import UNKNOWN_ATTEMPTS, TopicPartition
from messagegen_client.net.watching import watched
from messagegen_kafka.error_codes import ErrorCode

if TYPE_CHECKING:
    # Generated code offers the bases of messages for annotations only.
    from messagegen_kafka._runtime.messages import Request, Response

R = TypeVar("R", bound="Response")
A = TypeVar("A")
F = TypeVar("F")


class LeaderSearch(ABC, Generic[R, A, F]):
    """Sends a request to the leaders of some partitions, all at the same time, until the deadline. Subclasses define it.

    ``R`` is the response, ``A`` the answer for one partition in it, ``F`` the result. Afterwards each partition is in ``found``
    or in ``failed``.
    """

    def __init__(
        self,
        cluster: Cluster,
        partitions: Iterable[TopicPartition],
        response_type: type[R],
        *,
        versions: range,
        deadline: Deadline,
    ) -> None:
        self._cluster = cluster
        self._partitions = list(partitions)
        self._response_type = response_type
        self._versions = versions
        self._deadline = deadline
        self._last_error: dict[TopicPartition, KafkaError] = {}
        self._times_unknown: Counter[TopicPartition] = Counter()
        self.found: dict[TopicPartition, F] = {}
        self.failed: dict[TopicPartition, KafkaError] = {}

    @abstractmethod
    def _request(self, partitions: list[tuple[TopicPartition, int]]) -> Request:
        """The request for partitions, each with its leader epoch."""

    @abstractmethod
    def _answers(self, response: R) -> Mapping[TopicPartition, A]:
        """The answers in a response."""

    @abstractmethod
    def _take(self, partition: TopicPartition, answer: A) -> None:
        """Puts an answer into ``found`` or ``failed``. If it does neither, the partition is asked for again."""

    @abstractmethod
    def _doing(self, partition: TopicPartition) -> str:
        """What the request does, for errors."""

    @property
    def pending(self) -> list[TopicPartition]:
        """The partitions without a result so far."""
        return [one for one in self._partitions if one not in self.found and one not in self.failed]

    async def run(self) -> None:
        """Runs the search. Raises what ``Cluster.metadata`` raises if no leader has answered yet."""
        backoff = self._cluster.backoff(self._deadline)
        await self._round()
        while self.pending and await backoff.pause():
            # Whatever went wrong, the leaders may have changed.
            self._cluster.expire_metadata()
            await self._round()
        for partition in self.pending:
            last = self._last_error.get(partition)
            self.failed[partition] = self._deadline.error(self._doing(partition), Progress(last_error=last))
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
        """The partitions with a leader, each with its leader epoch. The others get an error."""
        leaders: dict[int, list[tuple[TopicPartition, int]]] = {}
        for partition in self.pending:
            known = _described(metadata, partition)
            if isinstance(known, PartitionMetadata):
                leaders.setdefault(known.leader_id, []).append((partition, known.leader_epoch))
            else:
                self._refused(partition, known)
        return leaders

    async def _ask(self, leader: int, partitions: list[tuple[TopicPartition, int]]) -> None:
        request = self._cluster.call(
            self._request(partitions),
            self._response_type,
            to=BrokerId(leader),
            deadline=self._deadline,
            versions=self._versions,
        )
        names = [partition for partition, _ in partitions]
        try:
            answer = await watched(request, lambda: self._new_leader(leader, names), self._cluster, self._deadline)
        except BrokerConnectionError as problem:
            self._last_error |= dict.fromkeys(names, problem)
            return
        except KafkaError as problem:
            self.failed |= dict.fromkeys(names, problem)
            return
        answers = self._answers(answer.message)
        for partition in names:
            if partition in answers:
                self._take(partition, answers[partition])
            else:
                self.failed[partition] = ProtocolError(f"{self._doing(partition)}: missing in the response")

    async def _new_leader(self, leader: int, partitions: list[TopicPartition]) -> KafkaError | None:
        """An error if other brokers name a new leader for one of the partitions."""
        topics = sorted({partition.topic for partition in partitions})
        metadata = await self._cluster.metadata(topics, deadline=self._deadline)
        described = [_described(metadata, partition) for partition in partitions]
        if {one.leader_id for one in described if isinstance(one, PartitionMetadata)} <= {leader}:
            return None
        return BrokerConnectionError(f"broker {leader} did not answer and no longer leads all of {', '.join(topics)}")

    def _refused(self, partition: TopicPartition, code: ErrorCode) -> None:
        """Notes an error. It ends the search for this partition, unless the next attempt may succeed."""
        problem: BrokerError = broker_error(code, self._doing(partition))
        self._last_error[partition] = problem
        self._times_unknown[partition] += code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        if not problem.retriable or self._times_unknown[partition] >= UNKNOWN_ATTEMPTS:
            self.failed[partition] = problem


def _described(metadata: ClusterMetadata, partition: TopicPartition) -> PartitionMetadata | ErrorCode:
    """The leader of a partition, or the error code that replaces it."""
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
    # If there is a leader, an error is about other replicas.
    return known
