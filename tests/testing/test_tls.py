"""TLS between clients, proxies and brokers, and the errors in a test if only one side uses it."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import aiokafka  # type: ignore[import-untyped]
import confluent_kafka
import kafka  # type: ignore[import-untyped]
import pytest

from messagegen_kafka import ApiVersionsRequest, ErrorCode, MetadataRequest, ProduceRequest, SaslAuthenticateRequest
from messagegen_testing import Connection, KafkaFaults, ScriptedBroker
from tests.broker import java
from tests.broker.cluster import Cluster
from tests.broker.records import consume, create_topics
from tests.testing.support.asking import Asker, is_reset
from tests.testing.support.tls import Authority

Broker = Callable[..., ScriptedBroker]
Proxy = Callable[..., KafkaFaults]

_ALL = MetadataRequest(topics=None)

LARGE: Final = 1 << 20
"""More bytes than any answer has, so that the connection is closed after the whole answer."""

CONNECTIONS: Final = 10
"""The number of connections: whether an answer is read together with the connection's end is random."""


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.make(tmp_path_factory.mktemp("tls"))


def test_clients_connect_to_a_scripted_broker_with_tls(scripted_broker: Broker, authority: Authority) -> None:
    broker = scripted_broker({"orders": 1}, ssl=authority.server())
    with Asker(broker.bootstrap, tls=authority.client()) as asker:
        assert [topic.name for topic in asker.ask(_ALL, version=12).topics] == ["orders"]
        assert isinstance(asker.socket, ssl.SSLSocket)


@pytest.mark.parametrize("client_has_tls", [False, True])
@pytest.mark.parametrize("broker_has_tls", [False, True])
def test_each_side_of_a_proxy_can_have_tls(
    scripted_broker: Broker, kafka_faults: Proxy, authority: Authority, *, client_has_tls: bool, broker_has_tls: bool
) -> None:
    broker = scripted_broker({"orders": 1}, ssl=authority.server() if broker_has_tls else None)
    faults = kafka_faults(
        broker.bootstrap,
        ssl=authority.server() if client_has_tls else None,
        upstream_ssl=authority.client() if broker_has_tls else None,
    )
    tls = authority.client() if client_has_tls else None
    with Asker(faults.bootstrap, tls=tls) as asker:
        (node,) = asker.ask(_ALL, version=12).brokers
    with Asker(f"{node.host}:{node.port}", tls=tls) as asker:
        asker.ask(_ALL, version=12)
    assert len(broker.seen(MetadataRequest)) == 2


def test_clients_and_proxies_can_have_certificates(
    scripted_broker: Broker, kafka_faults: Proxy, authority: Authority
) -> None:
    strict = authority.server(asks_for_certificate=True)
    broker = scripted_broker(ssl=strict)
    faults = kafka_faults(broker.bootstrap, ssl=strict, upstream_ssl=authority.client(with_certificate=True))
    with Asker(faults.bootstrap, tls=authority.client(with_certificate=True)) as asker:
        assert asker.ask(_ALL, version=12).brokers


@pytest.mark.parametrize("broker_has_tls", [False, True])
@pytest.mark.parametrize("seconds", [None, 0.1])
def test_the_last_answer_of_a_broker_reaches_the_client(
    scripted_broker: Broker,
    kafka_faults: Proxy,
    authority: Authority,
    seconds: float | None,
    *,
    broker_has_tls: bool,
) -> None:
    """This happens after a wrong password: the connection ends immediately after the answer."""
    broker = scripted_broker(ssl=authority.server() if broker_has_tls else None)
    broker.when(SaslAuthenticateRequest).cut(after_bytes=LARGE)
    broker.when(SaslAuthenticateRequest).error("SASL_AUTHENTICATION_FAILED")
    faults = kafka_faults(broker.bootstrap, upstream_ssl=authority.client() if broker_has_tls else None)
    if seconds is not None:
        faults.when(SaslAuthenticateRequest).delay(seconds)
    for _ in range(CONNECTIONS):
        with Asker(faults.bootstrap) as asker:
            answer = asker.ask(SaslAuthenticateRequest(auth_bytes=b"wrong"), version=2)
            assert answer.error_code == ErrorCode.SASL_AUTHENTICATION_FAILED
            assert asker.received_until_the_end() == b""


