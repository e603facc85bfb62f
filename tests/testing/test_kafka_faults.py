"""The proxy in front of a real broker, and of scripted brokers for behaviour that does not depend on the broker."""

from __future__ import annotations

import socket
import threading
import warnings
from collections.abc import Callable
from pathlib import Path

import confluent_kafka
import pytest

from messagegen import load
from messagegen_kafka import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    DescribeClusterRequest,
    ErrorCode,
    FetchRequest,
    FetchResponse,
    FindCoordinatorRequest,
    FindCoordinatorResponse,
    Framer,
    MetadataRequest,
    MetadataResponse,
    OffsetCommitRequest,
    ProduceRequest,
)
from messagegen_kafka.api_versions_response import ApiVersion
from messagegen_kafka.fetch_request import FetchPartition, FetchTopic
from messagegen_kafka.find_coordinator_response import Coordinator
from messagegen_testing import KafkaFaults, ScriptedBroker, UnreadableRequestWarning
from tests.broker.cluster import Cluster
from tests.broker.records import consume, create_topics, produce
from tests.oracle import official_specs
from tests.testing.support.asking import Asker

Broker = Callable[..., ScriptedBroker]
Proxy = Callable[..., KafkaFaults]


def fetch(*topics: str, session: bool = False) -> FetchRequest:
    wanted = tuple(FetchTopic(topic=name, partitions=(FetchPartition(partition=0),)) for name in topics)
    return FetchRequest(topics=wanted, session_epoch=0 if session else -1)


def test_all_addresses_lead_through_the_proxy(scripted_broker: Broker, kafka_faults: Proxy) -> None:
    broker = scripted_broker({"orders": 1})
    coordinator = Coordinator(key="billing", node_id=1, host="127.0.0.1", port=broker.port)
    broker.when(FindCoordinatorRequest).answer(FindCoordinatorResponse(coordinators=(coordinator,)))
    faults = kafka_faults(broker.bootstrap)
    with Asker(faults.bootstrap) as asker:
        (node,) = asker.ask(MetadataRequest(topics=None), version=12).brokers
        found = asker.ask(FindCoordinatorRequest(coordinator_keys=("billing",)), version=4)
    assert node.port not in (broker.port, faults.port)
    assert found.coordinators[0].port == node.port
    with Asker(f"{node.host}:{node.port}") as asker:
        asker.ask(MetadataRequest(topics=None), version=12)
    assert [seen.connection for seen in faults.seen(MetadataRequest)] == [1, 2]
    assert len(broker.seen(MetadataRequest)) == 2


def test_the_broker_gets_only_partitions_without_an_error(scripted_broker: Broker, kafka_faults: Proxy) -> None:
    broker = scripted_broker({"orders": 1, "other": 1})
    broker.when(FetchRequest).error("NONE")
    faults = kafka_faults(broker.bootstrap)
    faults.when(FetchRequest, topic="orders", times=2).error("NOT_LEADER_OR_FOLLOWER")
    with Asker(faults.bootstrap) as asker:
        answer = asker.ask(fetch("orders", "other"), version=12)
        alone = asker.ask(fetch("orders"), version=12)
    lost = ErrorCode.NOT_LEADER_OR_FOLLOWER
    codes = {topic.topic: topic.partitions[0].error_code for topic in answer.responses}
    assert codes == {"orders": lost, "other": ErrorCode.NONE}
    assert [topic.partitions[0].error_code for topic in alone.responses] == [lost]
    assert [[topic.topic for topic in seen.message.topics] for seen in broker.seen(FetchRequest)] == [["other"]]


def test_the_proxy_disables_fetch_sessions(scripted_broker: Broker, kafka_faults: Proxy) -> None:
    broker = scripted_broker({"orders": 1})
    broker.when(FetchRequest).answer(FetchResponse())
    faults = kafka_faults(broker.bootstrap)
    with Asker(faults.bootstrap) as asker:
        assert asker.ask(fetch("orders", session=True), version=12).session_id == 0
    assert broker.seen(FetchRequest)[0].message.session_epoch == -1
    assert faults.seen(FetchRequest)[0].message.session_epoch == 0


def test_clients_are_offered_only_versions_that_the_proxy_can_read(
    scripted_broker: Broker, kafka_faults: Proxy
) -> None:
    offered = (ApiVersion(api_key=1, min_version=2, max_version=99), ApiVersion(api_key=999, max_version=3))
    broker = scripted_broker()
    broker.when(ApiVersionsRequest).answer(ApiVersionsResponse(api_keys=offered))
    with Asker(kafka_faults(broker.bootstrap).bootstrap) as asker:
        fetch_versions, unknown = asker.ask(ApiVersionsRequest(), version=0).api_keys
    assert (fetch_versions.min_version, fetch_versions.max_version) == (4, FetchRequest.VALID_VERSIONS[-1])
    assert unknown.max_version == 3


