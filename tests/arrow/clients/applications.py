"""Small applications with clients of several libraries and ages. Each returns whether its client works."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import aiokafka  # type: ignore[import-untyped]
import confluent_kafka

from tests.broker.group_consumer import group_consumer
from tests.broker.older import OLDEST_CLIENT, can_send
from tests.oracle.jars import KAFKA_RELEASE, OLD_RELEASES

with warnings.catch_warnings():
    # kafka-python reads its specs with a function that is deprecated in Python 3.11.
    warnings.simplefilter("ignore", DeprecationWarning)
    import kafka  # type: ignore[import-untyped]

_SECONDS: Final = 60.0
JAVA_RELEASES: Final = (OLDEST_CLIENT, OLD_RELEASES[0], KAFKA_RELEASE)


def with_kafka_python(bootstrap: str, topic: str) -> bool:
    """Send a record, and read it as a group."""
    producer: Any = kafka.KafkaProducer(bootstrap_servers=bootstrap, client_id="kafka-python")
    producer.send(topic, b"a record").get(_SECONDS)
    producer.close()
    consumer = group_consumer(
        topic,
        bootstrap_servers=bootstrap,
        client_id="kafka-python",
        group_id="kafka-python",
        auto_offset_reset="earliest",
        consumer_timeout_ms=_SECONDS * 1000,
    )
    record = next(consumer)
    consumer.close()
    return record is not None


def with_aiokafka(bootstrap: str, topic: str) -> bool:
    """Send a record, and read it as a group."""

    async def run() -> bool:
        settings: dict[str, Any] = {"bootstrap_servers": bootstrap, "client_id": "aiokafka"}
        async with aiokafka.AIOKafkaProducer(**settings) as producer:
            await producer.send_and_wait(topic, b"a record")
        consumer: Any = aiokafka.AIOKafkaConsumer(topic, group_id="aiokafka", auto_offset_reset="earliest", **settings)
        async with consumer, asyncio.timeout(_SECONDS):
            return await consumer.getone() is not None

    return asyncio.run(run())


def with_librdkafka(bootstrap: str, topic: str) -> bool:
    """Send a record."""
    settings: dict[str, Any] = {"bootstrap.servers": bootstrap, "client.id": "librdkafka"}
    producer: Any = confluent_kafka.Producer(settings)
    producer.produce(topic, b"a record")
    return bool(producer.flush(_SECONDS) == 0)


_APPLICATIONS: Final[Mapping[str, Callable[[str, str], bool]]] = {
    "kafka-python": with_kafka_python,
    "aiokafka": with_aiokafka,
    "librdkafka": with_librdkafka,
}


def working_clients(bootstrap: str, topic: str) -> dict[str, bool]:
    """Run all applications at the same time, and return whether each works, by client id."""
    with ThreadPoolExecutor() as pool:
        started = {name: pool.submit(run, bootstrap, topic) for name, run in _APPLICATIONS.items()}
        started |= {release: pool.submit(can_send, release, bootstrap, topic) for release in JAVA_RELEASES}
        return {name: future.result() for name, future in started.items()}
