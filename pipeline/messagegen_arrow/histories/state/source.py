"""What a state is read from: the logs, the time, and what becomes of records that can't be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.cluster_ids import check_one_cluster
from messagegen_arrow.histories.consumer_lag.schema import TOPICS as COMMIT_TOPICS
from messagegen_arrow.histories.counts import Progress
from messagegen_arrow.histories.logs import Log, log_of, paths_of, reported
from messagegen_arrow.histories.metadata.history import TOPICS as METADATA_TOPICS
from messagegen_arrow.malformed import Mode
from messagegen_arrow.streams.stream import ColumnStream

_TOPICS: Final = (*METADATA_TOPICS, *COMMIT_TOPICS)
"""The topics of which a state is made."""


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

    def check(self) -> None:
        """Raises ``LogPathError`` for paths of different clusters: their topics have the same names."""
        paths = paths_of(self.log)
        if paths is not None:
            check_one_cluster(paths, _TOPICS)

    def log_of(self, topics: Sequence[str], **options: Any) -> ColumnStream:
        """The rows of these topics; of the replicas of a partition, those of the newest. Raises ``LogPathError``."""
        return reported(log_of(self.log, topics, self.mode, several_brokers=True, **options), self.progress)
