"""The source of a state: the logs, the time, and the mode for unreadable records."""

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
"""The topics that a state is read from."""


@dataclass(frozen=True)
class StateSource:
    """The logs of a cluster, and how to read them."""

    log: Log
    at: int | None
    """The time, in milliseconds since 1970; ``None`` for the newest state."""
    mode: Mode
    catalog: Catalog | None = None
    progress: Progress | None = None

    @property
    def has_rows(self) -> bool:
        """Whether the log is rows that have already been read, rather than paths."""
        return paths_of(self.log) is None

    def check(self) -> None:
        """Raise ``LogPathError`` for paths of different clusters, whose internal topics have the same names."""
        paths = paths_of(self.log)
        if paths is not None:
            check_one_cluster(paths, _TOPICS)

    def log_of(self, topics: Sequence[str], **options: Any) -> ColumnStream:
        """Return the rows of these topics, from the newest replica of each partition. Raises ``LogPathError``."""
        return reported(log_of(self.log, topics, self.mode, several_brokers=True, **options), self.progress)
