"""Creates topics, and writes and reads records, with a third-party client."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

# aiokafka has no type annotations.
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition  # type: ignore[import-untyped]
from aiokafka.admin import AIOKafkaAdminClient, NewTopic  # type: ignore[import-untyped]


def create_topics(bootstrap: str, topics: Mapping[str, int], **configs: str) -> None:
    """Create topics with the given numbers of partitions; ``configs`` have underscores in place of dots."""
    given = {name.replace("_", "."): value for name, value in configs.items()}

    async def work() -> None:
        admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
        await admin.start()
        try:
            await admin.create_topics([NewTopic(name, count, 1, topic_configs=given) for name, count in topics.items()])
        finally:
            await admin.close()

    asyncio.run(work())


def produce(bootstrap: str, records: Iterable[Mapping[str, Any]]) -> None:
    """Send records, each with ``topic``, ``partition``, and further arguments for the producer."""

    async def work() -> None:
        async with AIOKafkaProducer(bootstrap_servers=bootstrap, linger_ms=5) as producer:
            await asyncio.gather(*[await producer.send(**record) for record in records])

    asyncio.run(work())


def consume(bootstrap: str, topic: str, partitions: int, isolation_level: str = "read_uncommitted") -> list[Any]:
    """Return the records that a consumer with this isolation level gets, up to the current end of a topic."""
    wanted = [TopicPartition(topic, number) for number in range(partitions)]

    options: dict[str, Any] = {"isolation_level": isolation_level, "auto_offset_reset": "earliest"}

    async def work() -> list[Any]:
        async with AIOKafkaConsumer(bootstrap_servers=bootstrap, **options) as consumer:
            consumer.assign(wanted)
            ends = await consumer.end_offsets(wanted)
            found: list[Any] = []
            while [one for one in wanted if await consumer.position(one) < ends[one]]:
                batches = await consumer.getmany(timeout_ms=500)
                found += [record for records in batches.values() for record in records]
            return found

    return asyncio.run(asyncio.wait_for(work(), 60))
