"""A cluster in memory that looks up offsets by time like a broker, for tests without a broker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.transport.deadlines import Deadline
from messagegen_client.transport.metadata import ClusterMetadata
from messagegen_kafka import ErrorCode, ListOffsetsRequest, ListOffsetsResponse, Request, Response
from messagegen_kafka.list_offsets_request import ListOffsetsPartition, ListOffsetsTopic
from messagegen_kafka.list_offsets_response import ListOffsetsPartitionResponse, ListOffsetsTopicResponse
from messagegen_kafka.metadata_response import MetadataResponsePartition, MetadataResponseTopic
from tests.client.support.memory_cluster import MemoryCluster

LATEST = -1
EARLIEST = -2
MAX_TIMESTAMP = -3


@dataclass
class Log:
    """One partition: its leader, the timestamps of its records in order, and errors to answer with first."""

    leader: int = 1
    epoch: int = 0
    timestamps: list[int] = field(default_factory=list)
    start: int = 0
    errors: Iterator[int] = field(default_factory=lambda: iter(()))
    """Error codes with which ListOffsets answers, one for each request."""
    metadata_error: int = 0


@dataclass
class OffsetStore:
    """The partitions and the requests. A store outlives the clusters that a command makes."""

    logs: dict[TopicPartition, Log] = field(default_factory=dict)
    requests: list[tuple[int, int, ListOffsetsRequest]] = field(default_factory=list)
    """The broker, version and message of each request."""
    refreshes: int = 0
    before: Callable[[int], None] = lambda _: None
    """Called with the broker before each answer; may raise the errors of a connection."""
    before_metadata: Callable[[], None] = lambda: None
    answer_with: Callable[[ListOffsetsPartitionResponse], Iterable[ListOffsetsPartitionResponse]] = lambda one: (one,)
    """The errors or answers that replace a partition's own answer in the response."""

    def add(self, topic: str, *logs: Log) -> None:
        for number, log in enumerate(logs):
            self.logs[TopicPartition(topic, number)] = log

    def asked(self) -> list[tuple[int, list[TopicPartition]]]:
        """Return the broker and the partitions of each request."""
        return [(broker, _partitions(request)) for broker, _, request in self.requests]


def _partitions(request: ListOffsetsRequest) -> list[TopicPartition]:
    return [TopicPartition(topic.name, one.partition_index) for topic in request.topics for one in topic.partitions]


class OffsetCluster(MemoryCluster):
    """A cluster with the partitions of a store."""

    def __init__(self, store: OffsetStore, list_offsets: tuple[int, int] = (1, 11)) -> None:
        super().__init__()
        self.store = store
        self.list_offsets = list_offsets
        """The versions of ListOffsets that the brokers support."""

    def offered(self) -> Mapping[int, tuple[int, int]]:
        return {ListOffsetsRequest.API_KEY: self.list_offsets}

    def answer(self, request: Request, version: int, to: int | None) -> Response:
        assert isinstance(request, ListOffsetsRequest)
        assert to is not None
        self.store.requests.append((to, version, request))
        self.store.before(to)
        return ListOffsetsResponse(topics=tuple(self._answer_topic(topic, to, version) for topic in request.topics))

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

    def _answer_topic(self, topic: ListOffsetsTopic, broker: int, version: int) -> ListOffsetsTopicResponse:
        partitions: list[ListOffsetsPartitionResponse] = []
        for one in topic.partitions:
            log = self.store.logs[TopicPartition(topic.name, one.partition_index)]
            partitions += self.store.answer_with(_found(log, one, broker, version))
        return ListOffsetsTopicResponse(name=topic.name, partitions=tuple(partitions))


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
