"""Producers resend a record after each fault, and rules that answer requests take effect one after another."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import aiokafka  # type: ignore[import-untyped]
import confluent_kafka
import kafka  # type: ignore[import-untyped]
import pytest

from messagegen_kafka import MetadataRequest, ProduceRequest
from messagegen_testing import scripted_broker
from tests.broker import java

Produce = Callable[[str], None]
"""Sends a record to a topic, and waits until it is acknowledged."""


def librdkafka(bootstrap: str) -> None:
    producer = confluent_kafka.Producer({"bootstrap.servers": bootstrap})
    producer.produce("orders", b"one", partition=0)
    assert producer.flush(60) == 0


def with_aiokafka(bootstrap: str) -> None:
    async def produce() -> None:
        async with aiokafka.AIOKafkaProducer(bootstrap_servers=bootstrap) as producer:
            await producer.send_and_wait("orders", b"one", partition=0)

    asyncio.run(produce())


def kafka_python(bootstrap: str) -> None:
    producer = kafka.KafkaProducer(bootstrap_servers=bootstrap)
    producer.send("orders", b"one", partition=0).get(60)
    producer.close()


def with_java(bootstrap: str) -> None:
    client = java.client("write", bootstrap, "orders", "1")
    client.communicate("\n")
    assert client.returncode == 0


clients = pytest.mark.parametrize(
    "produce", [librdkafka, with_aiokafka, kafka_python, pytest.param(with_java, marks=pytest.mark.java)]
)


@pytest.mark.slow
@clients
def test_a_producer_tries_again_after_each_fault(produce: Produce) -> None:
    with scripted_broker({"orders": 2}) as broker:
        rules = [
            broker.when(ProduceRequest, times=1).error("NOT_LEADER_OR_FOLLOWER"),
            broker.when(ProduceRequest, times=1).hang_up(),
            broker.when(ProduceRequest, times=1).reset(),
            broker.when(ProduceRequest, times=1).cut(after_bytes=10),
        ]
        accepted = broker.when(ProduceRequest).error("NONE")
        produce(broker.bootstrap)
    assert [rule.used for rule in rules] == [1, 1, 1, 1]
    # One of the accepted requests is the one whose answer was cut.
    assert accepted.used == 2
    connections = [seen.connection for seen in broker.seen(ProduceRequest)]
    assert len(connections) == 5
    assert len(set(connections)) == 4
    assert len(broker.seen(MetadataRequest)) > 1


@clients
def test_a_producer_waits_while_its_request_is_held(produce: Produce) -> None:
    with scripted_broker({"orders": 2}) as broker:
        held = broker.when(ProduceRequest).hold()
        accepted = broker.when(ProduceRequest).error("NONE")
        client = threading.Thread(target=produce, args=[broker.bootstrap])
        client.start()
        held.wait_until_used(timeout=60)
        assert client.is_alive()
        assert accepted.used == 0
        held.end()
        client.join()
        assert accepted.used == 1
