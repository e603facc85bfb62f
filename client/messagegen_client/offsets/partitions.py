"""The partitions of topics, and their names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeVar

from messagegen_client.errors import BrokerError, broker_error
from messagegen_client.transport.cluster import Cluster
from messagegen_client.transport.deadlines import Timeout
from messagegen_kafka.error_codes import ErrorCode
from messagegen_kafka.metadata_response import MetadataResponseTopic

UNKNOWN_ATTEMPTS: Final = 5
"""The maximum number of requests for an unknown topic: brokers learn of a new topic with a delay."""
_MAX_PARTITION: Final = 2**31 - 1

Pair = TypeVar("Pair", bound=tuple[str, int])
"""A ``TopicPartition``, or a plain pair of topic and partition number."""


class TopicPartition(NamedTuple):
    """A topic's name and the number of a partition; equal to the plain pair, and ordered by name, then number."""

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


def topic_partition(pair: tuple[object, object]) -> TopicPartition:
    """Return the pair as a ``TopicPartition``. Raises ``ValueError`` if it is invalid."""
    topic, partition = pair
    if not isinstance(topic, str) or not topic:
        raise ValueError(f"invalid topic name {topic!r}: expected a string that is not empty")
    if not isinstance(partition, int) or isinstance(partition, bool) or not 0 <= partition <= _MAX_PARTITION:
        raise ValueError(f"invalid partition {partition!r} of topic {topic}: expected a whole number from 0")
    return TopicPartition(topic, partition)


def by_topic(partitions: Iterable[TopicPartition]) -> dict[str, list[TopicPartition]]:
    """Group partitions by topic, because requests list each topic once."""
    topics: dict[str, list[TopicPartition]] = {}
    for partition in partitions:
        topics.setdefault(partition.topic, []).append(partition)
    return topics


async def partitions_for(
    cluster: Cluster, topics: Iterable[str], *, timeout: Timeout = None
) -> dict[str, tuple[TopicPartition, ...]]:
    """Return the partitions of each topic, in order (upstream: ``KafkaConsumer.partitionsFor``).

    Never creates a topic. An unknown topic is requested several times, because brokers learn of a new one with a delay.

    Raises ``UnknownTopicOrPartitionError``, or another ``BrokerError``, for the first topic that fails, and the errors
    of ``Cluster.metadata``.
    """
    deadline = cluster.deadline(timeout)
    names = list(dict.fromkeys(topics))
    if not names:
        return {}
    unknown = 0
    backoff = cluster.backoff(deadline)
    while True:
        known = (await cluster.metadata(names, deadline=deadline)).topics
        problem = next((error for name in names if (error := _problem(name, known.get(name)))), None)
        if problem is None:
            numbers = {name: sorted(one.partition_index for one in known[name].partitions) for name in names}
            return {name: tuple(TopicPartition(name, number) for number in numbers[name]) for name in names}
        if problem.code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
            unknown += 1
        if not problem.retriable or unknown >= UNKNOWN_ATTEMPTS:
            raise problem
        if not await backoff.pause():
            raise problem


def _problem(name: str, topic: MetadataResponseTopic | None) -> BrokerError | None:
    code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION if topic is None else topic.error_code
    return broker_error(code, f"asking for the partitions of topic {name}") if code else None
