"""Describes consumer groups, of the classic protocol and of KIP-848."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from messagegen_client.errors import (
    BrokerError,
    KafkaError,
    NoCommonVersionError,
    ProtocolError,
    broker_error,
    check_error_code,
)
from messagegen_client.groups.coordinators import Coordinator
from messagegen_client.net.cluster import Answer, Cluster
from messagegen_client.net.deadlines import Deadline, Timeout
from messagegen_client.net.metadata import Broker
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.net.versions import stable_versions
from messagegen_client.outcomes import PartialError
from messagegen_kafka import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
    ConsumerProtocolAssignment,
    DescribeGroupsRequest,
    DescribeGroupsResponse,
)
from messagegen_kafka.consumer_group_describe_response import Assignment, Member
from messagegen_kafka.describe_groups_response import DescribedGroupMember
from messagegen_kafka.error_codes import ErrorCode

_CONSUMER: Final = "consumer"
"""The protocol type of consumer groups. Other users of the classic protocol have others, such as ``connect``."""
_OTHER_PROTOCOL: Final = frozenset({ErrorCode.GROUP_ID_NOT_FOUND, ErrorCode.UNSUPPORTED_VERSION})


class GroupType(StrEnum):
    """The protocol that a group uses (upstream: ``org.apache.kafka.common.GroupType``)."""

    CLASSIC = "Classic"
    CONSUMER = "Consumer"


class GroupState(StrEnum):
    """The state of a group (upstream: ``org.apache.kafka.common.GroupState``)."""

    UNKNOWN = "Unknown"
    PREPARING_REBALANCE = "PreparingRebalance"
    COMPLETING_REBALANCE = "CompletingRebalance"
    STABLE = "Stable"
    DEAD = "Dead"
    EMPTY = "Empty"
    ASSIGNING = "Assigning"
    RECONCILING = "Reconciling"

    @classmethod
    def of(cls, text: str) -> GroupState:
        """The state by its name; ``UNKNOWN`` for a name that this client does not know."""
        return next((state for state in cls if state.value.lower() == text.lower()), cls.UNKNOWN)


@dataclass(frozen=True, slots=True)
class MemberDescription:
    """A member of a group (upstream: ``org.apache.kafka.clients.admin.MemberDescription``).

    ``host`` is as the broker sends it, with a slash before the address. ``target_assignment`` and ``member_epoch`` are
    ``None`` in classic groups.
    """

    member_id: str
    group_instance_id: str | None
    client_id: str
    host: str
    assignment: tuple[TopicPartition, ...]
    target_assignment: tuple[TopicPartition, ...] | None = None
    member_epoch: int | None = None


@dataclass(frozen=True, slots=True)
class ConsumerGroupDescription:
    """A group (upstream: ``org.apache.kafka.clients.admin.ConsumerGroupDescription``); epochs are ``None`` in classic groups."""

    group_id: str
    type: GroupType
    state: GroupState
    coordinator: Broker
    partition_assignor: str
    members: tuple[MemberDescription, ...]
    group_epoch: int | None = None
    target_assignment_epoch: int | None = None


class DescribeConsumerGroupsError(PartialError[str, ConsumerGroupDescription]):
    """Some groups could not be described."""

    FAILED = "groups failed"


async def describe_consumer_groups(
    cluster: Cluster, group_ids: Iterable[str], *, timeout: Timeout = None
) -> dict[str, ConsumerGroupDescription]:
    """State and members of each group (upstream: ``Admin.describeConsumerGroups``).

    Asks the coordinator of each group for a group of KIP-848 first, then for a classic one.

    Raises ``DescribeConsumerGroupsError`` with an error for each group that failed: ``GroupIdNotFoundError`` (brokers before
    Kafka 4.0 describe an unknown group as dead), ``AuthorizationError``, INCONSISTENT_GROUP_PROTOCOL for a group that does not
    consist of consumers, and what ``Cluster.call`` raises. Raises ``ValueError`` for a string instead of several ids.
    """
    if isinstance(group_ids, str):
        raise ValueError(f"group_ids must be a list; write [{group_ids!r}]")  # noqa: TRY004 - as other arguments here
    deadline = cluster.deadline(timeout)
    names = list(dict.fromkeys(group_ids))
    found = dict(
        zip(names, await asyncio.gather(*(_described(cluster, name, deadline) for name in names)), strict=True)
    )
    results = {name: group for name, group in found.items() if not isinstance(group, KafkaError)}
    errors = {name: error for name, error in found.items() if isinstance(error, KafkaError)}
    if errors:
        raise DescribeConsumerGroupsError(errors, results)
    return results


async def _described(cluster: Cluster, group_id: str, deadline: Deadline) -> ConsumerGroupDescription | KafkaError:
    coordinator = Coordinator(cluster, group_id, deadline)
    doing = f"describing group {group_id}"
    try:
        try:
            return await _describe_consumer(coordinator, group_id, doing)
        except NoCommonVersionError:
            return await _describe_classic(coordinator, group_id, doing)
        except BrokerError as problem:
            if problem.code not in _OTHER_PROTOCOL:
                raise
            return await _describe_classic(coordinator, group_id, doing)
    except KafkaError as problem:
        return problem


async def _describe_consumer(coordinator: Coordinator, group_id: str, doing: str) -> ConsumerGroupDescription:
    def read(answer: Answer[ConsumerGroupDescribeResponse]) -> ConsumerGroupDescription:
        group = next((group for group in answer.message.groups if group.group_id == group_id), None)
        if group is None:
            raise ProtocolError(f"{doing}: missing in the response")
        check_error_code(group.error_code, doing, group.error_message)
        return ConsumerGroupDescription(
            group_id=group_id,
            type=GroupType.CONSUMER,
            state=GroupState.of(group.group_state),
            coordinator=answer.broker,
            partition_assignor=group.assignor_name,
            members=tuple(map(_consumer_member, group.members)),
            group_epoch=group.group_epoch,
            target_assignment_epoch=group.assignment_epoch,
        )

    forms = [(ConsumerGroupDescribeRequest(group_ids=(group_id,)), stable_versions(ConsumerGroupDescribeRequest))]
    return await coordinator.ask(forms, ConsumerGroupDescribeResponse, read, doing=doing)


async def _describe_classic(coordinator: Coordinator, group_id: str, doing: str) -> ConsumerGroupDescription:
    def read(answer: Answer[DescribeGroupsResponse]) -> ConsumerGroupDescription:
        group = next((group for group in answer.message.groups if group.group_id == group_id), None)
        if group is None:
            raise ProtocolError(f"{doing}: missing in the response")
        check_error_code(group.error_code, doing, group.error_message)
        if group.protocol_type not in (_CONSUMER, ""):
            reason = f"not a consumer group: its protocol type is {group.protocol_type}"
            raise broker_error(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, doing, reason)
        return ConsumerGroupDescription(
            group_id=group_id,
            type=GroupType.CLASSIC,
            state=GroupState.of(group.group_state),
            coordinator=answer.broker,
            partition_assignor=group.protocol_data,
            members=tuple(_classic_member(member, doing) for member in group.members),
        )

    forms = [(DescribeGroupsRequest(groups=(group_id,)), stable_versions(DescribeGroupsRequest))]
    return await coordinator.ask(forms, DescribeGroupsResponse, read, doing=doing)


def _consumer_member(member: Member) -> MemberDescription:
    return MemberDescription(
        member_id=member.member_id,
        group_instance_id=member.instance_id,
        client_id=member.client_id,
        host=member.client_host,
        assignment=_partitions(member.assignment),
        target_assignment=_partitions(member.target_assignment),
        member_epoch=member.member_epoch,
    )


def _classic_member(member: DescribedGroupMember, doing: str) -> MemberDescription:
    return MemberDescription(
        member_id=member.member_id,
        group_instance_id=member.group_instance_id,
        client_id=member.client_id,
        host=member.client_host,
        assignment=_assignment(bytes(member.member_assignment), doing),
    )


def _partitions(assignment: Assignment) -> tuple[TopicPartition, ...]:
    return tuple(
        TopicPartition(topic.topic_name, number)
        for topic in assignment.topic_partitions
        for number in sorted(topic.partitions)
    )


def _assignment(data: bytes, doing: str) -> tuple[TopicPartition, ...]:
    """The partitions of a member of a classic group. The version comes before the message."""
    if not data:
        return ()
    version = int.from_bytes(data[:2], "big", signed=True)
    highest = ConsumerProtocolAssignment.VALID_VERSIONS[-1]
    try:
        # Later versions only add fields at the end.
        read, _ = ConsumerProtocolAssignment.decode_from(data, 2, version=min(version, highest))
    except ValueError as problem:
        raise ProtocolError(f"{doing}: invalid assignment: {problem}") from None
    return tuple(
        TopicPartition(topic.topic, number) for topic in read.assigned_partitions for number in sorted(topic.partitions)
    )
