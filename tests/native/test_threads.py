"""Threads may share an engine: they run without the interpreter's lock, and may change the same object."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from itertools import count
from typing import Any

import pytest

from messagegen_kafka.metadata_response import (
    MetadataResponse,
    MetadataResponsePartition,
)
from tests.native.threads import FREE_THREADED, VERSION, metadata, often_switching, run

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")


def test_a_message_is_encoded_while_another_thread_assigns_to_it() -> None:
    message = metadata(1)
    stop = threading.Event()
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
                # Each field has a value from a single point in time.
                assert found.cluster_id.startswith("cluster-")
                (topic,) = found.topics
                assert topic.partitions == metadata(topic.partitions[0].leader_id // 1_000).topics[0].partitions
                (broker,) = found.brokers
                assert broker.rack == f"rack-{broker.node_id // 1_000}"
        finally:
            stop.set()

    with often_switching(1e-5):
        run(encode, lambda: assign(1), lambda: assign(2))


@pytest.mark.slow
def test_the_garbage_collector_never_sees_a_partial_message() -> None:
    body = metadata(1).encode(version=VERSION)
    stop = threading.Event()
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
def test_importing_the_engine_does_not_enable_the_gil() -> None:
    code = "import sys, messagegen_native; print(sys._is_gil_enabled())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("False\n", "")