def test_responses_are_unchanged_if_no_rule_applies(scripted_broker: Broker, kafka_faults: Proxy) -> None:
    broker = scripted_broker({"orders": 1})
    broker.when(FetchRequest).throttle(5)
    broker.when(FetchRequest).error("NONE")
    with Asker(kafka_faults(broker.bootstrap).bootstrap) as asker:
        assert asker.ask(fetch("orders"), version=12).throttle_time_ms == 5


def test_a_duplicated_request_reaches_the_broker_twice(scripted_broker: Broker, kafka_faults: Proxy) -> None:
    broker = scripted_broker({"orders": 1})
    faults = kafka_faults(broker.bootstrap)
    faults.when(MetadataRequest, times=1).duplicate()
    with Asker(faults.bootstrap) as asker:
        asker.ask(MetadataRequest(topics=None), version=12)
        asker.ask(MetadataRequest(topics=None), version=12)
    assert len(faults.seen(MetadataRequest)) == 2
    assert len(broker.seen(MetadataRequest)) == 3


def test_the_broker_receives_a_request_even_if_its_answer_is_cut(scripted_broker: Broker, kafka_faults: Proxy) -> None:
    broker = scripted_broker({"orders": 1})
    faults = kafka_faults(broker.bootstrap)
    faults.when(MetadataRequest).cut(after_bytes=6)
    with Asker(faults.bootstrap) as asker:
        asker.send(MetadataRequest(topics=None), version=12)
        assert len(asker.received_until_the_end()) == 6
    assert len(broker.seen(MetadataRequest)) == 1


@pytest.mark.parametrize("method", ["hang_up", "drop"])
def test_the_broker_does_not_get_a_request_that_is_lost(
    scripted_broker: Broker, kafka_faults: Proxy, method: str
) -> None:
    broker = scripted_broker({"orders": 1})
    faults = kafka_faults(broker.bootstrap)
    getattr(faults.when(MetadataRequest), method)()
    with Asker(faults.bootstrap) as asker:
        asker.send(MetadataRequest(topics=None), version=12)
        faults.wait_for(MetadataRequest)
    assert broker.seen(MetadataRequest) == []


def test_the_connection_is_closed_if_no_broker_is_reachable(scripted_broker: Broker, kafka_faults: Proxy) -> None:
    broker = scripted_broker()
    broker.close()
    faults = kafka_faults(broker.bootstrap)
    with Asker(faults.bootstrap) as asker:
        assert asker.received_until_the_end() == b""


def test_the_first_available_broker_is_used(scripted_broker: Broker, kafka_faults: Proxy) -> None:
    gone, broker = scripted_broker(), scripted_broker()
    gone.close()
    with Asker(kafka_faults(f"{gone.bootstrap},{broker.bootstrap}").bootstrap) as asker:
        asker.ask(ApiVersionsRequest(), version=0)
    assert broker.seen(ApiVersionsRequest)


def test_the_proxy_closes_the_connection_when_the_broker_does(scripted_broker: Broker, kafka_faults: Proxy) -> None:
    broker = scripted_broker()
    with Asker(kafka_faults(broker.bootstrap).bootstrap) as asker:
        asker.ask(ApiVersionsRequest(), version=0)
        broker.close()
        assert asker.received_until_the_end() == b""


@pytest.mark.parametrize("address", ["", "localhost:", "localhost:kafka", ":9092"])
def test_an_invalid_address_is_refused(kafka_faults: Proxy, address: str) -> None:
    with pytest.raises(ValueError, match="expected the address of a broker as HOST:PORT"):
        kafka_faults(address)


def test_records_are_written_twice_if_a_producer_sends_them_twice(
    broker: Cluster, kafka_faults: Proxy, topic_name: str
) -> None:
    faults = kafka_faults(broker.bootstrap())
    faults.when(ProduceRequest, topic=topic_name, times=1).duplicate()
    create_topics(broker.bootstrap(), {topic_name: 1})
    for value in (b"one", b"two"):
        produce(faults.bootstrap, [{"topic": topic_name, "partition": 0, "value": value}])
    found = consume(broker.bootstrap(), topic_name, 1)
    assert [record.value for record in found] == [b"one", b"one", b"two"]


