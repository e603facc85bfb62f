"""The output of ``kafka-offsets``: table and JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from messagegen_client.cli import support
from messagegen_client.cli.offsets.times import TimeOption
from messagegen_client.console.text import aligned, printable
from messagegen_client.console.times import iso
from messagegen_client.errors import KafkaError
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.offsets.search import OffsetAndTimestamp

_NUMBERS: Final = frozenset({1, 2, 4})
"""The indexes of columns with numbers."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The requested time and partitions, with an offset, ``None`` or an error for each partition."""

    wanted: TimeOption
    partitions: Sequence[TopicPartition]
    results: Mapping[TopicPartition, OffsetAndTimestamp | None]
    errors: Mapping[TopicPartition, KafkaError]


def as_json(listing: Listing) -> dict[str, object]:
    """Return the text of ``--time``, its timestamp, the warnings about it, and the partitions in order."""
    return {
        "time": listing.wanted.text,
        "timestamp": listing.wanted.timestamp,
        "warnings": listing.wanted.warnings,
        "partitions": [_json_of(listing, partition) for partition in listing.partitions],
    }


def as_table(listing: Listing) -> str:
    """Return a table with a title, and a line for each partition."""
    rows: list[tuple[str, ...]] = [("topic", "partition", "offset", "timestamp", "leader epoch")]
    for partition in listing.partitions:
        result = _result_cells(listing, partition)
        rows.append((printable(partition.topic), str(partition.partition), *result))
    return "\n".join([_title(listing.wanted), *aligned(rows, _NUMBERS), ""])


def _result_cells(listing: Listing, partition: TopicPartition) -> tuple[str, str, str]:
    """Return the offset, timestamp and leader epoch of a partition, or the reason why it has none."""
    found = listing.results.get(partition)
    if found is not None:
        timestamp = _timestamp(found)
        when = "" if timestamp is None else iso(timestamp)
        epoch = "" if found.leader_epoch is None else str(found.leader_epoch)
        return str(found.offset), when, epoch
    error = listing.errors.get(partition)
    if error is not None:
        return "error", support.error_name(error), ""
    reason = "no such offset" if listing.wanted.timestamp is None else "all records are older"
    return "none", reason, ""


def _title(wanted: TimeOption) -> str:
    if wanted.timestamp is None:
        return f"offsets: {wanted.text}"
    return f"first records at or after {iso(wanted.timestamp)} ({wanted.timestamp})"


def _json_of(listing: Listing, partition: TopicPartition) -> dict[str, object]:
    found = listing.results.get(partition)
    error = listing.errors.get(partition)
    return {
        "topic": partition.topic,
        "partition": partition.partition,
        "offset": None if found is None else found.offset,
        "timestamp": None if found is None else _timestamp(found),
        "leaderEpoch": None if found is None else found.leader_epoch,
        "error": None if error is None else support.error_json(error),
    }


def _timestamp(found: OffsetAndTimestamp) -> int | None:
    return found.timestamp if found.timestamp >= 0 else None
