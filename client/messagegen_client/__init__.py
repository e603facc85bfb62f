"""A Kafka client for client quotas (KIP-546), offsets by time (KIP-79) and consumer groups.

``Admin`` has blocking calls, ``AsyncAdmin`` the same calls as coroutines. Both take a ``ClientConfig`` or the bootstrap servers.
A module is loaded when one of its names is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

# ruff: noqa: I001 - one statement for each module

if TYPE_CHECKING:
    from messagegen_client.admin import (
        Admin as Admin,
        AsyncAdmin as AsyncAdmin,
        SecurityWarning as SecurityWarning,
    )
    from messagegen_client.net.cluster import (
        ANY_BROKER as ANY_BROKER,
        CONTROLLER as CONTROLLER,
        Answer as Answer,
        BrokerId as BrokerId,
        Cluster as Cluster,
    )
    from messagegen_client.config.settings import (
        ClientConfig as ClientConfig,
    )
    from messagegen_client.net.deadlines import (
        Deadline as Deadline,
    )
    from messagegen_client.errors import (
        AuthenticationError as AuthenticationError,
        AuthorizationError as AuthorizationError,
        BootstrapError as BootstrapError,
        BrokerConnectionError as BrokerConnectionError,
        BrokerError as BrokerError,
        ClientClosedError as ClientClosedError,
        ClientUsageError as ClientUsageError,
        ConfigError as ConfigError,
        GroupIdNotFoundError as GroupIdNotFoundError,
        InvalidRequestError as InvalidRequestError,
        KafkaError as KafkaError,
        KafkaTimeoutError as KafkaTimeoutError,
        NoCommonVersionError as NoCommonVersionError,
        ProtocolError as ProtocolError,
        SaslAuthenticationError as SaslAuthenticationError,
        SslAuthenticationError as SslAuthenticationError,
        UnknownTopicOrPartitionError as UnknownTopicOrPartitionError,
        UnsupportedForMessageFormatError as UnsupportedForMessageFormatError,
    )
    from messagegen_client.groups.descriptions import (
        ConsumerGroupDescription as ConsumerGroupDescription,
        DescribeConsumerGroupsError as DescribeConsumerGroupsError,
        GroupState as GroupState,
        GroupType as GroupType,
        MemberDescription as MemberDescription,
    )
    from messagegen_client.groups.lag import (
        ConsumerGroupLagError as ConsumerGroupLagError,
        PartitionLag as PartitionLag,
    )
    from messagegen_client.groups.offsets import (
        AlterConsumerGroupOffsetsError as AlterConsumerGroupOffsetsError,
        AlterConsumerGroupOffsetsResult as AlterConsumerGroupOffsetsResult,
        OffsetAndMetadata as OffsetAndMetadata,
    )
    from messagegen_client.groups.resets import (
        ConsumerGroupResetPlan as ConsumerGroupResetPlan,
        NoCommittedOffsetError as NoCommittedOffsetError,
        OffsetChange as OffsetChange,
        OffsetReset as OffsetReset,
    )
    from messagegen_client.offsets.search import (
        OffsetAndTimestamp as OffsetAndTimestamp,
    )
    from messagegen_client.offsets.specs import (
        IsolationLevel as IsolationLevel,
        OffsetSpec as OffsetSpec,
    )
    from messagegen_client.offsets.calls import (
        ListOffsetsError as ListOffsetsError,
    )
    from messagegen_client.outcomes import (
        AlterationError as AlterationError,
        AlterationResults as AlterationResults,
        NotSentError as NotSentError,
        Outcome as Outcome,
        PartialError as PartialError,
    )
    from messagegen_client.net.partitions import (
        TopicPartition as TopicPartition,
    )
    from messagegen_client.quotas.filters import (
        ClientQuotaFilter as ClientQuotaFilter,
        ClientQuotaFilterComponent as ClientQuotaFilterComponent,
    )
    from messagegen_client.quotas.resolution import (
        ResolvedQuota as ResolvedQuota,
    )
    from messagegen_client.quotas.results import (
        AlterClientQuotasError as AlterClientQuotasError,
        AlterClientQuotasResult as AlterClientQuotasResult,
    )
    from messagegen_client.quotas.entities import (
        ClientQuotaAlteration as ClientQuotaAlteration,
        ClientQuotaEntity as ClientQuotaEntity,
        Op as Op,
    )
    from messagegen_client.security.settings import (
        SaslCredentials as SaslCredentials,
        Security as Security,
        SslSettings as SslSettings,
    )

_MODULES: Final = {
    "admin": ("Admin", "AsyncAdmin", "SecurityWarning"),
    "net.cluster": ("ANY_BROKER", "CONTROLLER", "Answer", "BrokerId", "Cluster"),
    "config.settings": ("ClientConfig",),
    "net.deadlines": ("Deadline",),
    "errors": (
        "AuthenticationError",
        "AuthorizationError",
        "BootstrapError",
        "BrokerConnectionError",
        "BrokerError",
        "ClientClosedError",
        "ClientUsageError",
        "ConfigError",
        "GroupIdNotFoundError",
        "InvalidRequestError",
        "KafkaError",
        "KafkaTimeoutError",
        "NoCommonVersionError",
        "ProtocolError",
        "SaslAuthenticationError",
        "SslAuthenticationError",
        "UnknownTopicOrPartitionError",
        "UnsupportedForMessageFormatError",
    ),
    "groups.descriptions": (
        "ConsumerGroupDescription",
        "DescribeConsumerGroupsError",
        "GroupState",
        "GroupType",
        "MemberDescription",
    ),
    "groups.lag": ("ConsumerGroupLagError", "PartitionLag"),
    "groups.offsets": ("AlterConsumerGroupOffsetsError", "AlterConsumerGroupOffsetsResult", "OffsetAndMetadata"),
    "groups.resets": ("ConsumerGroupResetPlan", "NoCommittedOffsetError", "OffsetChange", "OffsetReset"),
    "offsets.search": ("OffsetAndTimestamp",),
    "offsets.specs": ("IsolationLevel", "OffsetSpec"),
    "offsets.calls": ("ListOffsetsError",),
    "outcomes": ("AlterationError", "AlterationResults", "NotSentError", "Outcome", "PartialError"),
    "net.partitions": ("TopicPartition",),
    "quotas.filters": ("ClientQuotaFilter", "ClientQuotaFilterComponent"),
    "quotas.resolution": ("ResolvedQuota",),
    "quotas.results": ("AlterClientQuotasError", "AlterClientQuotasResult"),
    "quotas.entities": ("ClientQuotaAlteration", "ClientQuotaEntity", "Op"),
    "security.settings": ("SaslCredentials", "Security", "SslSettings"),
}
_MODULE_OF: Final = {name: module for module, names in _MODULES.items() for name in names}

if not TYPE_CHECKING:
    # Type checkers use the imports above; they ignore a computed list.
    __all__ = list(_MODULE_OF)


def __getattr__(name: str) -> Any:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF})
