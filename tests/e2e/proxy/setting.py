"""Starts the quickstart's proxy in front of two brokers whose advertised addresses must not be used."""

from __future__ import annotations

import select
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from tests.broker.cluster import Cluster
from tests.broker.ports import HOST, free_ports_in_a_row
from tests.broker.waiting import eventually
from tests.docs.examples import blocks

PAGE: Final = Path(__file__).parents[3] / "docs" / "quickstart" / "proxy.md"
_FIRST_PORT: Final = "FIRST_PORT = 19092"
_STOP_SECONDS: Final = 10


@dataclass(frozen=True)
class Proxied:
    """A proxy in front of two brokers.

    ``bootstrap`` is the proxy's address for the first broker, and ``upstream`` is the broker's own address.
    """

    first_port: int
    bootstrap: str
    upstream: str
    log: Path
    traps: tuple[socket.socket, ...]
    kafka_messages: ModuleType

    def connections_past_it(self) -> int:
        """Return the number of connections to the brokers' advertised addresses since the last call."""
        count = 0
        while waiting := select.select(self.traps, [], [], 0)[0]:
            for trap in waiting:
                connection, _ = trap.accept()
                connection.close()
                count += 1
        return count

    def unreadable(self) -> list[str]:
        """Return the proxy's log lines about unreadable bytes. All other lines are about reset connections."""
        return [line for line in self.log.read_text(encoding="utf-8").splitlines() if "[Errno" not in line]

    def ask(self, request: Any, *, broker: int = 1) -> Any:
        """Return the response to a request, through the proxy."""
        session = self.kafka_messages.ClientSession(self.kafka_messages, client_id="tests")
        with socket.create_connection((HOST, self.first_port + broker), timeout=30) as connection:
            connection.sendall(session.send(request).frame)
            while data := connection.recv(65536):
                for event in session.receive(data):
                    return event.decode()
        raise ConnectionError("the proxy closed the connection")

    def leaders(self, topic: str) -> list[int]:
        """Return the leader ids of a topic, by partition."""
        from_kafka = self.kafka_messages
        wanted = import_module("kafka_messages.metadata_request").MetadataRequestTopic(name=topic)
        response = self.ask(from_kafka.MetadataRequest(topics=(wanted,), allow_auto_topic_creation=False))
        partitions = sorted(response.topics[0].partitions, key=lambda each: each.partition_index)
        return [each.leader_id for each in partitions]

    def create_topic(self, topic: str, replicas: list[int]) -> None:
        """Create a topic with one replica for each partition, on these brokers, and wait until both brokers know it."""
        from_kafka = self.kafka_messages
        module = import_module("kafka_messages.create_topics_request")
        assignments = tuple(
            module.CreatableReplicaAssignment(partition_index=index, broker_ids=(broker,))
            for index, broker in enumerate(replicas)
        )
        wanted = module.CreatableTopic(name=topic, num_partitions=-1, replication_factor=-1, assignments=assignments)
        response = self.ask(from_kafka.CreateTopicsRequest(topics=(wanted,), timeout_ms=30_000))
        assert [each.error_code for each in response.topics] == [0], response
        eventually(lambda: self.leaders(topic) == replicas)

    def swap_leaders(self, topic: str) -> None:
        """Move each of a topic's two partitions to the other broker, and wait until that is done."""
        from_kafka = self.kafka_messages
        module = import_module("kafka_messages.alter_partition_reassignments_request")
        others = [3 - leader for leader in self.leaders(topic)]
        partitions = tuple(
            module.ReassignablePartition(partition_index=index, replicas=(broker,))
            for index, broker in enumerate(others)
        )
        wanted = module.ReassignableTopic(name=topic, partitions=partitions)
        response = self.ask(from_kafka.AlterPartitionReassignmentsRequest(topics=(wanted,), timeout_ms=30_000))
        assert response.error_code == 0, response
        eventually(lambda: self.leaders(topic) == others)


@contextmanager
def proxied(folder: Path, kafka_messages: ModuleType, packages: Path) -> Iterator[Proxied]:
    """Start two brokers and the proxy; ``packages`` is the folder with ``kafka_messages``."""
    with ExitStack() as stack:
        first = stack.enter_context(Cluster(folder / "first", authorizer=True))
        second = stack.enter_context(Cluster(folder / "second", authorizer=True, joins=first))
        clusters = (first, second)
        traps = tuple(stack.enter_context(_trap(cluster.captured_ports()[0])) for cluster in clusters)
        first_port = free_ports_in_a_row(len(clusters)) - 1
        (code,) = [block.text for block in blocks(PAGE.read_text(encoding="utf-8")) if block.second == "proxy.py"]
        assert _FIRST_PORT in code
        program = packages / "proxy.py"
        program.write_text(code.replace(_FIRST_PORT, f"FIRST_PORT = {first_port}"), encoding="utf-8")
        brokers = [f"{number}={HOST}:{cluster.captured_ports()[1]}" for number, cluster in enumerate(clusters, 1)]
        log = folder / "proxy.log"
        stack.enter_context(_running(program, brokers, log))
        proxy = Proxied(first_port, f"{HOST}:{first_port + 1}", first.bootstrap(), log, traps, kafka_messages)
        eventually(lambda: _answers(proxy))
        yield proxy


def _answers(proxy: Proxied) -> bool:
    """Whether the proxy reports both brokers."""
    try:
        return len(proxy.ask(proxy.kafka_messages.MetadataRequest(topics=())).brokers) == len(proxy.traps)
    except OSError:
        return False


def _trap(port: int) -> socket.socket:
    """Listen on an address that no client should connect to."""
    return socket.create_server((HOST, port))


@contextmanager
def _running(program: Path, arguments: list[str], log: Path) -> Iterator[None]:
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, program.name, *arguments], cwd=program.parent, stdout=output, stderr=output
        )
        try:
            yield
        finally:
            process.terminate()
            process.wait(_STOP_SECONDS)
