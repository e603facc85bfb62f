"""Partitions of topics: their names, and which partitions a topic has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from messagegen_client.errors import BrokerError, broker_error
from messagegen_client.net.cluster import Cluster
from messagegen_client.net.metadata import TopicMetadata
from messagegen_kafka.error_codes import ErrorCode

UNKNOWN_ATTEMPTS: Final = 5
"""How often to ask for a topic that brokers say they do not know: a new one takes a moment until all know it."""

_HIGHEST: Final = 2**31 - 1


class TopicPartition(NamedTuple):
    """A topic's name and the number of a partition; equal to the plain pair, and ordered by name, then number."""

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


def topic_partition(pair: tuple[object, object]) -> TopicPartition:
    """The pair as a ``TopicPartition``; raises ``ValueError`` for what can't be one."""
    topic, partition = pair
    if not isinstance(topic, str) or not topic:
        raise ValueError(f"a topic has a name, {topic!r} is none")
    if not isinstance(partition, int) or isinstance(partition, bool) or not 0 <= partition <= _HIGHEST:
        raise ValueError(f"a partition of {topic} is a number from 0 on, {partition!r} is none")
    return TopicPartition(topic, partition)


async def partitions_for(
    cluster: Cluster,
    topics: Iterable[str],
    *,
    timeout: float | None = None,  # noqa: ASYNC109 - one deadline for several requests
) -> dict[str, tuple[TopicPartition, ...]]:
    """The partitions of each topic, in order (upstream: ``KafkaConsumer.partitionsFor``).

    Topics are never created by asking. A topic that brokers do not know is asked for a few times, since a new one takes a
    moment. ``timeout`` is in seconds, for the whole call; without it the config's ``api_timeout`` counts.

    Raises ``UnknownTopicOrPartitionError``, or another ``BrokerError``, for the first topic that can't be described, and
    what ``Cluster.metadata`` raises.
    """
    deadline = cluster.deadline(timeout)
    names = list(dict.fromkeys(topics))
    if not names:
        return {}
    unknown = 0
    backoff = cluster.backoff(deadline)
    while True:
        known = (await cluster.metadata(names, deadline=deadline, cached=True)).topics
        problem = next((error for name in names if (error := _problem(name, known.get(name)))), None)
        if problem is None:
            return {
                name: tuple(TopicPartition(name, number) for number in sorted(known[name].partitions)) for name in names
            }
        unknown += problem.code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        if not problem.retriable or unknown >= UNKNOWN_ATTEMPTS:
            raise problem
        cluster.expire_metadata()
        if not await backoff.pause():
            raise problem


def _problem(name: str, topic: TopicMetadata | None) -> BrokerError | None:
    code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION if topic is None else topic.error
    return broker_error(code, f"asking for the partitions of topic {name}") if code else None
