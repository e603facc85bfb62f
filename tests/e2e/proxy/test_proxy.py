"""The quickstart's proxy works with clients of four libraries, and two brokers that are reachable only through it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from importlib import import_module
from typing import Final

import pytest

from tests.broker.java import make_traffic
from tests.broker.ports import HOST
from tests.e2e.proxy.clients import Aiokafka, Client, Java, KafkaPython, Librdkafka
from tests.e2e.proxy.setting import Proxied

pytestmark = [
    pytest.mark.java,
    pytest.mark.slow,
    pytest.mark.slow,
    pytest.mark.xdist_group("proxy"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # The clients cause these warnings.
]

VALUES: Final = [str(number) for number in range(40)]
NEWER_VERSION: Final = 99
UNSUPPORTED_VERSION: Final = 35
BROKER_RESOURCE: Final = 4


@pytest.mark.parametrize("client_class", [KafkaPython, Librdkafka, Aiokafka, Java])
def test_a_client_sees_both_brokers_and_a_moved_leader_through_the_proxy(
    client_class: Callable[[str], Client], proxy: Proxied
) -> None:
    client = client_class(proxy.bootstrap)
    topic = client_class.__name__
    proxy.create_topic(topic, [1, 2])
    client.write(topic, VALUES, in_the_middle=lambda: proxy.swap_leaders(topic))
    assert proxy.leaders(topic) == [2, 1]
    assert sorted(client.read(topic, f"{topic}-group", len(VALUES)), key=int) == VALUES

    proxy.create_topic(f"{topic}-transaction", [1, 2])
    client.write_in_transaction(f"{topic}-transaction", VALUES)
    found = client.read(f"{topic}-transaction", f"{topic}-committed", len(VALUES))
    assert sorted(found, key=int) == VALUES

    assert client.administer(f"{topic}-admin") == {proxy.first_port + 1, proxy.first_port + 2}
    assert proxy.connections_past_it() == 0


def test_kafkas_java_clients_make_no_connection_that_bypasses_the_proxy(proxy: Proxied) -> None:
    make_traffic(proxy.bootstrap, 20)
    assert proxy.connections_past_it() == 0


def test_a_newer_client_receives_the_versions_that_the_proxy_can_read(proxy: Proxied) -> None:
    messages = proxy.kafka_messages
    newest = messages.ApiVersionsRequest.VALID_VERSIONS[-1]
    session = messages.ClientSession(messages, client_id="newer")
    request = messages.ApiVersionsRequest(client_software_name="newer", client_software_version="1")
    frame = bytearray(session.send(request, version=newest).frame)
    frame[6:8] = NEWER_VERSION.to_bytes(2, "big")
    with socket.create_connection((HOST, proxy.first_port + 1), timeout=30) as connection:
        connection.sendall(frame)
        size = connection.recv(4, socket.MSG_WAITALL)
        payload = connection.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL)
    _, response = messages.ApiVersionsResponse.decode_frame(size + payload, version=0)
    assert response.error_code == UNSUPPORTED_VERSION
    offered = {each.api_key: range(each.min_version, each.max_version + 1) for each in response.api_keys}
    assert messages.ApiVersionsRequest.API_KEY in offered
    for key, versions in offered.items():
        (cls,) = messages.message_classes("request", key)
        assert set(versions) <= set(cls.stable_versions)


def test_the_proxy_does_not_change_settings_of_brokers(proxy: Proxied) -> None:
    module = import_module("kafka_messages.describe_configs_request")
    wanted = module.DescribeConfigsResource(
        resource_type=BROKER_RESOURCE, resource_name="1", configuration_keys=("advertised.listeners",)
    )
    response = proxy.ask(proxy.kafka_messages.DescribeConfigsRequest(resources=(wanted,)))
    ((listeners,),) = [result.configs for result in response.results]
    assert f":{proxy.traps[0].getsockname()[1]}," in f"{listeners.value},"


def test_the_proxy_can_read_every_message_that_passes(proxy: Proxied) -> None:
    assert proxy.unreadable() == []
