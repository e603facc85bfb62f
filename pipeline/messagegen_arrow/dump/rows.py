"""Counts all rows and malformed rows of a dump, and writes Parquet files."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from messagegen_arrow.dump.request import errors_of
from messagegen_arrow.malformed import ERROR_NAME

_GROUP_ROWS: Final = 1 << 16
_GROUP_BYTES: Final = 1 << 26


@dataclass(slots=True)
class Tally:
    """Counts of the rows that were read; ``first`` is the error of the first malformed row."""

    rows: int = 0
    malformed: int = 0
    first: str = ""

    def counted(self, batches: Iterable[pa.RecordBatch], limit: int | None) -> Iterator[pa.RecordBatch]:
        """Yield the batches, up to ``limit`` rows in total; nothing is read after the last one."""
        if limit is not None and self.rows >= limit:
            return
        for whole in batches:
            batch = whole if limit is None else whole.slice(0, limit - self.rows)
            errors = errors_of(batch)
            malformed = len(errors) - errors.null_count
            self.rows += batch.num_rows
            self.malformed += malformed
            if malformed and not self.first:
                first = pc.index(errors.is_valid(), value=True).as_py()
                self.first = _described(batch.slice(first, 1).to_pylist()[0])
            yield batch
            if limit is not None and self.rows >= limit:
                return


def _described(row: dict[str, Any]) -> str:
    """Return the location and the error of a row."""
    error = row[ERROR_NAME]
    problem = f"{error['path']}: {error['message']}" if error["path"] else error["message"]
    if row.get("offset") is not None:
        has_partition = row.get("topic") is not None and row.get("partition") is not None
        log = f"{row['topic']}-{row['partition']} " if has_partition else f"{row['path']}: "
        return f"{log}offset {row['offset']}: {problem}"
    if row.get("batchPosition") is not None:
        return f"{row['path']}: the batch at byte {row['batchPosition']}: {problem}"
    connection = f"{row['connection']}: " if row.get("connection") else ""
    return f"{row['path']}: {connection}{problem}"


def write_parquet(file: IO[bytes], schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    """Write row groups of about 65,536 rows or 64 MiB. Raises what reading the batches raises."""
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        group: list[pa.RecordBatch] = []
        rows = size = 0
        for batch in batches:
            group.append(batch)
            rows, size = rows + batch.num_rows, size + batch.nbytes
            if rows >= _GROUP_ROWS or size >= _GROUP_BYTES:
                writer.write_table(pa.Table.from_batches(group, schema))
                group, rows, size = [], 0, 0
        if group:
            writer.write_table(pa.Table.from_batches(group, schema))
