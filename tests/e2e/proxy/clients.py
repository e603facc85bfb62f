"""Clients of several libraries with the same operations: write, read as a group, use a transaction, administer."""

from __future__ import annotations

import asyncio
import time
import warnings
from collections.abc import Callable
from typing import Any, Final, Protocol

import aiokafka  # type: ignore[import-untyped]
import aiokafka.admin  # type: ignore[import-untyped]
import confluent_kafka
import confluent_kafka.admin

from tests.broker import java
from tests.broker.group_consumer import group_consumer

with warnings.catch_warnings():
    # kafka-python reads its specs with a function that is deprecated in Python 3.11.
    warnings.simplefilter("ignore", DeprecationWarning)
    import kafka  # type: ignore[import-untyped]
    import kafka.admin  # type: ignore[import-untyped]

# Neither library has type annotations.
_KAFKA_ADMIN: Any = kafka.admin
_LIBRDKAFKA_ADMIN: Any = confluent_kafka.admin

PATIENCE: Final = 60.0
"""The time limit for records to arrive, in seconds; moving a leader takes a few seconds."""


class Client(Protocol):
    """The operations of each library."""

    def write(self, topic: str, values: list[str], *, in_the_middle: Callable[[], None]) -> None:
        """Write values alternately to two partitions, with one producer, which stays open during ``in_the_middle``."""
        ...

    def read(self, topic: str, group: str, count: int) -> list[str]:
        """Read ``count`` committed values as a group."""
        ...

    def write_in_transaction(self, topic: str, values: list[str]) -> None:
        """Write values in one transaction."""
        ...

    def administer(self, topic: str) -> set[int]:
        """Create and delete a topic, and list groups; return the ports of the brokers in the cluster."""
        ...


class KafkaPython:
    """kafka-python."""

    def __init__(self, bootstrap: str) -> None:
        self.bootstrap = bootstrap

    def write(self, topic: str, values: list[str], *, in_the_middle: Callable[[], None]) -> None:
        half = len(values) // 2
        producer = kafka.KafkaProducer(bootstrap_servers=self.bootstrap)
        for part in (values[:half], values[half:]):
            sent = [producer.send(topic, value.encode(), partition=int(value) % 2) for value in part]
            for one in sent:
                one.get(PATIENCE)
            if part[0] == values[0]:
                in_the_middle()
        producer.close()

    def read(self, topic: str, group: str, count: int) -> list[str]:
        consumer = group_consumer(
            topic,
            bootstrap_servers=self.bootstrap,
            group_id=group,
            auto_offset_reset="earliest",
            isolation_level="read_committed",
        )
        found: list[str] = []
        deadline = time.monotonic() + PATIENCE
        while len(found) < count and time.monotonic() < deadline:
            for records in consumer.poll(timeout_ms=500).values():
                found += [record.value.decode() for record in records]
        consumer.close()
        return found

    def write_in_transaction(self, topic: str, values: list[str]) -> None:
        producer = kafka.KafkaProducer(bootstrap_servers=self.bootstrap, transactional_id=f"{topic}-id")
        producer.init_transactions()
        producer.begin_transaction()
        for value in values:
            producer.send(topic, value.encode(), partition=int(value) % 2)
        producer.commit_transaction()
        producer.close()

    def administer(self, topic: str) -> set[int]:
        admin = _KAFKA_ADMIN.KafkaAdminClient(bootstrap_servers=self.bootstrap)
        admin.create_topics([_KAFKA_ADMIN.NewTopic(name=topic, num_partitions=2, replication_factor=1)])
        admin.list_groups()
        ports = {broker["port"] for broker in admin.describe_cluster()["brokers"]}
        admin.delete_topics([topic])
        admin.close()
        return ports


