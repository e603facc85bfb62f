"""Rows of ``kafka-log`` whose bytes are decoded where they are read: what becomes of the tables of a ``RowReader``."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import pyarrow as pa

from messagegen_arrow.log.columns import LOG_COLUMNS
from messagegen_arrow.log.options import Bounds, LogOptions
from messagegen_arrow.log.planning import LogTask
from messagegen_arrow.log.rows import RowReader
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, judged, judged_batches
from messagegen_arrow.named_columns import NamedColumn

_LOG: Final = logging.getLogger(__name__)
_BATCH_BYTES: Final = 1 << 22
"""What was read is still in the processor's caches when it is decoded, and the columns when they are written."""
_OFFSET: Final = "offset"


class LogContent(Protocol):
    """What keys and values of records are decoded to; it pickles."""

    @property
    def replaced(self) -> tuple[str, ...]:
        """The columns of the log that there are not beside the content."""
        ...

    @property
    def needed(self) -> tuple[str, ...]:
        """The columns of the log that decoding needs."""
        ...

    @property
    def columns(self) -> Sequence[NamedColumn]:
        """The columns that decoding adds."""
        ...

    def limited(self, options: LogOptions) -> LogOptions:
        """The options, without what can't hold such content."""
        ...

    def decode(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """The rows that are wanted, with the columns of the content, and ``_error``; ``_raw`` where the rows have it."""
        ...


@dataclass(frozen=True)
class DecodedRowReader:
    """Reads ranges of files into the columns that a query asks for; it pickles."""

    names: tuple[str, ...]
    """The columns as the source calls them."""
    titles: tuple[str, ...]
    """The same as the query calls them."""
    content: LogContent
    options: LogOptions
    bounds: Bounds

    def read(self, task: LogTask) -> Iterator[pa.RecordBatch]:
        """The rows of a task; raises what ``RowReader.read`` raises, of messages as of batches."""
        places = RowReader(self._source_names, self.options, self.bounds, _BATCH_BYTES).read_places(task)
        for rows in judged_batches(places, self.content.decode, self._judged, _LOG, "kafka-log"):
            yield pa.RecordBatch.from_arrays([rows.column(name) for name in self.names], self.titles)

    @property
    def _source_names(self) -> tuple[str, ...]:
        """The columns of the log that are read: those that are asked for, and what decoding needs."""
        own = {column.name for column in self.content.columns}
        names = [name for name in self.names if name in LOG_COLUMNS and name not in own]
        names += [*self.content.needed, _OFFSET]
        if self.options.mode == "PERMISSIVE":
            # Damage of the log is told where it is told of messages.
            names += [name for name in (ERROR_NAME, RAW_NAME) if name in self.names]
        return tuple(dict.fromkeys(names))

    def _judged(self, rows: pa.RecordBatch, path: str) -> pa.RecordBatch:
        """The rows that the mode leaves."""
        return judged(
            rows,
            self.options.mode,
            _OFFSET,
            lambda offset: f"{path}: the record at offset {offset}",
            is_told=ERROR_NAME in self.names,
        )
