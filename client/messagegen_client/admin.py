"""``Admin`` and ``AsyncAdmin``: what Kafka's Java ``Admin`` offers for client quotas (KIP-546), blocking and as coroutines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from messagegen_client import quota_calls
from messagegen_client.clients import AsyncClient, BlockingClient
from messagegen_client.config import ClientConfig
from messagegen_client.quota_filters import ClientQuotaFilter
from messagegen_client.quota_resolution import ResolvedQuota
from messagegen_client.quota_results import AlterClientQuotasResult
from messagegen_client.quotas import ClientQuotaAlteration, ClientQuotaEntity

# ruff: noqa: A002, ASYNC109 - "filter" is Java's name; a timeout is one deadline for all that a call sends


class AsyncAdmin(AsyncClient):
    """Describes, alters and resolves client quotas; each call takes a ``timeout`` in seconds for all that it does."""

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
