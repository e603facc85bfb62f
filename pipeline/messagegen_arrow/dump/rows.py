"""Selects the rows of a dump, and counts malformed ones."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.dump.request import errors_of
from messagegen_arrow.malformed import ERROR_NAME, Mode


@dataclass(slots=True)
class Tally:
    """Counts of the rows so far; ``first`` is the error of the first malformed row."""

    rows: int = 0
    malformed: int = 0
    first: str = ""
    dropped: int = 0
    """The number of malformed rows that the mode left out."""

    @property
    def written(self) -> int:
        """The number of rows in the output."""
        return self.rows - self.dropped


class MalformedRowError(ValueError):
    """Raised under FAILFAST for the first malformed row."""


def wanted_rows(
    batches: Iterable[pa.RecordBatch],
    tally: Tally,
    mode: Mode,
    limit: int | None,
    progress: Callable[[str], None] = lambda _: None,
) -> Iterator[pa.RecordBatch]:
    """The batches with the rows that ``mode`` keeps, up to ``limit`` rows; nothing is read after the last one.

    ``progress`` is called with a line about the rows so far.

    Raises ``MalformedRowError`` under FAILFAST.
    """
    if limit is not None and tally.written >= limit:
        return
    for batch in batches:
        kept = _kept(batch, tally, mode)
        kept = kept if limit is None else kept.slice(0, limit - tally.written)
        _count(kept, tally)
        if kept.num_rows:
            yield kept
            progress(f"{tally.rows:,} rows")
        if limit is not None and tally.written >= limit:
            return
        if mode == "FAILFAST" and kept.num_rows < batch.num_rows:
            raise MalformedRowError(_described(batch.slice(kept.num_rows, 1).to_pylist()[0]))


def _kept(batch: pa.RecordBatch, tally: Tally, mode: Mode) -> pa.RecordBatch:
    """The rows that a mode keeps; under FAILFAST, those before the first malformed row."""
    errors = errors_of(batch)
    if mode == "PERMISSIVE" or errors.null_count == len(errors):
        return batch
    if mode == "FAILFAST":
        return batch.slice(0, pc.index(errors.is_valid(), value=True).as_py())
    _count(batch.filter(errors.is_valid()), tally)
    tally.dropped += len(errors) - errors.null_count
    return batch.filter(errors.is_null())


def _count(batch: pa.RecordBatch, tally: Tally) -> None:
    errors = errors_of(batch)
    malformed = len(errors) - errors.null_count
    tally.rows += batch.num_rows
    tally.malformed += malformed
    if malformed and not tally.first:
        first = pc.index(errors.is_valid(), value=True).as_py()
        tally.first = _described(batch.slice(first, 1).to_pylist()[0])


def _described(row: dict[str, Any]) -> str:
    """The location and the error of a row."""
    error = row[ERROR_NAME]
    said = f"{error['path']}: {error['message']}" if error["path"] else error["message"]
    if row.get("offset") is not None and row.get("topic") is not None:
        return f"{row['topic']}-{row['partition']} offset {row['offset']}: {said}"
    if row.get("batchPosition") is not None:
        return f"{row['path']}: the batch at byte {row['batchPosition']}: {said}"
    connection = f"{row['connection']}: " if row.get("connection") else ""
    return f"{row['path']}: {connection}{said}"
