"""Parquet files in object stores: Python workers write all of them, whoever makes the rows, so Spark needs neither jars nor credentials for the store.

An attempt of a task writes a file on its own disk, and uploads it to the staging folder once it is whole. The names of finished files are rows;
Spark gives those of one successful attempt of each task.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql import types as spark
from pyspark.sql.pandas.types import to_arrow_schema

from messagegen_arrow.files import joined
from messagegen_arrow.files.writing import put
from messagegen_arrow.row_files import NO_VALUE, row_file
from messagegen_spark.jobs.folders import SCHEMA_KEY, readable, sample
from messagegen_spark.jobs.stored_units import StoredUnits
from messagegen_spark.jobs.targets import Target, Writer, check_columns
from messagegen_spark.jobs.unit_store import UnitStore
from messagegen_spark.jobs.units import Unit
from messagegen_spark.workers import settle

_KEY: Final = "_folder_"
"""Before the names of columns that have the text of a folder's column."""
_PLAIN: Final = " !$&()+,-.;<>@_`|~"
"""What Spark writes into names of folders as it is, besides letters and digits."""

_Batches = Iterable[pa.RecordBatch]


@dataclass(frozen=True)
class RowFiles:
    """What workers write of rows whose last columns are the texts of folders; it pickles."""

    attempt: str
    folders: tuple[str, ...]
    schema: pa.Schema

    def write(self, batches: _Batches) -> Iterator[str]:
        """Writes a file for each run of rows with the same folders; gives their names in the attempt."""
        settle()
        for place, same in groupby(self._parts(batches), key=lambda part: part[0]):
            yield upload(self.attempt, f"{place}part-{uuid.uuid4().hex}.snappy.parquet", self._writer(same))

    def _parts(self, batches: _Batches) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Runs of rows that are of one folder."""
        kept = len(self.schema)
        for batch in batches:
            rows = batch.select(list(range(kept)))
            keys = list(zip(*(column.to_pylist() for column in batch.columns[kept:]), strict=True)) or [()] * len(batch)
            start = 0
            for key, run in groupby(keys):
                count = sum(1 for _ in run)
                yield folder_name(self.folders, key), rows.slice(start, count)
                start += count

    def _writer(self, parts: Iterable[tuple[str, pa.RecordBatch]]) -> Callable[[Path], None]:
        def write(path: Path) -> None:
            with row_file(path, self.schema) as file:
                for _, rows in parts:
                    file.add(rows.cast(self.schema))

        return write


def upload(attempt: str, name: str, write: Callable[[Path], None]) -> str:
    """Has a file written on this machine, and puts it into an attempt; gives its name there."""
    with TemporaryDirectory(prefix="messagegen-") as scratch:
        file = Path(scratch) / "part.parquet"
        write(file)
        put(joined(attempt, *name.split("/")), file)
    return name


def folder_name(names: Sequence[str], values: Sequence[str | None]) -> str:
    """The folders of values, as Spark names them; each ends with a slash."""
    texts = (NO_VALUE if not value else quote(value, safe=_PLAIN, encoding="utf-8") for value in values)
    return "".join(f"{name}={text}/" for name, text in zip(names, texts, strict=True))


def stored_target(partition_by: Sequence[str] = ()) -> Target:
    """Parquet files in an object store, in folders by columns."""

    def writer(store: UnitStore) -> Writer:
        assert isinstance(store, StoredUnits), "other outputs have targets of their own"

        def write(df: DataFrame, _: Unit, staged: Path) -> None:
            check_columns(df, partition_by)
            take(store, staged, _written(df, store.attempt(staged), partition_by), df.schema, partition_by)

        return write

    return Target(writer, {"partition-by": list(partition_by)}, tuple(partition_by))


def take(
    store: StoredUnits, staged: Path, files: Iterable[str], schema: spark.StructType, partition_by: Sequence[str]
) -> None:
    """Takes files of an attempt into the unit, under names that Spark reads back as they were meant; one without rows if there are none."""
    types = {field.name: field.dataType for field in schema.fields}
    found = list(files) or [_no_rows(store.attempt(staged), schema, partition_by)]
    is_text = [isinstance(types[name], spark.StringType) for name in partition_by]
    store.take(staged, {name: readable(name, is_text) for name in found})


def _written(df: DataFrame, attempt: str, partition_by: Sequence[str]) -> list[str]:
    inner = _inner(df.schema, partition_by)
    keys = [sql.col(name).cast("string").alias(f"{_KEY}{name}") for name in partition_by]
    rows = df.select(*(sql.col(f"`{name}`") for name in inner.names), *keys)
    if keys:
        rows = rows.sortWithinPartitions(*(f"{_KEY}{name}" for name in partition_by))
    files = RowFiles(attempt, tuple(partition_by), _arrow(inner))

    def write(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for name in files.write(batches):
            yield pa.RecordBatch.from_pydict({"path": pa.array([name], pa.string())})

    return [row["path"] for row in rows.mapInArrow(write, "path string").collect()]


def _no_rows(attempt: str, schema: spark.StructType, partition_by: Sequence[str]) -> str:
    fields = {field.name: field.dataType for field in schema.fields}
    inner = _arrow(_inner(schema, partition_by))
    place = folder_name(partition_by, [sample(fields[name]) for name in partition_by])
    return upload(attempt, f"{place}part-none.snappy.parquet", lambda path: pq.write_table(inner.empty_table(), path))


def _inner(schema: spark.StructType, partition_by: Sequence[str]) -> spark.StructType:
    return spark.StructType([field for field in schema.fields if field.name not in partition_by])


def _arrow(schema: spark.StructType) -> pa.Schema:
    """The columns of files, which say themselves what they are in Spark."""
    made: Any = to_arrow_schema(schema, timezone="UTC")
    return made.with_metadata({SCHEMA_KEY: schema.json()})
