"""What a state is read from: the logs, the time, and what becomes of records that can't be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.counts import Progress
from messagegen_arrow.histories.logs import Log, log_of, paths_of, reported
from messagegen_arrow.malformed import Mode
from messagegen_arrow.streams.stream import ColumnStream


@dataclass(frozen=True)
class StateSource:
    """The logs of a cluster, and how they are read."""

    log: Log
    at: int | None
    """The time, in milliseconds since 1970; ``None`` for the newest state."""
    mode: Mode
    catalog: Catalog | None = None
    progress: Progress | None = None

    @property
    def has_rows(self) -> bool:
        """Whether the log is rows that somebody has read, not paths."""
        return paths_of(self.log) is None

    def log_of(self, topics: Sequence[str], **options: Any) -> ColumnStream:
        """The rows of these topics; of the replicas of a partition, those of the newest. Raises ``LogPathError``."""
        return reported(log_of(self.log, topics, self.mode, several_brokers=True, **options), self.progress)
