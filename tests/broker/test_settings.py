from __future__ import annotations

from pathlib import Path

import pytest

from tests.broker.certificates import make_certificates
from tests.broker.settings import NodePorts, client_properties, format_arguments, server_properties


def test_cluster_ids_may_begin_with_a_dash() -> None:
    arguments = format_arguments(Path("server.properties"), "-WM9fV6iQa2hC3HyNvrc8A", {})
    assert "-WM9fV6iQa2hC3HyNvrc8A" not in arguments
    assert "--cluster-id=-WM9fV6iQa2hC3HyNvrc8A" in arguments


def test_no_password_gets_onto_a_command_line() -> None:
    arguments = format_arguments(Path("server.properties"), "id", {"ann": "an open secret"})
    assert sum("name=ann" in argument for argument in arguments) == 2
    assert not any("secret" in argument for argument in arguments)


@pytest.mark.parametrize(("nodes", "replicas"), [(1, "1"), (2, "2"), (5, "3")])
def test_there_are_no_more_replicas_than_nodes(tmp_path: Path, nodes: int, replicas: str) -> None:
    ports = {number: NodePorts.choose() for number in range(1, nodes + 1)}
    properties = server_properties(
        1, ports, data=tmp_path, certificates=make_certificates(tmp_path), users={}, authorizer=False
    )
    assert properties["offsets.topic.replication.factor"] == replicas
    assert len(properties["controller.quorum.voters"].split(",")) == nodes
    assert "authorizer.class.name" not in properties


def test_passwords_are_quoted_for_jaas(tmp_path: Path) -> None:
    certificates = make_certificates(tmp_path)
    properties = client_properties("SASL_SSL", certificates, user="ann", password='say "a\\b"', mechanism="PLAIN")
    assert properties["sasl.jaas.config"].endswith(r'username="ann" password="say \"a\\b\"";')
    assert properties["security.protocol"] == "SASL_SSL"


def test_private_keys_are_their_owners(tmp_path: Path) -> None:
    certificates = make_certificates(tmp_path)
    assert certificates.server.stat().st_mode & 0o077 == 0
    assert b"BEGIN PRIVATE KEY" in certificates.server.read_bytes()
