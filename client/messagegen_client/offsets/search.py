"""Finds one offset in each of several partitions, with ListOffsets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from messagegen_client.errors import ProtocolError
from messagegen_client.net.cluster import Cluster
from messagegen_client.net.deadlines import Deadline
from messagegen_client.net.leaders import LeaderSearch
from messagegen_client.net.partitions import TopicPartition, by_topic
from messagegen_client.offsets.specs import IsolationLevel, OffsetSpec
from messagegen_kafka import ListOffsetsRequest, ListOffsetsResponse
from messagegen_kafka.error_codes import ErrorCode
from messagegen_kafka.list_offsets_request import ListOffsetsPartition, ListOffsetsTopic
from messagegen_kafka.list_offsets_response import ListOffsetsPartitionResponse

_CONSUMER: Final = -1
"""The replica id of clients."""
_NONE: Final = -1
"""No offset, no timestamp, or no leader epoch."""


@dataclass(frozen=True, slots=True)
class OffsetAndTimestamp:
    """An offset, and the timestamp of its record (upstream: ``org.apache.kafka.clients.consumer.OffsetAndTimestamp``).

    ``timestamp`` is in milliseconds since 1970, and -1 if no record was looked up, as at the ends of a partition.
    ``leader_epoch`` is the epoch of the leader that wrote the record; ``None`` if the broker does not send it.
    """

    offset: int
    timestamp: int
    leader_epoch: int | None = None


class OffsetSearch(LeaderSearch[ListOffsetsResponse, ListOffsetsPartitionResponse, OffsetAndTimestamp | None]):
    """Finds one offset in each partition; ``None`` if the partition has no such offset."""

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
        epochs = dict(partitions)
        topics = {
            name: tuple(
                ListOffsetsPartition(
                    partition_index=one.partition,
                    current_leader_epoch=epochs[one],
                    timestamp=self._specs[one].timestamp,
                )
                for one in wanted
            )
            for name, wanted in by_topic(epochs).items()
        }
        seconds = min(self._cluster.config.request_timeout, self._deadline.remaining())
        return ListOffsetsRequest(
            replica_id=_CONSUMER,
            isolation_level=self._isolation_level,
            topics=tuple(ListOffsetsTopic(name=name, partitions=wanted) for name, wanted in topics.items()),
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
            self.failed[partition] = ProtocolError(f"{doing}: invalid offset {answer.offset} in the response")
        elif answer.offset == _NONE and self._specs[partition].always_there:
            self.failed[partition] = ProtocolError(f"{doing}: no offset in the response")
        elif answer.offset == _NONE:
            self.found[partition] = None
        else:
            leader_epoch = None if answer.leader_epoch == _NONE else answer.leader_epoch
            self.found[partition] = OffsetAndTimestamp(answer.offset, answer.timestamp, leader_epoch)

    def _doing(self, partition: TopicPartition) -> str:
        return f"listing offsets of {partition}"
