"""One question to the leaders of partitions: each is asked for its own, and again for those that it could not answer for."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from messagegen_client.errors import BrokerConnectionError, BrokerError, KafkaError, ProtocolError, broker_error
from messagegen_client.net.cluster import Answer, BrokerId, Cluster
from messagegen_client.net.deadlines import Deadline, Progress
from messagegen_client.net.metadata import ClusterMetadata, PartitionMetadata
from messagegen_client.net.partitions import UNKNOWN_ATTEMPTS, TopicPartition
from messagegen_kafka.error_codes import ErrorCode

if TYPE_CHECKING:
    # Generated code offers the bases of messages for annotations only.
    from messagegen_kafka._runtime.messages import Request, Response

R = TypeVar("R", bound="Response")
A = TypeVar("A")
F = TypeVar("F")

_PATIENCE: Final = 0.1
"""The part of a request's time after which to ask who the leader is, while its answer is waited for."""


class LeaderSearch(ABC, Generic[R, A, F]):
    """Asks the leaders of some partitions, all at the same time, until the deadline; subclasses say what.

    ``R`` is the response, ``A`` the answer for one partition in it, ``F`` what is found. Afterwards each partition is either
    in ``found`` or in ``failed``.
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
        """Takes an answer into ``found`` or ``failed``; in neither, the partition is asked for again."""

    @abstractmethod
    def _doing(self, partition: TopicPartition) -> str:
        """What is being done, for errors."""

    @property
    def pending(self) -> list[TopicPartition]:
        """The partitions that have yet to be answered for."""
        return [one for one in self._partitions if one not in self.found and one not in self.failed]

    async def run(self) -> None:
        """Searches; raises what ``Cluster.metadata`` raises as long as nothing was answered."""
        backoff = self._cluster.backoff(self._deadline)
        await self._round()
        while self.pending and await backoff.pause():
            # Whatever went wrong, the leaders may be others by now.
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
                self._response_type,
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
        answers = self._answers(answer.message)
        for partition, _ in partitions:
            if partition in answers:
                self._take(partition, answers[partition])
            else:
                self.failed[partition] = ProtocolError(f"{self._doing(partition)}: the answer does not mention it")

    async def _watch(self, asking: asyncio.Task[Answer[R]], leader: int, partitions: list[TopicPartition]) -> None:
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

    def _refused(self, partition: TopicPartition, code: ErrorCode) -> None:
        """Takes note of an error: it ends the search in this partition, or may be gone the next time."""
        problem: BrokerError = broker_error(code, self._doing(partition))
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
