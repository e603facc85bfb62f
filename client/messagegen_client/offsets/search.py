"""The search of ListOffsets: one offset in each of some partitions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from messagegen_client.errors import ProtocolError
from messagegen_client.net.cluster import Cluster
from messagegen_client.net.deadlines import Deadline
from messagegen_client.net.leaders import LeaderSearch
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.offsets.specs import IsolationLevel, OffsetSpec
from messagegen_kafka import ListOffsetsRequest, ListOffsetsResponse
from messagegen_kafka.error_codes import ErrorCode
from messagegen_kafka.list_offsets_request import ListOffsetsPartition, ListOffsetsTopic
from messagegen_kafka.list_offsets_response import ListOffsetsPartitionResponse

_CONSUMER: Final = -1
"""The replica id of those who are no broker."""
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


class OffsetSearch(LeaderSearch[ListOffsetsResponse, ListOffsetsPartitionResponse, OffsetAndTimestamp | None]):
    """Looks for one offset in each of some partitions (``None``: it has no such offset)."""

    def __init__(
        self,
        cluster: Cluster,
        specs: Mapping[TopicPartition, OffsetSpec],
        *,
        isolation_level: IsolationLevel,
        versions: range,
        deadline: Deadline,
    ) -> None:
        super().__init__(cluster, specs, ListOffsetsResponse, versions=versions, deadline=deadline)
        self._specs = specs
        self._isolation_level = isolation_level

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

    def _answers(self, response: ListOffsetsResponse) -> dict[TopicPartition, ListOffsetsPartitionResponse]:
        return {
            TopicPartition(topic.name, found.partition_index): found
            for topic in response.topics
            for found in topic.partitions
        }

    def _take(self, partition: TopicPartition, answer: ListOffsetsPartitionResponse) -> None:
        doing = self._doing(partition)
        if answer.error_code:
            self._refused(partition, ErrorCode(answer.error_code))
        elif answer.offset < _NONE:
            self.failed[partition] = ProtocolError(f"{doing}: the answer has the offset {answer.offset}")
        elif answer.offset == _NONE and self._specs[partition].always_there:
            self.failed[partition] = ProtocolError(f"{doing}: the answer has no offset")
        elif answer.offset == _NONE:
            self.found[partition] = None
        else:
            leader_epoch = None if answer.leader_epoch == _NONE else answer.leader_epoch
            self.found[partition] = OffsetAndTimestamp(answer.offset, answer.timestamp, leader_epoch)

    def _doing(self, partition: TopicPartition) -> str:
        return f"listing offsets of {partition}"
