"""``Admin`` and ``AsyncAdmin``: what Java's ``Admin`` offers for client quotas (KIP-546) and groups, blocking and as coroutines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from messagegen_client.clients import AsyncClient, BlockingClient
from messagegen_client.config.settings import ClientConfig
from messagegen_client.groups import descriptions, lag, resets
from messagegen_client.groups import offsets as group_offsets
from messagegen_client.groups.descriptions import ConsumerGroupDescription
from messagegen_client.groups.lag import PartitionLag
from messagegen_client.groups.offsets import AlterConsumerGroupOffsetsResult, OffsetAndMetadata, Pair
from messagegen_client.groups.resets import ConsumerGroupResetPlan, OffsetReset
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.offsets.specs import IsolationLevel
from messagegen_client.quotas import calls as quota_calls
from messagegen_client.quotas import waiting as quota_waiting
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity
from messagegen_client.quotas.filters import ClientQuotaFilter
from messagegen_client.quotas.resolution import ResolvedQuota
from messagegen_client.quotas.results import AlterClientQuotasResult

# ruff: noqa: A002, ASYNC109 - "filter" is Java's name; a timeout is one deadline for all that a call sends


class AsyncAdmin(AsyncClient):
    """Client quotas, and the offsets of consumer groups; each call takes a ``timeout`` in seconds for all that it does."""

    async def describe_client_quotas(
        self, filter: ClientQuotaFilter | None = None, *, timeout: float | None = None
    ) -> dict[ClientQuotaEntity, dict[str, float]]:
        """The configured quotas of the entities that ``filter`` selects; see ``quota_calls.describe_client_quotas``."""
        return await quota_calls.describe_client_quotas(self.cluster, filter, timeout=timeout)

    async def alter_client_quotas(
        self,
        alterations: Iterable[ClientQuotaAlteration],
        *,
        validate_only: bool = False,
        timeout: float | None = None,
    ) -> AlterClientQuotasResult:
        """Changes quotas, with one result for each entity; see ``quota_calls.alter_client_quotas``."""
        return await quota_calls.alter_client_quotas(
            self.cluster, alterations, validate_only=validate_only, timeout=timeout
        )

    async def resolve_client_quotas(
        self, entities: Iterable[ClientQuotaEntity], *, timeout: float | None = None
    ) -> dict[ClientQuotaEntity, dict[str, ResolvedQuota]]:
        """Which quotas count for entities, and why; see ``quota_calls.resolve_client_quotas``."""
        return await quota_calls.resolve_client_quotas(self.cluster, entities, timeout=timeout)

    async def wait_for_client_quotas(
        self, alterations: Iterable[ClientQuotaAlteration], *, timeout: float | None = None
    ) -> None:
        """Returns when all brokers describe the altered quotas so; see ``quota_waiting.wait_for_client_quotas``."""
        await quota_waiting.wait_for_client_quotas(self.cluster, alterations, timeout=timeout)

    async def describe_consumer_groups(
        self, group_ids: Iterable[str], *, timeout: float | None = None
    ) -> dict[str, ConsumerGroupDescription]:
        """State and members of groups; see ``groups.descriptions.describe_consumer_groups``."""
        return await descriptions.describe_consumer_groups(self.cluster, group_ids, timeout=timeout)

    async def list_consumer_group_offsets(
        self,
        group_id: str,
        partitions: Iterable[tuple[str, int]] | None = None,
        *,
        require_stable: bool = False,
        timeout: float | None = None,
    ) -> dict[TopicPartition, OffsetAndMetadata | None]:
        """The offsets that a group has committed; see ``groups.offsets.list_consumer_group_offsets``."""
        return await group_offsets.list_consumer_group_offsets(
            self.cluster, group_id, partitions, require_stable=require_stable, timeout=timeout
        )

    async def alter_consumer_group_offsets(
        self, group_id: str, offsets: Mapping[Pair, int | OffsetAndMetadata], *, timeout: float | None = None
    ) -> AlterConsumerGroupOffsetsResult:
        """Commits offsets for a group without members; see ``groups.offsets.alter_consumer_group_offsets``."""
        return await group_offsets.alter_consumer_group_offsets(self.cluster, group_id, offsets, timeout=timeout)

    async def consumer_group_lag(
        self,
        group_id: str,
        partitions: Iterable[tuple[str, int]] | None = None,
        *,
        isolation_level: IsolationLevel = IsolationLevel.READ_UNCOMMITTED,
        timeout: float | None = None,
    ) -> dict[TopicPartition, PartitionLag]:
        """How far a group lags behind, in records and in time; see ``groups.lag.consumer_group_lag``."""
        return await lag.consumer_group_lag(
            self.cluster, group_id, partitions, isolation_level=isolation_level, timeout=timeout
        )

    async def plan_consumer_group_reset(
        self,
        group_id: str,
        target: OffsetReset,
        partitions: Iterable[tuple[str, int]] | None = None,
        *,
        timeout: float | None = None,
    ) -> ConsumerGroupResetPlan:
        """Which offsets a reset would give a group; see ``groups.resets.plan_consumer_group_reset``."""
        return await resets.plan_consumer_group_reset(self.cluster, group_id, target, partitions, timeout=timeout)


class Admin(BlockingClient):
    """``AsyncAdmin`` for callers that block; see ``BlockingClient`` and the calls of ``AsyncAdmin``."""

    def __init__(self, config: ClientConfig | str | Sequence[str]) -> None:
        self._client = AsyncAdmin(config)
        super().__init__(self._client)

    def describe_client_quotas(
        self, filter: ClientQuotaFilter | None = None, *, timeout: float | None = None
    ) -> dict[ClientQuotaEntity, dict[str, float]]:
        """The configured quotas of the entities that ``filter`` selects; see ``quota_calls.describe_client_quotas``."""
        return self._run(self._client.describe_client_quotas(filter, timeout=timeout))

    def alter_client_quotas(
        self,
        alterations: Iterable[ClientQuotaAlteration],
        *,
        validate_only: bool = False,
        timeout: float | None = None,
    ) -> AlterClientQuotasResult:
        """Changes quotas, with one result for each entity; see ``quota_calls.alter_client_quotas``."""
        return self._run(self._client.alter_client_quotas(alterations, validate_only=validate_only, timeout=timeout))

    def resolve_client_quotas(
        self, entities: Iterable[ClientQuotaEntity], *, timeout: float | None = None
    ) -> dict[ClientQuotaEntity, dict[str, ResolvedQuota]]:
        """Which quotas count for entities, and why; see ``quota_calls.resolve_client_quotas``."""
        return self._run(self._client.resolve_client_quotas(entities, timeout=timeout))

    def wait_for_client_quotas(
        self, alterations: Iterable[ClientQuotaAlteration], *, timeout: float | None = None
    ) -> None:
        """Returns when all brokers describe the altered quotas so; see ``quota_waiting.wait_for_client_quotas``."""
        self._run(self._client.wait_for_client_quotas(alterations, timeout=timeout))

    def describe_consumer_groups(
        self, group_ids: Iterable[str], *, timeout: float | None = None
    ) -> dict[str, ConsumerGroupDescription]:
        """State and members of groups; see ``groups.descriptions.describe_consumer_groups``."""
        return self._run(self._client.describe_consumer_groups(group_ids, timeout=timeout))

    def list_consumer_group_offsets(
        self,
        group_id: str,
        partitions: Iterable[tuple[str, int]] | None = None,
        *,
        require_stable: bool = False,
        timeout: float | None = None,
    ) -> dict[TopicPartition, OffsetAndMetadata | None]:
        """The offsets that a group has committed; see ``groups.offsets.list_consumer_group_offsets``."""
        return self._run(
            self._client.list_consumer_group_offsets(
                group_id, partitions, require_stable=require_stable, timeout=timeout
            )
        )

    def alter_consumer_group_offsets(
        self, group_id: str, offsets: Mapping[Pair, int | OffsetAndMetadata], *, timeout: float | None = None
    ) -> AlterConsumerGroupOffsetsResult:
        """Commits offsets for a group without members; see ``groups.offsets.alter_consumer_group_offsets``."""
        return self._run(self._client.alter_consumer_group_offsets(group_id, offsets, timeout=timeout))

    def consumer_group_lag(
        self,
        group_id: str,
        partitions: Iterable[tuple[str, int]] | None = None,
        *,
        isolation_level: IsolationLevel = IsolationLevel.READ_UNCOMMITTED,
        timeout: float | None = None,
    ) -> dict[TopicPartition, PartitionLag]:
        """How far a group lags behind, in records and in time; see ``groups.lag.consumer_group_lag``."""
        return self._run(
            self._client.consumer_group_lag(group_id, partitions, isolation_level=isolation_level, timeout=timeout)
        )

    def plan_consumer_group_reset(
        self,
        group_id: str,
        target: OffsetReset,
        partitions: Iterable[tuple[str, int]] | None = None,
        *,
        timeout: float | None = None,
    ) -> ConsumerGroupResetPlan:
        """Which offsets a reset would give a group; see ``groups.resets.plan_consumer_group_reset``."""
        return self._run(self._client.plan_consumer_group_reset(group_id, target, partitions, timeout=timeout))
