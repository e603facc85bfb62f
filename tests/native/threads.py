"""Runs functions at the same time, and makes messages for them."""

from __future__ import annotations

import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final

from messagegen_kafka.metadata_response import (
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)

FREE_THREADED: Final = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))

THREADS: Final = 4

VERSION: Final = 12


def metadata(number: int) -> Any:
    """Return a message whose values are all new objects, and depend only on ``number``."""
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
    """Run functions at the same time, and raise the exception of any of them."""
    start = threading.Barrier(len(bodies))

    def started(body: Callable[[], object]) -> None:
        start.wait()
        body()

    with ThreadPoolExecutor(len(bodies)) as pool:
        for done in [pool.submit(started, body) for body in bodies]:
            done.result()


@contextmanager
def often_switching(seconds: float) -> Iterator[None]:
    """Let threads switch after ``seconds`` during a ``with`` block, unless they yield earlier."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(seconds)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
