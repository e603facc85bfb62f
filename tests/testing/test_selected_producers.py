"""The selectors of rules decide which records of producers fail."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import aiokafka  # type: ignore[import-untyped]
import confluent_kafka
import kafka  # type: ignore[import-untyped]
import pytest
from kafka.errors import MessageSizeTooLargeError  # type: ignore[import-untyped]

from messagegen_kafka import ProduceRequest
from messagegen_testing import Rule, ScriptedBroker, scripted_broker

Producer = Callable[[str, str, int], list[bool]]
"""Sends a number of records one after the other, and returns for each whether it failed."""

_ERROR = "MESSAGE_TOO_LARGE"
"""An error that no producer retries."""


def librdkafka(bootstrap: str, client_id: str, count: int) -> list[bool]:
    producer = confluent_kafka.Producer({"bootstrap.servers": bootstrap, "client.id": client_id})
    failed: list[bool] = []
    for _ in range(count):
        producer.produce("orders", b"one", on_delivery=lambda error, _: failed.append(error is not None))
        producer.flush(30)
    return failed


def with_aiokafka(bootstrap: str, client_id: str, count: int) -> list[bool]:
    async def send(producer: aiokafka.AIOKafkaProducer) -> bool:
        try:
            await producer.send_and_wait("orders", b"one")
        except aiokafka.errors.MessageSizeTooLargeError:
            return True
        return False

    async def send_all() -> list[bool]:
        async with aiokafka.AIOKafkaProducer(bootstrap_servers=bootstrap, client_id=client_id) as producer:
            return [await send(producer) for _ in range(count)]

    return asyncio.run(send_all())


def kafka_python(bootstrap: str, client_id: str, count: int) -> list[bool]:
    # An idempotent producer would give up after its first failed record.
    producer = kafka.KafkaProducer(bootstrap_servers=bootstrap, client_id=client_id, enable_idempotence=False)

    def send() -> bool:
        try:
            producer.send("orders", b"one").get(30)
        except MessageSizeTooLargeError:
            return True
        return False

    failed = [send() for _ in range(count)]
    producer.close()
    return failed


producers = pytest.mark.parametrize("producer", [librdkafka, with_aiokafka, kafka_python])


@pytest.fixture
def broker() -> Iterator[ScriptedBroker]:
    with scripted_broker({"orders": 1}) as started:
        yield started


def fails(rule: Rule[ProduceRequest], broker: ScriptedBroker) -> Rule[ProduceRequest]:
    """Let the requests of a rule fail, and all others succeed."""
    rule.error(_ERROR)
    broker.when(ProduceRequest).error("NONE")
    return rule


@producers
def test_only_the_third_record_fails(producer: Producer, broker: ScriptedBroker) -> None:
    fails(broker.when(ProduceRequest, after=2, times=1), broker)
    assert producer(broker.bootstrap, "any", 4) == [False, False, True, False]


@producers
def test_only_one_client_fails(producer: Producer, broker: ScriptedBroker) -> None:
    fails(broker.when(ProduceRequest, client_id="billing"), broker)
    assert producer(broker.bootstrap, "billing", 2) == [True, True]
    assert producer(broker.bootstrap, "shipping", 2) == [False, False]


@producers
def test_records_fail_until_the_rule_ends(producer: Producer, broker: ScriptedBroker) -> None:
    with fails(broker.when(ProduceRequest), broker):
        assert producer(broker.bootstrap, "any", 2) == [True, True]
    assert producer(broker.bootstrap, "any", 2) == [False, False]


@producers
def test_a_seed_makes_the_same_records_fail(producer: Producer) -> None:
    def failed(seed: int) -> list[bool]:
        with scripted_broker({"orders": 1}) as broker:
            fails(broker.when(ProduceRequest, probability=0.5, seed=seed), broker)
            return producer(broker.bootstrap, "any", 12)

    first, again, other = failed(1), failed(1), failed(2)
    assert first == again
    assert first != other
