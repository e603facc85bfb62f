"""Whatever a broker does, a call ends in time, says what happened, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import socket
import threading
import tracemalloc
from collections.abc import Awaitable, Callable
from dataclasses import replace

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
from messagegen_client.transport.cluster import Answer, Cluster
from messagegen_kafka import (
    ApiVersionsRequest,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
    EncodeError,
    ListOffsetsRequest,
    ListOffsetsResponse,
    MetadataRequest,
    MetadataResponse,
)
from messagegen_kafka.metadata_response import MetadataResponseBroker
from tests.client.support.broker import (
    Cut,
    FakeBroker,
    Received,
    Reply,
    Silence,
    api_versions,
    hang_up,
    nothing,
)
from tests.client.support.event_loop import in_loop

TWO_GIGABYTES = b"\x7f\xff\xff\xff" + b"x" * 1000
ANSWER = DescribeClientQuotasResponse(entries=())
KINDS = pytest.mark.parametrize("kind", [ApiVersionsRequest, MetadataRequest, DescribeClientQuotasRequest])


async def ask(
    cluster: Cluster, *, to: int | None = None, within: float | None = None, changes: bool = False
) -> Answer[DescribeClientQuotasResponse]:
    request = DescribeClientQuotasRequest(components=())
    return await cluster.call(
        request, DescribeClientQuotasResponse, to=to, deadline=cluster.deadline(within), changes=changes
    )


def says(reply: Reply) -> Callable[[Received], Awaitable[Reply]]:
    async def answer(received: Received) -> Reply:
        return reply

    return answer


@KINDS
@in_loop
async def test_a_frozen_broker_does_not_hold_a_call_beyond_its_deadline(kind: type[ApiVersionsRequest]) -> None:
    async with FakeBroker({kind: nothing}) as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(KafkaTimeoutError, match=r"timed out after 0\.1 s while ") as caught:
            await ask(cluster, to=1, within=0.1)
    assert broker.address in str(caught.value)
    assert not caught.value.outcome_unknown


@in_loop
async def test_a_trickling_broker_does_not_hold_a_call_beyond_its_deadline() -> None:
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
async def test_a_cut_connection() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        broker.on[DescribeClientQuotasRequest] = lambda received: says(Cut(received.frame(ANSWER)[:-3]))(received)
        with pytest.raises(BrokerConnectionError, match=r"in the middle of a response, after \d+ bytes") as caught:
            await ask(cluster, to=1, changes=True)
    assert caught.value.outcome_unknown


@in_loop
async def test_a_request_that_is_given_up_leaves_others_on_its_connection_alone() -> None:
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
        (b"\x00\x00\x00\x04\x00\x00\x00\x03", r"an invalid response"),
        (b"\x00\x00\x00\x0a\x00\x00\x00\x03garbag", "sent an invalid response"),
    ],
)
@in_loop
async def test_a_huge_frame_and_what_is_no_answer(raw: bytes, message: str) -> None:
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
async def test_bytes_that_nobody_asked_for() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        await ask(cluster)
        broker.writers[0].write(b"\x00\x00\x00\x08unasked!")
        while broker.writers:  # noqa: ASYNC110 - until the client has closed the connection
            await asyncio.sleep(0.001)
        await ask(cluster)
    assert broker.connections == 2


@in_loop
async def test_addresses_that_refuse_are_all_named_with_their_reasons() -> None:
    async with FakeBroker() as first, FakeBroker() as second:
        config = ClientConfig.of([first.address, second.address, "[::1]:1", f"{'x' * 70}.example:9092"])
    async with Cluster(config) as cluster:
        with pytest.raises(BootstrapError) as caught:
            await ask(cluster)
    assert {address for address, _ in caught.value.reasons} == set(config.bootstrap_servers)
    for address in (first.address, second.address, "[::1]:1"):
        assert f"{address} can't be reached: " in str(caught.value)


def test_a_name_server_that_never_answers_does_not_keep_a_process_at_its_end() -> None:
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
        # The loop waits at its end for threads of its own, so that this would never come back.
        timer = threading.Timer(20, answered.set)
        timer.start()
        check()
        in_time = not answered.is_set()
        answered.set()
        timer.cancel()
    assert in_time


@in_loop
async def test_a_change_is_not_sent_twice_and_its_outcome_is_unknown() -> None:
    async with FakeBroker({DescribeClientQuotasRequest: hang_up}) as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(BrokerConnectionError, match="the outcome is unknown") as caught:
            await ask(cluster, changes=True)
        assert len(broker.requests(DescribeClientQuotasRequest)) == 1
        assert "security.protocol" not in str(caught.value)
        broker.on[DescribeClientQuotasRequest] = nothing
        with pytest.raises(KafkaTimeoutError, match="the outcome is unknown") as late:
            await ask(cluster, within=0.5, changes=True)
    assert caught.value.outcome_unknown
    assert late.value.outcome_unknown


@in_loop
async def test_wrong_settings_show_before_a_change_is_sent() -> None:
    async with FakeBroker({MetadataRequest: hang_up}) as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(BootstrapError, match=r"check security\.protocol") as caught:
            await ask(cluster, changes=True)
    assert not caught.value.outcome_unknown
    assert not broker.requests(DescribeClientQuotasRequest)


@in_loop
async def test_a_change_that_cannot_have_arrived_is_sent_again() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        await ask(cluster)
        broker.stop_listening()
        await broker.drop_connections()
        call = asyncio.create_task(ask(cluster, changes=True))
        await asyncio.sleep(0.05)
        assert not call.done()
        await broker.listen()
        await call
    assert len(broker.requests(DescribeClientQuotasRequest)) == 2


@in_loop
async def test_a_time_out_tells_what_went_wrong_before() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        await ask(cluster)
        broker.stop_listening()
        await broker.drop_connections()
        with pytest.raises(KafkaTimeoutError, match="last error: no broker could be reached") as caught:
            await ask(cluster, within=0.1)
        assert isinstance(caught.value.__cause__, BootstrapError)


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
async def test_a_broker_at_an_invalid_address(host: str, port: int) -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        brokers = (MetadataResponseBroker(node_id=1, host=host, port=port),)
        broker.on[MetadataRequest] = says(MetadataResponse(brokers=brokers, controller_id=1))
        with pytest.raises(ProtocolError, match=f"port {port}; check advertised.listeners") as caught:
            await ask(cluster, to=1)
    assert "\n" not in str(caught.value)


def test_another_event_loop_is_refused() -> None:
    cluster = Cluster(ClientConfig.of("127.0.0.1:1"))
    with pytest.raises(BootstrapError):
        asyncio.run(ask(cluster))
    for work in (ask(cluster), cluster.close(), cluster.__aenter__()):
        with pytest.raises(ClientUsageError, match="belongs to the event loop in which it was first used"):
            asyncio.run(work)


@in_loop
async def test_a_broker_that_is_not_there_is_said_with_those_that_are() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(BrokerConnectionError, match="broker 9 is not alive; brokers that are alive: 1"):
            await ask(cluster, to=9)


@in_loop
async def test_the_bootstrap_addresses_help_when_all_known_brokers_are_gone() -> None:
    async with FakeBroker(broker_id=1) as entrance, FakeBroker(broker_id=2) as old, FakeBroker(broker_id=3) as new:
        entrance.peers = [old]
        async with Cluster(entrance.config()) as cluster:
            await cluster.metadata(deadline=cluster.deadline())
            old.stop_listening()
            await entrance.drop_connections()
            entrance.peers = [new]
            assert (await ask(cluster, to=3)).broker.address == new.address


@in_loop
async def test_a_starting_broker_that_knows_no_brokers_is_asked_again() -> None:
    async with FakeBroker() as broker:

        async def starting(received: Received) -> Reply:
            return broker.metadata() if len(broker.requests(MetadataRequest)) > 3 else MetadataResponse(brokers=())

        broker.on[MetadataRequest] = starting
        async with Cluster(broker.config()) as cluster:
            metadata = await cluster.metadata(deadline=cluster.deadline(20))
    assert list(metadata.brokers) == [1]


@in_loop
async def test_versions() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        request = ListOffsetsRequest(replica_id=-1)
        deadline = cluster.deadline(20)
        for version in ListOffsetsRequest.VALID_VERSIONS:
            chosen = range(version, version + 1)
            answer = await cluster.call(request, ListOffsetsResponse, to=1, deadline=deadline, versions=chosen)
            assert answer.version == version
        with pytest.raises(NoCommonVersionError, match="this client uses 99 to 99: no common version"):
            await cluster.call(request, ListOffsetsResponse, deadline=deadline, versions=range(99, 100))
        with pytest.raises(EncodeError, match="include_topic_authorized_operations"):
            await cluster.call(
                MetadataRequest(topics=None, include_topic_authorized_operations=True),
                MetadataResponse,
                deadline=deadline,
                versions=range(4, 5),
            )


def closes_at_first(times: int) -> Callable[[Received], Awaitable[Reply]]:
    """Closes the first connections before it answers, as a broker does under a quota on connections."""
    left = [Silence.HANG_UP] * times

    async def answer(received: Received) -> Reply:
        return left.pop() if left else api_versions()

    return answer


@in_loop
async def test_connections_that_a_quota_closes_are_made_again() -> None:
    async with (
        FakeBroker({ApiVersionsRequest: closes_at_first(4)}) as broker,
        Cluster(replace(broker.config(), retry_backoff=0.001)) as cluster,
    ):
        assert (await ask(cluster)).message == ANSWER
    assert broker.connections == 5


@in_loop
async def test_a_change_that_a_quota_holds_up_is_sent_once() -> None:
    async with (
        FakeBroker({ApiVersionsRequest: closes_at_first(4)}) as broker,
        Cluster(replace(broker.config(), retry_backoff=0.001)) as cluster,
    ):
        assert (await ask(cluster, changes=True)).message == ANSWER
    assert sum(isinstance(one.request, DescribeClientQuotasRequest) for one in broker.received) == 1


@in_loop
async def test_a_broker_that_always_closes_is_not_asked_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("messagegen_client.transport.cluster._PATIENCE", 0.05)
    async with (
        FakeBroker({ApiVersionsRequest: hang_up}) as broker,
        Cluster(replace(broker.config(), retry_backoff=0.001)) as cluster,
    ):
        with pytest.raises(BootstrapError) as caught:
            await ask(cluster)
    assert broker.connections > 1
    assert "a quota limits connections from this address" in str(caught.value)
    assert "security.protocol" in str(caught.value)


@in_loop
async def test_an_address_where_nothing_listens_is_tried_once() -> None:
    async with FakeBroker() as broker:
        config = broker.config()
    async with Cluster(config) as cluster:
        with pytest.raises(BootstrapError, match="can't be reached"):
            await ask(cluster)
