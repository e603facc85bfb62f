"""A Kafka cluster of real brokers on loopback, for as long as a ``with`` block lasts.

Apache Kafka in KRaft mode, from its published jars; each node is one process and both broker and controller.
"""

from __future__ import annotations

import time
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import javaproperties

from messagegen_kafka import MessageError
from tests.broker.certificates import Certificates, make_certificates
from tests.broker.node import Node
from tests.broker.ports import HOST
from tests.broker.settings import (
    Listener,
    Mechanism,
    NodePorts,
    client_properties,
    format_arguments,
    server_properties,
)
from tests.broker.wire import ask_metadata

USERS: Final[Mapping[str, str]] = {"admin": "admin-secret", "ann": "ann-secret", "bob": "bob-secret"}
"""Names and passwords that the SASL listeners know where nothing else is said."""

_READY_SECONDS: Final = 90.0
_PAUSE: Final = 0.05


class Cluster:
    """``nodes`` brokers, numbered from 1, that keep all they have in ``folder``, which must be empty or new.

    Every node has all listeners: ``PLAINTEXT`` (open to all), ``SSL``, ``SASL_PLAINTEXT``, ``SASL_SSL`` (``users`` by
    PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512), and ``CAPTURED`` (see ``tests.broker.capture``). ``authorizer`` lets nobody
    but anonymous clients and ``admin`` do anything without an ACL. ``properties`` overrides what ``server_properties``
    says. Leaving the ``with`` block kills the nodes; ``stop`` them first where their logs are to be complete.
    """

    def __init__(
        self,
        folder: Path,
        *,
        nodes: int = 1,
        users: Mapping[str, str] = USERS,
        authorizer: bool = False,
        properties: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder.absolute()
        self.users = dict(users)
        self._authorizer = authorizer
        self._properties = dict(properties or {})
        self._cluster_id = urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()
        self._ports = {number: NodePorts.choose() for number in range(1, nodes + 1)}
        self._nodes = {
            number: Node(self._node_folder(number) / "server.properties", self.broker_log(number))
            for number in self._ports
        }
        self._certificates: Certificates | None = None

    def __enter__(self) -> Self:
        """Formats and starts all nodes, and waits for them; raises ``BrokerError`` where that fails."""
        self._certificates = make_certificates(self.folder / "tls")
        for number in self._nodes:
            self._write_properties(number)
        try:
            for number in self._nodes:
                self._launch(number)
            self.wait_ready()
        except BaseException:
            self.kill_all()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill_all()

    @property
    def node_numbers(self) -> tuple[int, ...]:
        """The numbers (node ids) of all nodes, whether they run or not."""
        return tuple(self._nodes)

    @property
    def cluster_id(self) -> str:
        """The id that all nodes were formatted with."""
        return self._cluster_id

    @property
    def certificates(self) -> Certificates:
        """The PEM files behind the TLS listeners; there from the start of the ``with`` block."""
        assert self._certificates is not None, "certificates are made when the cluster starts"
        return self._certificates

    def bootstrap(self, listener: Listener = "PLAINTEXT") -> str:
        """The addresses of all nodes, as ``bootstrap.servers`` takes them."""
        return ",".join(f"{HOST}:{ports.advertised(listener)}" for ports in self._ports.values())

    def port(self, listener: Listener = "PLAINTEXT", node: int = 1) -> int:
        """The port that a node itself listens on."""
        return self._ports[node].listeners[listener]

    def capture_port(self, node: int = 1) -> int:
        """The port that clients of ``CAPTURED`` connect to: nobody listens on it until a proxy does."""
        return self._ports[node].advertised_capture

    def client_properties(
        self, listener: Listener = "PLAINTEXT", *, user: str = "admin", mechanism: Mechanism = "SCRAM-SHA-256"
    ) -> dict[str, str]:
        """What Kafka's own clients and tools need for a listener, as properties; no bootstrap servers among them."""
        return client_properties(listener, self.certificates, user=user, password=self.users[user], mechanism=mechanism)

    def log_dir(self, node: int = 1) -> Path:
        """The log folder of a node (``log.dirs``): a folder for each partition in it."""
        return self._node_folder(node) / "data"

    def broker_log(self, node: int = 1) -> Path:
        """The file with what a node said."""
        return self._node_folder(node) / "broker.log"

    def pid(self, node: int = 1) -> int:
        """The process id of a node; raises ``BrokerError`` where it does not run."""
        return self._nodes[node].pid

    def kill(self, node: int) -> None:
        """Ends a node at once (SIGKILL)."""
        self._nodes[node].kill()

    def stop(self, node: int) -> None:
        """Stops a node in order (SIGTERM): it hands over its leaders and closes its logs."""
        self._nodes[node].stop()

    def start(self, node: int) -> None:
        """Starts a stopped or killed node again, with its data and ports as before, and waits for it."""
        self._launch(node)
        self.wait_ready()

    def start_all(self) -> None:
        """Starts whichever nodes do not run, and waits for all."""
        for number, node in self._nodes.items():
            if not node.running:
                self._launch(number)
        self.wait_ready()

    def kill_all(self) -> None:
        """Ends all nodes at once."""
        for node in self._nodes.values():
            node.kill()

    def wait_ready(self, timeout: float = _READY_SECONDS) -> None:
        """Waits until each running node says that all running nodes are there; raises ``BrokerError`` after ``timeout`` s."""
        deadline = time.monotonic() + timeout
        wanted = {number for number, node in self._nodes.items() if node.running}
        for number in sorted(wanted):
            self._wait_for_node(number, wanted, deadline)

    def _wait_for_node(self, number: int, wanted: set[int], deadline: float) -> None:
        node = self._nodes[number]
        while not wanted <= self._brokers_seen_by(number):
            if time.monotonic() > deadline:
                raise node.problem(f"broker {number} was not ready in time")
            if node.ended_within(_PAUSE):
                raise node.problem(f"broker {number} ended while it started")

    def _brokers_seen_by(self, number: int) -> set[int]:
        try:
            metadata = ask_metadata((HOST, self.port(node=number)), timeout=5)
        except (OSError, MessageError):
            return set()
        return {broker.node_id for broker in metadata.brokers}

    def _node_folder(self, node: int) -> Path:
        return self.folder / f"node-{node}"

    def _write_properties(self, node: int) -> None:
        folder = self._node_folder(node)
        folder.mkdir(parents=True, exist_ok=True)
        properties = server_properties(
            node,
            self._ports,
            data=self.log_dir(node),
            certificates=self.certificates,
            users=self.users,
            authorizer=self._authorizer,
        )
        text = javaproperties.dumps(properties | self._properties, timestamp=False)
        (folder / "server.properties").write_text(text, encoding="latin-1")

    def _launch(self, node: int) -> None:
        is_new = not (self.log_dir(node) / "meta.properties").exists()
        properties = self._node_folder(node) / "server.properties"
        arguments = format_arguments(properties, self._cluster_id, self.users) if is_new else []
        self._nodes[node].start(arguments)
