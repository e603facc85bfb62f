"""Facts about the error responses of Kafka's brokers that are not in the specs.

The specs define which errors a response can have, and the defaults of all other fields. The tables here list the rest:
where brokers put an error if a response has several error codes, and the values that differ from the defaults. They
follow ``AbstractRequest.getErrorResponse`` of Kafka's Java classes, except for codes that brokers put only into
partitions.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from messagegen_kafka import ErrorCode

PARTITION_CODES: Final = frozenset(
    {
        ErrorCode.OFFSET_OUT_OF_RANGE,
        ErrorCode.CORRUPT_MESSAGE,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.LEADER_NOT_AVAILABLE,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.REPLICA_NOT_AVAILABLE,
        ErrorCode.INVALID_TOPIC_EXCEPTION,
        ErrorCode.NOT_ENOUGH_REPLICAS,
        ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
        ErrorCode.TOPIC_AUTHORIZATION_FAILED,
        ErrorCode.OPERATION_NOT_ATTEMPTED,
        ErrorCode.KAFKA_STORAGE_ERROR,
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.UNKNOWN_LEADER_EPOCH,
        ErrorCode.UNSUPPORTED_COMPRESSION_TYPE,
        ErrorCode.OFFSET_NOT_AVAILABLE,
        ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
        ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE,
        ErrorCode.ELECTION_NOT_NEEDED,
        ErrorCode.NO_REASSIGNMENT_IN_PROGRESS,
        ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC,
        ErrorCode.UNSTABLE_OFFSET_COMMIT,
        ErrorCode.SNAPSHOT_NOT_FOUND,
        ErrorCode.POSITION_OUT_OF_RANGE,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.INCONSISTENT_TOPIC_ID,
        ErrorCode.OFFSET_MOVED_TO_TIERED_STORAGE,
        ErrorCode.INVALID_RECORD_STATE,
    }
)
"""Codes about a topic, a partition or its records. Brokers put them into topics and partitions, not further out."""

REQUEST_CODES: Final = frozenset(
    {
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.NOT_COORDINATOR,
        ErrorCode.ILLEGAL_GENERATION,
        ErrorCode.INVALID_GROUP_ID,
        ErrorCode.UNKNOWN_MEMBER_ID,
        ErrorCode.GROUP_AUTHORIZATION_FAILED,
        ErrorCode.GROUP_ID_NOT_FOUND,
        ErrorCode.FETCH_SESSION_ID_NOT_FOUND,
        ErrorCode.INVALID_FETCH_SESSION_EPOCH,
        ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR,
        ErrorCode.FENCED_MEMBER_EPOCH,
        ErrorCode.STALE_MEMBER_EPOCH,
        ErrorCode.SHARE_SESSION_NOT_FOUND,
        ErrorCode.INVALID_SHARE_SESSION_EPOCH,
    }
)
"""Codes about the coordinator, the group or the session. They hold for all partitions of a request."""

_ALL_VERSIONS: Final = range(1 << 15)

EVERYWHERE: Final[Mapping[str, range]] = MappingProxyType(
    {
        "AlterPartitionReassignmentsResponse": _ALL_VERSIONS,
        "DescribeUserScramCredentialsResponse": _ALL_VERSIONS,
        "ElectLeadersResponse": _ALL_VERSIONS,
        "FetchResponse": range(7, 13),
        "MetadataResponse": range(13, 1 << 15),
    }
)
"""Versions of responses that list their elements even if the response itself has the error."""

EMPTY_LISTS_ALL: Final = frozenset({"DescribeTopicPartitionsResponse"})
"""Responses that list everything if the request names nothing."""

REPEATED: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "FetchResponse": frozenset({"session_id"}),
        "ListPartitionReassignmentsResponse": frozenset({"topics"}),
    }
)
"""Response fields without error codes that repeat values of the request."""

SOURCES: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = MappingProxyType(
    {
        "AlterReplicaLogDirsResponse": (("dirs", "topics"),),
        "AlterUserScramCredentialsResponse": (("deletions",), ("upsertions",)),
        "DescribeUserScramCredentialsResponse": (("users",),),
    }
)
"""Paths of the request arrays that the results are about, for responses whose fields do not show this."""

COPIED: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {"AlterUserScramCredentialsResponse": MappingProxyType({"user": "name"})}
)
"""Fields that identify what a result is about, and the differently named request fields with the same values."""

NEVER_NULL: Final[Mapping[str, frozenset[str]]] = MappingProxyType({"MetadataResponse": frozenset({"name"})})
"""Nullable fields that brokers leave empty instead of null: the name of a topic that was requested by its id."""

_NO_LEADER: Final[Mapping[str, Any]] = MappingProxyType({"leader_id": -1, "leader_epoch": -1})

VALUES: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "CreateDelegationTokenResponse": {
            "principal_type": "User",
            "principal_name": "ANONYMOUS",
            "token_requester_principal_type": "User",
            "token_requester_principal_name": "ANONYMOUS",
            "issue_timestamp_ms": -1,
            "expiry_timestamp_ms": -1,
            "max_timestamp_ms": -1,
        },
        "AlterPartitionResponse": _NO_LEADER,
        "BeginQuorumEpochResponse": _NO_LEADER,
        "DeleteRecordsResponse": {"low_watermark": -1},
        "DescribeClientQuotasResponse": {"entries": None},
        "DescribeQuorumResponse": {"high_watermark": -1, **_NO_LEADER},
        "DescribeShareGroupOffsetsResponse": {"start_offset": -1},
        "EndQuorumEpochResponse": _NO_LEADER,
        "FetchResponse": {"high_watermark": -1},
        "FindCoordinatorResponse": {"node_id": -1, "port": -1},
        "InitProducerIdResponse": {"producer_epoch": -1},
        "JoinGroupResponse": {"protocol_name": None},
        "MetadataResponse": {"leader_id": -1},
        "OffsetFetchResponse": {"committed_offset": -1},
        "ProduceResponse": {"base_offset": -1},
        "VoteResponse": _NO_LEADER,
    }
)
"""Values beside an error that differ from the spec's defaults. ``None`` is used only if the version allows null."""

VALUES_WITHOUT_ERROR: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {"OffsetFetchResponse": {"committed_offset": -1}}
)
"""Values in responses without an error that differ from the spec's defaults: no offset is committed."""

WITH_MESSAGE: Final = frozenset(
    {
        "AddRaftVoterResponse",
        "AlterClientQuotasResponse",
        "AlterShareGroupOffsetsResponse",
        "ControllerRegistrationResponse",
        "DeleteShareGroupOffsetsResponse",
        "DescribeConfigsResponse",
        "DescribeQuorumResponse",
        "DescribeShareGroupOffsetsResponse",
        "FindCoordinatorResponse",
        "ReadShareGroupStateResponse",
        "ReadShareGroupStateSummaryResponse",
        "RemoveRaftVoterResponse",
        "UnregisterBrokerResponse",
        "UnregisterControllerResponse",
        "WriteShareGroupStateResponse",
    }
)
"""Responses in which brokers describe an error in words. In all others, ``error_message`` is null."""
