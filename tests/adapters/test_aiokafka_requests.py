"""The adapter in docs/adapters/aiokafka_requests.py: aiokafka's client sends generated requests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

import pytest
from aiokafka.client import AIOKafkaClient, CoordinationType  # type: ignore[import-untyped]
from aiokafka.errors import GroupCoordinatorNotAvailableError  # type: ignore[import-untyped]

from docs.adapters.aiokafka_requests import send
from messagegen_kafka import (
    ErrorCode,
    HeartbeatRequest,
    HeartbeatResponse,
    JoinGroupRequest,
    JoinGroupResponse,
    LeaveGroupRequest,
    NoCommonVersionError,
    SyncGroupRequest,
)
from messagegen_kafka.join_group_request import JoinGroupRequestProtocol
from messagegen_kafka.leave_group_request import MemberIdentity
from messagegen_kafka.sync_group_request import SyncGroupRequestAssignment
from messagegen_testing import ScriptedBroker
from tests.broker.cluster import Cluster

_NOT_READY: Final = (ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
"""Errors of a new broker that has not yet loaded its topic of offsets."""

_ATTEMPTS: Final = 300

T = TypeVar("T")
Use = Callable[[AIOKafkaClient, int], Awaitable[T]]


def with_client(bootstrap: str, use: Use[T]) -> T:
    """Return the result of ``use``, which gets a connected client and the id of a broker."""

    async def run() -> T:
        client = AIOKafkaClient(bootstrap_servers=bootstrap, client_id="adapted")
        await client.bootstrap()
        try:
            node = client.get_random_node()
            assert node is not None
            return await use(client, node)
        finally:
            await client.close()

    return asyncio.run(run())


async def coordinator(client: AIOKafkaClient, group: str) -> int:
    """Return the id of the group's coordinator. A new broker has none until it has created its topic of offsets."""
    while True:
        try:
            node: int = await client.coordinator_lookup(CoordinationType.GROUP, group)
        except GroupCoordinatorNotAvailableError:
            await asyncio.sleep(0.1)
        else:
            return node


class TestScriptedBroker:
    def test_concurrent_requests_get_the_right_responses(self, scripted_broker: Callable[[], ScriptedBroker]) -> None:
        async def both(client: AIOKafkaClient, node: int) -> tuple[HeartbeatResponse, JoinGroupResponse]:
            heartbeat = send(client, node, HeartbeatRequest(group_id="g", member_id="m"))
            join = send(client, node, JoinGroupRequest(group_id="g"))
            return await asyncio.gather(heartbeat, join)

        broker = scripted_broker()
        broker.when(HeartbeatRequest).answer(HeartbeatResponse(error_code=ErrorCode.REBALANCE_IN_PROGRESS))
        broker.when(JoinGroupRequest).answer(JoinGroupResponse(member_id="new", generation_id=7))
        heartbeat, join = with_client(broker.bootstrap, both)
        assert heartbeat == HeartbeatResponse(error_code=ErrorCode.REBALANCE_IN_PROGRESS)
        assert join == JoinGroupResponse(member_id="new", generation_id=7)
        (seen,) = broker.seen(HeartbeatRequest)
        assert (seen.version, seen.client_id) == (HeartbeatRequest.VALID_VERSIONS[-1], "adapted")

    @pytest.mark.parametrize("version", HeartbeatRequest.VALID_VERSIONS)
    def test_requests_use_the_highest_version_that_the_broker_supports(
        self, scripted_broker: Callable[..., ScriptedBroker], version: int
    ) -> None:
        async def beat(client: AIOKafkaClient, node: int) -> HeartbeatResponse:
            return await send(client, node, HeartbeatRequest(group_id="g", member_id="m"))

        broker = scripted_broker(versions={HeartbeatRequest: (0, version)})
        broker.when(HeartbeatRequest).answer(HeartbeatResponse(error_code=ErrorCode.ILLEGAL_GENERATION))
        response = with_client(broker.bootstrap, beat)
        assert response.error_code == ErrorCode.ILLEGAL_GENERATION
        assert [seen.version for seen in broker.seen(HeartbeatRequest)] == [version]

    @pytest.mark.parametrize(
        ("offered", "error", "text"),
        [
            (None, LookupError, "the broker does not support HeartbeatRequest"),
            ((30, 31), NoCommonVersionError, "the other side supports HeartbeatRequest versions 30 to 31"),
        ],
    )
    def test_requests_without_a_common_version_raise(
        self,
        scripted_broker: Callable[..., ScriptedBroker],
        offered: tuple[int, int] | None,
        error: type[Exception],
        text: str,
    ) -> None:
        async def beat(client: AIOKafkaClient, node: int) -> HeartbeatResponse:
            return await send(client, node, HeartbeatRequest(group_id="g"))

        broker = scripted_broker(versions={HeartbeatRequest: offered})
        with pytest.raises(error, match=text):
            with_client(broker.bootstrap, beat)


def test_a_member_joins_and_leaves_a_group_of_a_real_broker(broker: Cluster, topic_name: str) -> None:
    group, protocol = topic_name, "v0"

    async def join(client: AIOKafkaClient, node: int, member: str) -> JoinGroupResponse:
        protocols = (JoinGroupRequestProtocol(name=protocol, metadata=b"here"),)
        request = JoinGroupRequest(
            group_id=group,
            session_timeout_ms=10_000,
            rebalance_timeout_ms=10_000,
            member_id=member,
            protocol_type="masters",
            protocols=protocols,
        )
        return await send(client, node, request)

    async def member(client: AIOKafkaClient, _node: int) -> Sequence[object]:
        node = await coordinator(client, group)
        joined = await join(client, node, "")
        for _ in range(_ATTEMPTS):
            if joined.error_code in _NOT_READY:
                await asyncio.sleep(0.1)
                joined = await join(client, node, "")
        assert joined.error_code == ErrorCode.MEMBER_ID_REQUIRED
        joined = await join(client, node, joined.member_id)
        sync = SyncGroupRequest(
            group_id=group,
            generation_id=joined.generation_id,
            member_id=joined.member_id,
            protocol_type="masters",
            protocol_name=protocol,
            assignments=(SyncGroupRequestAssignment(member_id=joined.member_id, assignment=b"master"),),
        )
        synced = await send(client, node, sync)
        beat = HeartbeatRequest(group_id=group, generation_id=joined.generation_id, member_id=joined.member_id)
        beaten = await send(client, node, beat)
        leave = LeaveGroupRequest(group_id=group, members=(MemberIdentity(member_id=joined.member_id),))
        left = await send(client, node, leave)
        codes = [joined.error_code, synced.error_code, beaten.error_code, left.error_code, left.members[0].error_code]
        return [codes, [each.metadata for each in joined.members], synced.assignment]

    assert with_client(broker.bootstrap(), member) == [[ErrorCode.NONE] * 5, [b"here"], b"master"]
