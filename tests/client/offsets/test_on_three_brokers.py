"""Offsets by time while leaders move, a broker is killed, and comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from messagegen_client.config.settings import ClientConfig
from messagegen_client.offsets.calls import end_offsets, offsets_for_times
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.transport.cluster import Cluster
from tests.broker.cluster import Cluster as Brokers
from tests.broker.tools import JavaTools

PARTITIONS = 12
START = 1_600_000_000_000
ELECTIONS = 2000


@pytest.fixture
def times(three_brokers: Brokers, java_tools: JavaTools, topic_name: str) -> dict[TopicPartition, int]:
    """A time to look for in each partition of a topic; each broker leads a third of them."""
    replicas = [[1, 2, 3], [2, 3, 1], [3, 1, 2]]
    assignments = {str(number): replicas[number % 3] for number in range(PARTITIONS)}
    topic = {"name": topic_name, "assignments": assignments, "configs": {"retention.ms": "-1"}}
    java_tools.call("createTopics", three_brokers, topics=[topic])
    records = [
        {"topic": topic_name, "partition": number, "timestamp": START + 10 * record, "value": "x"}
        for number in range(PARTITIONS)
        for record in range(5)
    ]
    java_tools.call("produce", three_brokers, records=records, producer={"acks": "all"})
    return {TopicPartition(topic_name, number): START + 5 * number for number in range(PARTITIONS)}


class Asking:
    """Asks for the same offsets again and again, and holds every answer against what is right."""

    def __init__(self, cluster: Cluster, times: Mapping[TopicPartition, int]) -> None:
        self._cluster = cluster
        self._times = times
        self._expected = {partition: _right(time) for partition, time in times.items()}
        self._answered = asyncio.Condition()
        self._answers = 0

    async def run(self) -> None:
        while True:
            found = await offsets_for_times(self._cluster, self._times)
            places = {partition: one and (one.offset, one.timestamp) for partition, one in found.items()}
            assert places == self._expected
            async with self._answered:
                self._answers += 1
                self._answered.notify_all()

    async def more_answers(self, count: int) -> None:
        """Waits until so many calls more have begun and ended."""
        async with self._answered:
            # The one that is under way has begun before.
            goal = self._answers + 1 + count
            await self._answered.wait_for(lambda: self._answers >= goal)


def _right(time: int) -> tuple[int, int] | None:
    offset = -(-(time - START) // 10)
    return (offset, START + 10 * offset) if offset < 5 else None


def test_a_broker_is_killed_and_comes_back(
    three_brokers: Brokers, java_tools: JavaTools, times: dict[TopicPartition, int]
) -> None:
    async def weather(asking: Asking) -> None:
        await asking.more_answers(2)
        await asyncio.to_thread(three_brokers.kill, 2)
        await asking.more_answers(2)
        await asyncio.to_thread(three_brokers.start, 2)
        await asking.more_answers(2)
        await asyncio.to_thread(_elect, three_brokers, java_tools, times)
        await asking.more_answers(2)

    async def work() -> None:
        async with Cluster(ClientConfig.of(three_brokers.bootstrap())) as cluster:
            asking = asyncio.create_task((calls := Asking(cluster, times)).run())
            try:
                changes = asyncio.create_task(weather(calls))
                async with asyncio.timeout(240):
                    await asyncio.wait([asking, changes], return_when=asyncio.FIRST_COMPLETED)
                if asking.done():
                    await asking
                await changes
            finally:
                asking.cancel()
            assert await end_offsets(cluster, times) == dict.fromkeys(times, 5)

    asyncio.run(work())


def _elect(brokers: Brokers, tools: JavaTools, partitions: Mapping[TopicPartition, int]) -> None:
    """Gives the partitions of the broker that was away back to it, as soon as it is in sync again."""
    pairs = [{"topic": one.topic, "partition": one.partition} for one in partitions]
    wanted = {one.partition for one in partitions if one.partition % 3 == 1}
    (topic,) = {one.topic for one in partitions}
    for _ in range(ELECTIONS):
        tools.call("electLeaders", brokers, partitions=pairs)
        described = tools.call("describeTopics", brokers, topics=[topic])[topic]["partitions"]
        if wanted <= {one["partition"] for one in described if one["leader"] == 2}:
            return
    raise AssertionError("broker 2 did not get its partitions back")


def test_leaders_that_were_known_have_moved(
    three_brokers: Brokers, java_tools: JavaTools, times: dict[TopicPartition, int]
) -> None:
    async def work() -> None:
        async with Cluster(ClientConfig.of(three_brokers.bootstrap())) as cluster:
            before = await offsets_for_times(cluster, times)
            # In order: the broker hands its partitions over, and the client is not told.
            await asyncio.to_thread(three_brokers.stop, 3)
            after = await offsets_for_times(cluster, times)
            assert {partition: one and one.offset for partition, one in after.items()} == {
                partition: one and one.offset for partition, one in before.items()
            }

    asyncio.run(work())
