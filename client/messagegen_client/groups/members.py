"""Whether a group has members: then only these can commit offsets."""

from __future__ import annotations

from typing import Final, TypeVar

from messagegen_client.errors import NoCommonVersionError, ProtocolError, check_error_code
from messagegen_client.groups.coordinator import Coordinator
from messagegen_client.transport.cluster import Cluster
from messagegen_client.transport.deadlines import Deadline
from messagegen_kafka import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
    DescribeGroupsRequest,
    DescribeGroupsResponse,
    Request,
)
from messagegen_kafka.error_codes import ErrorCode

_Response = TypeVar("_Response", DescribeGroupsResponse, ConsumerGroupDescribeResponse)

_DEAD: Final = "Dead"
"""The state of a group that the coordinator does not know. It knows groups of other protocols by other requests."""
_UNKNOWN: Final = frozenset({ErrorCode.GROUP_ID_NOT_FOUND, ErrorCode.UNSUPPORTED_VERSION})


async def count_members(cluster: Cluster, group_id: str, *, deadline: Deadline) -> int:
    """The number of members of a group of the classic or the consumer protocol (KIP-848).

    It is 0 for a group that does not exist, or that has another protocol. Raises ``AuthorizationError`` if the user may
    not describe the group; other ``BrokerError``; what ``Cluster.call`` raises.
    """
    coordinator = Coordinator(cluster, group_id, deadline)
    members = await _classic_members(coordinator)
    if members is not None:
        return members
    try:
        return await _consumer_members(coordinator)
    except NoCommonVersionError:  # Brokers before Kafka 3.7 have no such groups.
        return 0


async def _classic_members(coordinator: Coordinator) -> int | None:
    """``None`` if the group does not exist, or is not a classic one."""
    doing = f"describing group {coordinator.group_id}"
    request = DescribeGroupsRequest(groups=(coordinator.group_id,))
    group = (await _described(coordinator, request, DescribeGroupsResponse, doing)).groups[0]
    if group.error_code in _UNKNOWN or group.group_state == _DEAD:
        return None
    check_error_code(group.error_code, doing, group.error_message)
    return len(group.members)


async def _consumer_members(coordinator: Coordinator) -> int:
    doing = f"describing consumer group {coordinator.group_id}"
    request = ConsumerGroupDescribeRequest(group_ids=(coordinator.group_id,))
    group = (await _described(coordinator, request, ConsumerGroupDescribeResponse, doing)).groups[0]
    if group.error_code in _UNKNOWN:
        return 0
    check_error_code(group.error_code, doing, group.error_message)
    return len(group.members)


async def _described(
    coordinator: Coordinator, request: Request, response_type: type[_Response], doing: str
) -> _Response:
    """A response that has the group. Raises ``ProtocolError`` for one without it."""
    response = await coordinator.ask(
        request,
        response_type,
        lambda response: response.groups[0].error_code if response.groups else 0,
        doing=doing,
    )
    if not response.groups:
        raise ProtocolError(f"{doing}: missing in the response")
    return response
