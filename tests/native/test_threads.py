"""Threads that use one engine: what works without the interpreter's lock, and what two threads do to one object."""

from __future__ import annotations

import gc
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from typing import Any, Final

import pytest

from messagegen_kafka.metadata_response import (
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")

FREE_THREADED: Final = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
THREADS: Final = 4
VERSION: Final = 12


def metadata(number: int) -> Any:
    """A message all of whose values are made anew and follow from one number."""
    nodes = tuple(range(1_000 * number, 1_000 * number + 5))
    partitions = tuple(
        MetadataResponsePartition(partition_index=index, leader_id=1_000 * number, replica_nodes=nodes, isr_nodes=nodes)
        for index in range(20)
    )
    return MetadataResponse(
        throttle_time_ms=1_000 * number,
        brokers=(
            MetadataResponseBroker(node_id=1_000 * number, host=f"broker-{number}", port=9_092, rack=f"rack-{number}"),
        ),
        cluster_id=f"cluster-{number}",
        controller_id=1_000 * number,
        topics=(MetadataResponseTopic(name=f"topic-{number}", partitions=partitions),),
    )


def run(*bodies: Callable[[], object]) -> None:
    """Runs functions at the same time; an exception in one of them is raised here."""
    start = threading.Barrier(len(bodies))

    def started(body: Callable[[], object]) -> None:
        start.wait()
        body()

    with ThreadPoolExecutor(len(bodies)) as pool:
        for done in [pool.submit(started, body) for body in bodies]:
            done.result()


@contextmanager
def often_switching(seconds: float) -> Iterator[None]:
    """Threads take turns after that long, unless they give up their turn."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(seconds)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def test_a_message_is_encoded_while_another_thread_assigns_to_it() -> None:
    message, stop = metadata(1), threading.Event()
    fields = ("throttle_time_ms", "brokers", "cluster_id", "controller_id", "topics")

    def assign(first: int) -> None:
        for number in count(first, 2):
            other = metadata(1 + number % 50)
            for field in fields:
                setattr(message, field, getattr(other, field))
            if stop.is_set():
                return

    def encode() -> None:
        try:
            for _ in range(3_000):
                found: Any = MetadataResponse.decode(message.encode(version=VERSION), version=VERSION)
                # Each field is of one moment.
                assert found.cluster_id.startswith("cluster-")
                (topic,) = found.topics
                assert topic.partitions == metadata(topic.partitions[0].leader_id // 1_000).topics[0].partitions
                (broker,) = found.brokers
                assert broker.rack == f"rack-{broker.node_id // 1_000}"
        finally:
            stop.set()

    with often_switching(1e-5):
        run(encode, lambda: assign(1), lambda: assign(2))


def test_the_collector_sees_no_half_made_message() -> None:
    body, stop = metadata(1).encode(version=VERSION), threading.Event()
    made: list[Any] = []

    def look() -> None:
        while not stop.is_set():
            made.extend(each for each in gc.get_objects() if type(each) is MetadataResponsePartition)
            for each in made:
                repr(each)
            made.clear()

    def decode() -> None:
        try:
            for _ in range(300):
                MetadataResponse.decode(body, version=VERSION)
        finally:
            stop.set()

    run(decode, look)


@pytest.mark.skipif(not FREE_THREADED, reason="this Python has the lock anyway")
def test_the_engine_does_not_turn_the_lock_on() -> None:
    code = "import sys, messagegen_native; print(sys._is_gil_enabled())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("False\n", "")