class TestFaults:
    def test_an_answer_is_cut(self, scripted_broker: Broker, authority: Authority) -> None:
        broker = scripted_broker(ssl=authority.server())
        broker.when(MetadataRequest).cut(after_bytes=10)
        with Asker(broker.bootstrap, tls=authority.client()) as asker:
            asker.send(_ALL, version=12)
            assert len(asker.received_until_the_end()) == 10

    def test_a_connection_is_reset(self, scripted_broker: Broker, authority: Authority) -> None:
        broker = scripted_broker(ssl=authority.server())
        broker.when(MetadataRequest).reset()
        with Asker(broker.bootstrap, tls=authority.client()) as asker:
            asker.send(_ALL, version=12)
            # OpenSSL reports a reset as the end of the stream.
            with socket.socket(fileno=asker.socket.detach()) as connection:
                connection.settimeout(10)
                assert is_reset(connection)

    def test_a_connection_is_reset_before_the_handshake(self, scripted_broker: Broker, authority: Authority) -> None:
        broker = scripted_broker(ssl=authority.server())
        broker.when(Connection, times=1).reset()
        with pytest.raises(ConnectionResetError), Asker(broker.bootstrap, tls=authority.client()):
            pass
        with Asker(broker.bootstrap, tls=authority.client()) as asker:
            assert asker.ask(_ALL, version=12).brokers


def trouble(endpoint: KafkaFaults | ScriptedBroker, tls: ssl.SSLContext | None = None) -> str:
    """Let a client connect and lose its connection, and return the error of a test that waits for its request."""
    with suppress(OSError, EOFError), Asker(endpoint.bootstrap, tls=tls) as asker:
        asker.send(_ALL, version=12)
        asker.receive()
    with pytest.raises(TimeoutError) as caught:
        endpoint.wait_for(ApiVersionsRequest, timeout=0.01)
    return str(caught.value).partition("; ")[2]


class TestTroubles:
    def test_a_broker_that_refuses_connections_is_reported(self, scripted_broker: Broker, kafka_faults: Proxy) -> None:
        broker = scripted_broker()
        broker.close()
        faults = kafka_faults(broker.bootstrap)
        expected = f"the broker at {broker.bootstrap} refused the connection"
        assert trouble(faults) == f"no requests came in on 1 connections; {expected}"
        assert trouble(faults) == f"no requests came in on 2 connections; {expected} (2 times)"

    def test_a_broker_that_unexpectedly_speaks_tls_is_reported(
        self, scripted_broker: Broker, kafka_faults: Proxy, authority: Authority
    ) -> None:
        broker = scripted_broker(ssl=authority.server())
        found = trouble(kafka_faults(broker.bootstrap))
        expected = f"the broker at {broker.bootstrap} speaks TLS; pass upstream_ssl=ssl.create_default_context()"
        assert found == f"requests that came in: MetadataRequest 1; {expected}"

    def test_a_broker_without_tls_is_reported(
        self, scripted_broker: Broker, kafka_faults: Proxy, authority: Authority
    ) -> None:
        broker = scripted_broker()
        found = trouble(kafka_faults(broker.bootstrap, upstream_ssl=authority.client()))
        assert f"the broker at {broker.bootstrap} could not be reached with TLS: " in found

    def test_an_untrusted_broker_is_reported(
        self, scripted_broker: Broker, kafka_faults: Proxy, tmp_path: Path
    ) -> None:
        broker = scripted_broker(ssl=Authority.make(tmp_path).server())
        found = trouble(kafka_faults(broker.bootstrap, upstream_ssl=ssl.create_default_context()))
        assert f"the broker at {broker.bootstrap} could not be reached with TLS: " in found
        assert "certificate verify failed" in found

    def test_a_client_that_unexpectedly_speaks_tls_is_reported(
        self, scripted_broker: Broker, authority: Authority
    ) -> None:
        expected = "a client speaks TLS, but `bootstrap` listens without TLS; pass ssl= with the context of a server"
        assert expected in trouble(scripted_broker(), authority.client())

    def test_a_client_without_tls_is_reported(self, scripted_broker: Broker, authority: Authority) -> None:
        assert "the TLS handshake of a client failed: " in trouble(scripted_broker(ssl=authority.server()))

    def test_a_client_that_does_not_trust_the_broker_is_reported(
        self, scripted_broker: Broker, authority: Authority
    ) -> None:
        broker = scripted_broker(ssl=authority.server())
        found = trouble(broker, ssl.create_default_context())
        assert "the TLS handshake of a client failed: " in found
        assert "unknown ca" in found

    def test_a_failing_test_has_connection_troubles_as_notes(self, scripted_broker: Broker) -> None:
        gone = scripted_broker()
        gone.close()

        def run() -> None:
            with KafkaFaults(gone.bootstrap) as faults, Asker(faults.bootstrap) as asker:
                asker.receive()

        with pytest.raises(EOFError) as caught:
            run()
        (note,) = caught.value.__notes__
        assert note == f"KafkaFaults: the broker at {gone.bootstrap} refused the connection"


