"""The meanings of fields, which may contain the name of a topic, group, transactional id or broker, or a node address.

Most of these fields have an ``entityType`` in their spec. This module adds the meanings that Kafka's specs leave out.
They concern fields of records, fields that older releases do not annotate, names whose meaning another field decides,
and addresses, which have no ``entityType``. A field with ``"entityType": "unknown"`` names nothing.

``tests/runtime/rewriting/test_reached.py`` lists the meanings in all releases of Kafka.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from messagegen.spec.field_types import element_or_self
from messagegen.spec.model import EntityType, FieldSpec
from messagegen.spec.report import placed

_GROUP: Final = EntityType.GROUP_ID
_TOPIC: Final = EntityType.TOPIC_NAME
_TRANSACTIONAL: Final = EntityType.TRANSACTIONAL_ID
_BROKER: Final = EntityType.BROKER_ID

_BY_NAME: Final[Mapping[tuple[str, str], EntityType]] = {
    ("string", "GroupId"): _GROUP,
    ("string", "Group"): _GROUP,
    ("string", "Topic"): _TOPIC,
    ("string", "TopicName"): _TOPIC,
    ("string", "SubscribedTopicNames"): _TOPIC,
    ("string", "SourceTopics"): _TOPIC,
    ("string", "RepartitionSinkTopics"): _TOPIC,
    ("string", "TransactionalId"): _TRANSACTIONAL,
    ("int32", "AddingReplicas"): _BROKER,
    ("int32", "BrokerId"): _BROKER,
    ("int32", "CandidateId"): _BROKER,
    ("int32", "ControllerId"): _BROKER,
    ("int32", "Isr"): _BROKER,
    ("int32", "IsrNodes"): _BROKER,
    ("int32", "Leader"): _BROKER,
    ("int32", "LeaderId"): _BROKER,
    ("int32", "NewIsr"): _BROKER,
    ("int32", "NodeId"): _BROKER,
    ("int32", "OfflineReplicas"): _BROKER,
    ("int32", "PreferredReadReplica"): _BROKER,
    ("int32", "PreferredSuccessors"): _BROKER,
    ("int32", "RemovingReplicas"): _BROKER,
    ("int32", "ReplicaId"): _BROKER,
    ("int32", "Replicas"): _BROKER,
    ("int32", "VotedId"): _BROKER,
    ("int32", "VoterId"): _BROKER,
}
"""Fields with the same meaning in every message, as pairs of type (of the value or array element) and name."""

_BY_MESSAGE: Final[Mapping[tuple[str, str], EntityType]] = {
    ("ConsumerGroupRegularExpressionValue", "Topics"): _TOPIC,
    ("ConsumerProtocolSubscription", "Topics"): _TOPIC,
    ("DeleteTopicsRequest", "Name"): _TOPIC,
    ("FenceBrokerRecord", "Id"): _BROKER,
    ("OffsetDeleteRequest", "Name"): _TOPIC,
    ("OffsetDeleteResponse", "Name"): _TOPIC,
    ("RemoteLogSegmentMetadataRecord", "Name"): _TOPIC,
    ("RemoteLogSegmentMetadataUpdateRecord", "Name"): _TOPIC,
    ("RemotePartitionDeleteMetadataRecord", "Name"): _TOPIC,
    ("TopicRecord", "Name"): _TOPIC,
    ("UnfenceBrokerRecord", "Id"): _BROKER,
}
"""Fields, in any struct of one message, whose names have a different meaning in other messages."""

_BY_STRUCT: Final[Mapping[tuple[str, str, str], EntityType]] = {
    ("StreamsGroupTopologyValue", "TopicInfo", "Name"): _TOPIC,
}
"""Fields of one struct of a message, whose names have a different meaning in its other structs."""


@dataclass(frozen=True, slots=True)
class EntityBy:
    """The meaning of a field for each value of another field, the ``decider``.

    The decider is in the same struct, or in the request if ``request`` is true; some older specs name it ``older``. If
    ``wildcard`` is true, the value ``*`` means all names, and is not a name itself.
    """

    decider: str
    types: Mapping[int, EntityType]
    request: bool = False
    wildcard: bool = False
    older: str = ""


_CONFIG_TYPES: Final = {2: _TOPIC, 4: _BROKER, 8: _BROKER, 32: _GROUP}
"""``ConfigResource.Type``: topics, brokers, broker loggers, and groups."""
_ACL_TYPES: Final = {2: _TOPIC, 3: _GROUP, 5: _TRANSACTIONAL}
"""``ResourceType`` of ACLs."""
_KEY_TYPES: Final = {0: _GROUP, 1: _TRANSACTIONAL}
"""``CoordinatorType``. Share coordinators are omitted, because only brokers use their keys."""

_CONFIGS: Final = EntityBy("ResourceType", _CONFIG_TYPES)
_ACLS: Final = EntityBy("ResourceType", _ACL_TYPES, wildcard=True)
_ACL_FILTERS: Final = EntityBy("ResourceTypeFilter", _ACL_TYPES, wildcard=True, older="ResourceType")
_KEYS: Final = EntityBy("KeyType", _KEY_TYPES)

_DECIDED: Final[Mapping[tuple[str, str], EntityBy]] = {
    ("AccessControlEntryRecord", "ResourceName"): _ACLS,
    ("AccessControlRecord", "ResourceName"): _ACLS,
    ("AlterConfigsRequest", "ResourceName"): _CONFIGS,
    ("AlterConfigsResponse", "ResourceName"): _CONFIGS,
    ("ConfigRecord", "ResourceName"): _CONFIGS,
    ("CreateAclsRequest", "ResourceName"): _ACLS,
    ("DeleteAclsRequest", "ResourceNameFilter"): _ACL_FILTERS,
    ("DeleteAclsResponse", "ResourceName"): _ACLS,
    ("DescribeAclsRequest", "ResourceNameFilter"): _ACL_FILTERS,
    ("DescribeAclsResponse", "Name"): EntityBy("Type", _ACL_TYPES, wildcard=True),
    ("DescribeAclsResponse", "ResourceName"): _ACLS,
    ("DescribeConfigsRequest", "ResourceName"): _CONFIGS,
    ("DescribeConfigsResponse", "ResourceName"): _CONFIGS,
    ("FindCoordinatorRequest", "CoordinatorKeys"): _KEYS,
    ("FindCoordinatorRequest", "Key"): _KEYS,
    ("FindCoordinatorResponse", "Key"): EntityBy("KeyType", _KEY_TYPES, request=True),
    ("IncrementalAlterConfigsRequest", "ResourceName"): _CONFIGS,
    ("IncrementalAlterConfigsResponse", "ResourceName"): _CONFIGS,
    ("ListConfigResourcesResponse", "ResourceName"): _CONFIGS,
}
"""Fields whose meaning another field decides."""


def entity_of(message: str, struct: str, field: FieldSpec) -> EntityType:
    """Return the type of the entity that a field's values name; without an ``entityType``, the field's name decides."""
    if field.entity_type is not EntityType.UNKNOWN or placed(field).text("entityType") == EntityType.UNKNOWN.value:
        return field.entity_type
    name = field.name[:1].upper() + field.name[1:]
    of_struct = _BY_STRUCT.get((message, struct, name))
    of_message = _BY_MESSAGE.get((message, name))
    of_name = _BY_NAME.get((str(element_or_self(field.type)), name))
    return of_struct or of_message or of_name or EntityType.UNKNOWN


def entity_by(message: str, fields: Sequence[FieldSpec], field: FieldSpec) -> EntityBy | None:
    """Return how another field decides the meaning of ``field``, or ``None`` if no field does.

    ``fields`` are all fields of its struct.
    """
    found = _DECIDED.get((message, field.name))
    if found is None or found.request:
        return found
    names = {other.name for other in fields}
    if found.decider in names:
        return found
    return replace(found, decider=found.older) if found.older in names else None


_HOSTS: Final[Mapping[str, str]] = {"Host": "Port", "HostName": "Port", "V0Host": "V0Port"}
"""Maps the name of each host field to the name of the port field beside it."""

_OF_APPLICATIONS: Final = frozenset(
    {
        "StreamsGroupDescribeResponse",
        "StreamsGroupHeartbeatRequest",
        "StreamsGroupHeartbeatResponse",
        "StreamsGroupMemberMetadataValue",
    }
)
"""Messages with addresses of applications (KIP-1071), which are not nodes."""

_OF_OTHER_NODES: Final = frozenset({"LeaderEndpoints"})
"""Struct fields with the addresses of nodes other than the one whose id is beside the struct."""


@dataclass(frozen=True, slots=True)
class Address:
    """The names of the fields with the address of a node.

    ``node_id`` is the field with the node's id, or ``None``. That field is in the same struct, or in the enclosing
    struct if ``held`` is true.
    """

    host: str
    port: str
    node_id: str | None
    held: bool = False


def address_of(
    message: str, fields: Sequence[FieldSpec], holder: Sequence[FieldSpec], held_by: str | None
) -> Address | None:
    """Return the address in a struct with these fields, or ``None``.

    ``holder`` are the fields of the enclosing struct, whose field ``held_by`` holds this struct.
    """
    names = {field.name for field in fields}
    hosts = [host for host, port in _HOSTS.items() if {host, port} <= names]
    if not hosts or message in _OF_APPLICATIONS:
        return None
    host = hosts[0]
    port = _HOSTS[host]
    own = _node_id(message, fields)
    if own is not None or held_by in _OF_OTHER_NODES:
        return Address(host, port, own)
    above = _node_id(message, holder)
    return Address(host, port, above, held=above is not None)


def _node_id(message: str, fields: Sequence[FieldSpec]) -> str | None:
    """Return the name of the field with a node id; ``None`` unless exactly one field has a node id."""
    found = [
        field.name
        for field in fields
        if str(field.type) == "int32" and entity_of(message, "", field) is EntityType.BROKER_ID
    ]
    return found[0] if len(found) == 1 else None
