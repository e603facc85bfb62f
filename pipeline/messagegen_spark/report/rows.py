"""The rows of a run, wherever they were written, and sums of them that workers make."""

# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import fs
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql
from pyspark.sql.types import StructType

from messagegen_arrow.files.seekable import arrow_file
from messagegen_arrow.row_files import NO_VALUE
from messagegen_spark.report.sums import RunningSums, Sums
from messagegen_spark.workers import settle

_PARTIAL: Final = "query int, sums binary"
_PARTIAL_SCHEMA: Final = pa.schema([("query", pa.int32()), ("sums", pa.binary())])
_BATCH_ROWS: Final = 1 << 17

_Batches = Iterable[pa.RecordBatch]


class Rows(Protocol):
    """The rows of a run."""

    @property
    def columns(self) -> frozenset[str]:
        """The names of columns, and of fields of structs as ``column.field``."""
        ...

    def sums(self, *queries: Sums) -> list[pa.Table]:
        """The answers to queries, in one pass over the rows."""
        ...

    def count(self) -> int:
        """How many there are."""
        ...


@dataclass(frozen=True)
class FileInFolders:
    """A Parquet file."""

    path: str
    """Where it is."""
    folders: tuple[tuple[str, str], ...]
    """Columns and values in the names of its folders."""

    @classmethod
    def of(cls, path: str, name: str) -> FileInFolders:
        """A file whose name, relative to the output, begins with its folders."""
        parts = (part.partition("=") for part in name.split("/")[:-1])
        return cls(path, tuple((unquote(key), unquote(value)) for key, sign, value in parts if sign))