def produce_with_librdkafka(bootstrap: str, topic: str, authority: Authority) -> None:
    settings = {"bootstrap.servers": bootstrap, "security.protocol": "SSL", "ssl.ca.location": str(authority.file)}
    producer = confluent_kafka.Producer(settings)
    producer.produce(topic, b"one")
    assert producer.flush(30) == 0


def produce_with_aiokafka(bootstrap: str, topic: str, authority: Authority) -> None:
    async def produce() -> None:
        settings = {"security_protocol": "SSL", "ssl_context": authority.client()}
        async with aiokafka.AIOKafkaProducer(bootstrap_servers=bootstrap, **settings) as producer:
            await producer.send_and_wait(topic, b"one")

    asyncio.run(produce())


def produce_with_kafka_python(bootstrap: str, topic: str, authority: Authority) -> None:
    producer = kafka.KafkaProducer(bootstrap_servers=bootstrap, security_protocol="SSL", ssl_context=authority.client())
    producer.send(topic, b"one").get(30)
    producer.close()


class TestBroker:
    """A proxy in front of a broker's TLS listener."""

    @pytest.fixture
    def faults(self, broker: Cluster, kafka_faults: Proxy, authority: Authority) -> KafkaFaults:
        trusted = ssl.create_default_context(cafile=broker.client_properties("SSL")["ssl.truststore.location"])
        return kafka_faults(broker.bootstrap("SSL"), ssl=authority.server(), upstream_ssl=trusted)

    @pytest.mark.parametrize("produce", [produce_with_librdkafka, produce_with_aiokafka, produce_with_kafka_python])
    def test_a_producer_sends_again_after_a_reset(
        self,
        broker: Cluster,
        faults: KafkaFaults,
        authority: Authority,
        topic_name: str,
        produce: Callable[[str, str, Authority], None],
    ) -> None:
        create_topics(broker.bootstrap(), {topic_name: 1})
        faults.when(ProduceRequest, times=1).reset()
        produce(faults.bootstrap, topic_name, authority)
        first, second = faults.seen(ProduceRequest)
        assert first.connection != second.connection
        assert [record.value for record in consume(broker.bootstrap(), topic_name, 1)] == [b"one"]

    @pytest.mark.slow
    def test_java_tools_connect(
        self, broker: Cluster, faults: KafkaFaults, authority: Authority, topic_name: str, tmp_path: Path
    ) -> None:
        create_topics(broker.bootstrap(), {topic_name: 1})
        config = tmp_path / "client.properties"
        lines = ["security.protocol=SSL", "ssl.truststore.type=PEM", f"ssl.truststore.location={authority.file}"]
        config.write_text("\n".join(lines), encoding="utf-8")
        server = ("--bootstrap-server", faults.bootstrap, "--command-config", str(config))
        assert topic_name in java.tool("kafka-topics", *server, "--list").split()

    def test_a_missing_tls_context_is_reported(self, broker: Cluster, kafka_faults: Proxy) -> None:
        found = trouble(kafka_faults(broker.bootstrap("SSL")))
        assert f"the broker at {broker.bootstrap('SSL')} speaks TLS; pass upstream_ssl=" in found
