"""The lag of a group, in records and in seconds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from messagegen_client.errors import BrokerError, KafkaError
from messagegen_client.groups.offsets import OffsetAndMetadata, list_consumer_group_offsets
from messagegen_client.net.cluster import Cluster
from messagegen_client.net.deadlines import Deadline, Timeout
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.offsets.calls import ListOffsetsError, beginning_offsets, end_offsets, known_offsets
from messagegen_client.offsets.specs import IsolationLevel, milliseconds
from messagegen_client.outcomes import PartialError
from messagegen_client.records.batches import RecordTime
from messagegen_client.records.times import RecordTimes
from messagegen_kafka.error_codes import ErrorCode

_ROUNDS: Final = 3
"""How often the log start offset may move between two requests."""


@dataclass(frozen=True, slots=True)
class PartitionLag:
    """The lag of a group in one partition.

    ``committed`` is ``None`` if the group has committed no offset. ``next_record`` is the next record that the group will read,
    without control records: ``None`` if there is none, if no offset is committed, and if ``time_error`` says why its time is
    unknown.
    """

    committed: OffsetAndMetadata | None
    end_offset: int
    next_record: RecordTime | None = None
    time_error: KafkaError | None = None

    @property
    def records(self) -> int | None:
        """The end offset minus the committed offset, as in Kafka's tools; compacted and control records count too.

        Below 0 if the committed offset is after the end of the partition.
        """
        return None if self.committed is None else self.end_offset - self.committed.offset

    def seconds(self, now: int | datetime) -> float | None:
        """``now`` minus the timestamp of the next record, in seconds; 0 if there is no such record, or it is in the future.

        ``now`` is in milliseconds since 1970, or a datetime with a time zone. ``None`` if no offset is committed, or the time
        is unknown.
        """
        if self.committed is None or self.time_error is not None:
            return None
        if self.next_record is None:
            return 0.0
        if self.next_record.timestamp < 0:
            return None
        return max(0, milliseconds(now) - self.next_record.timestamp) / 1000


class ConsumerGroupLagError(PartialError[TopicPartition, PartitionLag]):
    """The lag of some partitions could not be found."""

    FAILED = "partitions failed"


async def consumer_group_lag(
    cluster: Cluster,
    group_id: str,
    partitions: Iterable[tuple[str, int]] | None = None,
    *,
    isolation_level: IsolationLevel = IsolationLevel.READ_UNCOMMITTED,
    timeout: Timeout = None,
) -> dict[TopicPartition, PartitionLag]:
    """The lag of a group in each of ``partitions``; without them, in all for which it has committed offsets.

    Committed offsets come from the coordinator and end offsets from the leaders (with ``READ_COMMITTED`` the last stable
    offsets). The time of the next record comes from the record itself, which is fetched.

    Raises ``ConsumerGroupLagError`` if partitions failed, and what ``list_consumer_group_offsets`` raises. A time that can't be
    found is not an error of the call: see ``PartitionLag``.
    """
    deadline = cluster.deadline(timeout)
    committed = await list_consumer_group_offsets(cluster, group_id, partitions, timeout=deadline)
    errors: dict[TopicPartition, KafkaError] = {}
    try:
        ends = await end_offsets(cluster, committed, isolation_level=isolation_level, timeout=deadline)
    except ListOffsetsError as problem:
        errors = problem.errors
        ends = known_offsets(problem.results)
    behind = {
        partition: offset.offset
        for partition, offset in committed.items()
        if offset is not None and partition in ends and offset.offset < ends[partition]
    }
    times, time_errors = await _times(cluster, behind, deadline)
    results = {
        partition: PartitionLag(
            committed[partition],
            ends[partition],
            _before(times.get(partition), ends[partition]),
            time_errors.get(partition),
        )
        for partition in committed
        if partition in ends
    }
    if errors:
        raise ConsumerGroupLagError(errors, results)
    return results


def _before(record: RecordTime | None, end: int) -> RecordTime | None:
    """The record, unless it was written after the end offset was read."""
    return record if record is not None and record.offset < end else None


async def _times(
    cluster: Cluster, offsets: Mapping[TopicPartition, int], deadline: Deadline
) -> tuple[dict[TopicPartition, RecordTime | None], dict[TopicPartition, KafkaError]]:
    """The first record at or after each offset; if it was deleted, the first that the partition still has."""
    found: dict[TopicPartition, RecordTime | None] = {}
    failed: dict[TopicPartition, KafkaError] = {}
    wanted = dict(offsets)
    for _ in range(_ROUNDS):
        if not wanted:
            break
        search = RecordTimes(cluster, wanted, deadline=deadline)
        await search.run()
        found |= search.found
        failed |= search.failed
        gone = [partition for partition, problem in search.failed.items() if _out_of_range(problem)]
        try:
            wanted = await beginning_offsets(cluster, gone, timeout=deadline)
        except ListOffsetsError as problem:
            failed |= problem.errors
            wanted = known_offsets(problem.results)
    return found, {partition: problem for partition, problem in failed.items() if partition not in found}


def _out_of_range(problem: KafkaError) -> bool:
    return isinstance(problem, BrokerError) and problem.code is ErrorCode.OFFSET_OUT_OF_RANGE
