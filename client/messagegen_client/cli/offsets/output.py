"""The output of ``kafka-offsets``: table, JSON and TSV."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from messagegen_client.cli.offsets.input import TimeOption, iso
from messagegen_client.cli.support import error_json, error_name, printable
from messagegen_client.cli.tables import Column, table_text
from messagegen_client.errors import KafkaError
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.offsets.search import OffsetAndTimestamp
from messagegen_client.offsets.specs import OffsetSpec

if TYPE_CHECKING:
    from rich.console import RenderableType

_TITLES: Final = {
    OffsetSpec.earliest(): "earliest offsets",
    OffsetSpec.latest(): "latest offsets",
    OffsetSpec.max_timestamp(): "records with the greatest timestamp",
    OffsetSpec.earliest_local(): "earliest offsets in the local log",
    OffsetSpec.latest_tiered(): "latest offsets in remote storage",
    OffsetSpec.earliest_pending_upload(): "earliest offsets that are not in remote storage yet",
}
_NONE: Final = {
    OffsetSpec.max_timestamp(): "no records",
    OffsetSpec.latest_tiered(): "no records in remote storage",
    OffsetSpec.earliest_pending_upload(): "all records are in remote storage",
}
"""The reason why a partition has no such offset."""
_ALL_OLDER: Final = "all records are older"


@dataclass(frozen=True, slots=True)
class Listing:
    """The request, and an offset, ``None`` or an error for each partition."""

    wanted: TimeOption
    partitions: Sequence[TopicPartition]
    results: Mapping[TopicPartition, OffsetAndTimestamp | None]
    errors: Mapping[TopicPartition, KafkaError]


def as_json(listing: Listing) -> str:
    """One object: the text of ``time``, its ``timestamp``, and the ``partitions`` in order."""
    document = {
        "time": listing.wanted.text,
        "timestamp": listing.wanted.timestamp,
        "partitions": [_json_of(listing, partition) for partition in listing.partitions],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def as_tsv(listing: Listing) -> str:
    """A header, and a line for each partition; missing values are empty."""
    lines = [("topic", "partition", "offset", "timestamp", "leader_epoch", "error")]
    for partition in listing.partitions:
        found, error = listing.results.get(partition), listing.errors.get(partition)
        values = (None, None, None) if found is None else (found.offset, _timestamp(found), found.leader_epoch)
        offset, timestamp, leader_epoch = ("" if value is None else str(value) for value in values)
        name = "" if error is None else error_name(error)
        lines.append((printable(partition.topic), str(partition.partition), offset, timestamp, leader_epoch, name))
    return "".join("\t".join(line) + "\n" for line in lines)


def as_table(listing: Listing) -> str:
    """A table with a title; see ``table_text``."""
    from rich.text import Text

    columns = [Column("topic"), Column("partition"), Column("offset"), Column("timestamp", left=True)]
    rows: list[list[RenderableType]] = []
    for partition in listing.partitions:
        found, error = listing.results.get(partition), listing.errors.get(partition)
        cells: list[RenderableType] = [Text(printable(partition.topic)), str(partition.partition)]
        if found is not None:
            timestamp = _timestamp(found)
            cells += [str(found.offset), "" if timestamp is None else iso(timestamp)]
            cells.append("" if found.leader_epoch is None else str(found.leader_epoch))
        elif error is not None:
            cells += [Text("error", style="red"), Text(error_name(error), style="red")]
        else:
            cells += [Text("none", style="yellow"), Text(_NONE.get(listing.wanted.spec, _ALL_OLDER), style="yellow")]
        rows.append(cells)
    return table_text(_title(listing.wanted), [*columns, Column("leader epoch")], rows)


def _title(wanted: TimeOption) -> str:
    if wanted.timestamp is None:
        return _TITLES[wanted.spec]
    return f"first records at or after {iso(wanted.timestamp)} ({wanted.timestamp})"


def _json_of(listing: Listing, partition: TopicPartition) -> dict[str, object]:
    found, error = listing.results.get(partition), listing.errors.get(partition)
    return {
        "topic": partition.topic,
        "partition": partition.partition,
        "offset": None if found is None else found.offset,
        "timestamp": None if found is None else _timestamp(found),
        "leader_epoch": None if found is None else found.leader_epoch,
        "error": None if error is None else error_json(error),
    }


def _timestamp(found: OffsetAndTimestamp) -> int | None:
    return found.timestamp if found.timestamp >= 0 else None
