"""Brokers that tests share. A test that uses a broker is marked automatically."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.broker.capture import Capture
from tests.broker.cluster import Cluster
from tests.broker.java import make_traffic
from tests.broker.pcap import Network

_HEAVY: Final = frozenset({"broker", "busy_broker"})

_BUSY: Final = {
    # Force metadata snapshots and index entries, which a broker with little traffic would not write.
    "metadata.log.max.record.bytes.between.snapshots": "4000",
    "log.index.interval.bytes": "200",
    # Keep all records in the logs, however long the tests take.
    "share.coordinator.state.topic.prune.interval.ms": "86400000",
}
_HARD: Final = Network(segment_size=500, reordered=0.3, retransmitted=0.3, first_sequence=2**32 - 2000)


@dataclass(frozen=True)
class BusyBroker:
    """A broker with an authorizer after traffic of every kind, and both captures of the traffic.

    Each topic of records got ``records`` records.
    """

    cluster: Cluster
    records: int
    pcap: Path
    frames: Path


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that use a broker. One worker runs them all, so that only one broker is started.

    A test with a broker that fails is repeated once, as Kafka's own build repeats its tests: on a loaded machine the
    clients of other projects do not always reach a new cluster. pytest's summary lists the repeated tests.
    """
    for item in items:
        if _HEAVY.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.java)
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.xdist_group("broker"))
        group = item.get_closest_marker("xdist_group")
        if group is not None and group.args == ("broker",):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One broker with all listeners, for all tests. Tests use topics of their own, and leave the broker running."""
    with Cluster(tmp_path_factory.mktemp("broker")) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def busy_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BusyBroker]:
    """One broker with traffic, for all tests. Tests change nothing, but may stop it; ``start_all`` starts it again."""
    folder, records = tmp_path_factory.mktemp("busy"), 60
    pcap, frames = folder / "a.pcap", folder / "a.jsonl.gz"
    with Cluster(folder / "cluster", authorizer=True, properties=_BUSY) as cluster:
        with Capture(cluster.captured_ports(), pcap=pcap, frames=frames, network=_HARD):
            make_traffic(cluster.bootstrap("CAPTURED"), records)
        yield BusyBroker(cluster, records, pcap, frames)


@pytest.fixture
def busy_cluster(busy_broker: BusyBroker) -> Cluster:
    """The broker after traffic of all kinds. It is running, and has metadata snapshots."""
    busy_broker.cluster.start_all()
    return busy_broker.cluster


@pytest.fixture
def topic_name(request: pytest.FixtureRequest) -> str:
    """A topic name that no other test uses."""
    test = re.sub(r"[^\w.-]", "-", request.node.name)[:80]
    return f"{test}-{uuid.uuid4().hex[:8]}"
