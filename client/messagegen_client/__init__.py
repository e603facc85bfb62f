"""A Kafka client for client quotas (KIP-546) and offsets by time (KIP-79).

``Admin`` has blocking calls, ``AsyncAdmin`` the same calls as coroutines. Both take a ``ClientConfig`` or the bootstrap servers.
"""

from __future__ import annotations

from messagegen_client.admin import Admin, AsyncAdmin, SecurityWarning
from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import (
    AuthenticationError,
    AuthorizationError,
    BootstrapError,
    BrokerConnectionError,
    BrokerError,
    ClientClosedError,
    ClientUsageError,
    ConfigError,
    InvalidRequestError,
    KafkaError,
    KafkaTimeoutError,
    NoCommonVersionError,
    PartialError,
    ProtocolError,
    SaslAuthenticationError,
    SslAuthenticationError,
    UnknownTopicOrPartitionError,
    UnsupportedForMessageFormatError,
)
from messagegen_client.offsets.calls import ListOffsetsError
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.offsets.search import OffsetAndTimestamp
from messagegen_client.offsets.specs import IsolationLevel, OffsetSpec
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity, Op
from messagegen_client.quotas.filters import ClientQuotaFilter, ClientQuotaFilterComponent
from messagegen_client.quotas.resolution import ResolvedQuota
from messagegen_client.quotas.results import AlterClientQuotasError, AlterClientQuotasResult, NotSentError, Outcome
from messagegen_client.security.settings import SaslCredentials, Security, SslSettings
from messagegen_client.transport.cluster import Answer, Cluster
from messagegen_client.transport.deadlines import Deadline

__all__ = [
    "Admin",
    "AlterClientQuotasError",
    "AlterClientQuotasResult",
    "Answer",
    "AsyncAdmin",
    "AuthenticationError",
    "AuthorizationError",
    "BootstrapError",
    "BrokerConnectionError",
    "BrokerError",
    "ClientClosedError",
    "ClientConfig",
    "ClientQuotaAlteration",
    "ClientQuotaEntity",
    "ClientQuotaFilter",
    "ClientQuotaFilterComponent",
    "ClientUsageError",
    "Cluster",
    "ConfigError",
    "Deadline",
    "InvalidRequestError",
    "IsolationLevel",
    "KafkaError",
    "KafkaTimeoutError",
    "ListOffsetsError",
    "NoCommonVersionError",
    "NotSentError",
    "OffsetAndTimestamp",
    "OffsetSpec",
    "Op",
    "Outcome",
    "PartialError",
    "ProtocolError",
    "ResolvedQuota",
    "SaslAuthenticationError",
    "SaslCredentials",
    "Security",
    "SecurityWarning",
    "SslAuthenticationError",
    "SslSettings",
    "TopicPartition",
    "UnknownTopicOrPartitionError",
    "UnsupportedForMessageFormatError",
]
