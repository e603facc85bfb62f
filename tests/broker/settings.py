"""The settings of a node: ``server.properties``, arguments to format its log folder, and client properties."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import trustme
from cryptography.hazmat.primitives import serialization

from tests.broker.ports import HOST, free_ports

USERS: Final = {"admin": "admin-secret", "ann": "ann-secret", "bob": "bob-secret"}
"""The user names and passwords for the SASL listeners."""

Listener = Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL", "CAPTURED"]
"""``CAPTURED`` is a plain listener that advertises the port of a capturing proxy instead of its own."""

Mechanism = Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]

_SECURITY: Final[Mapping[Listener, str]] = {
    "PLAINTEXT": "PLAINTEXT",
    "SSL": "SSL",
    "SASL_PLAINTEXT": "SASL_PLAINTEXT",
    "SASL_SSL": "SASL_SSL",
    "CAPTURED": "PLAINTEXT",
}
_MECHANISMS: Final[Sequence[Mechanism]] = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
_SCRAM_ITERATIONS: Final = 4096
_LOGIN_MODULES: Final = "org.apache.kafka.common.security"


@dataclass(frozen=True, slots=True)
class NodePorts:
    """The ports of one node; ``advertised_capture`` is the port that ``CAPTURED`` advertises to clients."""

    listeners: Mapping[Listener, int]
    controller: int
    advertised_capture: int

    @classmethod
    def choose(cls) -> NodePorts:
        """Return free ports for a new node."""
        first, second, *rest = free_ports(2 + len(_SECURITY))
        return cls(dict(zip(_SECURITY, rest, strict=True)), controller=first, advertised_capture=second)

    def advertised(self, listener: Listener) -> int:
        """Return the port that clients of a listener connect to."""
        return self.advertised_capture if listener == "CAPTURED" else self.listeners[listener]


def make_certificates(folder: Path) -> None:
    """Create a certificate authority (``ca.pem``), and a key and certificate for loopback (``server.pem``)."""
    folder.mkdir(parents=True)
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "ca.pem")
    certificate = authority.issue_cert("localhost", "127.0.0.1")
    # Kafka reads keys only in PKCS #8, but trustme writes the older form.
    key = serialization.load_pem_private_key(certificate.private_key_pem.bytes(), password=None)
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "server.pem").write_bytes(pem + b"".join(blob.bytes() for blob in certificate.cert_chain_pems))


def server_properties(ports: NodePorts, *, data: Path, certificates: Path, authorizer: bool) -> dict[str, str]:
    """Return the properties of a node that is both broker and controller.

    With ``authorizer``, only anonymous clients and ``admin`` may do anything without an ACL.
    """
    return {
        "process.roles": "broker,controller",
        "node.id": "1",
        **_listener_properties(ports),
        "log.dirs": str(data),
        "auto.create.topics.enable": "false",
        "default.replication.factor": "1",
        "offsets.topic.num.partitions": "3",
        "offsets.topic.replication.factor": "1",
        "transaction.state.log.num.partitions": "3",
        "transaction.state.log.replication.factor": "1",
        "transaction.state.log.min.isr": "1",
        "share.coordinator.state.topic.num.partitions": "3",
        "share.coordinator.state.topic.replication.factor": "1",
        "share.coordinator.state.topic.min.isr": "1",
        **_quick_groups(),
        # A killed broker is soon considered dead.
        "broker.heartbeat.interval.ms": "500",
        "broker.session.timeout.ms": "4000",
        "log.cleaner.dedupe.buffer.size": "4194304",
        "num.network.threads": "2",
        "num.io.threads": "2",
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(certificates / "server.pem"),
        **_sasl_properties(),
        **(_AUTHORIZER if authorizer else {}),
    }


def _listener_properties(ports: NodePorts) -> dict[str, str]:
    """Return the properties of the node's listeners, as a broker and as the controller, and of their security."""
    listeners = [f"{name}://{HOST}:{port}" for name, port in ports.listeners.items()]
    advertised = [f"{name}://{HOST}:{ports.advertised(name)}" for name in ports.listeners]
    protocols = [f"{name}:{protocol}" for name, protocol in _SECURITY.items()]
    return {
        "controller.quorum.voters": f"1@{HOST}:{ports.controller}",
        "listeners": ",".join([*listeners, f"CONTROLLER://{HOST}:{ports.controller}"]),
        "advertised.listeners": ",".join(advertised),
        "inter.broker.listener.name": "PLAINTEXT",
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": ",".join([*protocols, "CONTROLLER:PLAINTEXT"]),
    }


