"""Whatever a broker does, a call ends in time, its error names the cause, and all connections are closed."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import tracemalloc

import pytest

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import (
    BootstrapError,
    BrokerConnectionError,
    ClientClosedError,
    ClientUsageError,
    KafkaTimeoutError,
    NoCommonVersionError,
    ProtocolError,
)
from messagegen_client.threads import DaemonExecutor
from messagegen_client.transport.cluster import Cluster
from messagegen_kafka import (
    ApiVersionsRequest,
    DescribeClientQuotasRequest,
    EncodeError,
    ListOffsetsRequest,
    MetadataRequest,
    MetadataResponse,
)
from messagegen_kafka.metadata_response import MetadataResponseBroker
from tests.client.support.asking import ANSWER, ask, says
from tests.client.support.broker import (
    Cut,
    FakeBroker,
    Received,
    Reply,
    Silence,
    nothing,
)
from tests.client.support.event_loop import in_loop

TWO_GIGABYTES = b"\x7f\xff\xff\xff" + b"x" * 1000
KINDS = pytest.mark.parametrize("kind", [ApiVersionsRequest, MetadataRequest, DescribeClientQuotasRequest])


@KINDS
@in_loop
async def test_a_frozen_broker_does_not_hold_a_call_beyond_its_deadline(kind: type[ApiVersionsRequest]) -> None:
    async with FakeBroker({kind: nothing}) as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(KafkaTimeoutError, match=r"timed out after 0\.1 s while ") as caught:
            await ask(cluster, to=1, within=0.1)
    assert broker.address in str(caught.value)
    assert not caught.value.outcome_unknown


@in_loop
async def test_a_slowly_sending_broker_does_not_hold_a_call_beyond_its_deadline() -> None:
    async with FakeBroker() as broker, Cluster(broker.config(request_timeout=0.2)) as cluster:
        await cluster.metadata(deadline=cluster.deadline())

        async def trickle(received: Received) -> Reply:
            for byte in received.frame(ANSWER)[:-1]:
                broker.writers[received.connection].write(bytes([byte]))
                await asyncio.sleep(0.05)
            return Silence.NOTHING

        broker.on[DescribeClientQuotasRequest] = trickle
        with pytest.raises(KafkaTimeoutError, match=r"timed out after 0\.1 s"):
            await ask(cluster, to=1, within=0.1)
        with pytest.raises(BrokerConnectionError, match=r"did not answer DescribeClientQuotas within 0\.2 s"):
            await ask(cluster, to=1)
        await broker.drop_connections()


@in_loop
async def test_a_connection_that_ends_within_a_response_is_an_error() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        broker.on[DescribeClientQuotasRequest] = lambda received: says(Cut(received.frame(ANSWER)[:-3]))(received)
        with pytest.raises(BrokerConnectionError, match=r"in the middle of a response, after \d+ bytes") as caught:
            await ask(cluster, to=1, changes=True)
    assert caught.value.outcome_unknown


@in_loop
async def test_the_socket_is_closed_if_the_broker_stops_sending() -> None:
    async def end(received: Received) -> Reply:
        broker.writers[received.connection].write_eof()
        return Silence.NOTHING

    async with FakeBroker({DescribeClientQuotasRequest: end}) as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(BrokerConnectionError, match="closed the connection instead of answering"):
            await ask(cluster, to=1)
        while broker.writers:  # noqa: ASYNC110 - until the client has closed the connection
            await asyncio.sleep(0.001)


def test_logs_contain_names_and_numbers_but_no_contents_of_requests(caplog: pytest.LogCaptureFixture) -> None:
    @in_loop
    async def check() -> None:
        async with FakeBroker() as broker, Cluster(broker.config(client_id="a-client-id")) as cluster:
            await ask(cluster, to=1)

    caplog.set_level(logging.DEBUG, "messagegen_client")
    check()
    assert "is DescribeClientQuotas v" in caplog.text
    assert "the connection ended: ClientClosedError" in caplog.text
    assert "a-client-id" not in caplog.text


@in_loop
async def test_a_cancelled_request_does_not_affect_other_requests_on_the_connection() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        await ask(cluster)
        broker.received.clear()
        release = asyncio.Event()

        async def both(received: Received) -> Reply:
            asked = broker.requests(DescribeClientQuotasRequest)
            if len(asked) == 2:
                await release.wait()
                return b"".join(one.frame(ANSWER) for one in asked)
            return Silence.NOTHING

        broker.on[DescribeClientQuotasRequest] = both
        impatient, patient = (asyncio.create_task(ask(cluster)) for _ in range(2))
        while len(broker.requests(DescribeClientQuotasRequest)) < 2:  # noqa: ASYNC110 - until both are sent
            await asyncio.sleep(0.001)
        impatient.cancel()
        await asyncio.wait([impatient])
        release.set()
        await patient
        broker.on.clear()
        await ask(cluster)
    assert broker.connections == 2


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (TWO_GIGABYTES, r"sent 2,147,483,647 as the size of a response, expected 4 to 104,857,600 .max_response_size"),
        (b"\xff\xff\xff\xff", "sent -1 as the size of a response"),
        (b"\x00\x00\x00\x00", "sent 0 as the size of a response"),
        (b"\x15\x03\x03\x00\x02\x02\x50", "the port uses TLS; set security.protocol to SSL or SASL_SSL"),
        (b"HTTP/1.1 400 Bad Request\r\n", "is a web server, not a Kafka broker"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "an SSH server, not a Kafka broker"),
        (b"\x00\x00\x00\x04\x00\x00\x00\x02", r"an invalid response"),
        (b"\x00\x00\x00\x0a\x00\x00\x00\x02garbag", "sent an invalid response"),
    ],
)
@in_loop
async def test_invalid_responses_raise_an_error_and_take_little_memory(raw: bytes, message: str) -> None:
    async with FakeBroker({DescribeClientQuotasRequest: says(raw)}) as broker, Cluster(broker.config()) as cluster:
        await cluster.metadata(deadline=cluster.deadline())
        tracemalloc.start()
        try:
            with pytest.raises(ProtocolError, match=message) as caught:
                await ask(cluster, to=1)
            assert tracemalloc.get_traced_memory()[1] < 10_000_000
        finally:
            tracemalloc.stop()
        assert broker.address in str(caught.value)
        assert len(broker.requests(DescribeClientQuotasRequest)) == 1


@in_loop
async def test_an_unrequested_response_closes_the_connection() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        await ask(cluster)
        broker.writers[0].write(b"\x00\x00\x00\x08unasked!")
        while broker.writers:  # noqa: ASYNC110 - until the client has closed the connection
            await asyncio.sleep(0.001)
        await ask(cluster)
    assert broker.connections == 2


@in_loop
async def test_the_error_has_all_addresses_that_refuse_connections() -> None:
    async with FakeBroker() as first, FakeBroker() as second:
        config = ClientConfig.of([first.address, second.address, "[::1]:1", f"{'x' * 70}.example:9092"])
    async with Cluster(config) as cluster:
        with pytest.raises(BootstrapError) as caught:
            await ask(cluster)
    assert {address for address, _ in caught.value.reasons} == set(config.bootstrap_servers)
    for address in (first.address, second.address, "[::1]:1"):
        assert f"{address} can't be reached: " in str(caught.value)


def test_an_unresponsive_name_server_does_not_delay_process_exit() -> None:
    answered = threading.Event()

    def silent(*_: object, **__: object) -> object:
        answered.wait()
        return []

    @in_loop
    async def check() -> None:
        asyncio.get_running_loop().set_default_executor(DaemonExecutor())
        async with Cluster(ClientConfig.of("kafka.invalid:9092")) as cluster:
            with pytest.raises(KafkaTimeoutError, match=r"connecting to kafka\.invalid:9092"):
                await ask(cluster, within=0.05)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", silent)
        # If the look-up ran in the loop's own threads, the loop would wait for them at its end, and never return.
        timer = threading.Timer(20, answered.set)
        timer.start()
        check()
        in_time = not answered.is_set()
        answered.set()
        timer.cancel()
    assert in_time


@KINDS
@pytest.mark.parametrize("how", ["close", "cancel"])
@in_loop
async def test_closing_and_cancelling_end_calls_at_every_stage(kind: type[ApiVersionsRequest], how: str) -> None:
    reached = asyncio.Event()

    async def hold(received: Received) -> Reply:
        reached.set()
        return Silence.NOTHING

    async with FakeBroker({kind: hold}) as broker, Cluster(broker.config()) as cluster:
        call = asyncio.create_task(ask(cluster, to=1))
        await reached.wait()
        if how == "cancel":
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            return
        await cluster.close()
        for again in (call, ask(cluster)):
            with pytest.raises(ClientClosedError):
                await again


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", -1), ("127.0.0.1", 65536), ("", 9092), ("a\n::error::b", 0)])
@in_loop
async def test_an_invalid_address_in_metadata_is_an_error(host: str, port: int) -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        brokers = (MetadataResponseBroker(node_id=1, host=host, port=port),)
        broker.on[MetadataRequest] = says(MetadataResponse(brokers=brokers, controller_id=1))
        with pytest.raises(ProtocolError, match=f"port {port}; check advertised.listeners") as caught:
            await ask(cluster, to=1)
    assert "\n" not in str(caught.value)


def test_using_a_client_in_a_different_event_loop_is_an_error() -> None:
    cluster = Cluster(ClientConfig.of("127.0.0.1:1"))
    with pytest.raises(BootstrapError):
        asyncio.run(ask(cluster))
    for work in (ask(cluster), cluster.close(), cluster.__aenter__()):
        with pytest.raises(ClientUsageError, match="belongs to the event loop in which it was first used"):
            asyncio.run(work)


@in_loop
async def test_the_error_about_a_missing_broker_lists_the_brokers_that_are_alive() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(BrokerConnectionError, match="broker 9 is not alive; brokers that are alive: 1"):
            await ask(cluster, to=9)


@in_loop
async def test_a_call_uses_only_the_requested_versions() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        request = ListOffsetsRequest(replica_id=-1)
        deadline = cluster.deadline(20)
        for version in ListOffsetsRequest.VALID_VERSIONS:
            chosen = range(version, version + 1)
            answer = await cluster.call(request, to=1, deadline=deadline, versions=chosen)
            assert answer.version == version
        with pytest.raises(NoCommonVersionError, match="this client uses 99 to 99: no common version"):
            await cluster.call(request, deadline=deadline, versions=range(99, 100))
        with pytest.raises(EncodeError, match="include_topic_authorized_operations"):
            await cluster.call(
                MetadataRequest(topics=None, include_topic_authorized_operations=True),
                deadline=deadline,
                versions=range(4, 5),
            )