class Librdkafka:
    """librdkafka, through confluent-kafka."""

    def __init__(self, bootstrap: str) -> None:
        self.bootstrap = bootstrap

    def write(self, topic: str, values: list[str], *, in_the_middle: Callable[[], None]) -> None:
        half = len(values) // 2
        producer: Any = confluent_kafka.Producer({"bootstrap.servers": self.bootstrap})
        for part in (values[:half], values[half:]):
            for value in part:
                producer.produce(topic, value.encode(), partition=int(value) % 2)
            assert producer.flush(PATIENCE) == 0
            if part[0] == values[0]:
                in_the_middle()

    def read(self, topic: str, group: str, count: int) -> list[str]:
        settings: dict[str, Any] = {
            "bootstrap.servers": self.bootstrap,
            "group.id": group,
            "auto.offset.reset": "earliest",
        }
        consumer: Any = confluent_kafka.Consumer(settings)
        consumer.subscribe([topic])
        found: list[str] = []
        deadline = time.monotonic() + PATIENCE
        while len(found) < count and time.monotonic() < deadline:
            record = consumer.poll(0.5)
            if record is not None and record.error() is None:
                found.append(record.value().decode())
        consumer.close()
        return found

    def write_in_transaction(self, topic: str, values: list[str]) -> None:
        settings: dict[str, Any] = {"bootstrap.servers": self.bootstrap, "transactional.id": f"{topic}-id"}
        producer: Any = confluent_kafka.Producer(settings)
        producer.init_transactions(PATIENCE)
        producer.begin_transaction()
        for value in values:
            producer.produce(topic, value.encode(), partition=int(value) % 2)
        producer.commit_transaction(PATIENCE)

    def administer(self, topic: str) -> set[int]:
        admin: Any = _LIBRDKAFKA_ADMIN.AdminClient({"bootstrap.servers": self.bootstrap})
        new_topic = _LIBRDKAFKA_ADMIN.NewTopic(topic, num_partitions=2, replication_factor=1)
        admin.create_topics([new_topic])[topic].result(PATIENCE)
        admin.list_consumer_groups().result(PATIENCE)
        nodes = admin.describe_cluster().result(PATIENCE).nodes
        admin.delete_topics([topic])[topic].result(PATIENCE)
        return {node.port for node in nodes}


class Aiokafka:
    """aiokafka."""

    def __init__(self, bootstrap: str) -> None:
        self.bootstrap = bootstrap

    def write(self, topic: str, values: list[str], *, in_the_middle: Callable[[], None]) -> None:
        async def write() -> None:
            half = len(values) // 2
            async with aiokafka.AIOKafkaProducer(bootstrap_servers=self.bootstrap) as producer:
                for part in (values[:half], values[half:]):
                    for value in part:
                        await producer.send_and_wait(topic, value.encode(), partition=int(value) % 2)
                    if part[0] == values[0]:
                        await asyncio.to_thread(in_the_middle)

        asyncio.run(write())

    def read(self, topic: str, group: str, count: int) -> list[str]:
        async def read() -> list[str]:
            consumer: Any = aiokafka.AIOKafkaConsumer(
                topic,
                bootstrap_servers=self.bootstrap,
                group_id=group,
                auto_offset_reset="earliest",
                isolation_level="read_committed",
            )
            found: list[str] = []
            async with consumer, asyncio.timeout(PATIENCE):
                while len(found) < count:
                    found.append((await consumer.getone()).value.decode())
            return found

        return asyncio.run(read())

    def write_in_transaction(self, topic: str, values: list[str]) -> None:
        async def write() -> None:
            producer = aiokafka.AIOKafkaProducer(bootstrap_servers=self.bootstrap, transactional_id=f"{topic}-id")
            async with producer, producer.transaction():
                for value in values:
                    await producer.send_and_wait(topic, value.encode(), partition=int(value) % 2)

        asyncio.run(write())

    def administer(self, topic: str) -> set[int]:
        async def administer() -> set[int]:
            admin = aiokafka.admin.AIOKafkaAdminClient(bootstrap_servers=self.bootstrap)
            await admin.start()
            await admin.create_topics([aiokafka.admin.NewTopic(name=topic, num_partitions=2, replication_factor=1)])
            await admin.list_consumer_groups()
            cluster = await admin.describe_cluster()
            await admin.delete_topics([topic])
            await admin.close()
            return {broker["port"] for broker in cluster["brokers"]}

        return asyncio.run(administer())


class Java:
    """Kafka's own clients."""

    def __init__(self, bootstrap: str) -> None:
        self.bootstrap = bootstrap

    def write(self, topic: str, values: list[str], *, in_the_middle: Callable[[], None]) -> None:
        with java.client("write", self.bootstrap, topic, str(len(values))) as program:
            assert program.stdout is not None
            assert program.stdin is not None
            assert program.stdout.readline() == "half\n"
            in_the_middle()
            program.stdin.write("\n")
            program.stdin.close()
        assert program.returncode == 0

    def read(self, topic: str, group: str, count: int) -> list[str]:
        del group  # The program uses the name of the topic for the group.
        return self._lines("read", topic, str(count))

    def write_in_transaction(self, topic: str, values: list[str]) -> None:
        self._lines("writeInTransaction", topic, str(len(values)))

    def administer(self, topic: str) -> set[int]:
        return {int(line) for line in self._lines("administer", topic)}

    def _lines(self, name: str, topic: str, argument: str = "") -> list[str]:
        with java.client(name, self.bootstrap, topic, argument) as program:
            output, _ = program.communicate()
        assert program.returncode == 0
        return output.splitlines()
