"""The state of a cluster at a point in time, from ``__cluster_metadata`` and ``__consumer_offsets``."""

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
"""The word for the time of the newest state."""
_State = TypeVar("_State")
_MOST_NUMBERS: Final = 10
"""The maximum number of partitions that a note lists."""

COMMITS: Final = "commits"
STATE_TABLES: Final = (*METADATA_STATE, COMMITS)
"""The names of the tables of a state."""


@dataclass(frozen=True)
class ClusterState:
    """The state of a cluster, as Arrow tables."""

    tables: dict[str, pa.Table] = field(repr=False)
    """The tables by name: all requested tables whose logs exist.

    They are ``topics``, ``partitions``, ``configs``, ``quotas``, ``acls``, ``users`` (SCRAM users, without secrets),
    ``tokens``, ``features``, ``brokers``, ``controllers``, ``cluster`` and ``commits``.
    """
    at: int | None
    """The time, in milliseconds since 1970; ``None`` for the newest state."""
    metadata_offset: int | None
    """The offset of the last ``__cluster_metadata`` record that counts; ``None`` if it is unknown or was not read."""
    metadata_time: int | None
    """The time when that record was written, in milliseconds since 1970."""
    notes: tuple[str, ...]
    """A sentence about each missing or uncertain part."""

    def __getitem__(self, name: str) -> pa.Table:
        """Return a table by name. Raises ``KeyError`` for a missing table."""
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
    """Return the state of a cluster at a point in time: the result of all metadata changes and commits up to then.

    ``log`` is the path of a broker's folder, or several paths; if a partition has several replicas, the newest is read.
    Or it is the rows of ``read_log(..., include_control=True)`` in the order of offsets. These rows must contain all
    records, even those in aborted transactions, because missing offsets count as lost records.

    ``at`` is a time with a time zone, or milliseconds since 1970; ``None`` and ``now`` mean the newest state. All
    records before the first record with a later timestamp count, as for Kafka's offsets by time. A snapshot has the
    time of the last record that it contains. ``tables`` are the names of the tables to create (default: all). Tables
    whose logs are missing are left out, with a sentence in ``notes``.

    Brokers delete old records. ``UnknownStateError`` is raised if the logs no longer contain the metadata at that time.
    Commits that have been replaced since then are in ``commits`` with ``isKnown`` false; commits that have been deleted
    since then are missing.

    Memory holds the state. The log of commits is read once, and the metadata log twice. ``progress`` is called with the
    number of rows in each batch that was read. Records that can't be read are left out (``notes`` and ``counts`` have
    their number), or raise ``MalformedMessageError`` (``mode`` FAILFAST).

    Raises ``LogPathError`` for paths without the requested logs and for paths of different clusters. Raises
    ``ValueError`` for rows that lack columns, and for other modes, times and names.
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
            raise ValueError(f"unknown table {name}; expected {', '.join(STATE_TABLES)}")
    return names


@dataclass
class _Reader:
    """Reads both parts of a state, and collects notes about missing logs and unreadable records."""

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
            self.notes.append(f"{error}; the state does not include it")
            return None
        self.counts.rows += counts.rows
        self.counts.malformed += counts.malformed
        if counts.malformed:
            unreadable = f"{counts.malformed:,} of {counts.rows:,} records could not be read"
            self.notes.append(f"{part}: {unreadable}; the state does not include them")
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
        # Rows do not reveal partitions without records.
        if partitions is not None or not reader.source.has_rows:
            for topic in COMMIT_TOPICS:
                yield from _missing_partitions(topic, commits, partitions)


def _missing_partitions(topic: str, commits: CommitState, partitions: pa.Table | None) -> Iterator[str]:
    """Yield a note about partitions of a topic that the cluster has but the logs lack.

    Without the table of partitions, assume that the cluster has all partitions below the highest number in the logs.
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
