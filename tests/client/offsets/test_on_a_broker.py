"""Offsets by time on a real broker, side by side with Kafka's own tool and Java clients."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import pytest

from messagegen_client.config.settings import ClientConfig
from messagegen_client.offsets.calls import (
    end_offsets,
    list_offsets,
    offsets_for_times,
)
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.offsets.search import OffsetAndTimestamp
from messagegen_client.offsets.specs import IsolationLevel, OffsetSpec
from messagegen_client.transport.cluster import Cluster
from tests.broker.cluster import Cluster as Broker
from tests.broker.fixtures import BusyBroker
from tests.broker.tools import JavaTools

KEPT = {"retention.ms": "-1"}
"""Records as old as these would soon be deleted."""
START = 1_600_000_000_000


def run(broker: Broker, call: Callable[..., Awaitable[Any]], *arguments: Any, **others: Any) -> Any:
    async def work() -> Any:
        async with Cluster(ClientConfig.of(broker.bootstrap())) as cluster:
            return await call(cluster, *arguments, **others)

    return asyncio.run(work())


def create(
    tools: JavaTools, broker: Broker, name: str, partitions: int = 1, configs: Mapping[str, str] = MappingProxyType({})
) -> None:
    topic = {"name": name, "partitions": partitions, "configs": {**KEPT, **configs}}
    tools.call("createTopics", broker, topics=[topic])


def produce(tools: JavaTools, broker: Broker, times: Iterable[tuple[str, int, int]]) -> None:
    """Writes a record for each topic, partition and timestamp."""
    records = [{"topic": name, "partition": number, "timestamp": time, "value": "x"} for name, number, time in times]
    tools.call("produce", broker, records=records)


def in_java(found: OffsetAndTimestamp | None) -> dict[str, int | None] | None:
    if found is None:
        return None
    return {"offset": found.offset, "timestamp": found.timestamp, "leaderEpoch": found.leader_epoch}


def questions(times: Mapping[TopicPartition, int]) -> list[dict[str, object]]:
    return [{"topic": one.topic, "partition": one.partition, "timestamp": time} for one, time in times.items()]


@pytest.fixture
def five_records(broker: Broker, java_tools: JavaTools, topic_name: str) -> TopicPartition:
    """A partition whose timestamps do not ascend."""
    create(java_tools, broker, topic_name, 2)
    produce(java_tools, broker, [(topic_name, 0, START + after) for after in (0, 10, 5, 30, 20)])
    return TopicPartition(topic_name, 0)


def test_places_are_those_of_java(broker: Broker, java_tools: JavaTools, five_records: TopicPartition) -> None:
    empty = TopicPartition(five_records.topic, 1)
    places = [OffsetSpec.earliest(), OffsetSpec.latest(), OffsetSpec.max_timestamp(), OffsetSpec.earliest_local()]
    for place in places:
        theirs = java_tools.call(
            "listOffsets", broker, times=questions(dict.fromkeys([five_records, empty], place.timestamp))
        )
        ours = run(broker, list_offsets, {five_records: place, empty: place})
        absent = {"offset": -1, "timestamp": -1, "leaderEpoch": None}
        assert [in_java(found) or absent for found in ours.values()] == theirs
    tiered = run(broker, list_offsets, {five_records: OffsetSpec.latest_tiered()})
    assert tiered == {five_records: None}
    assert run(broker, list_offsets, {five_records: OffsetSpec.earliest_pending_upload()}) == {five_records: None}


def test_an_open_transaction_ends_what_is_committed(busy_broker: BusyBroker, java_tools: JavaTools) -> None:
    broker, partition = busy_broker.cluster, TopicPartition("ledger", 0)
    broker.start_all()
    ends = {}
    for level in IsolationLevel:
        ends[level] = run(broker, end_offsets, [partition], isolation_level=level)[partition]
        committed = level is IsolationLevel.READ_COMMITTED
        theirs = java_tools.call("listOffsets", broker, times=questions({partition: -1}), readCommitted=committed)
        assert theirs[0]["offset"] == ends[level]
    assert ends[IsolationLevel.READ_COMMITTED] < ends[IsolationLevel.READ_UNCOMMITTED]


@pytest.fixture(scope="module")
def many(broker: Broker, java_tools: JavaTools) -> dict[TopicPartition, int]:
    """200 partitions of both kinds of time with records at random times, and the time to look for in each."""
    chance = random.Random(79)
    names = [f"many-{kind}" for kind in ("create-a", "create-b", "create-c", "append")]
    topics = [
        {
            "name": name,
            "partitions": 50,
            "configs": {**KEPT, "message.timestamp.type": "LogAppendTime" if name.endswith("append") else "CreateTime"},
        }
        for name in names
    ]
    java_tools.call("createTopics", broker, topics=topics)
    partitions = [TopicPartition(name, number) for name in names for number in range(50)]
    produce(
        java_tools,
        broker,
        [
            (partition.topic, partition.partition, START + chance.randrange(100_000))
            for partition in partitions
            for _ in range(chance.randrange(9))
        ],
    )
    return {partition: START + chance.randrange(110_000) for partition in partitions}


def test_200_partitions_at_random_times_as_in_java(
    broker: Broker, java_tools: JavaTools, many: dict[TopicPartition, int]
) -> None:
    ours = run(broker, offsets_for_times, many)
    theirs = java_tools.call("offsetsForTimes", broker, times=questions(many))
    assert len(ours) == 200
    assert [in_java(found) for found in ours.values()] == theirs
    assert 20 < sum(found is None for found in ours.values()) < 180
