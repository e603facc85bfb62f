"""Bad weather: whatever a broker does, a call ends in time, says what happened, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import socket
import threading
import tracemalloc
from collections.abc import Awaitable, Callable

import pytest

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import (
    BootstrapError,
    BrokerConnectionError,
    ClientClosedError,
    ClientUsageError,
    KafkaTimeoutError,
    ProtocolError,
)
from messagegen_client.net.cluster import ANY_BROKER, CONTROLLER, Answer, BrokerId, Cluster, Target
from messagegen_kafka import (
    ApiVersionsRequest,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
    MetadataRequest,
    MetadataResponse,
)
from messagegen_kafka.metadata_response import MetadataResponseBroker
from tests.client.fakes.broker import Cut, FakeBroker, Received, Reply, Silence, hang_up, in_loop, nothing

TWO_GIGABYTES = b"\x7f\xff\xff\xff" + b"x" * 1000


async def ask(
    cluster: Cluster, *, to: Target = ANY_BROKER, within: float | None = None, idempotent: bool = True
) -> Answer[DescribeClientQuotasResponse]:
    request = DescribeClientQuotasRequest(components=())
    return await cluster.call(
        request, DescribeClientQuotasResponse, to=to, deadline=cluster.deadline(within), idempotent=idempotent
    )


def says(reply: Reply) -> Callable[[Received], Awaitable[Reply]]:
    async def answer(received: Received) -> Reply:
        return reply

    return answer


@pytest.mark.parametrize("kind", [ApiVersionsRequest, DescribeClientQuotasRequest])
@in_loop
async def test_a_broker_that_never_answers_ends_in_a_time_out_that_says_what_was_waited_for(
    kind: type[ApiVersionsRequest],
) -> None:
    async with FakeBroker({kind: nothing}) as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(KafkaTimeoutError) as caught:
            await ask(cluster, within=0.1)
    assert "asking any broker for DescribeClientQuotas: timed out after 0.1 s" in str(caught.value)
    assert f"waiting for {broker.address} to answer" in str(caught.value)
    assert not caught.value.outcome_unknown
    assert isinstance(caught.value, TimeoutError)


@in_loop
async def test_a_broker_that_does_not_even_accept_ends_in_a_time_out() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        address = listening.getsockname()
        with socket.create_connection(address), socket.socket() as second:
            second.setblocking(False)
            second.connect_ex(address)  # The queue of connections is full now; the next one gets no answer at all.
            async with Cluster(ClientConfig.of(f"127.0.0.1:{address[1]}", request_timeout=0.2)) as cluster:
                with pytest.raises((KafkaTimeoutError, BootstrapError), match=f"127.0.0.1:{address[1]}"):
                    await ask(cluster, within=0.3)


@in_loop
async def test_another_address_helps_where_the_first_never_answers() -> None:
    async with FakeBroker({ApiVersionsRequest: nothing}) as silent, FakeBroker() as healthy:
        config = ClientConfig.of([silent.address, healthy.address])
        async with Cluster(config) as cluster:
            answer = await ask(cluster, within=0.5)
    assert answer.broker.address == healthy.address


@in_loop
async def test_a_late_answer_is_not_taken_for_another_one() -> None:
    release = asyncio.Event()
    first: list[Received] = []

    async def late(received: Received) -> Reply:
        if not first:
            first.append(received)
            await release.wait()
            return DescribeClientQuotasResponse(error_code=1, entries=())
        return DescribeClientQuotasResponse(error_code=2, entries=())

    async with FakeBroker({DescribeClientQuotasRequest: late}) as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(KafkaTimeoutError):
            await ask(cluster, within=0.05)
        second = asyncio.create_task(ask(cluster))
        await asyncio.sleep(0)
        release.set()
        assert (await second).message.error_code == 2
    assert broker.connections == 1


@in_loop
async def test_a_request_time_out_ends_the_connection_and_another_one_is_tried() -> None:
    async def silent_at_first(received: Received) -> Reply:
        return Silence.NOTHING if received.connection == 0 else DescribeClientQuotasResponse(entries=())

    async with FakeBroker({DescribeClientQuotasRequest: silent_at_first}) as broker:
        async with Cluster(broker.config(request_timeout=0.1)) as cluster:
            await cluster.metadata(deadline=cluster.deadline())
            await ask(cluster)
        assert broker.connections == 2


@in_loop
async def test_a_request_time_out_is_said() -> None:
    async with (
        FakeBroker({DescribeClientQuotasRequest: nothing}) as broker,
        Cluster(broker.config(request_timeout=0.1)) as cluster,
    ):
        with pytest.raises(BrokerConnectionError, match=r"did not answer DescribeClientQuotas within 0.1 s"):
            await ask(cluster, to=BrokerId(1))


@in_loop
async def test_an_answer_with_another_correlation_id_is_refused() -> None:
    async def swapped(received: Received) -> Reply:
        return received.frame(DescribeClientQuotasResponse(entries=()), correlation_id=received.correlation_id + 1)

    async with FakeBroker({DescribeClientQuotasRequest: swapped}) as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(ProtocolError, match="with correlation id 3, expected 2 for DescribeClientQuotas"):
            await ask(cluster, to=BrokerId(1))


@in_loop
async def test_bytes_that_nobody_asked_for_are_refused() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        broker.greeting = b"\x00\x00\x00\x08unasked!"
        with pytest.raises(BootstrapError, match=r"correlation id|that nobody had asked for"):
            await ask(cluster)


@in_loop
async def test_a_connection_that_ends_in_the_middle_of_an_answer() -> None:
    async def cut(received: Received) -> Reply:
        whole = received.frame(DescribeClientQuotasResponse(entries=()))
        return Cut(whole[:-3])

    async with FakeBroker({DescribeClientQuotasRequest: cut}) as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(BrokerConnectionError, match=r"in the middle of a response, after \d+ bytes") as caught:
            await ask(cluster, to=BrokerId(1), idempotent=False)
    assert caught.value.outcome_unknown


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (TWO_GIGABYTES, r"sent 2,147,483,647 as the size of a response, expected 4 to 104,857,600 .max_response_size"),
        (b"\xff\xff\xff\xff", "sent -1 as the size of a response"),
        (b"\x00\x00\x00\x00", "sent 0 as the size of a response"),
        (b"\x15\x03\x03\x00\x02\x02\x50", "the port uses TLS; set security.protocol to SSL or SASL_SSL"),
        (b"HTTP/1.1 400 Bad Request\r\n", "is a web server, not a Kafka broker"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "an SSH server, not a Kafka broker"),
        (b"\x00\x00\x00\x04\x00\x00\x00\x02", r"an invalid response: error_code|an invalid response header: "),
        (b"\x00\x00\x00\x0a\x00\x00\x00\x02garbag", "sent an invalid response"),
    ],
)
@in_loop
async def test_what_is_no_answer_is_refused_at_once_and_says_what_it_may_be(raw: bytes, message: str) -> None:
    async with FakeBroker({DescribeClientQuotasRequest: says(raw)}) as broker, Cluster(broker.config()) as cluster:
        await cluster.metadata(deadline=cluster.deadline())
        with pytest.raises(ProtocolError, match=message) as caught:
            await ask(cluster, to=BrokerId(1))
    assert broker.address in str(caught.value)


@in_loop
async def test_nothing_is_allocated_for_an_answer_of_two_gigabytes() -> None:
    async with (
        FakeBroker({DescribeClientQuotasRequest: says(TWO_GIGABYTES)}) as broker,
        Cluster(broker.config()) as cluster,
    ):
        await cluster.metadata(deadline=cluster.deadline())
        tracemalloc.start()
        try:
            with pytest.raises(ProtocolError):
                await ask(cluster)
            _, highest = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert highest < 10_000_000


@in_loop
async def test_bytes_after_a_response_are_refused() -> None:
    async def padded(received: Received) -> Reply:
        frame = received.frame(DescribeClientQuotasResponse(entries=())) + b"\0"
        return (len(frame) - 4).to_bytes(4, "big") + frame[4:]

    async with FakeBroker({DescribeClientQuotasRequest: padded}) as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(ProtocolError, match="1 bytes are left after the message"):
            await ask(cluster, to=BrokerId(1))


@in_loop
async def test_addresses_that_refuse_are_all_named_with_their_reasons() -> None:
    async with FakeBroker() as first, FakeBroker() as second:
        config = ClientConfig.of([first.address, second.address, "[::1]:1"])
    async with Cluster(config) as cluster:
        with pytest.raises(BootstrapError) as caught:
            await ask(cluster)
    assert {address for address, _ in caught.value.reasons} == {first.address, second.address, "[::1]:1"}
    for address, reason in caught.value.reasons:
        assert f"{address} can't be reached: " in str(caught.value)
        assert str(reason) in str(caught.value)


@in_loop
async def test_a_host_that_does_not_resolve_is_named() -> None:
    def unresolvable(*_: object, **__: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", unresolvable)
        async with Cluster(ClientConfig.of("kafka.invalid:9092")) as cluster:
            with pytest.raises(BootstrapError, match=r"kafka\.invalid:9092: the host name does not resolve"):
                await ask(cluster)


def test_a_name_server_that_never_answers_does_not_keep_a_process_at_its_end() -> None:
    answered = threading.Event()

    def silent(*_: object, **__: object) -> object:
        answered.wait()
        return []

    @in_loop
    async def check() -> None:
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
async def test_a_host_that_is_none_is_named() -> None:
    async with Cluster(ClientConfig.of(f"{'x' * 70}.example:9092")) as cluster:
        with pytest.raises(BootstrapError, match=r"invalid host name|does not resolve"):
            await ask(cluster)


@in_loop
async def test_a_request_that_changes_something_is_not_sent_twice() -> None:
    async with FakeBroker({DescribeClientQuotasRequest: hang_up}) as broker, Cluster(broker.config()) as cluster:
        await cluster.metadata(deadline=cluster.deadline())
        with pytest.raises(BrokerConnectionError) as caught:
            await ask(cluster, idempotent=False)
    assert caught.value.outcome_unknown
    assert len(broker.requests(DescribeClientQuotasRequest)) == 1


@in_loop
async def test_a_time_out_of_a_request_that_changes_something_says_that_the_outcome_is_unknown() -> None:
    async with FakeBroker({DescribeClientQuotasRequest: nothing}) as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(KafkaTimeoutError, match="the outcome is unknown") as caught:
            await ask(cluster, idempotent=False, within=0.1)
    assert caught.value.outcome_unknown


@in_loop
async def test_a_request_that_cannot_have_arrived_is_sent_again_even_if_it_changes_something() -> None:
    tried_again = asyncio.Event()
    async with FakeBroker() as broker, FakeBroker(broker_id=2) as controller, Cluster(broker.config()) as cluster:
        broker.peers, broker.controller_id = [broker, controller], 2

        async def metadata(received: Received) -> Reply:
            if len(broker.requests(MetadataRequest)) > 2:
                tried_again.set()
            return broker.metadata()

        broker.on[MetadataRequest] = metadata
        controller.stop_listening()
        call = asyncio.create_task(ask(cluster, to=CONTROLLER, idempotent=False))
        await tried_again.wait()
        assert not call.done()
        await controller.listen()
        assert (await call).broker.id == 2
    assert len(controller.requests(DescribeClientQuotasRequest)) == 1


@in_loop
async def test_a_time_out_tells_what_went_wrong_before() -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
        await cluster.metadata(deadline=cluster.deadline())
        broker.stop_listening()
        await broker.drop_connections()
        with pytest.raises(KafkaTimeoutError, match="last error: no broker could be reached") as caught:
            await ask(cluster, within=0.1)
        assert isinstance(caught.value.__cause__, BootstrapError)


@pytest.mark.parametrize("kind", [ApiVersionsRequest, MetadataRequest, DescribeClientQuotasRequest])
@in_loop
async def test_closing_ends_calls_at_every_stage(kind: type[ApiVersionsRequest]) -> None:
    reached = asyncio.Event()

    async def hold(received: Received) -> Reply:
        reached.set()
        return Silence.NOTHING

    async with FakeBroker({kind: hold}) as broker:
        cluster = Cluster(broker.config())
        call = asyncio.create_task(ask(cluster, to=BrokerId(1)))
        await reached.wait()
        await cluster.close()
        with pytest.raises(ClientClosedError):
            await call
        with pytest.raises(ClientClosedError):
            await ask(cluster)
        await cluster.close()


@pytest.mark.parametrize("kind", [ApiVersionsRequest, DescribeClientQuotasRequest])
@in_loop
async def test_cancelling_a_call_leaves_nothing_behind(kind: type[ApiVersionsRequest]) -> None:
    reached = asyncio.Event()

    async def hold(received: Received) -> Reply:
        reached.set()
        return Silence.NOTHING

    async with FakeBroker({kind: hold}) as broker, Cluster(broker.config()) as cluster:
        call = asyncio.create_task(ask(cluster))
        await reached.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call


@pytest.mark.parametrize("port", [-1, 0, 65536, 70_000])
@pytest.mark.parametrize("host", ["127.0.0.1", ""])
@in_loop
async def test_a_broker_at_an_address_that_cannot_be(host: str, port: int) -> None:
    async with FakeBroker() as broker, Cluster(broker.config()) as cluster:

        async def metadata(received: Received) -> Reply:
            brokers = (MetadataResponseBroker(node_id=1, host=host, port=port),)
            return MetadataResponse(brokers=brokers, controller_id=1)

        broker.on[MetadataRequest] = metadata
        with pytest.raises(ProtocolError, match=f"id 1, host '{host}', port {port}; check advertised.listeners"):
            await ask(cluster, to=CONTROLLER)
    assert len(broker.requests(MetadataRequest)) == 1


def test_a_second_event_loop_gets_a_clear_error() -> None:
    cluster = Cluster(ClientConfig.of("127.0.0.1:1"))
    with pytest.raises(BootstrapError):
        asyncio.run(ask(cluster))
    for work in (ask(cluster), cluster.close(), cluster.__aenter__()):
        with pytest.raises(ClientUsageError, match="belongs to a closed event loop, in which it was first used"):
            asyncio.run(work)


def test_a_client_that_was_closed_can_be_closed_in_any_loop() -> None:
    cluster = Cluster(ClientConfig.of("127.0.0.1:1"))
    asyncio.run(cluster.close())
    asyncio.run(cluster.close())
    with pytest.raises(ClientClosedError):
        asyncio.run(ask(cluster))


@pytest.mark.parametrize("seconds", [0, 0.1])
@in_loop
async def test_what_is_no_answer_is_not_asked_for_again(seconds: float) -> None:
    async def garbage(received: Received) -> Reply:
        await asyncio.sleep(seconds)  # With a pause it comes after the share of the time that a broker has alone.
        return b"\0\0\0\x0a\0\0\0\x02garbag"

    async with FakeBroker({DescribeClientQuotasRequest: garbage}) as broker:
        async with Cluster(broker.config(request_timeout=0.5)) as cluster:
            await cluster.metadata(deadline=cluster.deadline())
            with pytest.raises(ProtocolError, match="sent an invalid response"):
                await ask(cluster)
        assert len(broker.requests(DescribeClientQuotasRequest)) == 1
