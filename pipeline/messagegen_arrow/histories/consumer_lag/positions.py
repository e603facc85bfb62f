"""How far the topics of commits were at a time."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.histories.consumer_lag.schema import TOPICS
from messagegen_arrow.histories.logs import Log, log_of
from messagegen_arrow.histories.positions import POSITION_COLUMNS, Partition, PartitionPosition, positions_of
from messagegen_arrow.malformed import Mode


def commit_positions(
    log: Log, mode: Mode, at: int | None, *, several_brokers: bool
) -> dict[Partition, PartitionPosition]:
    """The positions of the partitions at a time in milliseconds since 1970 (``None``: the newest).

    Raises ``LogPathError``.
    """
    return positions_of(_places(log, mode, several_brokers=several_brokers), at)


def _places(log: Log, mode: Mode, *, several_brokers: bool) -> Iterator[pa.RecordBatch]:
    """Where the records are, also those of transactions that were not committed, without their contents."""
    options: dict[str, Any] = {"columns": POSITION_COLUMNS, "include_segments": True}
    source = log_of(log, TOPICS, mode, several_brokers=several_brokers, **options)
    names = [name for name in POSITION_COLUMNS if name in source.schema.names]
    ours = pa.array(TOPICS)
    for batch in source:
        topics = batch.column("topic").cast(pa.string())
        yield batch.select(names).filter(pc.or_(pc.is_in(topics, ours), topics.is_null()))
