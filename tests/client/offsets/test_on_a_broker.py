"""Offsets by time on a real broker equal the offsets from Kafka's own tool and Java clients."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
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
from tests.broker import java
from tests.broker.cluster import Cluster as Broker
from tests.broker.fixtures import BusyBroker
from tests.broker.records import create_topics, produce

FOR_EVER = "-1"
"""The retention time of topics: without it, such old records would soon be deleted."""
START = 1_600_000_000_000


def run(broker: Broker, call: Callable[..., Awaitable[Any]], *arguments: Any, **others: Any) -> Any:
    async def work() -> Any:
        async with Cluster(ClientConfig.of(broker.bootstrap())) as cluster:
            return await call(cluster, *arguments, **others)

    return asyncio.run(work())


def in_java(found: OffsetAndTimestamp | None) -> dict[str, int | None]:
    if found is None:
        return {"offset": -1, "timestamp": -1, "leaderEpoch": None}
    return {"offset": found.offset, "timestamp": found.timestamp, "leaderEpoch": found.leader_epoch}


def asked(broker: Broker, times: Mapping[TopicPartition, int], *, committed: bool = False) -> Any:
    """Return Java's answer for a time or a special offset in each partition."""
    rows = [{"topic": one.topic, "partition": one.partition, "timestamp": time} for one, time in times.items()]
    return java.call("listOffsets", broker.bootstrap(), {"times": rows, "readCommitted": committed})


def test_offsets_equal_the_offsets_of_the_java_client(broker: Broker, topic_name: str) -> None:
    create_topics(broker.bootstrap(), {topic_name: 2}, retention_ms=FOR_EVER)
    # The timestamps do not ascend.
    records = [{"topic": topic_name, "partition": 0, "timestamp_ms": START + at} for at in (0, 10, 5, 30, 20)]
    produce(broker.bootstrap(), [{**record, "value": b"x"} for record in records])
    five_records = TopicPartition(topic_name, 0)
    empty = TopicPartition(topic_name, 1)
    places = [OffsetSpec.earliest(), OffsetSpec.latest(), OffsetSpec.max_timestamp(), OffsetSpec.earliest_local()]
    for place in places:
        ours = run(broker, list_offsets, {five_records: place, empty: place})
        theirs = asked(broker, dict.fromkeys([five_records, empty], place.timestamp))
        assert [in_java(found) for found in ours.values()] == theirs
    for place in (OffsetSpec.latest_tiered(), OffsetSpec.earliest_pending_upload()):
        assert run(broker, list_offsets, {five_records: place}) == {five_records: None}


@pytest.mark.slow
def test_the_end_offset_for_read_committed_is_before_an_open_transaction(busy_broker: BusyBroker) -> None:
    broker = busy_broker.cluster
    partition = TopicPartition("ledger", 0)
    broker.start_all()
    ends = {}
    for level in IsolationLevel:
        ends[level] = run(broker, end_offsets, [partition], isolation_level=level)[partition]
        theirs = asked(broker, {partition: -1}, committed=level is IsolationLevel.READ_COMMITTED)
        assert theirs[0]["offset"] == ends[level]
    assert ends[IsolationLevel.READ_COMMITTED] < ends[IsolationLevel.READ_UNCOMMITTED]


@pytest.mark.slow
def test_offsets_for_random_times_in_200_partitions_equal_the_offsets_from_java(broker: Broker) -> None:
    chance = random.Random(79)
    records = []
    kinds = {f"many-{number}": "LogAppendTime" if number == 3 else "CreateTime" for number in range(4)}
    for name, kind in kinds.items():
        create_topics(broker.bootstrap(), {name: 50}, retention_ms=FOR_EVER, message_timestamp_type=kind)
        for number in [number for number in range(50) for _ in range(chance.randrange(9))]:
            time = START + chance.randrange(100_000)
            records.append({"topic": name, "partition": number, "timestamp_ms": time, "value": b"x"})
    produce(broker.bootstrap(), records)
    many = {TopicPartition(name, number): START + chance.randrange(110_000) for name in kinds for number in range(50)}
    ours = run(broker, offsets_for_times, many)
    assert len(ours) == 200
    assert [in_java(found) for found in ours.values()] == asked(broker, many)
    assert 20 < sum(found is None for found in ours.values()) < 180
