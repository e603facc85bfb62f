"""The timestamps of records by offset: ListOffsets finds offsets by time, and only Fetch says the time of an offset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from messagegen_client.errors import ProtocolError, broker_error
from messagegen_client.net.cluster import Cluster
from messagegen_client.net.deadlines import Deadline
from messagegen_client.net.leaders import LeaderSearch
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.records.batches import OldFormatError, RecordTime, first_record
from messagegen_client.records.compression import DecompressionError
from messagegen_kafka import FetchRequest, FetchResponse
from messagegen_kafka.error_codes import ErrorCode
from messagegen_kafka.fetch_request import FetchPartition, FetchTopic
from messagegen_kafka.fetch_response import PartitionData

_VERSIONS: Final = range(4, 13)
"""Up to version 12 topics have names, as everywhere in this client; zstd needs version 10."""
_FIRST_BYTES: Final = 1 << 14
"""The size of a batch that producers make unless they are told otherwise."""
_MOST_BYTES: Final = 1 << 30
_GROWTH: Final = 8
_ANSWER_BYTES: Final = 1 << 25


class RecordTimes(LeaderSearch[FetchResponse, PartitionData, RecordTime | None]):
    """Looks for the first record at or after an offset in each of some partitions, and for its timestamp.

    ``found`` has ``None`` where there is none up to the high watermark. Control records do not count; records of transactions
    that are open or were aborted do. An offset that the partition no longer has is an error: OFFSET_OUT_OF_RANGE.
    """

    def __init__(self, cluster: Cluster, offsets: Mapping[TopicPartition, int], *, deadline: Deadline) -> None:
        super().__init__(cluster, offsets, FetchResponse, versions=_VERSIONS, deadline=deadline)
        self._offsets = dict(offsets)
        self._bytes: dict[TopicPartition, int] = dict.fromkeys(offsets, _FIRST_BYTES)
        self._has_room: dict[TopicPartition, bool] = {}
        """Whether the answer had room for what was asked of a partition; brokers fill it in the order of the request."""

    def _request(self, partitions: list[tuple[TopicPartition, int]]) -> FetchRequest:
        topics: dict[str, list[FetchPartition]] = {}
        room = _ANSWER_BYTES
        # A topic comes once, so that partitions have to be in the order of topics.
        for partition, leader_epoch in sorted(partitions, key=lambda pair: pair[0]):
            room -= self._bytes[partition]
            self._has_room[partition] = room >= 0
            wanted = FetchPartition(
                partition=partition.partition,
                current_leader_epoch=leader_epoch,
                fetch_offset=self._offsets[partition],
                partition_max_bytes=self._bytes[partition],
            )
            topics.setdefault(partition.topic, []).append(wanted)
        return FetchRequest(
            max_wait_ms=0,
            min_bytes=0,
            max_bytes=_ANSWER_BYTES,
            topics=tuple(FetchTopic(topic=name, partitions=tuple(wanted)) for name, wanted in topics.items()),
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
            first = first_record(bytes(answer.records or b""), self._offsets[partition])
        except OldFormatError:
            code = ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT
            self.failed[partition] = broker_error(code, self._doing(partition), "the record is of a Kafka before 0.11")
            return
        except DecompressionError as problem:
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
            # The first batch of an answer comes whole; the others have to fit into what is asked of their partition.
            self._bytes[partition] = min(self._bytes[partition] * _GROWTH, _MOST_BYTES)

    def _doing(self, partition: TopicPartition) -> str:
        return f"reading the time of the record at offset {self._offsets[partition]} of {partition}"
