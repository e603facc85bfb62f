"""The histories there are: what each takes from records, and the object that goes on from batch to batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

import pyarrow as pa

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories import commits, transactions
from messagegen_arrow.histories.lag import LAG_HISTORY, LagHistory
from messagegen_arrow.histories.metadata import records as metadata
from messagegen_arrow.histories.metadata.history import MetadataHistory
from messagegen_arrow.histories.metadata.properties import METADATA_HISTORY
from messagegen_arrow.histories.records import Extract, HistoryReader
from messagegen_arrow.histories.states import State
from messagegen_arrow.internal_topics.contents import Types


class History(Protocol):
    """A history that is fed batch by batch, in the order of the log.

    However the log is cut into batches, and however often another object goes on from the state, the rows are the same.
    """

    def feed(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """The rows of the history for rows that ``HistoryKind.extract`` gave."""
        ...

    def state(self) -> State:
        """All that later rows depend on, as JSON values."""
        ...

    def restore(self, state: State) -> None:
        """Goes on from what ``state`` gave. Raises ``StateError`` for what it gave in another version of messagegen."""
        ...


@dataclass(frozen=True)
class HistoryKind:
    """A history: its topics, and the functions that make its rows."""

    name: str
    topics: tuple[str, ...]
    """The first one must be there."""
    types: Types
    extract: Extract
    extracted: pa.Schema
    """The columns that ``extract`` gives."""
    order: tuple[str, ...]
    """Those of them that put rows into the order of the log."""
    schema: pa.Schema
    """The columns of the history."""
    begin: Callable[[], History]

    def reader(self, mode: str, catalog: Catalog | None = None) -> HistoryReader:
        """A reader of its records. Raises ``ValueError`` for a mode that histories do not have."""
        return HistoryReader.of(self.topics, self.types, mode, catalog)


CONSUMER_LAG: Final = HistoryKind(
    name="consumer-lag-history",
    topics=commits.TOPICS,
    types=commits.ALL_TYPES,
    extract=commits.words_and_commits,
    extracted=commits.ROWS,
    order=("logTopic", "logPartition", "logOffset"),
    schema=LAG_HISTORY,
    begin=LagHistory,
)
METADATA: Final = HistoryKind(
    name="metadata-history",
    topics=metadata.TOPICS,
    types=metadata.TYPES,
    extract=metadata.rows_of,
    extracted=metadata.ROWS,
    order=("offset",),
    schema=METADATA_HISTORY,
    begin=MetadataHistory,
)
TRANSACTIONS: Final = HistoryKind(
    name="transaction-history",
    topics=transactions.TOPICS,
    types=transactions.TYPES,
    extract=transactions.states_of,
    extracted=transactions.STATES,
    order=("logPartition", "logOffset"),
    schema=transactions.TRANSACTION_HISTORY,
    begin=transactions.TransactionHistory,
)

HISTORIES: Final[Mapping[str, HistoryKind]] = {kind.name: kind for kind in (CONSUMER_LAG, METADATA, TRANSACTIONS)}