def test_a_group_consumes_through_the_proxy(broker: Cluster, kafka_faults: Proxy, topic_name: str) -> None:
    create_topics(broker.bootstrap(), {topic_name: 1})
    produce(broker.bootstrap(), [{"topic": topic_name, "partition": 0, "value": b"one"}])
    faults = kafka_faults(broker.bootstrap())
    faults.when(OffsetCommitRequest, topic=topic_name, times=1).error("COORDINATOR_LOAD_IN_PROGRESS")
    settings = {"bootstrap.servers": faults.bootstrap, "group.id": topic_name, "auto.offset.reset": "earliest"}
    consumer = confluent_kafka.Consumer(settings)
    consumer.subscribe([topic_name])
    (record,) = consumer.consume(1, timeout=60)
    consumer.commit(asynchronous=False)
    consumer.close()
    assert record.value() == b"one"
    assert faults.seen(FindCoordinatorRequest)
    assert len(faults.seen(OffsetCommitRequest)) >= 2


@pytest.mark.slow
def test_rules_can_use_messages_of_a_different_package(
    broker: Cluster, kafka_faults: Proxy, topic_name: str, tmp_path: Path
) -> None:
    for name, text in official_specs()["kafka-clients"].items():
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    package = load(tmp_path)
    create_topics(broker.bootstrap(), {topic_name: 1})
    produce(broker.bootstrap(), [{"topic": topic_name, "partition": 0, "value": b"one"}])
    faults = kafka_faults(broker.bootstrap(), package=package)
    lost = faults.when(package.JoinGroupRequest, times=1).error("NOT_COORDINATOR")
    answered = faults.when(package.HeartbeatRequest).answer(package.HeartbeatResponse())
    settings = {"bootstrap.servers": faults.bootstrap, "group.id": topic_name, "auto.offset.reset": "earliest"}
    consumer = confluent_kafka.Consumer({**settings, "heartbeat.interval.ms": 100})
    consumer.subscribe([topic_name])
    (record,) = consumer.consume(1, timeout=60)
    faults.wait_for(package.HeartbeatRequest)
    consumer.close()
    assert record.value() == b"one"
    assert lost.used == 1
    assert answered.used
    assert len(faults.seen(package.JoinGroupRequest)) >= 2


def test_answers_of_a_real_broker_contain_the_address_of_the_proxy(broker: Cluster, kafka_faults: Proxy) -> None:
    faults = kafka_faults(broker.bootstrap())
    with Asker(faults.bootstrap) as asker:
        (node,) = asker.ask(MetadataRequest(topics=()), version=12).brokers
        (described,) = asker.ask(DescribeClusterRequest(), version=1).brokers
    assert described.port == node.port
    assert f"{node.host}:{node.port}" != broker.bootstrap()


class RecordingBroker:
    """Accepts one connection, stores all received bytes, and answers each frame, whatever its content."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.received = bytearray()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        connection, _ = self._listener.accept()
        framer = Framer("request")
        with connection:
            while data := connection.recv(1 << 16):
                self.received += data
                for payload in framer.feed(data):
                    correlation_id = int.from_bytes(payload[4:8], "big")
                    connection.sendall(MetadataResponse().encode_frame(version=13, correlation_id=correlation_id))

    def close(self) -> None:
        self._thread.join(10)
        self._listener.close()


@pytest.mark.parametrize(
    ("payload", "warning"),
    [
        (b"\0\3\0\x0d\0\0\0\7\0\1a\0" + b"\0" + b"\0\0\0\0" + b"\0\0\0", None),
        (b"\0\3\0\x0d\0\0\0\7\0\1\xff\0" + b"\0\0\0\0\0", "sent an invalid request header: client_id"),
        (b"\0\3\0\x0d\0\0\0\7\0\1a\0" + b"\x02", "sent an invalid request: topics: invalid number"),
        (b"\x03\xe7\0\0\0\0\0\7\0\1a", None),
    ],
    ids=["bytes after the request", "a client id that is not UTF-8", "a body that ends early", "an unknown API"],
)
def test_a_request_is_forwarded_unchanged_even_if_it_cannot_be_read(
    kafka_faults: Proxy, payload: bytes, warning: str | None
) -> None:
    broker = RecordingBroker()
    frame = len(payload).to_bytes(4, "big") + payload
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        faults = kafka_faults(broker.address)
        with socket.create_connection(("127.0.0.1", faults.port), timeout=30) as client:
            client.sendall(frame)
            answer = client.recv(1 << 16)
        faults.close()
    broker.close()
    assert broker.received == frame
    assert answer == MetadataResponse().encode_frame(version=13, correlation_id=7)
    texts = [str(each.message) for each in caught if each.category is UnreadableRequestWarning]
    if warning is None:
        assert texts == []
    else:
        (text,) = texts
        assert text.startswith(
            "passed on unreadable requests unchanged (1 times): request (correlation id 7, API key 3, version 13): "
        )
        assert warning in text