@dataclass(frozen=True)
class FileReader:
    """Reads columns of Parquet files; it pickles."""

    types: pa.Schema
    """The types of columns that may be in the names of folders; others are texts."""
    time_zone: str
    """Of the times in the names of folders."""
    filesystem: fs.FileSystem | None = None
    """Where the files are; ``None``: on local disks, or where URLs say."""

    def columns(self, file: FileInFolders) -> frozenset[str]:
        """What there is in a file."""
        with self._opened(file) as source:
            inner = _paths(pq.read_schema(source))
        return frozenset([*inner, *(name for name, _ in file.folders)])

    def rows(self, file: FileInFolders) -> int:
        """How many rows a file has."""
        with self._opened(file) as source:
            return int(pq.read_metadata(source).num_rows)

    def read(self, file: FileInFolders, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The columns of a file, in this order and under these names."""
        folders = dict(file.folders)
        with self._opened(file) as source, pq.ParquetFile(source, coerce_int96_timestamp_unit="us") as parquet:
            inner = [name for name in columns if name not in folders]
            for batch in parquet.iter_batches(_BATCH_ROWS, columns=inner):
                count = batch.num_rows
                arrays = [
                    self._repeated(name, folders[name], count) if name in folders else _at(batch, name)
                    for name in columns
                ]
                yield pa.RecordBatch.from_arrays(arrays, list(columns))

    @contextmanager
    def _opened(self, file: FileInFolders) -> Iterator[pa.NativeFile]:
        if self.filesystem is not None:
            with self.filesystem.open_input_file(file.path) as source:
                yield source
        else:
            with arrow_file(file.path) as source:
                yield source

    def _repeated(self, name: str, text: str, count: int) -> pa.Array:
        where = self.types.get_field_index(name)
        type_ = pa.string() if where < 0 else self.types.field(where).type
        if text == NO_VALUE:
            return pa.nulls(count, type_)
        value = pa.array([text], pa.string())
        if pa.types.is_timestamp(type_):
            value = pc.assume_timezone(
                value.cast(pa.timestamp("us")), self.time_zone, ambiguous="earliest", nonexistent="earliest"
            )
        return pa.repeat(value.cast(type_)[0], count)


@dataclass(frozen=True)
class FileRows:
    """Rows in Parquet files, which workers read with Arrow: Spark needs to know nothing of where they are."""

    spark: SparkSession
    files: tuple[FileInFolders, ...]
    reader: FileReader

    @property
    def columns(self) -> frozenset[str]:
        """Those of the first file: all files of a run have the same."""
        return self._columns

    @cached_property
    def _columns(self) -> frozenset[str]:
        return self.reader.columns(self.files[0]) if self.files else frozenset()

    def sums(self, *queries: Sums) -> list[pa.Table]:
        """Each task reads some of the files."""
        files, reader, columns = self.files, self.reader, _needed(queries)

        def work(numbers: _Batches) -> Iterator[pa.RecordBatch]:
            settle()
            mine = (files[number] for batch in numbers for number in batch.column(0).to_pylist())
            yield from _partials(queries, (batch for file in mine for batch in reader.read(file, columns)))

        return _answers(queries, self._over_files(work))

    def count(self) -> int:
        """What the files say at their ends."""
        files, reader = self.files, self.reader

        def work(numbers: _Batches) -> Iterator[pa.RecordBatch]:
            mine = (files[number] for batch in numbers for number in batch.column(0).to_pylist())
            yield pa.RecordBatch.from_pydict({"rows": [sum(map(reader.rows, mine))]})

        if not files:
            return 0
        found = self._frame().mapInArrow(work, "rows bigint").toArrow()
        return int(sum(found["rows"].to_pylist()))

    def _over_files(self, work: Callable[[_Batches], Iterator[pa.RecordBatch]]) -> pa.Table:
        return self._frame().mapInArrow(work, _PARTIAL).toArrow() if self.files else _PARTIAL_SCHEMA.empty_table()

    def _frame(self) -> DataFrame:
        # As many tasks as cores.
        return self.spark.range(len(self.files))


@dataclass(frozen=True)
class FrameRows:
    """Rows that only Spark can read: those of tables in its catalogs."""

    frame: DataFrame

    @property
    def columns(self) -> frozenset[str]:
        """The names of columns and fields."""
        return frozenset(_frame_paths(self.frame.schema))

    def sums(self, *queries: Sums) -> list[pa.Table]:
        """Each task passes what it reads through Python."""
        columns = _needed(queries)

        def work(batches: _Batches) -> Iterator[pa.RecordBatch]:
            settle()
            named = (pa.RecordBatch.from_arrays(batch.columns, list(columns)) for batch in batches)
            yield from _partials(queries, named)

        # A dot in an alias would have to be quoted.
        taken = self.frame.select(*(sql.col(name).alias(f"_{place}") for place, name in enumerate(columns)))
        return _answers(queries, taken.mapInArrow(work, _PARTIAL).toArrow())

    def count(self) -> int:
        """What Spark counts."""
        return self.frame.count()


def _needed(queries: Iterable[Sums]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for query in queries for name in query.columns))


def _partials(queries: Sequence[Sums], batches: _Batches) -> Iterator[pa.RecordBatch]:
    """A row for each query that has an answer."""
    running = [RunningSums(query) for query in queries]
    for batch in batches:
        for each in running:
            each.add(batch)
    for number, each in enumerate(running):
        total = each.total()
        if total.num_rows:
            yield pa.RecordBatch.from_pylist([{"query": number, "sums": _as_bytes(total)}], _PARTIAL_SCHEMA)


def _answers(queries: Sequence[Sums], partials: pa.Table) -> list[pa.Table]:
    found: list[list[pa.Table]] = [[] for _ in queries]
    for row in partials.to_pylist():
        found[row["query"]].append(pa.ipc.open_stream(row["sums"]).read_all())
    return [query.added(parts) for query, parts in zip(queries, found, strict=True)]


def _as_bytes(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def _at(batch: pa.RecordBatch, path: str) -> pa.Array:
    """A column, or a field of one."""
    name, *fields = path.split(".")
    return pc.struct_field(batch.column(name), fields) if fields else batch.column(name)


def _paths(schema: Iterable[pa.Field], above: str = "") -> Iterator[str]:
    for each in schema:
        yield f"{above}{each.name}"
        if pa.types.is_struct(each.type):
            yield from _paths(each.type, f"{above}{each.name}.")


def _frame_paths(schema: StructType, above: str = "") -> Iterator[str]:
    for each in schema:
        yield f"{above}{each.name}"
        if isinstance(each.dataType, StructType):
            yield from _frame_paths(each.dataType, f"{above}{each.name}.")
