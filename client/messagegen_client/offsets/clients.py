"""``Offsets`` and ``AsyncOffsets``: what Java's ``KafkaConsumer`` and ``Admin`` say of offsets, blocking and as coroutines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from messagegen_client.clients import AsyncClient, BlockingClient
from messagegen_client.config.settings import ClientConfig
from messagegen_client.net import partitions
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.offsets import calls as offsets
from messagegen_client.offsets.calls import Pair
from messagegen_client.offsets.search import OffsetAndTimestamp
from messagegen_client.offsets.specs import IsolationLevel, OffsetSpec

# ruff: noqa: ASYNC109 - a timeout is one deadline for all that a call sends

_UNCOMMITTED = IsolationLevel.READ_UNCOMMITTED


class AsyncOffsets(AsyncClient):
    """Offsets by time (KIP-79) and at the ends of partitions; each call takes a ``timeout`` in seconds for all that it does."""

    async def partitions_for(
        self, topics: Iterable[str], *, timeout: float | None = None
    ) -> dict[str, tuple[TopicPartition, ...]]:
        """The partitions of each topic; see ``partitions.partitions_for``."""
        return await partitions.partitions_for(self.cluster, topics, timeout=timeout)

    async def offsets_for_times(
        self,
        times: Mapping[Pair, int | datetime],
        *,
        isolation_level: IsolationLevel = _UNCOMMITTED,
        timeout: float | None = None,
    ) -> dict[TopicPartition, OffsetAndTimestamp | None]:
        """For each partition the first record at or after a time; see ``offsets.offsets_for_times``."""
        return await offsets.offsets_for_times(self.cluster, times, isolation_level=isolation_level, timeout=timeout)

    async def beginning_offsets(
        self, partitions: Iterable[tuple[str, int]], *, timeout: float | None = None
    ) -> dict[TopicPartition, int]:
        """The offset of the first record that each partition still has; see ``offsets.beginning_offsets``."""
        return await offsets.beginning_offsets(self.cluster, partitions, timeout=timeout)

    async def end_offsets(
        self,
        partitions: Iterable[tuple[str, int]],
        *,
        isolation_level: IsolationLevel = _UNCOMMITTED,
        timeout: float | None = None,
    ) -> dict[TopicPartition, int]:
        """The offset after the last record of each partition; see ``offsets.end_offsets``."""
        return await offsets.end_offsets(self.cluster, partitions, isolation_level=isolation_level, timeout=timeout)

    async def list_offsets(
        self,
        specs: Mapping[Pair, OffsetSpec],
        *,
        isolation_level: IsolationLevel = _UNCOMMITTED,
        timeout: float | None = None,
    ) -> dict[TopicPartition, OffsetAndTimestamp | None]:
        """The offset that is meant in each partition; see ``offsets.list_offsets``."""
        return await offsets.list_offsets(self.cluster, specs, isolation_level=isolation_level, timeout=timeout)


class Offsets(BlockingClient):
    """``AsyncOffsets`` for callers that block; see ``BlockingClient`` and the calls of ``AsyncOffsets``."""

    def __init__(self, config: ClientConfig | str | Sequence[str]) -> None:
        self._client = AsyncOffsets(config)
        super().__init__(self._client)

    def partitions_for(
        self, topics: Iterable[str], *, timeout: float | None = None
    ) -> dict[str, tuple[TopicPartition, ...]]:
        """The partitions of each topic; see ``partitions.partitions_for``."""
        return self._run(self._client.partitions_for(topics, timeout=timeout))

    def offsets_for_times(
        self,
        times: Mapping[Pair, int | datetime],
        *,
        isolation_level: IsolationLevel = _UNCOMMITTED,
        timeout: float | None = None,
    ) -> dict[TopicPartition, OffsetAndTimestamp | None]:
        """For each partition the first record at or after a time; see ``offsets.offsets_for_times``."""
        return self._run(self._client.offsets_for_times(times, isolation_level=isolation_level, timeout=timeout))

    def beginning_offsets(
        self, partitions: Iterable[tuple[str, int]], *, timeout: float | None = None
    ) -> dict[TopicPartition, int]:
        """The offset of the first record that each partition still has; see ``offsets.beginning_offsets``."""
        return self._run(self._client.beginning_offsets(partitions, timeout=timeout))

    def end_offsets(
        self,
        partitions: Iterable[tuple[str, int]],
        *,
        isolation_level: IsolationLevel = _UNCOMMITTED,
        timeout: float | None = None,
    ) -> dict[TopicPartition, int]:
        """The offset after the last record of each partition; see ``offsets.end_offsets``."""
        return self._run(self._client.end_offsets(partitions, isolation_level=isolation_level, timeout=timeout))

    def list_offsets(
        self,
        specs: Mapping[Pair, OffsetSpec],
        *,
        isolation_level: IsolationLevel = _UNCOMMITTED,
        timeout: float | None = None,
    ) -> dict[TopicPartition, OffsetAndTimestamp | None]:
        """The offset that is meant in each partition; see ``offsets.list_offsets``."""
        return self._run(self._client.list_offsets(specs, isolation_level=isolation_level, timeout=timeout))
