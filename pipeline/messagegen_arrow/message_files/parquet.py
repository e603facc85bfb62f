"""Parquet files, as far as messages need them: columns of some row groups, in batches."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from messagegen_arrow.files import StoreError, is_url, shown
from messagegen_arrow.files.seekable import arrow_file

_BATCH_BYTES: Final = 1 << 22
"""What was read is still in the processor's caches when it is decoded, and the columns when they are written."""
_PAGE_BYTES: Final = 1 << 16
_OLD_TIMESTAMP: Final = "INT96"
_SPARK_TIMESTAMP: Final = pa.timestamp("us", tz="UTC")


@dataclass(frozen=True, slots=True)
class FilePart:
    """The row groups of a file whose middle lies between two positions."""

    path: str
    start: int
    end: int


class MessageFileError(ValueError):
    """Raised for a file that is not Parquet or is damaged, and for columns that it does not have or that have another type."""


@contextmanager
def opened_parquet(path: str) -> Iterator[pq.ParquetFile]:
    """The file at a path or URL; errors of reading it name the path. Raises ``MessageFileError`` and ``OSError``."""
    with arrow_file(path) as source:
        try:
            # Requests to a store take long, so what they fetch is put together before; of a local file, no more than pages is in memory.
            buffered = {"pre_buffer": True} if is_url(path) else {"pre_buffer": False, "buffer_size": _PAGE_BYTES}
            yield pq.ParquetFile(source, coerce_int96_timestamp_unit="us", **buffered)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as problem:
            raise MessageFileError(f"{shown(path)} can't be read as Parquet: {_line(problem)}") from None
        except OSError as problem:
            # Arrow's own errors have no number.
            if isinstance(problem, StoreError) or problem.errno is not None:
                raise
            raise MessageFileError(f"{shown(path)} is damaged: {_line(problem)}") from None


def columns_of(file: pq.ParquetFile) -> pa.Schema:
    """The columns of a file. Times without a zone that are old style (INT96) are in UTC, as Spark writes them."""
    old = {column.path for column in map(file.schema.column, range(len(file.schema.names))) if _is_old(column)}
    fields = [each.with_type(_SPARK_TIMESTAMP) if each.name in old else each for each in file.schema_arrow]
    return pa.schema([each.remove_metadata() for each in fields])


def row_groups(file: pq.ParquetFile, part: FilePart, wanted: pc.Expression | None) -> Iterator[tuple[int, int]]:
    """The row groups of a part, each with the number of its first row; without those that have no wanted row, as statistics say."""
    chosen = None if wanted is None else _chosen(part.path, wanted)
    first = 0
    for number, middle in enumerate(middles(file)):
        if part.start <= middle < part.end and (chosen is None or number in chosen):
            yield number, first
        first += file.metadata.row_group(number).num_rows


def middles(file: pq.ParquetFile) -> list[int]:
    """About where the middle of each row group is in the file."""
    return [_middle(file.metadata.row_group(number)) for number in range(file.metadata.num_row_groups)]


def batches(file: pq.ParquetFile, number: int, names: Sequence[str], most_rows: int) -> Iterator[pa.RecordBatch]:
    """The named columns of a row group in batches of about 4 MiB; those that the file does not have are left out."""
    group = file.metadata.row_group(number)
    asked = set(names)
    chunks = map(group.column, range(group.num_columns))
    size = sum(chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema.split(".")[0] in asked)
    rows_of_batch = max(1, min(most_rows, group.num_rows * _BATCH_BYTES // max(1, size)))
    yield from file.iter_batches(rows_of_batch, row_groups=[number], columns=list(names), use_threads=False)


def _middle(group: pq.RowGroupMetaData) -> int:
    """About where the middle of a row group is; there may be thousands, with many columns each, so only two columns are looked at."""
    if not group.num_columns:
        return 0
    first, last = group.column(0), group.column(group.num_columns - 1)
    return int(_start(first) + _start(last) + last.total_compressed_size) // 2


def _start(chunk: pq.ColumnChunkMetaData) -> int:
    return int(min(chunk.data_page_offset, chunk.dictionary_page_offset or chunk.data_page_offset))


def _chosen(path: str, wanted: pc.Expression) -> set[int] | None:
    """The row groups that may have a wanted row; ``None`` where columns are missing or of types that can't be compared."""
    import pyarrow.dataset as ds  # noqa: PLC0415 - what has no filters does without

    with arrow_file(path) as source:
        fragment = ds.ParquetFileFormat().make_fragment(source)
        if any(_is_rounded(field.type) for field in fragment.physical_schema):
            # Statistics have nanoseconds, and rows and filters microseconds: they can't be compared.
            return None
        try:
            return {group.id for group in fragment.subset(wanted).row_groups}
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            return None


def _is_old(column: pq.ColumnSchema) -> bool:
    return column.physical_type == _OLD_TIMESTAMP and "." not in column.path


def _is_rounded(type_: pa.DataType) -> bool:
    return bool(pa.types.is_timestamp(type_) and type_.unit == "ns")


def _line(problem: Exception) -> str:
    return " ".join(str(problem).split())
