"""A Kafka client for client quotas (KIP-546) and offsets by time (KIP-79).

``Admin`` has blocking calls, ``AsyncAdmin`` the same calls as coroutines. Both take a ``ClientConfig`` or the bootstrap
servers.
"""

from __future__ import annotations

from messagegen_client.admin import Admin as Admin
from messagegen_client.admin import AsyncAdmin as AsyncAdmin
from messagegen_client.admin import SecurityWarning as SecurityWarning
from messagegen_client.config.settings import ClientConfig as ClientConfig
from messagegen_client.errors import AuthenticationError as AuthenticationError
from messagegen_client.errors import AuthorizationError as AuthorizationError
from messagegen_client.errors import BootstrapError as BootstrapError
from messagegen_client.errors import BrokerConnectionError as BrokerConnectionError
from messagegen_client.errors import BrokerError as BrokerError
from messagegen_client.errors import ClientClosedError as ClientClosedError
from messagegen_client.errors import ClientUsageError as ClientUsageError
from messagegen_client.errors import ConfigError as ConfigError
from messagegen_client.errors import InvalidRequestError as InvalidRequestError
from messagegen_client.errors import KafkaError as KafkaError
from messagegen_client.errors import KafkaTimeoutError as KafkaTimeoutError
from messagegen_client.errors import NoCommonVersionError as NoCommonVersionError
from messagegen_client.errors import PartialError as PartialError
from messagegen_client.errors import ProtocolError as ProtocolError
from messagegen_client.errors import SaslAuthenticationError as SaslAuthenticationError
from messagegen_client.errors import SslAuthenticationError as SslAuthenticationError
from messagegen_client.errors import UnknownTopicOrPartitionError as UnknownTopicOrPartitionError
from messagegen_client.errors import UnsupportedForMessageFormatError as UnsupportedForMessageFormatError
from messagegen_client.offsets.calls import ListOffsetsError as ListOffsetsError
from messagegen_client.offsets.partitions import TopicPartition as TopicPartition
from messagegen_client.offsets.search import OffsetAndTimestamp as OffsetAndTimestamp
from messagegen_client.offsets.specs import IsolationLevel as IsolationLevel
from messagegen_client.offsets.specs import OffsetSpec as OffsetSpec
from messagegen_client.outcomes import Outcome as Outcome
from messagegen_client.quotas.entities import ClientQuotaAlteration as ClientQuotaAlteration
from messagegen_client.quotas.entities import ClientQuotaEntity as ClientQuotaEntity
from messagegen_client.quotas.entities import Op as Op
from messagegen_client.quotas.filters import ClientQuotaFilter as ClientQuotaFilter
from messagegen_client.quotas.filters import ClientQuotaFilterComponent as ClientQuotaFilterComponent
from messagegen_client.quotas.resolution import ResolvedQuota as ResolvedQuota
from messagegen_client.quotas.results import AlterClientQuotasError as AlterClientQuotasError
from messagegen_client.quotas.results import AlterClientQuotasResult as AlterClientQuotasResult
from messagegen_client.quotas.results import NotSentError as NotSentError
from messagegen_client.security.settings import SaslCredentials as SaslCredentials
from messagegen_client.security.settings import Security as Security
from messagegen_client.security.settings import SslSettings as SslSettings
from messagegen_client.transport.cluster import Answer as Answer
from messagegen_client.transport.cluster import Cluster as Cluster
from messagegen_client.transport.deadlines import Deadline as Deadline
