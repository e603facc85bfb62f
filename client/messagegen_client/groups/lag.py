"""How far a group lags behind: in records, and in seconds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from messagegen_client.errors import BrokerError, KafkaError
from messagegen_client.groups.offsets import OffsetAndMetadata, list_consumer_group_offsets
from messagegen_client.net.cluster import Cluster
from messagegen_client.net.deadlines import Deadline
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.offsets.calls import ListOffsetsError, beginning_offsets, end_offsets
from messagegen_client.offsets.specs import IsolationLevel, milliseconds
from messagegen_client.records.batches import RecordTime
from messagegen_client.records.times import RecordTimes
from messagegen_kafka.error_codes import ErrorCode

_ROUNDS: Final = 3
"""So often the beginning of a log may move away between two questions."""


@dataclass(frozen=True, slots=True)
class PartitionLag:
    """How far a group lags behind in one partition.

    ``committed`` is ``None`` where the group has committed no offset. ``next_record`` is the first record that is left for the
    group to read, control records aside: ``None`` where there is none, where nothing was committed, and where ``time_error``
    says why its time is not known.
    """

    committed: OffsetAndMetadata | None
    end_offset: int
    next_record: RecordTime | None = None
    time_error: KafkaError | None = None

    @property
    def records(self) -> int | None:
        """The end offset minus the committed one, as Kafka's tools count: compacted and control records count too.

        Below 0 where the group has committed an offset that the partition does not have (yet, or any more).
        """
        return None if self.committed is None else self.end_offset - self.committed.offset

    def seconds(self, now: int | datetime) -> float | None:
        """``now`` minus the timestamp of the first record not yet consumed, in seconds; 0 where there is no such record.

        ``now`` is in milliseconds since 1970, or a datetime with a time zone. Timestamps in the future give 0, too. ``None``
        where nothing was committed, or the time is not known.
        """
        if self.committed is None or self.time_error is not None:
            return None
        if self.next_record is None:
            return 0.0
        if self.next_record.timestamp < 0:
            return None
        return max(0, milliseconds(now) - self.next_record.timestamp) / 1000


class ConsumerGroupLagError(KafkaError):
    """Some partitions could not be answered for: ``errors`` says why, ``results`` has the others."""

    def __init__(
        self, errors: Mapping[TopicPartition, KafkaError], results: Mapping[TopicPartition, PartitionLag]
    ) -> None:
        self.errors = dict(errors)
        self.results = dict(results)
        super().__init__(self.errors, self.results)

    def text(self) -> str:
        """How many partitions failed, and the first of them."""
        first = next(iter(self.errors.values()))
        return f"{len(self.errors)} of {len(self.errors) + len(self.results)} partitions failed, the first one: {first}"


async def consumer_group_lag(
    cluster: Cluster,
    group_id: str,
    partitions: Iterable[tuple[str, int]] | None = None,
    *,
    isolation_level: IsolationLevel = IsolationLevel.READ_UNCOMMITTED,
    timeout: float | None = None,  # noqa: ASYNC109 - one deadline for several requests
) -> dict[TopicPartition, PartitionLag]:
    """How far a group lags behind in each of ``partitions``; without them in all of which it has committed an offset.

    Committed offsets come from the coordinator, end offsets from the leaders (with ``READ_COMMITTED`` the last stable
    offsets), and the time of the first record that is left from the record itself, which is fetched. ``timeout`` is in
    seconds, for the whole call; without it the config's ``api_timeout`` counts.

    Raises ``ConsumerGroupLagError`` with the results of the others where partitions have no answer, and what
    ``list_consumer_group_offsets`` raises. A time that can't be found out is no error of the call: see ``PartitionLag``.
    """
    deadline = cluster.deadline(timeout)
    committed = await list_consumer_group_offsets(cluster, group_id, partitions, timeout=_rest(deadline))
    errors: dict[TopicPartition, KafkaError] = {}
    try:
        ends = await end_offsets(cluster, committed, isolation_level=isolation_level, timeout=_rest(deadline))
    except ListOffsetsError as problem:
        errors = problem.errors
        ends = {partition: found.offset for partition, found in problem.results.items() if found is not None}
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
        raise ConsumerGroupLagError(errors, results) from next(iter(errors.values()))
    return results


def _before(record: RecordTime | None, end: int) -> RecordTime | None:
    """The record, if it lies before the end: others may have come since."""
    return record if record is not None and record.offset < end else None


async def _times(
    cluster: Cluster, offsets: Mapping[TopicPartition, int], deadline: Deadline
) -> tuple[dict[TopicPartition, RecordTime | None], dict[TopicPartition, KafkaError]]:
    """The first record at or after each offset; where it was deleted, the first that is left."""
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
            wanted = await beginning_offsets(cluster, gone, timeout=_rest(deadline))
        except ListOffsetsError as problem:
            failed |= problem.errors
            wanted = {partition: place.offset for partition, place in problem.results.items() if place is not None}
    return found, {partition: problem for partition, problem in failed.items() if partition not in found}


def _out_of_range(problem: KafkaError) -> bool:
    return isinstance(problem, BrokerError) and problem.code is ErrorCode.OFFSET_OUT_OF_RANGE


def _rest(deadline: Deadline) -> float:
    # No time at all is no timeout: the call itself has to say that it is over.
    return max(deadline.remaining(), 0.001)
