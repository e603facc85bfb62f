"""Finds the timestamps of records by offset, with Fetch: ListOffsets only finds offsets by time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from messagegen_client.errors import ProtocolError, broker_error
from messagegen_client.net.cluster import Cluster
from messagegen_client.net.deadlines import Deadline
from messagegen_client.net.leaders import LeaderSearch
from messagegen_client.net.partitions import TopicPartition, by_topic
from messagegen_client.records.batches import RecordTime, first_record
from messagegen_kafka import FetchRequest, FetchResponse, UnsupportedCompressionError
from messagegen_kafka.error_codes import ErrorCode
from messagegen_kafka.fetch_request import FetchPartition, FetchTopic
from messagegen_kafka.fetch_response import PartitionData

_VERSIONS: Final = range(4, 13)
"""Version 13 has topic ids instead of names. zstd needs version 10."""
_FIRST_BYTES: Final = 1 << 14
"""The default ``batch.size`` of producers."""
_MOST_BYTES: Final = 1 << 30
_GROWTH: Final = 8
_ANSWER_BYTES: Final = 1 << 25


class RecordTimes(LeaderSearch[FetchResponse, PartitionData, RecordTime | None]):
    """Finds the first record at or after an offset in each partition, with its timestamp.

    ``found`` has ``None`` if there is none before the high watermark. Control records are skipped; records of open and aborted
    transactions are not. An offset before the log start is an error: OFFSET_OUT_OF_RANGE.
    """

    def __init__(self, cluster: Cluster, offsets: Mapping[TopicPartition, int], *, deadline: Deadline) -> None:
        super().__init__(cluster, offsets, FetchResponse, versions=_VERSIONS, deadline=deadline)
        self._offsets = dict(offsets)
        self._bytes: dict[TopicPartition, int] = dict.fromkeys(offsets, _FIRST_BYTES)
        self._has_room: dict[TopicPartition, bool] = {}
        """Whether the response had room for the bytes that were requested of a partition."""

    def _request(self, partitions: list[tuple[TopicPartition, int]]) -> FetchRequest:
        wanted: dict[TopicPartition, FetchPartition] = {}
        room = _ANSWER_BYTES
        # Brokers fill a response in the order of the request, where a topic is listed once.
        for partition, leader_epoch in sorted(partitions, key=lambda pair: pair[0]):
            room -= self._bytes[partition]
            self._has_room[partition] = room >= 0
            wanted[partition] = FetchPartition(
                partition=partition.partition,
                current_leader_epoch=leader_epoch,
                fetch_offset=self._offsets[partition],
                partition_max_bytes=self._bytes[partition],
            )
        return FetchRequest(
            max_wait_ms=0,
            min_bytes=0,
            max_bytes=_ANSWER_BYTES,
            topics=tuple(
                FetchTopic(topic=name, partitions=tuple(wanted[one] for one in partitions))
                for name, partitions in by_topic(wanted).items()
            ),
        )

    def _answers(self, response: FetchResponse) -> dict[TopicPartition, PartitionData]:
        return {
            TopicPartition(topic.topic, found.partition_index): found
            for topic in response.responses
            for found in topic.partitions
        }

    def _take(self, partition: TopicPartition, answer: PartitionData) -> None:
        if answer.error_code:
            self._refused(partition, ErrorCode(answer.error_code))
            return
        try:
            first = first_record(answer.records or b"", self._offsets[partition])
        except UnsupportedCompressionError as problem:
            code = ErrorCode.UNSUPPORTED_COMPRESSION_TYPE
            self.failed[partition] = broker_error(code, self._doing(partition), str(problem))
            return
        except ValueError as problem:
            self.failed[partition] = ProtocolError(f"{self._doing(partition)}: {problem}")
            return
        if isinstance(first, RecordTime):
            self.found[partition] = first
            return
        if first is not None:
            self._offsets[partition] = first
        if self._offsets[partition] >= answer.high_watermark:
            self.found[partition] = None
        elif first is None and self._has_room[partition]:
            # Only the first batch of a response may be longer than the bytes that were requested of its partition.
            self._bytes[partition] = min(self._bytes[partition] * _GROWTH, _MOST_BYTES)

    def _doing(self, partition: TopicPartition) -> str:
        return f"reading the time of the record at offset {self._offsets[partition]} of {partition}"
