"""One connection: frames cut anywhere, bytes of any kind, and many requests under way at once."""

from __future__ import annotations

import asyncio
import struct
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import BrokerConnectionError, KafkaError
from messagegen_client.net.cluster import BrokerId, Cluster
from messagegen_client.net.connection import Connection
from messagegen_client.net.metadata import Broker
from messagegen_kafka import DescribeClientQuotasRequest, DescribeClientQuotasResponse, ResponseHeader
from tests.client.fakes.broker import FakeBroker, Received, Reply, in_loop

REQUEST = DescribeClientQuotasRequest(components=())


class WireTap:
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        self.written = bytearray()
        self.aborted = False

    def write(self, data: bytes) -> None:
        self.written += data

    def abort(self) -> None:
        self.aborted = True


def connected(max_response_size: int = 10_000) -> tuple[Connection, WireTap]:
    config = ClientConfig.of("broker:9092", client_id="test", max_response_size=max_response_size)
    connection = Connection(Broker(1, "broker", 9092), config)
    tap = WireTap()
    connection.connection_made(cast("asyncio.Transport", tap))
    return connection, tap


def answer(correlation_id: int, throttle: int) -> bytes:
    response = DescribeClientQuotasResponse(throttle_time_ms=throttle, entries=())
    header = ResponseHeader(correlation_id=correlation_id).encode(version=response.header_version(1))
    data = header + response.encode(version=1)
    return struct.pack(">i", len(data)) + data


async def sent(connection: Connection, count: int) -> list[asyncio.Task[DescribeClientQuotasResponse]]:
    tasks = [asyncio.create_task(connection.ask(REQUEST, DescribeClientQuotasResponse, 1)) for _ in range(count)]
    await asyncio.sleep(0)
    return tasks


@given(st.lists(st.integers(1, 60), max_size=30))
def test_answers_may_be_cut_anywhere(cuts: list[int]) -> None:
    async def check() -> None:
        connection, tap = connected()
        tasks = await sent(connection, 3)
        stream = b"".join(answer(number, number * 7) for number in range(3))
        start = 0
        for cut in cuts:
            connection.data_received(stream[start : start + cut])
            start += cut
        if start < len(stream):
            connection.data_received(stream[start:])
        assert [(await task).throttle_time_ms for task in tasks] == [0, 7, 14]
        assert not tap.aborted

    asyncio.run(check())


@given(st.lists(st.binary(max_size=80), max_size=8), st.booleans())
def test_any_bytes_end_in_an_answer_an_error_or_more_waiting(chunks: list[bytes], with_a_size: bool) -> None:
    async def check() -> None:
        connection, tap = connected()
        (task,) = await sent(connection, 1)
        for chunk in chunks:
            connection.data_received(struct.pack(">i", len(chunk)) + chunk if with_a_size else chunk)
        connection.connection_lost(None)
        with pytest.raises(BrokerConnectionError):
            await task
        assert tap.aborted
        assert connection.silent_for == 0
        assert connection.lost.done()

    asyncio.run(check())


@given(st.data())
def test_a_damaged_answer_ends_in_an_answer_or_an_error(data: st.DataObject) -> None:
    async def check() -> None:
        connection, _ = connected()
        (task,) = await sent(connection, 1)
        damaged = bytearray(answer(0, 5))
        damaged[data.draw(st.integers(0, len(damaged) - 1))] ^= data.draw(st.integers(1, 255))
        connection.data_received(bytes(damaged))
        connection.connection_lost(None)
        try:
            assert isinstance(await task, DescribeClientQuotasResponse)
        except KafkaError as problem:
            assert "broker 1 (broker:9092)" in str(problem)  # noqa: PT017 - an answer is as good

    asyncio.run(check())


def test_a_failed_connection_takes_no_requests_and_none_of_its_failures_is_shared() -> None:
    async def check() -> None:
        connection, _ = connected()
        tasks = await sent(connection, 2)
        connection.connection_lost(ConnectionResetError("reset"))
        outcomes: list[Any] = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(outcome, BrokerConnectionError) and outcome.outcome_unknown for outcome in outcomes)
        assert outcomes[0] is not outcomes[1]
        with pytest.raises(BrokerConnectionError, match="reset") as caught:
            await connection.ask(REQUEST, DescribeClientQuotasResponse, 1)
        assert not caught.value.outcome_unknown
        assert not connection.usable

    asyncio.run(check())


def test_correlation_ids_begin_again_after_the_highest() -> None:
    async def check() -> None:
        connection, _ = connected()
        connection._next_correlation_id = 2**31 - 1  # noqa: SLF001 - two thousand million requests take too long
        tasks = await sent(connection, 2)
        connection.data_received(answer(2**31 - 1, 1) + answer(0, 2))
        assert [(await task).throttle_time_ms for task in tasks] == [1, 2]

    asyncio.run(check())


def test_a_connection_that_is_retired_waits_for_what_is_due() -> None:
    async def check() -> None:
        connection, tap = connected()
        (task,) = await sent(connection, 1)
        connection.retire()
        assert not connection.usable
        assert not tap.aborted
        connection.data_received(answer(0, 9))
        assert (await task).throttle_time_ms == 9
        assert tap.aborted

    asyncio.run(check())


@in_loop
async def test_many_requests_are_under_way_at_once_on_one_connection() -> None:
    waiting: list[Received] = []
    all_there = asyncio.Event()

    async def after_all_have_come(received: Received) -> Reply:
        waiting.append(received)
        if len(waiting) < 50:
            return b""
        all_there.set()
        frames = [
            one.frame(DescribeClientQuotasResponse(throttle_time_ms=number, entries=()))
            for number, one in enumerate(waiting)
        ]
        return b"".join(frames)

    async with (
        FakeBroker({DescribeClientQuotasRequest: after_all_have_come}) as broker,
        Cluster(broker.config()) as cluster,
    ):
        deadline = cluster.deadline(20)
        await cluster.metadata(deadline=deadline)
        calls = [
            cluster.call(REQUEST, DescribeClientQuotasResponse, to=BrokerId(1), deadline=deadline) for _ in range(50)
        ]
        answers = await asyncio.gather(*calls)
    assert [one.message.throttle_time_ms for one in answers] == list(range(50))
    assert broker.connections == 1
    assert broker.received[0].client_id == "messagegen-client"
