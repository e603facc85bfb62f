"""The state of a cluster at a time, from ``__cluster_metadata`` and ``__consumer_offsets``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeVar

import pyarrow as pa

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.consumer_lag.schema import TOPICS as COMMIT_TOPICS
from messagegen_arrow.histories.counts import HistoryCounts, Progress
from messagegen_arrow.histories.logs import Log, NoTopicError
from messagegen_arrow.histories.moments import parse_moment
from messagegen_arrow.histories.records import check_history_mode
from messagegen_arrow.histories.state.commits import CommitState, commit_state
from messagegen_arrow.histories.state.metadata import MetadataState, metadata_state
from messagegen_arrow.histories.state.source import StateSource
from messagegen_arrow.histories.state.tables import METADATA_STATE, metadata_tables

NOW: Final = "now"
"""The time of the newest state."""
_State = TypeVar("_State")
_MOST_NUMBERS: Final = 10
"""The most numbers of partitions in a note."""

COMMITS: Final = "commits"
STATE_TABLES: Final = (*METADATA_STATE, COMMITS)
"""The tables of a state, by their names."""


@dataclass(frozen=True)
class ClusterState:
    """The state of a cluster, as Arrow tables."""

    tables: dict[str, pa.Table] = field(repr=False)
    """The tables by their names: the requested tables whose logs exist.

    ``topics``, ``partitions``, ``configs``, ``quotas``, ``acls``, ``users`` (of SCRAM, without secrets), ``tokens``,
    ``features``, ``brokers``, ``controllers``, ``cluster`` and ``commits``.
    """
    at: int | None
    """The time, in milliseconds since 1970; ``None`` for the newest state."""
    metadata_offset: int | None
    """The last record of ``__cluster_metadata`` that counts; ``None`` if it was not read, or is not known."""
    metadata_time: int | None
    """When that record was written, in milliseconds since 1970."""
    notes: tuple[str, ...]
    """The missing and uncertain parts, a sentence each."""

    def __getitem__(self, name: str) -> pa.Table:
        """Return a table by its name. Raises ``KeyError`` for a missing table."""
        return self.tables[name]


def cluster_state(
    log: Log,
    at: datetime | int | str | None = None,
    mode: str = "DROPMALFORMED",
    *,
    tables: Collection[str] | None = None,
    counts: HistoryCounts | None = None,
    catalog: Catalog | None = None,
    progress: Progress | None = None,
) -> ClusterState:
    """Return the state of a cluster at a time: the result of its changes of metadata and its commits until then.

    ``log`` is the path of a broker's folder, or several paths; of several replicas of a partition, the newest is read.
    Or it is the rows of ``read_log(..., include_control=True)`` in the order of offsets. These rows need all records,
    also of aborted transactions, because missing offsets count as lost records.

    ``at`` is a time with a time zone, or milliseconds since 1970; ``None`` and ``now`` are the newest state. The
    records before the first later record count, as for Kafka's offsets by time, and a snapshot counts by the time of
    the last record that it contains. ``tables`` are the names of the tables to make (default: all). Tables whose logs
    are missing are left out, with a sentence in ``notes``.

    Brokers delete old records. ``UnknownStateError`` is raised if the logs no longer contain the state of metadata.
    Commits that were replaced since are in ``commits`` with ``isKnown`` false; commits that were deleted since are
    missing.

    Memory holds the state. The log of commits is read once, the log of metadata twice; ``progress`` is called with the
    number of rows of each batch that was read. Records that can't be read are left out (``notes`` and ``counts`` have
    their number), or raise ``MalformedMessageError`` (``mode`` FAILFAST).

    Raises ``LogPathError`` for paths without the requested logs, and for paths of different clusters; ``ValueError``
    for rows that lack columns, for other modes, times and names.
    """
    names = STATE_TABLES if tables is None else _checked(tables)
    moment = None if at is None or at == NOW else parse_moment(at)
    source = StateSource(log, moment, check_history_mode(mode), catalog, progress)
    source.check()
    reader = _Reader(source, HistoryCounts() if counts is None else counts)
    metadata = reader.read("metadata", metadata_state) if set(names) & set(METADATA_STATE) else None
    commits = reader.read("groups", commit_state) if COMMITS in names else None
    if metadata is None and commits is None:
        raise reader.missing[0]

    found = {} if metadata is None else metadata_tables(metadata.properties.held())
    if commits is not None:
        found[COMMITS] = commits.table
    return ClusterState(
        tables={name: found[name] for name in names if name in found},
        at=moment,
        metadata_offset=None if metadata is None else metadata.offset,
        metadata_time=None if metadata is None else metadata.time,
        notes=tuple(_notes(reader, metadata, commits, found)),
    )


def _checked(names: Collection[str]) -> Collection[str]:
    if isinstance(names, str) or not names:
        raise ValueError(f"expected a list of tables: {', '.join(STATE_TABLES)}")
    for name in names:
        if name not in STATE_TABLES:
            raise ValueError(f"a state has no table {name}; there are {', '.join(STATE_TABLES)}")
    return names


@dataclass
class _Reader:
    """A reader of both parts of a state, with notes on missing logs and unreadable records."""

    source: StateSource
    counts: HistoryCounts
    missing: list[NoTopicError] = field(default_factory=list[NoTopicError])
    notes: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.counts.clear()

    def read(self, part: str, state_of: Callable[[StateSource, HistoryCounts], _State]) -> _State | None:
        """Return a part of the state, or ``None`` if its log is missing."""
        counts = HistoryCounts()
        try:
            found = state_of(self.source, counts)
        except NoTopicError as error:
            self.missing.append(error)
            self.notes.append(f"{error}; the state is without it")
            return None
        self.counts.rows += counts.rows
        self.counts.malformed += counts.malformed
        if counts.malformed:
            unreadable = f"{counts.malformed:,} of {counts.rows:,} records could not be read"
            self.notes.append(f"{part}: {unreadable}; the state is without them")
        return found


def _notes(
    reader: _Reader,
    metadata: MetadataState | None,
    commits: CommitState | None,
    tables: dict[str, pa.Table],
) -> Iterator[str]:
    """Yield a sentence about each missing or uncertain part."""
    yield from reader.notes
    if metadata is not None:
        yield from metadata.notes
    if commits is not None:
        yield from commits.notes
        partitions = tables.get("partitions")
        # Rows do not show partitions without records.
        if partitions is not None or not reader.source.has_rows:
            for topic in COMMIT_TOPICS:
                yield from _missing_partitions(topic, commits, partitions)


def _missing_partitions(topic: str, commits: CommitState, partitions: pa.Table | None) -> Iterator[str]:
    """Yield a note on the partitions of a topic that the cluster has but the logs lack.

    Without the table of partitions, the cluster has at least all numbers below the highest number in the logs.
    """
    there = {number for name, number in commits.partitions if name == topic}
    if partitions is None:
        wanted = set(range(max(there, default=0)))
    else:
        columns = (partitions.column(name).to_pylist() for name in ("topic", "partition"))
        wanted = {number for name, number in zip(*columns, strict=True) if name == topic}
    missing = sorted(wanted - there)
    if missing:
        numbers = ", ".join(map(str, missing[:_MOST_NUMBERS]))
        more = f" and {len(missing) - _MOST_NUMBERS} more" if len(missing) > _MOST_NUMBERS else ""
        yield f"groups: the logs do not have partitions {numbers}{more} of {topic}, so commits are missing"
