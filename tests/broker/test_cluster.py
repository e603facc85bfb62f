from __future__ import annotations

import os
import select
import signal
import socket
import ssl
import subprocess
import sys
from pathlib import Path

import pytest

from tests.broker import BrokerError, Cluster
from tests.broker.node import Node
from tests.broker.ports import HOST, free_ports
from tests.broker.settings import Listener, Mechanism
from tests.broker.tools import JavaCallError, JavaTools
from tests.broker.wire import ask_metadata

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("broker")]


def test_one_broker_answers(broker: Cluster) -> None:
    metadata = ask_metadata((HOST, broker.port()), timeout=10)
    assert metadata.cluster_id == broker.cluster_id
    assert [(each.node_id, each.port) for each in metadata.brokers] == [(1, broker.port())]
    assert (broker.log_dir() / "__cluster_metadata-0").is_dir()


@pytest.mark.parametrize("listener", ["SASL_PLAINTEXT", "SASL_SSL"])
@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])
def test_users_log_in(broker: Cluster, java_tools: JavaTools, listener: Listener, mechanism: Mechanism) -> None:
    client = {
        "bootstrap.servers": broker.bootstrap(listener),
        **broker.client_properties(listener, user="ann", mechanism=mechanism),
    }
    assert isinstance(java_tools.call_with(client, "describeClientQuotas"), list)


def test_wrong_passwords_are_refused(broker: Cluster, java_tools: JavaTools) -> None:
    client = broker.client_properties("SASL_PLAINTEXT", user="ann")
    client["bootstrap.servers"] = broker.bootstrap("SASL_PLAINTEXT")
    client["sasl.jaas.config"] = client["sasl.jaas.config"].replace(broker.users["ann"], "guess")
    with pytest.raises(JavaCallError) as caught:
        java_tools.call_with(client, "describeClientQuotas")
    assert caught.value.error == "SaslAuthenticationException"


def test_tls_is_trusted_through_the_authority(broker: Cluster, java_tools: JavaTools) -> None:
    context = ssl.create_default_context(cafile=str(broker.certificates.authority))
    with (
        socket.create_connection((HOST, broker.port("SSL")), timeout=10) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as secure,
    ):
        assert secure.version() in {"TLSv1.2", "TLSv1.3"}
    assert isinstance(java_tools.call("describeClientQuotas", broker, listener="SSL"), list)


def test_the_authorizer_lets_only_super_users(tmp_path: Path, java_tools: JavaTools) -> None:
    with Cluster(tmp_path, authorizer=True) as cluster:
        java_tools.call("createTopics", cluster, topics=[{"name": "orders"}])
        ann = {
            "bootstrap.servers": cluster.bootstrap("SASL_PLAINTEXT"),
            **cluster.client_properties("SASL_PLAINTEXT", user="ann"),
        }
        with pytest.raises(JavaCallError) as caught:
            java_tools.call_with(ann, "describeTopics", topics=["orders"])
    assert caught.value.error == "TopicAuthorizationException"


def test_a_killed_broker_loses_its_leaders_and_comes_back(
    three_brokers: Cluster, java_tools: JavaTools, topic_name: str
) -> None:
    topic = {"name": topic_name, "assignments": {0: [3, 1], 1: [1, 3]}}
    java_tools.call("createTopics", three_brokers, topics=[topic])
    three_brokers.kill(3)
    java_tools.call("produce", three_brokers, records=[{"topic": topic_name, "partition": 0, "value": "kept"}])
    partitions = java_tools.call("describeTopics", three_brokers, topics=[topic_name])[topic_name]["partitions"]
    assert [partition["leader"] for partition in partitions] == [1, 1]
    three_brokers.start(3)
    metadata = ask_metadata((HOST, three_brokers.port(node=3)), timeout=10)
    assert {each.node_id for each in metadata.brokers} == {1, 2, 3}


def test_data_and_ports_outlive_a_clean_stop(tmp_path: Path, java_tools: JavaTools) -> None:
    with Cluster(tmp_path) as cluster:
        java_tools.call("createTopics", cluster, topics=[{"name": "orders"}])
        java_tools.call("produce", cluster, records=[{"topic": "orders", "key": "k", "value": "v"}])
        cluster.stop(1)
        with pytest.raises(OSError, match="refused"):
            ask_metadata((HOST, cluster.port()), timeout=10)
        cluster.start(1)
        (record,) = java_tools.call("consume", cluster, topics=["orders"])
    assert record["offset"] == 0


def test_a_broker_that_cannot_start_says_why(tmp_path: Path) -> None:
    with (
        pytest.raises(
            BrokerError, match=r"(?s)ended while it started.*Invalid value wrong for configuration"
        ) as caught,
        Cluster(tmp_path, properties={"num.io.threads": "wrong"}),
    ):
        pass
    assert "-secret" not in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux tells when a process ends that is no child")
def test_a_broker_does_not_outlive_the_process_that_started_it(tmp_path: Path) -> None:
    script = f"""
import pathlib, sys
from tests.broker import Cluster
with Cluster(pathlib.Path({str(tmp_path / "c")!r})) as cluster:
    print(cluster.pid(), flush=True)
    sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        # A process handle tells when a process ends that is no child of ours.
        handle = os.pidfd_open(pid)
        parent.send_signal(signal.SIGKILL)
    try:
        assert select.select([handle], [], [], 30)[0] == [handle]
    finally:
        os.close(handle)


def test_starting_twice_is_an_error(broker: Cluster) -> None:
    pid = broker.pid()
    with pytest.raises(BrokerError, match="runs already"):
        broker.start(1)
    assert broker.pid() == pid


def test_a_node_that_was_never_started_has_no_process(tmp_path: Path) -> None:
    node = Node(tmp_path / "server.properties", tmp_path / "broker.log")
    with pytest.raises(BrokerError, match="does not run"):
        _ = node.pid
    node.stop()


def test_free_ports_are_distinct_and_outside_of_outgoing_ones() -> None:
    ports = free_ports(20)
    assert len(set(ports)) == 20
    assert max(ports) < 32_768
