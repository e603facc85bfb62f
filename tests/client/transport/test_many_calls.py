"""Many calls to three brokers, of which one is frozen and one is killed: all end in time, with the right outcome."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Self

import pytest

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import KafkaError
from messagegen_client.offsets.calls import end_offsets
from messagegen_client.quotas.calls import alter_client_quotas, describe_client_quotas
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity
from messagegen_client.quotas.results import Outcome
from messagegen_client.transport.cluster import Cluster
from messagegen_kafka import DescribeClientQuotasRequest, DescribeClientQuotasResponse
from tests.broker.cluster import Cluster as Brokers
from tests.broker.tools import JavaTools

CALLS = 500
WORKERS = 20
KEY = "producer_byte_rate"
TIMEOUTS = {"describe": 8.0, "alter": 2.0, "validate": 2.0, "offsets": 3.0}
LATE = 5.0
"""Seconds after its deadline at which a call has outlived it; a busy machine is late too, but not by so much."""


@dataclass
class Calls:
    """What was asked, how long it took, and what came of it."""

    cluster: Cluster
    topic: str
    count: int = 0
    late: list[str] = field(default_factory=list)
    altered: dict[ClientQuotaEntity, Outcome] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)
    failed: dict[str, list[KafkaError]] = field(default_factory=dict)

    async def one(self, number: int) -> None:
        """Makes the call of that number."""
        kind = ("describe", "alter", "validate", "describe", "alter", "offsets")[number % 6]
        entity = ClientQuotaEntity(user=f"call-{number}", client_id=self.topic)
        work: Mapping[str, Callable[[float], Awaitable[object]]] = {
            "describe": self._describe,
            "alter": lambda seconds: self._alter(entity, seconds),
            "validate": self._validate,
            "offsets": lambda seconds: end_offsets(self.cluster, [(self.topic, n) for n in range(6)], timeout=seconds),
        }
        begun = time.monotonic()
        try:
            await work[kind](TIMEOUTS[kind])
        except KafkaError as problem:
            self.failed.setdefault(kind, []).append(problem)
        else:
            self.done[kind] += 1
        took = time.monotonic() - begun
        if took > TIMEOUTS[kind] + LATE:
            self.late.append(f"call {number}, {kind}: {took:.1f} s")

    async def _describe(self, seconds: float) -> None:
        await describe_client_quotas(self.cluster, timeout=seconds)

    async def _alter(self, entity: ClientQuotaEntity, seconds: float) -> None:
        wanted = [ClientQuotaAlteration(entity, {KEY: 1000.0})]
        try:
            results = await alter_client_quotas(self.cluster, wanted, timeout=seconds)
        except KafkaError as problem:
            self.altered[entity] = Outcome.of(problem)
            raise
        self.altered[entity] = Outcome.of(results[entity])
        results.raise_for_errors()

    async def _validate(self, seconds: float) -> None:
        wanted = [ClientQuotaAlteration(ClientQuotaEntity(user="validated"), {KEY: 1.0})]
        results = await alter_client_quotas(self.cluster, wanted, validate_only=True, timeout=seconds)
        assert not any(error is not None and error.outcome_unknown for error in results.values())
        results.raise_for_errors()

    async def make(self, count: int) -> None:
        """Makes so many more calls, some at the same time."""
        due = iter(range(self.count, self.count + count))
        self.count += count

        async def worker() -> None:
            for number in due:
                await self.one(number)

        async with asyncio.TaskGroup() as group:
            for _ in range(WORKERS):
                group.create_task(worker())


class Freezer:
    """Stops processes as SIGSTOP does, and lets all of them go on at the end of its block."""

    def __init__(self, brokers: Brokers) -> None:
        self._brokers = brokers
        self._frozen: set[int] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pid in self._frozen:
            os.kill(pid, signal.SIGCONT)

    def freeze(self, node: int) -> None:
        pid = self._brokers.pid(node)
        os.kill(pid, signal.SIGSTOP)
        self._frozen.add(pid)

    def thaw(self, node: int) -> None:
        pid = self._brokers.pid(node)
        os.kill(pid, signal.SIGCONT)
        self._frozen.discard(pid)


async def broker_in_use(cluster: Cluster) -> int:
    request = DescribeClientQuotasRequest(components=())
    answer = await cluster.call(request, DescribeClientQuotasResponse, deadline=cluster.deadline(60))
    return answer.broker.id


@pytest.fixture
def topic(three_brokers: Brokers, java_tools: JavaTools, topic_name: str) -> str:
    """A topic of six partitions; each broker leads two."""
    replicas = [[1, 2, 3], [2, 3, 1], [3, 1, 2]]
    assignments = {str(number): replicas[number % 3] for number in range(6)}
    java_tools.call("createTopics", three_brokers, topics=[{"name": topic_name, "assignments": assignments}])
    return topic_name


@pytest.mark.exhaustive
def test_many_calls(three_brokers: Brokers, topic: str) -> None:
    async def work(freezer: Freezer) -> None:
        async with Cluster(ClientConfig.of(three_brokers.bootstrap())) as cluster:
            calls = Calls(cluster, topic)
            await cluster.metadata(deadline=cluster.deadline(60))
            await calls.make(100)
            frozen = await broker_in_use(cluster)
            freezer.freeze(frozen)
            await calls.make(150)
            # The frozen broker's partitions get other leaders, which are found although it never says so.
            assert len(await end_offsets(cluster, [(topic, number) for number in range(6)], timeout=60)) == 6
            used = await broker_in_use(cluster)
            killed = next(node for node in three_brokers.node_numbers if node not in {frozen, used})
            await asyncio.to_thread(three_brokers.kill, killed)
            await calls.make(100)
            freezer.thaw(frozen)
            await calls.make(100)
            await asyncio.to_thread(three_brokers.start, killed)
            await calls.make(50)
            assert calls.count == CALLS
            await check(calls)

    with Freezer(three_brokers) as freezer:
        asyncio.run(work(freezer))


async def check(calls: Calls) -> None:
    """Holds what the calls have said against the quotas that there are in the end."""
    cluster = calls.cluster
    last = ClientQuotaEntity(user="last", client_id=calls.topic)
    (await alter_client_quotas(cluster, [ClientQuotaAlteration(last, {KEY: 1.0})], timeout=60)).raise_for_errors()
    described = await describe_client_quotas(cluster, timeout=60)
    while last not in described:
        described = await describe_client_quotas(cluster, timeout=60)
    made = Counter(calls.altered.values())
    assert sum(calls.done.values()) + sum(map(len, calls.failed.values())) == CALLS
    assert calls.late == []
    # A healthy broker was there all the time.
    assert calls.failed.get("describe", []) == []
    for entity, outcome in calls.altered.items():
        if outcome is Outcome.DONE:
            assert entity in described
        elif outcome in {Outcome.REFUSED, Outcome.NOT_SENT}:
            assert entity not in described
    assert not [entity for entity in described if entity["user"] == "validated"]
    assert made[Outcome.DONE] > 50, made
    await alter_client_quotas(
        cluster, [ClientQuotaAlteration(entity, dict.fromkeys(values)) for entity, values in described.items()]
    )
