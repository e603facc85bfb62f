"""Parquet files, as far as messages need them: columns of some row groups, in batches."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from messagegen_arrow.files import StoreError, is_url, shown
from messagegen_arrow.files.seekable import arrow_file

_BATCH_BYTES: Final = 1 << 22
"""What was read is still in the processor's caches when it is decoded, and the columns when they are written."""
_READ_BYTES: Final = 3 << 20
"""So much of the pages is read for a batch: values take a bit more in memory, and then still fit."""
_PAGE_BY_PAGE: Final[dict[str, Any]] = {"pre_buffer": False, "buffer_size": 1 << 16}
_DICTIONARY: Final = frozenset(("PLAIN_DICTIONARY", "RLE_DICTIONARY"))
_OFFSET_BYTES: Final = 4
_VARIABLE: Final = (pa.binary(), pa.string(), pa.large_binary(), pa.large_string())
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


class OpenParquet:
    """An open file; made by ``opened_parquet``."""

    def __init__(self, path: str, source: pa.NativeFile) -> None:
        self._path = path
        self._source = source
        # Requests to a store take long, so what they fetch is put together before; of a local file, no more than pages is in memory.
        self._file = self._read(**({"pre_buffer": True} if is_url(path) else _PAGE_BY_PAGE))
        self.columns = _columns_of(self._file)
        """The columns. Times without a zone that are old style (INT96) are in UTC, as Spark writes them."""

    def middles(self) -> list[int]:
        """About where the middle of each row group is in the file."""
        metadata = self._file.metadata
        return [_middle(metadata.row_group(number)) for number in range(metadata.num_row_groups)]

    def row_groups(self, part: FilePart, wanted: pc.Expression | None) -> Iterator[tuple[int, int]]:
        """The row groups of a part, each with the number of its first row; without those that have no wanted row, as statistics say."""
        chosen = None if wanted is None else _chosen(part.path, wanted)
        first = 0
        for number, middle in enumerate(self.middles()):
            if part.start <= middle < part.end and (chosen is None or number in chosen):
                yield number, first
            first += self._file.metadata.row_group(number).num_rows

    def batches(self, number: int, names: Sequence[str], most_rows: int) -> Iterator[pa.RecordBatch]:
        """The named columns of a row group; those that the file does not have are left out.

        A batch has at most 4 MiB when its dictionaries are decoded, or one row.
        """
        group = self._file.metadata.row_group(number)
        asked = set(names)
        every = map(group.column, range(group.num_columns))
        chunks = [chunk for chunk in every if chunk.path_in_schema.split(".")[0] in asked]
        size = max(1, sum(chunk.total_uncompressed_size for chunk in chunks))
        rows = max(1, min(most_rows, group.num_rows * _READ_BYTES // size))
        if rows * size > _BATCH_BYTES:
            # Sizes in the file count a value once that a dictionary repeats.
            rows = max(1, min(rows, _BATCH_BYTES // max(1, self._longest(number, chunks))))
        read = self._file.iter_batches(rows, row_groups=[number], columns=list(names), use_threads=False)
        yield from _bounded(read, most_rows)

    def _longest(self, number: int, chunks: Sequence[pq.ColumnChunkMetaData]) -> int:
        """How long the longest values of dictionaries are together."""
        found = [chunk.path_in_schema for chunk in chunks if _DICTIONARY & set(chunk.encodings)]
        names = [name for name in found if name in self.columns.names and _is_variable(self.columns.field(name).type)]
        if not names:
            return 0
        file = self._read(metadata=self._file.metadata, read_dictionary=names, **_PAGE_BY_PAGE)
        # A row comes with all values of its dictionary.
        row = next(file.iter_batches(1, row_groups=[number], columns=names, use_threads=False))
        return sum(pc.max(pc.binary_length(column.dictionary)).as_py() or 0 for column in row.columns)

    def _read(self, **options: Any) -> pq.ParquetFile:
        return pq.ParquetFile(self._source, coerce_int96_timestamp_unit="us", **options)


@contextmanager
def opened_parquet(path: str) -> Iterator[OpenParquet]:
    """The file at a path or URL; errors of reading it name the path. Raises ``MessageFileError`` and ``OSError``."""
    with arrow_file(path) as source:
        try:
            yield OpenParquet(path, source)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as problem:
            raise MessageFileError(f"{shown(path)} can't be read as Parquet: {_line(problem)}") from None
        except OSError as problem:
            # Arrow's own errors have no number.
            if isinstance(problem, StoreError) or problem.errno is not None:
                raise
            raise MessageFileError(f"{shown(path)} is damaged: {_line(problem)}") from None


def plain(array: pa.Array) -> pa.Array:
    """The values of an array, also where a dictionary holds them."""
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def _columns_of(file: pq.ParquetFile) -> pa.Schema:
    old = {column.path for column in map(file.schema.column, range(len(file.schema.names))) if _is_old(column)}
    fields = [each.with_type(_SPARK_TIMESTAMP) if each.name in old else each for each in file.schema_arrow]
    return pa.schema([each.remove_metadata() for each in fields])


def _bounded(batches: Iterable[pa.RecordBatch], most_rows: int) -> Iterator[pa.RecordBatch]:
    """The rows in batches that are not too large, and not much smaller than they may be."""
    waiting: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        for part, own in _cut(batch):
            if waiting and (size + own > _BATCH_BYTES or rows + part.num_rows > most_rows):
                yield pa.concat_batches(waiting)
                waiting, rows, size = [], 0, 0
            waiting.append(part)
            rows, size = rows + part.num_rows, size + own
    if waiting:
        yield pa.concat_batches(waiting)


def _cut(batch: pa.RecordBatch) -> Iterator[tuple[pa.RecordBatch, int]]:
    """A batch in parts that are not too large, as far as rows allow it, each with its size in bytes."""
    ends = np.cumsum(sum(map(_row_sizes, batch.columns), np.zeros(batch.num_rows, np.int64)))
    start = before = 0
    while start < batch.num_rows:
        end = max(start + 1, int(np.searchsorted(ends, before + _BATCH_BYTES, side="right")))
        yield batch.slice(start, end - start), int(ends[end - 1]) - before
        start, before = end, int(ends[end - 1])


def _is_variable(type_: pa.DataType) -> bool:
    """Whether values have lengths of their own, also where a dictionary holds them."""
    found = type_.value_type if pa.types.is_dictionary(type_) else type_
    return found in _VARIABLE or pa.types.is_binary_view(found) or pa.types.is_string_view(found)


def _row_sizes(array: pa.Array) -> npt.NDArray[np.int64]:
    """How many bytes the value of each row takes; where lengths are not known, all rows take the same."""
    lengths = None
    if pa.types.is_dictionary(array.type) and array.type.value_type in _VARIABLE:
        lengths = pc.binary_length(array.dictionary).take(array.indices)
    elif array.type in _VARIABLE:
        lengths = pc.binary_length(array)
    if lengths is None:
        return np.full(len(array), -(-array.nbytes // max(1, len(array))), np.int64)
    sizes: npt.NDArray[np.int64] = pc.fill_null(lengths, 0).to_numpy().astype(np.int64)
    return sizes + _OFFSET_BYTES


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
