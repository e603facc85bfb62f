"""Every public call of four client libraries has the same result through a proxy as without it.

The proxies are ``kafka_faults`` without rules, with all of Kafka's messages, and the program of the quickstart.
"""

from __future__ import annotations

import subprocess
import uuid
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Final

import confluent_kafka
import pytest

from messagegen_testing import UnreadableRequestWarning
from messagegen_testing import kafka_faults as faults_before
from tests.broker.java import broker_classes
from tests.broker.records import produce
from tests.e2e.calls import aiokafka_calls, kafka_python, librdkafka
from tests.e2e.calls.calls import Cluster, outcomes
from tests.e2e.proxy.setting import Proxied
from tests.oracle.jars import java_command

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # The clients cause these warnings.

CLIENTS: Final[dict[str, Any]] = {
    name: module for module in (librdkafka, kafka_python, aiokafka_calls) for name in module.ALL
}
ADMIN_CALLS: Final = "messagegen.broker.AdminCalls"
GROUPS: Final = 12
"""A number of groups that is large enough to use all partitions of ``__consumer_offsets``."""

ERRORS: Final[dict[str, dict[str, str]]] = {
    "KafkaAdminClient": {
        "api_versions": "ValueError: 93 is not a valid ApiKey",
        "describe_transactions": "TransactionalIdNotFoundError",
    },
}
"""The beginnings of errors that calls also raise without a proxy, by client and call."""

ERRORS_OF_JAVA: Final = {
    "addRaftVoter": "UnsupportedVersionException",
    "alterReplicaLogDirs": "LogDirNotFoundException",
    "alterStreamsGroupOffsets": "GroupIdNotFoundException",
    "clientInstanceId": "IllegalStateException",
    "createDelegationToken": "UnsupportedByAuthenticationException",
    "deleteStreamsGroupOffsets": "GroupIdNotFoundException",
    "deleteStreamsGroups": "GroupIdNotFoundException",
    "describeClassicGroups": "GroupIdNotFoundException",
    "describeConsumerGroups": "GroupIdNotFoundException",
    "describeDelegationToken": "UnsupportedByAuthenticationException",
    "describeShareGroups": "GroupIdNotFoundException",
    "describeStreamsGroups": "GroupIdNotFoundException",
    "describeTransactions": "TransactionalIdNotFoundException",
    "electLeaders": "ElectionNotNeededException",
    "expireDelegationToken": "UnsupportedByAuthenticationException",
    "removeMembersFromConsumerGroup": "UnknownMemberIdException",
    "removeRaftVoter": "UnsupportedVersionException",
    "renewDelegationToken": "UnsupportedByAuthenticationException",
    "unregisterBroker": "BrokerIdNotRegisteredException",
    "unregisterController": "ControllerIdNotRegisteredException",
    "updateFeatures": "InvalidUpdateVersionException",
}
"""The errors of Java calls about things that the cluster does not have."""

on_brokers = [
    pytest.mark.java,
    pytest.mark.slow,
    pytest.mark.slow,
    pytest.mark.xdist_group("proxy"),
]


@pytest.mark.parametrize("name", CLIENTS)
def test_every_public_method_is_listed(name: str) -> None:
    listed = CLIENTS[name].ALL[name]
    assert not set(listed.calls) & set(listed.excluded)
    assert listed.public_methods() == {*listed.calls, *listed.excluded}


@pytest.mark.java
@pytest.mark.slow
def test_every_method_of_the_java_admin_is_listed() -> None:
    assert run_java() == ""


@pytest.fixture(scope="module")
def coordinated(proxy: Proxied) -> Proxied:
    """The proxy, after the brokers' coordinators have loaded all partitions of ``__consumer_offsets``."""
    topic = new_topic(proxy, "offsets")
    offsets = [confluent_kafka.TopicPartition(topic, 0, 1)]
    for number in range(GROUPS):
        consumer = confluent_kafka.Consumer({"bootstrap.servers": proxy.upstream, "group.id": f"group-{number}"})
        consumer.commit(offsets=offsets, asynchronous=False)
        consumer.close()
    return proxy


@pytest.fixture(scope="module", params=["broker", "kafka_faults", "quickstart"])
def bootstrap(request: pytest.FixtureRequest, coordinated: Proxied, kafka_messages: ModuleType) -> Iterator[str]:
    """Yield the address of a broker or a proxy.

    At the end, check that the proxy has read all requests and responses.
    """
    if request.param == "broker":
        yield coordinated.upstream
        return
    if request.param == "quickstart":
        yield coordinated.bootstrap
        assert coordinated.unreadable() == []
        assert coordinated.connections_past_it() == 0
        return
    with faults_before(coordinated.upstream, package=kafka_messages) as faults:
        yield faults.bootstrap
        with warnings.catch_warnings():
            warnings.simplefilter("error", UnreadableRequestWarning)
            faults.close()


def new_topic(proxy: Proxied, name: str) -> str:
    """Return the name of a new topic with ten records in each of its two partitions."""
    topic = f"{name}-{uuid.uuid4().hex[:8]}"
    proxy.create_topic(topic, [1, 2])
    produce(proxy.upstream, [{"topic": topic, "partition": number % 2, "value": b"value"} for number in range(20)])
    return topic


@pytest.mark.parametrize("name", [pytest.param(name, marks=on_brokers) for name in CLIENTS])
def test_every_call_has_the_same_result_with_and_without_the_proxy(proxy: Proxied, bootstrap: str, name: str) -> None:
    module = CLIENTS[name]
    cluster = Cluster(bootstrap, new_topic(proxy, name))
    errors = outcomes(module.ALL[name], lambda: module.client(name, cluster), cluster)
    expected = ERRORS.get(name, {})
    assert {call: error[: len(expected.get(call, error))] for call, error in errors.items()} == expected


@pytest.mark.parametrize("name", [pytest.param("Admin", marks=on_brokers)])
def test_every_call_of_the_java_admin_has_the_same_result_through_a_proxy(
    proxy: Proxied, bootstrap: str, name: str
) -> None:
    lines = run_java(bootstrap, new_topic(proxy, name), uuid.uuid4().hex[:8]).splitlines()
    assert {call: error for call, error in map(str.split, lines) if error != "ok"} == ERRORS_OF_JAVA


def run_java(*arguments: str) -> str:
    command = java_command(ADMIN_CALLS, *arguments, classes=[broker_classes()])
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL, check=True).stdout
