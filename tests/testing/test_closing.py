"""An endpoint may be closed at any time. It leaves no socket open, and logs nothing."""

from __future__ import annotations

import gc
import socket
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final, NoReturn

import pytest

from messagegen_kafka import FetchRequest, FetchResponse, MetadataRequest, ProduceRequest
from messagegen_kafka.fetch_response import FetchableTopicResponse, PartitionData
from messagegen_kafka.produce_request import PartitionProduceData, TopicProduceData
from messagegen_testing import kafka_faults, scripted_broker
from messagegen_testing.endpoint import HOST
from tests.testing.support.asking import Asker

ROUNDS: Final = 40
"""The number of rounds. Each round ends at a random step of a connection."""

CLIENTS: Final = 4
LONGEST_PAUSE: Final = 0.001
"""The maximum time between the connections and the end, in seconds; after a millisecond, all have been accepted."""

ENCODED: Final = 0.1
"""The seconds after which a large answer is being sent."""

LARGE: Final = 16 << 20
"""A number of bytes that does not fit into the buffers of a connection if the peer does not read."""


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail the test for logged errors, and for open sockets, about which Python warns when it collects them."""
    left: list[str] = []
    monkeypatch.setattr("sys.unraisablehook", lambda problem: left.append(str(problem.exc_value)))
    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        yield
        gc.collect()
    assert left == []
    assert caplog.messages == []


@pytest.mark.slow
def test_a_failed_start_leaves_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_port(*_: object, **__: object) -> NoReturn:
        raise OSError("no port")

    before = threading.active_count()
    monkeypatch.setattr("messagegen_testing.background.socket.create_server", no_port)
    with pytest.raises(OSError, match="no port"), scripted_broker({"orders": 1}):
        pass
    assert threading.active_count() == before


def connection(port: int) -> socket.socket:
    return socket.create_connection((HOST, port))


@pytest.mark.slow
def test_an_endpoint_can_close_while_it_accepts_connections() -> None:
    for round_number in range(ROUNDS):
        with ExitStack() as clients, scripted_broker() as broker, kafka_faults(broker.bootstrap) as faults:
            for _ in range(CLIENTS):
                clients.enter_context(connection(faults.port))
                clients.enter_context(connection(broker.port))
            time.sleep(round_number * LONGEST_PAUSE / ROUNDS)


def test_an_endpoint_can_close_while_a_client_waits_for_an_answer() -> None:
    with ExitStack() as clients, scripted_broker() as broker, kafka_faults(broker.bootstrap) as faults:
        faults.when(MetadataRequest).drop()
        asker = clients.enter_context(Asker(faults.bootstrap))
        asker.send(MetadataRequest(topics=None), version=12)
        faults.wait_for(MetadataRequest)


def large_answer() -> FetchResponse:
    partition = PartitionData(partition_index=0, records=bytes(LARGE))
    return FetchResponse(responses=(FetchableTopicResponse(topic="orders", partitions=(partition,)),))


@pytest.mark.parametrize("through_a_proxy", [False, True])
@pytest.mark.parametrize("hang_up", [False, True])
def test_an_endpoint_can_close_while_a_client_does_not_read(*, through_a_proxy: bool, hang_up: bool) -> None:
    with ExitStack() as clients, ExitStack() as started:
        broker = started.enter_context(scripted_broker())
        if hang_up:
            broker.when(FetchRequest).cut(after_bytes=LARGE)
        broker.when(FetchRequest).answer(large_answer())
        bootstrap = broker.bootstrap
        if through_a_proxy:
            bootstrap = started.enter_context(kafka_faults(bootstrap)).bootstrap
        asker = clients.enter_context(Asker(bootstrap))
        asker.send(FetchRequest(), version=12)
        broker.wait_for(FetchRequest)
        time.sleep(ENCODED)


def test_an_endpoint_can_close_while_a_broker_does_not_read() -> None:
    partition = PartitionProduceData(index=0, records=bytes(LARGE))
    topic = TopicProduceData(name="orders", partition_data=(partition,))
    with ExitStack() as clients, ExitStack() as started:
        silent = started.enter_context(socket.create_server((HOST, 0)))
        faults = started.enter_context(kafka_faults(f"{HOST}:{silent.getsockname()[1]}"))
        asker = clients.enter_context(Asker(faults.bootstrap))
        asker.send(ProduceRequest(acks=0, topic_data=(topic,)), version=9)
        faults.wait_for(ProduceRequest)
