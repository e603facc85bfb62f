"""The names of Kafka's APIs, including APIs without messages in a catalog."""

from __future__ import annotations

from typing import Final

_NAMES: Final = """
    Produce Fetch ListOffsets Metadata LeaderAndIsr StopReplica UpdateMetadata ControlledShutdown OffsetCommit
    OffsetFetch FindCoordinator JoinGroup Heartbeat LeaveGroup SyncGroup DescribeGroups ListGroups SaslHandshake
    ApiVersions CreateTopics DeleteTopics DeleteRecords InitProducerId OffsetForLeaderEpoch AddPartitionsToTxn
    AddOffsetsToTxn EndTxn WriteTxnMarkers TxnOffsetCommit DescribeAcls CreateAcls DeleteAcls DescribeConfigs
    AlterConfigs AlterReplicaLogDirs DescribeLogDirs SaslAuthenticate CreatePartitions CreateDelegationToken
    RenewDelegationToken ExpireDelegationToken DescribeDelegationToken DeleteGroups ElectLeaders
    IncrementalAlterConfigs AlterPartitionReassignments ListPartitionReassignments OffsetDelete DescribeClientQuotas
    AlterClientQuotas DescribeUserScramCredentials AlterUserScramCredentials Vote BeginQuorumEpoch EndQuorumEpoch
    DescribeQuorum AlterPartition UpdateFeatures Envelope FetchSnapshot DescribeCluster DescribeProducers
    BrokerRegistration BrokerHeartbeat UnregisterBroker DescribeTransactions ListTransactions AllocateProducerIds
    ConsumerGroupHeartbeat ConsumerGroupDescribe ControllerRegistration GetTelemetrySubscriptions PushTelemetry
    AssignReplicasToDirs ListConfigResources DescribeTopicPartitions ShareGroupHeartbeat ShareGroupDescribe
    ShareFetch ShareAcknowledge AddRaftVoter RemoveRaftVoter UpdateRaftVoter InitializeShareGroupState
    ReadShareGroupState WriteShareGroupState DeleteShareGroupState ReadShareGroupStateSummary StreamsGroupHeartbeat
    StreamsGroupDescribe DescribeShareGroupOffsets AlterShareGroupOffsets DeleteShareGroupOffsets
    StreamsGroupTopologyDescriptionUpdate UnregisterController
"""
API_NAMES: Final = tuple(_NAMES.split())
"""The name of each API key of Kafka 4.4.0, without ``Request`` and ``Response`` (upstream: ``ApiKeys``)."""


def api_name(api_key: int) -> str | None:
    """Return the name of the API with this key; ``None`` if Kafka has no such API."""
    return API_NAMES[api_key] if 0 <= api_key < len(API_NAMES) else None


def name_of_message(message: str) -> str:
    """Return the name of the API that a request or response belongs to: ``Metadata`` for ``MetadataResponse``."""
    return message.removesuffix("Request").removesuffix("Response")
