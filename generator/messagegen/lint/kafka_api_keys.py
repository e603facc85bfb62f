"""The API keys of Apache Kafka, with the names of their requests (without "Request") in Kafka 2.3 to 4.4."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_IN_ORDER: Final = """
Produce Fetch ListOffset/ListOffsets Metadata LeaderAndIsr StopReplica UpdateMetadata ControlledShutdown OffsetCommit
OffsetFetch FindCoordinator JoinGroup Heartbeat LeaveGroup SyncGroup DescribeGroups ListGroups SaslHandshake
ApiVersions CreateTopics DeleteTopics DeleteRecords InitProducerId OffsetForLeaderEpoch AddPartitionsToTxn
AddOffsetsToTxn EndTxn WriteTxnMarkers TxnOffsetCommit DescribeAcls CreateAcls DeleteAcls DescribeConfigs
AlterConfigs AlterReplicaLogDirs DescribeLogDirs SaslAuthenticate CreatePartitions CreateDelegationToken
RenewDelegationToken ExpireDelegationToken DescribeDelegationToken DeleteGroups
ElectPreferredLeaders/ElectLeaders IncrementalAlterConfigs AlterPartitionReassignments
ListPartitionReassignments OffsetDelete DescribeClientQuotas AlterClientQuotas
DescribeUserScramCredentials AlterUserScramCredentials Vote
BeginQuorumEpoch EndQuorumEpoch DescribeQuorum AlterIsr/AlterPartition UpdateFeatures Envelope FetchSnapshot
DescribeCluster DescribeProducers BrokerRegistration BrokerHeartbeat UnregisterBroker DescribeTransactions
ListTransactions AllocateProducerIds ConsumerGroupHeartbeat ConsumerGroupDescribe ControllerRegistration
GetTelemetrySubscriptions PushTelemetry AssignReplicasToDirs ListClientMetricsResources/ListConfigResources
DescribeTopicPartitions ShareGroupHeartbeat ShareGroupDescribe ShareFetch ShareAcknowledge AddRaftVoter
RemoveRaftVoter UpdateRaftVoter InitializeShareGroupState ReadShareGroupState WriteShareGroupState
DeleteShareGroupState ReadShareGroupStateSummary StreamsGroupHeartbeat StreamsGroupDescribe
DescribeShareGroupOffsets AlterShareGroupOffsets DeleteShareGroupOffsets StreamsGroupTopologyDescriptionUpdate
UnregisterController
"""
"""Names in the order of their keys, from key 0 on. Slashes separate the names of a renamed request, oldest first.

Retired keys stay reserved.
"""

KAFKA_API_KEYS: Final[Mapping[int, tuple[str, ...]]] = {
    key: tuple(names.split("/")) for key, names in enumerate(_IN_ORDER.split())
}
