"""Offsets by time of thousands of partitions, by clients that are connected and by commands."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from benchmarks.client.names import (
    AIOKAFKA,
    CALL,
    COMMAND,
    CONFLUENT,
    GET_OFFSETS,
    JAVA_CONSUMER,
    KAFKA_OFFSETS,
    KAFKA_PYTHON,
    OFFSETS,
    OURS,
)
from benchmarks.client.taking_turns import Contestant, take_turns
from benchmarks.measures import Measure
from benchmarks.processes import WorkerError, run_program
from messagegen_client import Admin
from tests.broker.cluster import Cluster
from tests.broker.tools import JavaTools
from tests.oracle.jars import TOOLS_RELEASE, java_command

_TOPIC: Final = "measured"
_TIME: Final = 1_700_000_000_000
_RECORDS: Final = 2
"""In each partition; the time that is asked for is that of the second one."""
_SECONDS: Final = 120.0
_GET_OFFSETS_CLASS: Final = "org.apache.kafka.tools.GetOffsetShell"

Find = Callable[[], list[int]]


def measure(
    cluster: Cluster, tools: JavaTools, *, partitions: int, rounds: int, progress: Callable[[str], None]
) -> list[Measure]:
    """Times the question for one time in every partition of a topic that has two records in each.

    Raises ``WorkerError`` where an answer is wrong or a command fails.
    """
    progress(f"making a topic with {partitions} partitions")
    _make_topic(cluster, tools, partitions)
    with ExitStack() as stack:
        clients: dict[str, Find] = {
            OURS: _ours(cluster, partitions, stack),
            KAFKA_PYTHON: _kafka_python(cluster, partitions, stack),
            AIOKAFKA: _aiokafka(cluster, partitions, stack),
            CONFLUENT: _confluent(cluster, partitions, stack),
            JAVA_CONSUMER: _java_consumer(cluster, tools, partitions),
        }
        contestants = {
            (CALL, name): Contestant(partitions, partial(_checked, name, find, partitions))
            for name, find in clients.items()
        }
        contestants |= {
            (COMMAND, KAFKA_OFFSETS): Contestant(partitions, lambda _: _kafka_offsets(cluster)),
            (COMMAND, GET_OFFSETS): Contestant(partitions, lambda _: _get_offsets(cluster, partitions)),
        }
        return take_turns(OFFSETS, contestants, rounds, progress)


def _make_topic(cluster: Cluster, tools: JavaTools, partitions: int) -> None:
    tools.call("createTopics", cluster, topics=[{"name": _TOPIC, "partitions": partitions}])
    records = [
        {"topic": _TOPIC, "partition": partition, "timestamp": _TIME + number, "value": f"{number}"}
        for partition in range(partitions)
        for number in range(_RECORDS)
    ]
    tools.call("produce", cluster, records=records)


def _checked(name: str, find: Find, partitions: int, _turn: int) -> None:
    found = find()
    if found != [1] * partitions:
        raise WorkerError(f"{name} found other offsets: {sorted(set(found))}, {len(found)} of them")


def _ours(cluster: Cluster, partitions: int, stack: ExitStack) -> Find:
    client = stack.enter_context(Admin(cluster.bootstrap()))
    times = {(_TOPIC, partition): _TIME + 1 for partition in range(partitions)}

    def find() -> list[int]:
        return [-1 if each is None else each.offset for each in client.offsets_for_times(times).values()]

    return find


def _kafka_python(cluster: Cluster, partitions: int, stack: ExitStack) -> Find:
    kafka = import_module("kafka")
    consumer = kafka.KafkaConsumer(bootstrap_servers=cluster.bootstrap(), request_timeout_ms=int(_SECONDS * 1000))
    stack.callback(consumer.close)
    times = {kafka.TopicPartition(_TOPIC, partition): _TIME + 1 for partition in range(partitions)}
    return lambda: [each.offset for each in consumer.offsets_for_times(times).values()]


def _aiokafka(cluster: Cluster, partitions: int, stack: ExitStack) -> Find:
    aiokafka = import_module("aiokafka")
    loop = asyncio.new_event_loop()
    stack.callback(loop.close)

    def run(work: Coroutine[Any, Any, Any]) -> Any:
        return loop.run_until_complete(work)

    async def connect() -> Any:
        consumer = aiokafka.AIOKafkaConsumer(
            bootstrap_servers=cluster.bootstrap(), request_timeout_ms=int(_SECONDS * 1000)
        )
        await consumer.start()
        return consumer

    consumer = run(connect())
    stack.callback(lambda: run(consumer.stop()))
    times = {aiokafka.TopicPartition(_TOPIC, partition): _TIME + 1 for partition in range(partitions)}
    return lambda: [each.offset for each in run(consumer.offsets_for_times(times)).values()]


def _confluent(cluster: Cluster, partitions: int, stack: ExitStack) -> Find:
    confluent = import_module("confluent_kafka")
    consumer = confluent.Consumer({"bootstrap.servers": cluster.bootstrap(), "group.id": _TOPIC})
    stack.callback(consumer.close)

    def find() -> list[int]:
        # The answers are written into the objects that ask, so each question needs its own.
        asked = [confluent.TopicPartition(_TOPIC, partition, _TIME + 1) for partition in range(partitions)]
        return [each.offset for each in consumer.offsets_for_times(asked, timeout=_SECONDS)]

    return find


def _java_consumer(cluster: Cluster, tools: JavaTools, partitions: int) -> Find:
    times = [{"topic": _TOPIC, "partition": each, "timestamp": _TIME + 1} for each in range(partitions)]
    return lambda: [each["offset"] for each in tools.call("offsetsForTimes", cluster, times=times)]


def _kafka_offsets(cluster: Cluster) -> None:
    command = Path(sys.executable).with_name("kafka-offsets")
    asked = ["--topic", _TOPIC, "--time", str(_TIME + 1), "--output", "json"]
    run_program([str(command), "--bootstrap-server", cluster.bootstrap(), *asked], {})


def _get_offsets(cluster: Cluster, partitions: int) -> None:
    asked = ["--bootstrap-server", cluster.bootstrap(), "--topic", _TOPIC, "--time", str(_TIME + 1)]
    lines = run_program(java_command(_GET_OFFSETS_CLASS, *asked, release=TOOLS_RELEASE), {}).splitlines()
    if sum(line.endswith(":1") for line in lines) < partitions:
        raise WorkerError(f"GetOffsetShell gave {len(lines)} lines, not an offset for each of {partitions} partitions")
