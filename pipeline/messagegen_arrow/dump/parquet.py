"""Writes batches to a Parquet file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Final

import pyarrow as pa
from pyarrow import parquet

_ROWS: Final = 1 << 16
_BYTES: Final = 1 << 26


def write_parquet(file: IO[bytes], schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    """Writes row groups of about 65,536 rows or 64 MiB; raises what reading the batches raises."""
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for group in _groups(batches):
            writer.write_table(pa.Table.from_batches(group, schema))


def _groups(batches: Iterable[pa.RecordBatch]) -> Iterator[list[pa.RecordBatch]]:
    group: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        group.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= _ROWS or size >= _BYTES:
            yield group
            group, rows, size = [], 0, 0
    if group:
        yield group
