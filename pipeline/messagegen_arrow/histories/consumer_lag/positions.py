"""The positions at a point in time, in the topics that contain commits."""

from __future__ import annotations

from collections.abc import Mapping

from messagegen_arrow.histories.consumer_lag.schema import TOPICS
from messagegen_arrow.histories.counts import Progress
from messagegen_arrow.histories.logs import Log, log_of, reported
from messagegen_arrow.histories.positions import POSITION_COLUMNS, Partition, PartitionPosition, Positions
from messagegen_arrow.histories.records import rows_of_topics
from messagegen_arrow.malformed import Mode


def commit_positions(log: Log, mode: Mode, at: int, progress: Progress | None) -> Mapping[Partition, PartitionPosition]:
    """Return the positions of the partitions at a time in milliseconds since 1970.

    This also reads records of uncommitted transactions, but no contents of records. Raises ``LogPathError``.
    """
    source = reported(log_of(log, TOPICS, mode, columns=POSITION_COLUMNS, include_segments=True), progress)
    names = [name for name in POSITION_COLUMNS if name in source.schema.names]
    positions = Positions(at)
    for batch in rows_of_topics(source, TOPICS):
        positions.add(batch.select(names))
    return positions.all()
