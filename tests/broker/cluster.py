"""A real Kafka broker on loopback, during a ``with`` block.

Apache Kafka in KRaft mode, from its published jars; one process is both broker and controller.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Self

import javaproperties

from messagegen_kafka import MessageError, MetadataRequest, MetadataResponse
from tests.broker import older
from tests.broker.java import broker_classes
from tests.broker.ports import HOST
from tests.broker.settings import (
    USERS,
    Listener,
    Mechanism,
    NodePorts,
    client_properties,
    format_arguments,
    make_certificates,
    second_broker_properties,
    server_properties,
)
from tests.oracle.jars import KAFKA_RELEASE, java_command

_READY_SECONDS: Final = 90.0
_STOP_SECONDS: Final = 30
_PAUSE: Final = 0.05
_LOG_LINES: Final = 30
_JVM_OPTIONS: Final = (
    "-Xmx512m",
    "-Dorg.slf4j.simpleLogger.showDateTime=true",
    "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
)
_VERSION: Final = 12
"""The version of the Metadata requests that check whether the broker is ready."""


class BrokerError(RuntimeError):
    """The error for a broker that fails. Its text contains the end of the broker's log."""


class Cluster:
    """A cluster of one broker that keeps all its data in ``folder``, which must be empty or new.

    It has all listeners: ``PLAINTEXT`` (open to all), ``SSL``, ``SASL_PLAINTEXT``, ``SASL_SSL`` (for ``USERS``, with
    PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512), and ``CAPTURED`` (see ``tests.broker.capture``). With ``authorizer``, only
    anonymous clients and ``admin`` may do anything without an ACL. ``properties`` overrides ``server_properties``.
    ``joins`` is a running cluster: the new node becomes its second broker, with id 2, and uses its controller.
    Leaving the ``with`` block kills the broker; ``stop`` it first if its logs must be complete.
    """

    def __init__(
        self,
        folder: Path,
        *,
        authorizer: bool = False,
        properties: Mapping[str, str] | None = None,
        joins: Cluster | None = None,
        release: str = KAFKA_RELEASE,
    ) -> None:
        self.release = release
        """The release that the next start runs: ``KAFKA_RELEASE``, or the release of ``tests.broker.older``."""
        self.folder = folder.absolute()
        self._authorizer = authorizer
        self._overrides = dict(properties or {})
        self._joins = joins
        new_id = urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()
        self.cluster_id: str = new_id if joins is None else joins.cluster_id
        self.ports = NodePorts.choose()
        self._properties = self.folder / "server.properties"
        self._certificates = self.folder / "tls"
        self._log = self.folder / "broker.log"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Format the log folder, start the broker, and wait until it is ready. Raise ``BrokerError`` on failure."""
        make_certificates(self._certificates)
        properties = server_properties(
            self.ports, data=self.log_dir(), certificates=self._certificates, authorizer=self._authorizer
        )
        if self._joins is not None:
            properties |= second_broker_properties(self.ports, self._joins.ports)
        text = javaproperties.dumps(properties | self._overrides, timestamp=False)
        self._properties.write_text(text, encoding="latin-1")
        try:
            self.start_all()
        except BaseException:
            self._kill()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._kill()

    def bootstrap(self, listener: Listener = "PLAINTEXT") -> str:
        """Return the address of the broker for ``bootstrap.servers``."""
        return f"{HOST}:{self.ports.advertised(listener)}"

    def captured_ports(self) -> tuple[int, int]:
        """Return the port for clients of ``CAPTURED``, on which only a proxy listens, and the broker's own port."""
        return self.ports.advertised_capture, self.ports.listeners["CAPTURED"]

    def client_properties(
        self, listener: Listener = "PLAINTEXT", *, mechanism: Mechanism = "SCRAM-SHA-256"
    ) -> dict[str, str]:
        """Return the properties of Kafka's own clients for a listener, as the user ``admin``.

        They do not contain the bootstrap servers.
        """
        return client_properties(listener, self._certificates, "admin", USERS["admin"], mechanism)

    def log_dir(self) -> Path:
        """Return the log folder (``log.dirs``), which contains a folder for each partition."""
        return self.folder / "data"

    def stop(self) -> None:
        """Stop the broker with SIGTERM, so that it closes its logs. Raise ``BrokerError`` if that takes too long."""
        if self._process is not None:
            self._process.terminate()
        if not self._ended_within(_STOP_SECONDS):
            self._kill()
            raise self._problem(f"the broker did not stop within {_STOP_SECONDS} seconds, so it was killed")

    def start_all(self) -> None:
        """Start the broker unless it is running, with the same data and ports as before, and wait until it is ready."""
        if self._ended_within(0):
            is_new = not (self.log_dir() / "meta.properties").exists()
            with_users = self._joins is None  # the first node's users are in the metadata
            arguments = format_arguments(self._properties, self.cluster_id, with_users=with_users)
            self._start(arguments if is_new else [])
        deadline = time.monotonic() + _READY_SECONDS
        while not self._answers():
            if time.monotonic() > deadline:
                raise self._problem("the broker was not ready in time")
            if self._ended_within(_PAUSE):
                raise self._problem("the broker ended while it started")

    def _start(self, format_arguments: Sequence[str]) -> None:
        command = java_command(
            "messagegen.broker.Node",
            str(self._properties),
            *format_arguments,
            classes=[broker_classes(), *([] if self.release == KAFKA_RELEASE else older.broker_jars())],
            options=_JVM_OPTIONS,
            release=self.release,
        )
        # Nothing is written to the pipe on standard input. It closes when this process dies, and then the broker halts.
        # The broker has its own session, so Ctrl-C in a terminal does not kill it, and it can be stopped properly.
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True
            )

    def _ended_within(self, seconds: float) -> bool:
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
                self._process.communicate()  # This closes the pipe.
        return self._process is None or self._process.returncode is not None

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    def _problem(self, what: str) -> BrokerError:
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        return BrokerError("\n".join([f"{what}; the end of {self._log}:", *lines[-_LOG_LINES:]]))

    def _answers(self) -> bool:
        """Return whether the broker answers a Metadata request."""
        request = MetadataRequest(topics=(), allow_auto_topic_creation=False)
        address = (HOST, self.ports.listeners["PLAINTEXT"])
        try:
            with socket.create_connection(address, timeout=5) as connection, connection.makefile("rb") as answers:
                connection.sendall(request.encode_frame(version=_VERSION, correlation_id=1))
                size = answers.read(4)
                frame = size + answers.read(int.from_bytes(size, "big"))
            return bool(MetadataResponse.decode_frame(frame, version=_VERSION)[1].brokers)
        except (OSError, MessageError):
            return False
