"""The calls of KIP-79 over a cluster: offsets by time, and the first and last offsets of partitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, TypeVar

from messagegen_client.errors import ClientClosedError, KafkaError
from messagegen_client.net.cluster import Cluster
from messagegen_client.net.partitions import TopicPartition, topic_partition
from messagegen_client.net.versions import stable_versions
from messagegen_client.offsets.search import OffsetAndTimestamp, OffsetSearch
from messagegen_client.offsets.specs import IsolationLevel, OffsetSpec
from messagegen_kafka import ListOffsetsRequest

Pair = TypeVar("Pair", bound=tuple[str, int])
"""A ``TopicPartition``, or a plain pair of a topic and a number."""

_VERSIONS: Final = stable_versions(ListOffsetsRequest)[1:]
"""Version 0 has another meaning, the starts of segments, and brokers no longer know it."""
_FIRST_WITH_ISOLATION: Final = 2


class ListOffsetsError(KafkaError):
    """Some partitions could not be answered for.

    ``errors`` says why, for each of them; ``results`` has what was found in the others (``None``: no such offset).
    """

    def __init__(
        self,
        errors: Mapping[TopicPartition, KafkaError],
        results: Mapping[TopicPartition, OffsetAndTimestamp | None],
    ) -> None:
        self.errors = dict(errors)
        self.results = dict(results)
        super().__init__(errors, results)

    def text(self) -> str:
        """The first error, and how many partitions failed."""
        first = next(iter(self.errors.values()))
        if len(self.errors) == 1:
            return str(first)
        return f"{len(self.errors)} of {len(self.errors) + len(self.results)} partitions failed, the first one: {first}"


async def list_offsets(
    cluster: Cluster,
    specs: Mapping[Pair, OffsetSpec],
    *,
    isolation_level: IsolationLevel = IsolationLevel.READ_UNCOMMITTED,
    timeout: float | None = None,  # noqa: ASYNC109 - one deadline for several requests
    versions: range | None = None,
) -> dict[TopicPartition, OffsetAndTimestamp | None]:
    """The offset that is meant in each partition, or ``None`` where there is none (upstream: ``Admin.listOffsets``).

    Each leader gets one request for all of its partitions, and all leaders are asked at the same time. Where a leader has moved or a
    broker is gone, the partitions concerned, and no others, are asked for again, until ``timeout`` (seconds for the whole call;
    without it the config's ``api_timeout`` counts). A topic or partition that brokers do not know is asked for a few
    times, since a new one takes a moment. ``versions`` narrows the versions of ListOffsets, 1 to the newest stable one.

    Raises ``ListOffsetsError`` if some partitions could not be answered for, with the results of the others; what
    ``Cluster.metadata`` raises if none could because no broker answers; ``ClientClosedError`` if the client is closed meanwhile;
    ``ValueError`` for what is no partition, and where ``versions`` has none that knows what is meant.
    """
    wanted = {topic_partition(pair): spec for pair, spec in specs.items()}
    if not wanted:
        return {}
    search = OffsetSearch(
        cluster,
        wanted,
        isolation_level=isolation_level,
        versions=_usable(wanted, isolation_level, _VERSIONS if versions is None else versions),
        deadline=cluster.deadline(timeout),
    )
    await search.run()
    results = {partition: search.found[partition] for partition in wanted if partition in search.found}
    if search.failed:
        closed = next((error for error in search.failed.values() if isinstance(error, ClientClosedError)), None)
        if closed is not None:
            raise closed
        errors = {partition: search.failed[partition] for partition in wanted if partition in search.failed}
        raise ListOffsetsError(errors, results) from next(iter(errors.values()))
    return results


async def offsets_for_times(
    cluster: Cluster,
    times: Mapping[Pair, int | datetime],
    *,
    isolation_level: IsolationLevel = IsolationLevel.READ_UNCOMMITTED,
    timeout: float | None = None,  # noqa: ASYNC109 - one deadline for several requests
    versions: range | None = None,
) -> dict[TopicPartition, OffsetAndTimestamp | None]:
    """For each partition the first record at or after a time (upstream: ``KafkaConsumer.offsetsForTimes``, KIP-79).

    A time is in milliseconds since 1970, or a datetime with a time zone. ``None`` means that all records of the partition are
    older, or that it has none. Timestamps need not ascend with offsets in topics with CreateTime: it is the first record in
    order of offsets. Leaders and retries are as in ``list_offsets``.

    Raises ``ValueError`` for a negative time, a number that is no integer, and a datetime without time zone, before
    anything is sent; else as ``list_offsets``. A partition whose records have no timestamps is an
    ``UnsupportedForMessageFormatError`` in the ``ListOffsetsError``; Java says ``null`` there, which would not differ
    from "all records are older".
    """
    specs = {pair: OffsetSpec.for_timestamp(time) for pair, time in times.items()}
    return await list_offsets(cluster, specs, isolation_level=isolation_level, timeout=timeout, versions=versions)


async def beginning_offsets(
    cluster: Cluster,
    partitions: Iterable[tuple[str, int]],
    *,
    timeout: float | None = None,  # noqa: ASYNC109 - one deadline for several requests
    versions: range | None = None,
) -> dict[TopicPartition, int]:
    """The offset of the first record that each partition still has (upstream: ``KafkaConsumer.beginningOffsets``).

    Raises as ``list_offsets``.
    """
    specs = dict.fromkeys(partitions, OffsetSpec.earliest())
    return _offsets(await list_offsets(cluster, specs, timeout=timeout, versions=versions))


async def end_offsets(
    cluster: Cluster,
    partitions: Iterable[tuple[str, int]],
    *,
    isolation_level: IsolationLevel = IsolationLevel.READ_UNCOMMITTED,
    timeout: float | None = None,  # noqa: ASYNC109 - one deadline for several requests
    versions: range | None = None,
) -> dict[TopicPartition, int]:
    """The offset after the last record of each partition (upstream: ``KafkaConsumer.endOffsets``).

    With ``READ_COMMITTED`` it is the last stable offset: a transaction that is open and what comes after it do not count.
    Raises as ``list_offsets``.
    """
    specs = dict.fromkeys(partitions, OffsetSpec.latest())
    found = await list_offsets(cluster, specs, isolation_level=isolation_level, timeout=timeout, versions=versions)
    return _offsets(found)


def _offsets(found: Mapping[TopicPartition, OffsetAndTimestamp | None]) -> dict[TopicPartition, int]:
    # None of them is None: what is always there was found, or is an error.
    return {partition: place.offset for partition, place in found.items() if place is not None}


def _usable(specs: Mapping[TopicPartition, OffsetSpec], isolation_level: IsolationLevel, versions: range) -> range:
    """Those of ``versions`` that can say what is meant; raises ``ValueError`` where there is none."""
    lowest = max(spec.lowest_version for spec in specs.values())
    if isolation_level is not IsolationLevel.READ_UNCOMMITTED:
        lowest = max(lowest, _FIRST_WITH_ISOLATION)
    usable = [version for version in versions if version >= lowest and version in ListOffsetsRequest.VALID_VERSIONS]
    if not usable:
        raise ValueError(f"what is asked for needs version {lowest} of ListOffsets or a later one; {versions} has none")
    return range(min(usable), max(usable) + 1)
