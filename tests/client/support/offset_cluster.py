"""A cluster in memory that knows offsets by time, as far as brokers do: for tests without a broker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from messagegen_client.config.settings import ClientConfig
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.transport.cluster import Answer, Cluster
from messagegen_client.transport.deadlines import Deadline
from messagegen_client.transport.messages import highest_common
from messagegen_client.transport.metadata import Broker, ClusterMetadata
from messagegen_kafka import ErrorCode, ListOffsetsRequest, ListOffsetsResponse, Request, Response
from messagegen_kafka.list_offsets_request import ListOffsetsPartition
from messagegen_kafka.list_offsets_response import ListOffsetsPartitionResponse, ListOffsetsTopicResponse
from messagegen_kafka.metadata_response import MetadataResponsePartition, MetadataResponseTopic

R = TypeVar("R", bound=Response)

LATEST = -1
EARLIEST = -2
MAX_TIMESTAMP = -3


@dataclass
class Log:
    """One partition: who leads it, the timestamps of its records in order, and errors to give before anything else."""

    leader: int = 1
    epoch: int = 0
    timestamps: list[int] = field(default_factory=list)
    start: int = 0
    errors: Iterator[int] = field(default_factory=lambda: iter(()))
    """Error codes that ListOffsets answers, one a request."""
    metadata_error: int = 0


@dataclass
class OffsetStore:
    """The partitions, and what was asked; it outlives the clusters that a command makes."""

    logs: dict[TopicPartition, Log] = field(default_factory=dict)
    requests: list[tuple[int, int, ListOffsetsRequest]] = field(default_factory=list)
    """Broker, version and request."""
    refreshes: int = 0
    before: Callable[[int], None] = lambda _: None
    """Called with the broker of each request before it is answered; may raise what a connection raises."""
    before_metadata: Callable[[], None] = lambda: None
    answer_with: Callable[[ListOffsetsPartitionResponse], Iterable[ListOffsetsPartitionResponse]] = lambda one: (one,)
    """What goes into the response in place of the answer of a partition."""

    def add(self, topic: str, *logs: Log) -> None:
        for number, log in enumerate(logs):
            self.logs[TopicPartition(topic, number)] = log

    def asked(self) -> list[tuple[int, list[TopicPartition]]]:
        """Broker and partitions of each request."""
        return [
            (
                broker,
                [
                    TopicPartition(topic.name, one.partition_index)
                    for topic in request.topics
                    for one in topic.partitions
                ],
            )
            for broker, _, request in self.requests
        ]


class OffsetCluster(Cluster):
    """The cluster over a store; every message goes through its bytes."""

    def __init__(self, store: OffsetStore, offered: tuple[int, int] = (1, 11)) -> None:
        super().__init__(ClientConfig(bootstrap_servers=("memory:9092",), retry_backoff=0.001, retry_backoff_max=0.002))
        self.store = store
        self.offered = offered

    async def call(
        self,
        request: Request,
        response_type: type[R],
        *,
        to: int | None = None,
        deadline: Deadline,
        versions: range | None = None,
        changes: bool = False,
    ) -> Answer[R]:
        assert to is not None
        broker = Broker(to, "memory", 9092)
        version = highest_common(type(request), {2: self.offered}, versions, broker)
        asked = ListOffsetsRequest.decode(request.encode(version=version), version=version)
        self.store.requests.append((to, version, asked))
        self.store.before(to)
        answer = self._answer(asked, to, version)
        return Answer(response_type.decode(answer.encode(version=version), version=version), version, broker)

    async def metadata(self, topics: Iterable[str] | None = (), *, deadline: Deadline) -> ClusterMetadata:
        self.store.before_metadata()
        self.store.refreshes += 1
        found: dict[str, list[MetadataResponsePartition]] = {}
        for (topic, number), log in self.store.logs.items():
            partition = MetadataResponsePartition(
                partition_index=number, leader_id=log.leader, leader_epoch=log.epoch, error_code=log.metadata_error
            )
            found.setdefault(topic, []).append(partition)
        known = {
            name: MetadataResponseTopic(name=name, is_internal=name.startswith("__"), partitions=tuple(partitions))
            for name, partitions in found.items()
        }
        return ClusterMetadata({}, known)

    def _answer(self, request: ListOffsetsRequest, broker: int, version: int) -> ListOffsetsResponse:
        return ListOffsetsResponse(
            topics=tuple(
                ListOffsetsTopicResponse(
                    name=topic.name,
                    partitions=tuple(
                        answer
                        for one in topic.partitions
                        for answer in self.store.answer_with(
                            _found(
                                self.store.logs[TopicPartition(topic.name, one.partition_index)], one, broker, version
                            )
                        )
                    ),
                )
                for topic in request.topics
            )
        )


def _found(log: Log, wanted: ListOffsetsPartition, broker: int, version: int) -> ListOffsetsPartitionResponse:
    number = wanted.partition_index
    epoch = log.epoch if version >= 4 else -1
    error = next(log.errors, 0) or (ErrorCode.NOT_LEADER_OR_FOLLOWER if broker != log.leader else 0)
    if error:
        return ListOffsetsPartitionResponse(partition_index=number, error_code=error)
    end = log.start + len(log.timestamps)
    if wanted.timestamp in (LATEST, EARLIEST):
        return ListOffsetsPartitionResponse(
            partition_index=number, offset=end if wanted.timestamp == LATEST else log.start, leader_epoch=epoch
        )
    later = (
        (log.start + index, timestamp)
        for index, timestamp in enumerate(log.timestamps)
        if (timestamp == max(log.timestamps) if wanted.timestamp == MAX_TIMESTAMP else timestamp >= wanted.timestamp)
    )
    offset, timestamp = next(later, (-1, -1))
    return ListOffsetsPartitionResponse(
        partition_index=number, offset=offset, timestamp=timestamp, leader_epoch=epoch if offset >= 0 else -1
    )
