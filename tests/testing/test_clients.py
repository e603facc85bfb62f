"""Clients with default settings work with a scripted broker, which answers their first requests on its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import aiokafka  # type: ignore[import-untyped]
import confluent_kafka
import kafka  # type: ignore[import-untyped]
import pytest
from kafka.structs import TopicPartition  # type: ignore[import-untyped]

from messagegen_kafka import (
    ApiVersionsRequest,
    FetchRequest,
    FetchResponse,
    FindCoordinatorRequest,
    GetTelemetrySubscriptionsRequest,
    GetTelemetrySubscriptionsResponse,
    InitProducerIdRequest,
    ProduceRequest,
    Record,
    RecordBatch,
    read_records,
)
from messagegen_kafka.fetch_response import FetchableTopicResponse, PartitionData
from messagegen_testing import ScriptedBroker, SeenRequest, scripted_broker
from tests.broker import java
from tests.testing.support.asking import Asker

_RECORDS = RecordBatch.of([Record(value=b"one")]).to_bytes()


def one_record(seen: SeenRequest[FetchRequest]) -> FetchResponse:
    """Return a response with one record in each partition of the request."""
    topics = [
        FetchableTopicResponse(
            topic=topic.topic,
            topic_id=topic.topic_id,
            partitions=tuple(
                PartitionData(
                    partition_index=partition.partition,
                    high_watermark=1,
                    last_stable_offset=1,
                    log_start_offset=0,
                    records=_RECORDS if partition.fetch_offset == 0 else b"",
                )
                for partition in topic.partitions
            ),
        )
        for topic in seen.message.topics
    ]
    return FetchResponse(responses=tuple(topics))


def produced(broker: ScriptedBroker) -> list[RecordBatch]:
    """Return the batches of all produce requests."""
    partitions = [
        partition
        for seen in broker.seen(ProduceRequest)
        for topic in seen.message.topic_data
        for partition in topic.partition_data
    ]
    return [batch for partition in partitions for batch in read_records(partition.records or b"")]


def produce_with_librdkafka(bootstrap: str) -> None:
    producer = confluent_kafka.Producer({"bootstrap.servers": bootstrap})
    producer.produce("orders", b"one")
    assert producer.flush(30) == 0


def produce_once_with_librdkafka(bootstrap: str) -> None:
    producer = confluent_kafka.Producer({"bootstrap.servers": bootstrap, "enable.idempotence": True})
    producer.produce("orders", b"one")
    assert producer.flush(30) == 0


def produce_with_aiokafka(bootstrap: str) -> None:
    async def produce() -> None:
        async with aiokafka.AIOKafkaProducer(bootstrap_servers=bootstrap) as producer:
            await producer.send_and_wait("orders", b"one")

    asyncio.run(produce())


def produce_once_with_aiokafka(bootstrap: str) -> None:
    async def produce() -> None:
        async with aiokafka.AIOKafkaProducer(bootstrap_servers=bootstrap, enable_idempotence=True) as producer:
            await producer.send_and_wait("orders", b"one")

    asyncio.run(produce())


def produce_with_kafka_python(bootstrap: str) -> None:
    producer = kafka.KafkaProducer(bootstrap_servers=bootstrap)
    producer.send("orders", b"one").get(30)
    producer.close()


@pytest.mark.parametrize(
    ("produce", "is_idempotent"),
    [
        (produce_with_librdkafka, False),
        (produce_once_with_librdkafka, True),
        (produce_with_aiokafka, False),
        (produce_once_with_aiokafka, True),
        (produce_with_kafka_python, True),
    ],
)
def test_a_producer_can_write_to_a_scripted_broker(produce: Callable[[str], None], *, is_idempotent: bool) -> None:
    with scripted_broker({"orders": 1}) as broker:
        broker.when(ProduceRequest).error("NONE")
        produce(broker.bootstrap)
    (batch,) = produced(broker)
    assert [record.value for record in batch.records] == [b"one"]
    assert (batch.producer_id >= 0) is is_idempotent
    assert bool(broker.seen(InitProducerIdRequest)) is is_idempotent


@pytest.mark.parametrize("produce", [produce_with_librdkafka, produce_with_kafka_python])
def test_a_producer_retries_in_a_lower_version(produce: Callable[[str], None]) -> None:
    """``aiokafka`` requests the versions only in version 0."""
    with scripted_broker({"orders": 1}) as broker:
        broker.when(ApiVersionsRequest, times=1).error("UNSUPPORTED_VERSION")
        broker.when(ProduceRequest).error("NONE")
        produce(broker.bootstrap)
    refused, again, *_ = broker.seen(ApiVersionsRequest)
    assert refused.version > again.version


@pytest.mark.slow
@pytest.mark.java
def test_a_java_producer_can_write_to_a_scripted_broker() -> None:
    with scripted_broker({"orders": 2}) as broker:
        broker.when(ProduceRequest).error("NONE")
        client = java.client("write", broker.bootstrap, "orders", "2")
        client.communicate("\n")
    assert client.returncode == 0
    assert [record.value for batch in produced(broker) for record in batch.records] == [b"0", b"1"]
    assert [batch.producer_epoch for batch in produced(broker)] == [0, 0]


def consume_with_librdkafka(bootstrap: str) -> Any:
    # With automatic commits, closing the consumer would wait 45 seconds for a coordinator.
    settings = {"bootstrap.servers": bootstrap, "group.id": "billing", "enable.auto.commit": False}
    consumer = confluent_kafka.Consumer(settings)
    consumer.assign([confluent_kafka.TopicPartition("orders", 0, 0)])
    (record,) = consumer.consume(1, timeout=30)
    consumer.close()
    return record.value()


def consume_with_aiokafka(bootstrap: str) -> Any:
    async def consume() -> Any:
        async with aiokafka.AIOKafkaConsumer(bootstrap_servers=bootstrap) as consumer:
            partition = aiokafka.TopicPartition("orders", 0)
            consumer.assign([partition])
            consumer.seek(partition, 0)
            return (await asyncio.wait_for(consumer.getone(), 30)).value

    return asyncio.run(consume())


def consume_with_kafka_python(bootstrap: str) -> Any:
    consumer = kafka.KafkaConsumer(bootstrap_servers=bootstrap, consumer_timeout_ms=30_000)
    partition = TopicPartition("orders", 0)
    consumer.assign([partition])
    consumer.seek(partition, 0)
    value = next(consumer).value
    consumer.close()
    return value


@pytest.mark.parametrize(
    ("consume", "asks_for_coordinator"),
    [(consume_with_librdkafka, True), (consume_with_aiokafka, False), (consume_with_kafka_python, False)],
)
def test_a_consumer_reads_an_assigned_partition(consume: Callable[[str], Any], *, asks_for_coordinator: bool) -> None:
    with scripted_broker({"orders": 1}) as broker:
        broker.when(FetchRequest).delay(0.05)
        broker.when(FetchRequest).answer(one_record)
        assert consume(broker.bootstrap) == b"one"
    assert bool(broker.seen(FindCoordinatorRequest)) is asks_for_coordinator


def test_each_idempotent_producer_gets_its_own_id() -> None:
    with scripted_broker() as broker, Asker(broker.bootstrap) as asker:
        answers = [asker.ask(InitProducerIdRequest(transactional_id=None), version=4) for _ in range(2)]
    first, second = (answer.producer_id for answer in answers)
    assert first != second
    assert [answer.producer_epoch for answer in answers] == [0, 0]


def test_telemetry_is_offered_only_on_request() -> None:
    def offers(**settings: Any) -> bool:
        with scripted_broker(**settings) as broker, Asker(broker.bootstrap) as asker:
            keys = {each.api_key for each in asker.ask(ApiVersionsRequest(), version=3).api_keys}
        return GetTelemetrySubscriptionsRequest.API_KEY in keys

    assert not offers()
    assert offers(versions={GetTelemetrySubscriptionsRequest: (0, 0)})


def test_telemetry_can_be_scripted() -> None:
    with scripted_broker(versions={GetTelemetrySubscriptionsRequest: (0, 0)}) as broker:
        broker.when(GetTelemetrySubscriptionsRequest).answer(GetTelemetrySubscriptionsResponse())
        with Asker(broker.bootstrap) as asker:
            assert asker.ask(GetTelemetrySubscriptionsRequest(), version=0).error_code == 0
