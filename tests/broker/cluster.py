"""A real Kafka broker on loopback, for as long as a ``with`` block lasts.

Apache Kafka in KRaft mode, from its published jars; one process is both broker and controller.
"""

from __future__ import annotations

import time
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from pathlib import Path
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
    """A cluster of one broker that keeps all it has in ``folder``, which must be empty or new.

    It has all listeners: ``PLAINTEXT`` (open to all), ``SSL``, ``SASL_PLAINTEXT``, ``SASL_SSL`` (``users`` by
    PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512), and ``CAPTURED`` (see ``tests.broker.capture``). ``authorizer`` lets nobody
    but anonymous clients and ``admin`` do anything without an ACL. ``properties`` overrides what ``server_properties``
    says. Leaving the ``with`` block kills the broker; ``stop`` it first where its logs are to be complete.
    """

    def __init__(
        self,
        folder: Path,
        *,
        users: Mapping[str, str] = USERS,
        authorizer: bool = False,
        properties: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder.absolute()
        self.users = dict(users)
        self._authorizer = authorizer
        self._overrides = dict(properties or {})
        self._cluster_id = urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()
        self._ports = NodePorts.choose()
        self._properties = self.folder / "server.properties"
        self._node = Node(self._properties, self.folder / "broker.log")
        self._certificates: Certificates | None = None

    def __enter__(self) -> Self:
        """Formats and starts the broker, and waits for it; raises ``BrokerError`` where that fails."""
        self._certificates = make_certificates(self.folder / "tls")
        properties = server_properties(
            self._ports,
            data=self.log_dir(),
            certificates=self._certificates,
            users=self.users,
            authorizer=self._authorizer,
        )
        text = javaproperties.dumps(properties | self._overrides, timestamp=False)
        self._properties.write_text(text, encoding="latin-1")
        try:
            self.start_all()
        except BaseException:
            self._node.kill()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._node.kill()

    def bootstrap(self, listener: Listener = "PLAINTEXT") -> str:
        """The address of the broker, as ``bootstrap.servers`` takes it."""
        return f"{HOST}:{self._ports.advertised(listener)}"

    def port(self, listener: Listener = "PLAINTEXT") -> int:
        """The port that the broker itself listens on."""
        return self._ports.listeners[listener]

    def capture_port(self) -> int:
        """The port that clients of ``CAPTURED`` connect to: nobody listens on it until a proxy does."""
        return self._ports.advertised_capture

    def client_properties(
        self, listener: Listener = "PLAINTEXT", *, user: str = "admin", mechanism: Mechanism = "SCRAM-SHA-256"
    ) -> dict[str, str]:
        """What Kafka's own clients and tools need for a listener, as properties; no bootstrap servers among them."""
        assert self._certificates is not None, "certificates are made when the cluster starts"
        return client_properties(
            listener, self._certificates, user=user, password=self.users[user], mechanism=mechanism
        )

    def log_dir(self) -> Path:
        """The log folder (``log.dirs``): a folder for each partition in it."""
        return self.folder / "data"

    def stop(self) -> None:
        """Stops the broker in order (SIGTERM): it closes its logs."""
        self._node.stop()

    def start_all(self) -> None:
        """Starts the broker if it does not run, with its data and ports as before, and waits for it."""
        if not self._node.running:
            is_new = not (self.log_dir() / "meta.properties").exists()
            self._node.start(format_arguments(self._properties, self._cluster_id, self.users) if is_new else [])
        deadline = time.monotonic() + _READY_SECONDS
        while not self._answers():
            if time.monotonic() > deadline:
                raise self._node.problem("the broker was not ready in time")
            if self._node.ended_within(_PAUSE):
                raise self._node.problem("the broker ended while it started")

    def _answers(self) -> bool:
        """Whether the broker says that it is there."""
        try:
            return bool(ask_metadata((HOST, self.port()), timeout=5).brokers)
        except (OSError, MessageError):
            return False
