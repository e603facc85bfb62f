"""Offsets by time (KIP-79), and the first and last offsets of partitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from messagegen_client.errors import ClientClosedError, PartialError
from messagegen_client.offsets.partitions import Pair, TopicPartition, topic_partition
from messagegen_client.offsets.search import OffsetAndTimestamp, OffsetSearch
from messagegen_client.offsets.specs import IsolationLevel, OffsetSpec
from messagegen_client.transport.cluster import Cluster
from messagegen_client.transport.deadlines import Timeout
from messagegen_kafka import ListOffsetsRequest

_VERSIONS: Final = ListOffsetsRequest.stable_versions[1:]
"""The versions for searches by time.

Version 0 lists the starts of segments instead, and brokers no longer support it.
"""
_FIRST_WITH_ISOLATION: Final = 2


class ListOffsetsError(PartialError[TopicPartition, OffsetAndTimestamp | None]):
    """The offsets of some partitions could not be found. A result of ``None`` means that no such offset exists."""

    FAILED = "partitions failed"


async def list_offsets(
    cluster: Cluster,
    specs: Mapping[Pair, OffsetSpec],
    *,
    isolation_level: IsolationLevel = IsolationLevel.READ_UNCOMMITTED,
    timeout: Timeout = None,
    versions: range | None = None,
) -> dict[TopicPartition, OffsetAndTimestamp | None]:
    """Return the offset that each spec selects in its partition; ``None`` if it selects nothing.

    This is ``Admin.listOffsets`` in Java.

    Sends one request to each leader, all at the same time. If a leader has moved or a broker has failed, the affected
    partitions are requested again, until the timeout. An unknown topic or partition is requested several times, because
    brokers learn of new partitions with a delay. A partition without a leader is also requested several times. Neither
    delays the other partitions. ``versions`` restricts the versions of ListOffsets.

    Raises ``ListOffsetsError`` if partitions failed, and the errors of ``Cluster.metadata`` if no broker answers.
    Raises ``ClientClosedError`` if the client is closed during the call. Raises ``ValueError`` for an invalid
    partition, or if none of ``versions`` supports a spec.
    """
    wanted = {topic_partition(pair): spec for pair, spec in specs.items()}
    if not wanted:
        return {}
    usable = _usable(wanted, isolation_level, _VERSIONS if versions is None else versions)
    search = OffsetSearch(cluster, wanted, isolation_level, usable, cluster.deadline(timeout))
    await search.run()
    results = {partition: search.found[partition] for partition in wanted if partition in search.found}
    if search.failed:
        closed = next((error for error in search.failed.values() if isinstance(error, ClientClosedError)), None)
        if closed is not None:
            raise closed
        raise ListOffsetsError({one: search.failed[one] for one in wanted if one in search.failed}, results)
    return results


async def offsets_for_times(
    cluster: Cluster,
    times: Mapping[Pair, int | datetime],
    *,
    isolation_level: IsolationLevel = IsolationLevel.READ_UNCOMMITTED,
    timeout: Timeout = None,
    versions: range | None = None,
) -> dict[TopicPartition, OffsetAndTimestamp | None]:
    """Return each partition's first record at or after a time (upstream: ``KafkaConsumer.offsetsForTimes``, KIP-79).

    A time is in milliseconds since 1970, or a datetime with a time zone. ``None`` means that the partition has no
    records, or only older ones. In topics with CreateTime, timestamps need not ascend with offsets: the result is the
    first record in order of offsets.

    Raises the errors of ``list_offsets``, and ``ValueError`` for a negative time, a number that is not an integer, or a
    datetime without a time zone. For a partition whose records have no timestamps, the ``ListOffsetsError`` contains an
    ``UnsupportedForMessageFormatError``. Java returns ``null`` for it, just as if all records were older.
    """
    specs = {pair: OffsetSpec.for_timestamp(time) for pair, time in times.items()}
    return await list_offsets(cluster, specs, isolation_level=isolation_level, timeout=timeout, versions=versions)


async def beginning_offsets(
    cluster: Cluster, partitions: Iterable[tuple[str, int]], *, timeout: Timeout = None, versions: range | None = None
) -> dict[TopicPartition, int]:
    """Return the offset of the first record of each partition (upstream: ``KafkaConsumer.beginningOffsets``).

    Raises the errors of ``list_offsets``.
    """
    specs = dict.fromkeys(partitions, OffsetSpec.earliest())
    return known_offsets(await list_offsets(cluster, specs, timeout=timeout, versions=versions))


async def end_offsets(
    cluster: Cluster,
    partitions: Iterable[tuple[str, int]],
    *,
    isolation_level: IsolationLevel = IsolationLevel.READ_UNCOMMITTED,
    timeout: Timeout = None,
    versions: range | None = None,
) -> dict[TopicPartition, int]:
    """Return the offset after the last record of each partition (upstream: ``KafkaConsumer.endOffsets``).

    With ``READ_COMMITTED`` it is the last stable offset: the start of the first open transaction, if there is one.
    Raises the errors of ``list_offsets``.
    """
    specs = dict.fromkeys(partitions, OffsetSpec.latest())
    found = await list_offsets(cluster, specs, isolation_level=isolation_level, timeout=timeout, versions=versions)
    return known_offsets(found)


def known_offsets(found: Mapping[TopicPartition, OffsetAndTimestamp | None]) -> dict[TopicPartition, int]:
    """Return only the offsets, and drop partitions that have none."""
    return {partition: place.offset for partition, place in found.items() if place is not None}


def _usable(specs: Mapping[TopicPartition, OffsetSpec], isolation_level: IsolationLevel, versions: range) -> range:
    """Return the part of ``versions`` that supports all specs. Raises ``ValueError`` if it is empty."""
    lowest = max(spec.lowest_version for spec in specs.values())
    if isolation_level is not IsolationLevel.READ_UNCOMMITTED:
        lowest = max(lowest, _FIRST_WITH_ISOLATION)
    usable = [version for version in versions if version >= lowest and version in ListOffsetsRequest.VALID_VERSIONS]
    if not usable:
        raise ValueError(f"the request needs ListOffsets version {lowest} or later, found versions={versions}")
    return range(min(usable), max(usable) + 1)
