"""Clients receive the errors that a proxy puts into answers, and recover from them as from a broker's errors."""

from __future__ import annotations

import logging
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import confluent_kafka
import pytest

from messagegen_kafka import (
    AddOffsetsToTxnRequest,
    AddPartitionsToTxnRequest,
    EndTxnRequest,
    FetchRequest,
    FindCoordinatorRequest,
    HeartbeatRequest,
    InitProducerIdRequest,
    JoinGroupRequest,
    MetadataRequest,
    OffsetFetchRequest,
    SyncGroupRequest,
    TxnOffsetCommitRequest,
)
from messagegen_testing import KafkaFaults, Rule
from tests.broker.cluster import Cluster
from tests.broker.records import create_topics, produce
from tests.oracle.jars import compiled_classes, java_command

Proxy = Callable[..., KafkaFaults]

_SECONDS: Final = 60
_QUIET: Final = ("-Dorg.slf4j.simpleLogger.defaultLogLevel=error",)
_READER: Final = Path(__file__).parent / "java" / "FaultyReader.java"

ERRORS_OF_OFFSETS: Final = ["COORDINATOR_LOAD_IN_PROGRESS", "NOT_COORDINATOR", "UNSTABLE_OFFSET_COMMIT"]
"""Error codes for OffsetFetch. Brokers put the first two into the group, and the third into partitions."""

NOT_RETRIED_BY_LIBRDKAFKA: Final = {"NOT_COORDINATOR"}
"""Errors after which librdkafka does not request the offsets again. It reports them, whatever the broker."""


@pytest.fixture
def topic(broker: Cluster, topic_name: str) -> str:
    """A topic with one record."""
    create_topics(broker.bootstrap(), {topic_name: 1})
    produce(broker.bootstrap(), [{"topic": topic_name, "partition": 0, "value": b"one"}])
    return topic_name


@pytest.fixture
def faults(broker: Cluster, kafka_faults: Proxy) -> KafkaFaults:
    """A proxy in front of a broker."""
    return kafka_faults(broker.bootstrap())


def polled(consumer: confluent_kafka.Consumer) -> Iterator[str]:
    """Yield the names of errors, followed by the value of the first record."""
    for _ in range(_SECONDS):
        message = consumer.poll(1)
        if message is None:
            continue
        error = message.error()
        if error is None:
            yield (message.value() or b"").decode()
            return
        yield str(error.name())


def read_with_java(faults: KafkaFaults, *arguments: str) -> list[str]:
    """Return the names of exceptions, followed by the value of the first record."""
    classes = [compiled_classes("faulty-reader", [_READER])]
    command = java_command("FaultyReader", faults.bootstrap, *arguments, classes=classes, options=_QUIET)
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=_SECONDS * 2)
    return done.stdout.decode().split()


def test_librdkafka_sees_errors_of_fetch(faults: KafkaFaults, topic: str, caplog: pytest.LogCaptureFixture) -> None:
    faults.when(FetchRequest, topic=topic, times=1).error("NOT_LEADER_OR_FOLLOWER")
    faults.when(FetchRequest, topic=topic, times=1).error("TOPIC_AUTHORIZATION_FAILED")
    settings = {"bootstrap.servers": faults.bootstrap, "group.id": topic}
    with caplog.at_level(logging.DEBUG):
        consumer = confluent_kafka.Consumer(settings, logger=logging.getLogger("librdkafka"))
        consumer.assign([confluent_kafka.TopicPartition(topic, 0, confluent_kafka.OFFSET_BEGINNING)])
        found = list(polled(consumer))
        consumer.close()
    assert found == ["TOPIC_AUTHORIZATION_FAILED", "one"]
    assert [record.getMessage() for record in caplog.records if "MessageSetSize" in record.getMessage()] == []


def test_librdkafka_requests_metadata_after_a_lost_leader(faults: KafkaFaults, topic: str) -> None:
    asked: list[int] = []

    def note_metadata(_: FetchRequest) -> bool:
        asked.append(len(faults.seen(MetadataRequest)))
        return True

    faults.when(FetchRequest, topic=topic, where=note_metadata, times=1).error("NOT_LEADER_OR_FOLLOWER")
    consumer = confluent_kafka.Consumer({"bootstrap.servers": faults.bootstrap, "group.id": topic})
    consumer.assign([confluent_kafka.TopicPartition(topic, 0, confluent_kafka.OFFSET_BEGINNING)])
    assert list(polled(consumer)) == ["one"]
    faults.wait_for(MetadataRequest, count=asked[0] + 1)
    consumer.close()