def second_broker_properties(ports: NodePorts, controller: NodePorts) -> dict[str, str]:
    """Return the properties that make a node the second broker of the cluster whose controller has these ports."""
    return {
        "process.roles": "broker",
        "node.id": "2",
        "controller.quorum.voters": f"1@{HOST}:{controller.controller}",
        "listeners": ",".join(f"{name}://{HOST}:{port}" for name, port in ports.listeners.items()),
    }


_AUTHORIZER: Final = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS;User:admin",
}


def _quick_groups() -> dict[str, str]:
    """Return properties that let groups of each protocol settle in tenths of a second instead of seconds."""
    quick = {"group.initial.rebalance.delay.ms": "0"}
    for protocol in ("consumer", "share"):
        quick[f"group.{protocol}.assignment.interval.ms"] = "0"
        quick[f"group.{protocol}.min.heartbeat.interval.ms"] = "200"
        quick[f"group.{protocol}.heartbeat.interval.ms"] = "200"
    # Tests may set a shorter lock of records for a share group.
    return quick | {"group.share.min.record.lock.duration.ms": "1000"}


def _sasl_properties() -> dict[str, str]:
    known = " ".join(f"user_{name}={_quoted(password)}" for name, password in USERS.items())
    logins = {
        "plain": f"{_LOGIN_MODULES}.plain.PlainLoginModule required {known};",
        "scram-sha-256": f"{_LOGIN_MODULES}.scram.ScramLoginModule required;",
        "scram-sha-512": f"{_LOGIN_MODULES}.scram.ScramLoginModule required;",
    }
    listeners = ("sasl_plaintext", "sasl_ssl")
    return {
        "sasl.enabled.mechanisms": ",".join(_MECHANISMS),
        **{f"listener.name.{at}.{how}.sasl.jaas.config": login for at in listeners for how, login in logins.items()},
    }


def format_arguments(properties: Path, cluster_id: str, *, with_users: bool = True) -> list[str]:
    """Return the arguments of ``kafka-storage`` that format the log folder with the credentials of ``USERS``.

    The command line of a process is not secret, so it contains only salted passwords (RFC 5802, section 3).
    """
    credentials = [argument for user in USERS.items() for argument in _scram_arguments(*user)]
    if not with_users:
        credentials = []
    # Ids are base64url and may begin with a dash. As a separate argument, such an id would be parsed as an option.
    return ["format", f"--cluster-id={cluster_id}", "--config", str(properties), *credentials]


def _scram_arguments(name: str, password: str) -> Iterator[str]:
    for mechanism, algorithm in (("SCRAM-SHA-256", "sha256"), ("SCRAM-SHA-512", "sha512")):
        salt = secrets.token_bytes(16)
        salted = hashlib.pbkdf2_hmac(algorithm, password.encode(), salt, _SCRAM_ITERATIONS)
        parts = {
            "name": name,
            "salt": _quoted(base64.b64encode(salt).decode()),
            "saltedpassword": _quoted(base64.b64encode(salted).decode()),
            "iterations": str(_SCRAM_ITERATIONS),
        }
        yield "--add-scram"
        yield f"{mechanism}=[{','.join(f'{key}={value}' for key, value in parts.items())}]"


def client_properties(
    listener: Listener, certificates: Path, user: str, password: str, mechanism: Mechanism
) -> dict[str, str]:
    """Return the properties for ``--command-config`` of Kafka's tools for a listener, without bootstrap servers."""
    security = _SECURITY[listener]
    properties = {"security.protocol": security}
    if security.endswith("SSL"):
        properties |= {"ssl.truststore.type": "PEM", "ssl.truststore.location": str(certificates / "ca.pem")}
    if security.startswith("SASL"):
        module = "plain.PlainLoginModule" if mechanism == "PLAIN" else "scram.ScramLoginModule"
        login = f"username={_quoted(user)} password={_quoted(password)}"
        properties["sasl.mechanism"] = mechanism
        properties["sasl.jaas.config"] = f"{_LOGIN_MODULES}.{module} required {login};"
    return properties


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
