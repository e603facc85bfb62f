"""Consumer groups as their coordinators describe them: of the classic protocol, and of that of KIP-848."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
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
from messagegen_client.net.deadlines import Deadline
from messagegen_client.net.metadata import Broker
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.net.versions import stable_versions
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
"""The protocol type of groups of consumers; other users of the classic protocol have others, such as ``connect``."""
_NOT_OF_THIS_KIND: Final = frozenset({ErrorCode.GROUP_ID_NOT_FOUND, ErrorCode.UNSUPPORTED_VERSION})


class GroupType(StrEnum):
    """The protocol that a group uses (upstream: ``org.apache.kafka.common.GroupType``)."""

    CLASSIC = "Classic"
    CONSUMER = "Consumer"


class GroupState(StrEnum):
    """What a group is doing (upstream: ``org.apache.kafka.common.GroupState``)."""

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
        """The state that a broker names; ``UNKNOWN`` for one that this client does not know."""
        return next((state for state in cls if state.value.lower() == text.lower()), cls.UNKNOWN)


@dataclass(frozen=True, slots=True)
class MemberDescription:
    """One member of a group (upstream: ``org.apache.kafka.clients.admin.MemberDescription``).

    ``host`` is as brokers tell it, with a slash before the address. ``target_assignment`` and ``member_epoch`` are ``None``
    in classic groups.
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


class DescribeConsumerGroupsError(KafkaError):
    """Some of several groups could not be described: ``errors`` says why, ``results`` has the others."""

    def __init__(self, errors: Mapping[str, KafkaError], results: Mapping[str, ConsumerGroupDescription]) -> None:
        self.errors = dict(errors)
        self.results = dict(results)
        super().__init__(self.errors, self.results)

    def text(self) -> str:
        """How many groups failed, and the first of them."""
        first = next(iter(self.errors.values()))
        return f"{len(self.errors)} of {len(self.errors) + len(self.results)} groups failed, the first one: {first}"


async def describe_consumer_groups(
    cluster: Cluster,
    group_ids: Iterable[str],
    *,
    timeout: float | None = None,  # noqa: ASYNC109 - one deadline for several requests
) -> dict[str, ConsumerGroupDescription]:
    """State and members of each group (upstream: ``Admin.describeConsumerGroups``).

    Each group's coordinator is asked for a group of KIP-848, and then for a classic one. ``timeout`` is in seconds, for the
    whole call; without it the config's ``api_timeout`` counts.

    Raises the error of the group if there is one, and ``DescribeConsumerGroupsError`` for several of which some fail:
    ``GroupIdNotFoundError`` (brokers before Kafka 4.0 describe a group that is not there as dead), ``AuthorizationError``,
    INCONSISTENT_GROUP_PROTOCOL for a group of others than consumers, and what ``Cluster.call`` raises. ``ValueError`` for a
    text in place of several.
    """
    if isinstance(group_ids, str):
        raise ValueError(f"group_ids are several; write [{group_ids!r}]")  # noqa: TRY004 - as other arguments here
    deadline = cluster.deadline(timeout)
    names = list(dict.fromkeys(group_ids))
    outcomes = await asyncio.gather(*(_described(cluster, name, deadline) for name in names))
    results = {name: found for name, found in zip(names, outcomes, strict=True) if not isinstance(found, KafkaError)}
    errors = {name: found for name, found in zip(names, outcomes, strict=True) if isinstance(found, KafkaError)}
    if errors and len(names) == 1:
        raise errors[names[0]]
    if errors:
        raise DescribeConsumerGroupsError(errors, results) from next(iter(errors.values()))
    return results


async def _described(cluster: Cluster, group_id: str, deadline: Deadline) -> ConsumerGroupDescription | KafkaError:
    try:
        try:
            return await _describe_consumer(cluster, group_id, deadline)
        except NoCommonVersionError:
            return await _describe_classic(cluster, group_id, deadline)
        except BrokerError as problem:
            if problem.code not in _NOT_OF_THIS_KIND:
                raise
            return await _describe_classic(cluster, group_id, deadline)
    except KafkaError as problem:
        return problem


async def _describe_consumer(cluster: Cluster, group_id: str, deadline: Deadline) -> ConsumerGroupDescription:
    doing = f"describing group {group_id}"

    def read(answer: Answer[ConsumerGroupDescribeResponse]) -> ConsumerGroupDescription:
        group = next((group for group in answer.message.groups if group.group_id == group_id), None)
        if group is None:
            raise ProtocolError(f"{doing}: the answer does not mention it")
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

    request = ConsumerGroupDescribeRequest(group_ids=(group_id,))
    forms = [(request, stable_versions(ConsumerGroupDescribeRequest))]
    return await Coordinator(cluster, group_id, deadline).ask(forms, ConsumerGroupDescribeResponse, read, doing=doing)


async def _describe_classic(cluster: Cluster, group_id: str, deadline: Deadline) -> ConsumerGroupDescription:
    doing = f"describing group {group_id}"

    def read(answer: Answer[DescribeGroupsResponse]) -> ConsumerGroupDescription:
        group = next((group for group in answer.message.groups if group.group_id == group_id), None)
        if group is None:
            raise ProtocolError(f"{doing}: the answer does not mention it")
        check_error_code(group.error_code, doing, group.error_message)
        if group.protocol_type not in (_CONSUMER, ""):
            reason = f"it is no group of consumers: its protocol type is {group.protocol_type}"
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
    return await Coordinator(cluster, group_id, deadline).ask(forms, DescribeGroupsResponse, read, doing=doing)


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
    """The partitions of a member of a classic group; consumers put the version before the message."""
    if not data:
        return ()
    version = int.from_bytes(data[:2], "big", signed=True)
    highest = ConsumerProtocolAssignment.VALID_VERSIONS[-1]
    try:
        # Later versions only add fields behind those that are known.
        read, _ = ConsumerProtocolAssignment.decode_from(data, 2, version=min(version, highest))
    except ValueError as problem:
        raise ProtocolError(f"{doing}: an assignment can't be read: {problem}") from None
    return tuple(
        TopicPartition(topic.topic, number) for topic in read.assigned_partitions for number in sorted(topic.partitions)
    )