def test_librdkafka_recovers_from_errors_of_offset_fetch(faults: KafkaFaults, topic: str) -> None:
    names = [name for name in ERRORS_OF_OFFSETS if name not in NOT_RETRIED_BY_LIBRDKAFKA]
    rules = [faults.when(OffsetFetchRequest, times=1).error(name) for name in names]
    settings = {"bootstrap.servers": faults.bootstrap, "group.id": topic, "auto.offset.reset": "earliest"}
    consumer = confluent_kafka.Consumer(settings)
    consumer.subscribe([topic])
    assert list(polled(consumer)) == ["one"]
    consumer.close()
    assert [rule.used for rule in rules] == [1, 1]


def test_librdkafka_recovers_from_errors_of_groups(faults: KafkaFaults, topic: str) -> None:
    rules: list[Rule[Any]] = [
        faults.when(FindCoordinatorRequest, times=1).error("COORDINATOR_NOT_AVAILABLE"),
        faults.when(JoinGroupRequest, times=1).error("NOT_COORDINATOR"),
        faults.when(SyncGroupRequest, times=1).error("REBALANCE_IN_PROGRESS"),
        faults.when(HeartbeatRequest, times=1).error("REBALANCE_IN_PROGRESS"),
    ]
    settings = {"bootstrap.servers": faults.bootstrap, "group.id": topic, "auto.offset.reset": "earliest"}
    consumer = confluent_kafka.Consumer({**settings, "heartbeat.interval.ms": 100})
    consumer.subscribe([topic])
    assert list(polled(consumer)) == ["one"]
    while not rules[-1].used:
        consumer.poll(0.1)
    consumer.close()
    assert [rule.used for rule in rules] == [1, 1, 1, 1]


@pytest.mark.slow
def test_librdkafka_recovers_from_errors_of_transactions(faults: KafkaFaults, topic: str) -> None:
    rules: list[Rule[Any]] = [
        faults.when(InitProducerIdRequest, times=1).error("COORDINATOR_LOAD_IN_PROGRESS"),
        faults.when(AddPartitionsToTxnRequest, times=1).error("CONCURRENT_TRANSACTIONS"),
        faults.when(AddOffsetsToTxnRequest, times=1).error("NOT_COORDINATOR"),
        faults.when(TxnOffsetCommitRequest, times=1).error("COORDINATOR_LOAD_IN_PROGRESS"),
        faults.when(EndTxnRequest, times=1).error("COORDINATOR_NOT_AVAILABLE"),
    ]
    consumer = confluent_kafka.Consumer({"bootstrap.servers": faults.bootstrap, "group.id": topic})
    producer = confluent_kafka.Producer({"bootstrap.servers": faults.bootstrap, "transactional.id": topic})
    producer.init_transactions(_SECONDS)
    producer.begin_transaction()
    producer.produce(topic, b"two")
    offsets = [confluent_kafka.TopicPartition(topic, 0, 1)]
    producer.send_offsets_to_transaction(offsets, consumer.consumer_group_metadata(), _SECONDS)
    producer.commit_transaction(_SECONDS)
    (committed,) = consumer.committed([confluent_kafka.TopicPartition(topic, 0)], timeout=_SECONDS)
    consumer.close()
    assert committed.offset == 1
    assert [rule.used for rule in rules] == [1, 1, 1, 1, 1]


@pytest.mark.slow
@pytest.mark.java
def test_java_sees_errors_of_fetch(faults: KafkaFaults, topic: str) -> None:
    faults.when(FetchRequest, topic=topic, times=1).error("NOT_LEADER_OR_FOLLOWER")
    faults.when(FetchRequest, topic=topic, times=1).error("TOPIC_AUTHORIZATION_FAILED")
    assert read_with_java(faults, topic) == ["TopicAuthorizationException", "one"]


@pytest.mark.slow
@pytest.mark.java
def test_java_recovers_from_errors_of_offset_fetch(faults: KafkaFaults, topic: str) -> None:
    rules = [faults.when(OffsetFetchRequest, times=1).error(name) for name in ERRORS_OF_OFFSETS]
    assert read_with_java(faults, topic, topic) == ["one"]
    assert [rule.used for rule in rules] == [1, 1, 1]
