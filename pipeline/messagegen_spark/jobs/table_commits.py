"""Tables of lake formats as the output of jobs: workers write files, and each unit is one commit of the table.

    OUTPUT/_commit.json    the files of a unit of a job that are about to be committed, and its counts

It is written when all files of a unit are finished, and removed when the unit is done. A process that died in between leaves it, and the
next one commits the same files: the table knows whether it has them. Files of attempts that failed, and of processes that died before, are in a
folder of the unit that has only what is to be committed in the end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from messagegen_arrow.log.parquet_files import FOLDER_COLUMNS
from messagegen_arrow.log.tasks import find_tasks
from messagegen_arrow.tables.data_files import DataFileWriter
from messagegen_arrow.tables.table import DataFile, Table, is_committed
from messagegen_spark.jobs.observed_counts import observed
from messagegen_spark.jobs.targets import KeptTable, Target, UnitWork, check_columns, table_is_gone
from messagegen_spark.jobs.unit_store import OutputError, UnitCounts, read_json, write_json
from messagegen_spark.jobs.written_files import LogFiles
from messagegen_spark.sources.log.partitions import LogInputPartition, input_partitions
from messagegen_spark.workers import settle

_RESULT: Final = "file STRING, rows BIGINT, malformed BIGINT"
"""A finished file as JSON text, or what a task counted."""
_RESULT_SCHEMA: Final = pa.schema([("file", pa.string()), ("rows", pa.int64()), ("malformed", pa.int64())])


_Pending = tuple[list[DataFile], UnitCounts]


def committed_target(table: Table, partition_by: Sequence[str]) -> Target:
    """A table that gets each unit in one commit, once. The output only holds the state of the job, and needs no executor to see it."""
    described = {"table": table.name, "partition-by": list(partition_by)}
    return Target(
        None,
        described,
        commit=lambda work: _do_unit(table, tuple(partition_by), work),
        append=lambda rows, job, batch: append_batch(rows, table, job, batch, partition_by),
        table=KeptTable(table.name, table.exists, lambda job: table.committed(job) is not None),
    )


def files_of_job(table: Table, job: str, done: Collection[str]) -> list[str]:
    """The files of the units of a job or stream that are done, relative to the table's place; those that were removed since are missing."""
    if not table.exists():
        return []
    folders = {_folder(job, unit) for unit in done} | {_folder(job, str(int(unit))) for unit in done}
    return [path for path in table.place.files(_folder(job)) if "/".join(path.split("/")[:2]) in folders]


def append_batch(rows: DataFrame, table: Table, job: str, batch: int, partition_by: Sequence[str] = ()) -> None:
    """Adds the rows of a micro-batch to a table, unless it has them: for ``foreachBatch`` of a stream.

    ``job`` is a name that no other stream or job has, and that stays when the stream is started again, as its checkpoint does; ``batch``
    is the number that Spark gives the batch. Raises ``OutputError`` for unknown partition columns,
    ``TableError`` where the table does not take the rows, and what reading them raises.
    """
    if is_committed(table, job, batch):
        return
    below = _folder(job, str(batch))
    check_columns(rows, partition_by)
    columns = to_arrow_schema(rows.schema, timezone="UTC")
    files = _write(rows, DataFileWriter(table.prepare(columns, partition_by), below))
    # Otherwise the files of whoever was faster are in the table, and must stay.
    if table.commit(files, job, batch):
        table.place.remove_others(below, [file.path for file in files])


def _do_unit(table: Table, partition_by: tuple[str, ...], work: UnitWork) -> UnitCounts:
    job, batch = work.store.id, work.store.units.index(work.unit)
    below = _folder(job, work.unit.name)
    pending = _pending(work)
    if pending is None or not _can_be_committed(table, pending, job, batch):
        _check_table(table, work)
        pending = _written(table, partition_by, below, work)
        _save(pending, work)
    files, counts = pending
    table.commit(files, job, batch)
    if files:
        table.place.remove_others(below, [file.path for file in files])
    with work.store.staged(work.unit) as staged:
        staged.mkdir()
        work.store.commit(work.unit, staged, counts)
    work.store.pending.unlink()
    return counts


def _folder(job: str, *part: str) -> str:
    """The folder of a job in the table, or that of one of its units or batches; nothing else is there."""
    return "/".join((f"messagegen-{job}", *part))


def _can_be_committed(table: Table, pending: _Pending, job: str, batch: int) -> bool:
    files, _ = pending
    return is_committed(table, job, batch) or (table.exists() and table.place.has([file.path for file in files]))


def _check_table(table: Table, work: UnitWork) -> None:
    """Raises ``OutputError`` where the table is not the one that the job has begun to write to, or has more than the output says."""
    job = work.store.id
    # This is asked for each unit, and the counts of all units are in as many files: they are only read where they are needed.
    done = {} if table.exists() else work.store.done()
    if any(counts.rows for counts in done.values()):
        raise table_is_gone(table.name, len(done))
    if is_committed(table, job, work.store.units.index(work.unit)):
        raise OutputError(
            f"{table.name} has unit {work.unit.name} of this job already, but its counts are gone from {work.store.place(work.unit)}: "
            "name another output and another table to start again"
        )


def _pending(work: UnitWork) -> _Pending | None:
    """What a process that died was about to commit of the unit of this job."""
    if not work.store.pending.is_file():
        return None
    found = read_json(work.store.pending, "remove it, and the unit is done again")
    if (found.get("job"), found["unit"]) != (work.store.id, work.unit.name):
        return None
    return [DataFile(**file) for file in found["files"]], UnitCounts(**found["counts"])


def _save(pending: _Pending, work: UnitWork) -> None:
    files, counts = pending
    what = {"job": work.store.id, "unit": work.unit.name}
    write_json(work.store.pending, {**what, "counts": asdict(counts), "files": [asdict(file) for file in files]})


def _written(table: Table, partition_by: tuple[str, ...], below: str, work: UnitWork) -> _Pending:
    """Has workers write the rows of a unit, where they decode them if they can."""

    def writer(columns: pa.Schema) -> DataFileWriter:
        layout = table.prepare(columns, partition_by)
        # What is there was written by attempts that nobody knows of any more.
        layout.place.remove_others(below, ())
        return DataFileWriter(layout, below)

    files = work.files(()) if set(partition_by) <= set(FOLDER_COLUMNS) else None
    if files is not None and set(partition_by) <= set(files.writer.schema.names):
        return _written_by_readers(work.spark, files, writer(files.writer.schema))
    return _written_from_rows(work, partition_by, writer)


def _written_from_rows(
    work: UnitWork, partition_by: tuple[str, ...], writer: Callable[[pa.Schema], DataFileWriter]
) -> _Pending:
    observation = Observation()
    rows = work.rows(observation)
    check_columns(rows, partition_by)
    files = _write(rows, writer(to_arrow_schema(rows.schema, timezone="UTC")))
    return files, observed(observation)


def _write(rows: DataFrame, writer: DataFileWriter) -> list[DataFile]:
    """Has workers write rows; gives the files of one successful attempt of each task."""

    def write(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        settle()
        return map(_as_batch, writer.write(batches))

    # One file after the other, however many values there are.
    partition_by = writer.layout.partition_by
    in_order = rows.sortWithinPartitions(*partition_by) if partition_by else rows
    finished = in_order.mapInArrow(write, _RESULT).collect()
    return [DataFile(**json.loads(row["file"])) for row in finished]


def _written_by_readers(spark: SparkSession, files: LogFiles, writer: DataFileWriter) -> _Pending:
    source = _writing_source(files, writer)
    spark.dataSource.register(source)
    finished = spark.read.format(source.name()).load().collect()
    counts = UnitCounts(sum(row["rows"] for row in finished), sum(row["malformed"] for row in finished))
    return [DataFile(**json.loads(row["file"])) for row in finished if row["file"] is not None], counts


def _as_batch(file: DataFile | None, rows: int = 0, malformed: int = 0) -> pa.RecordBatch:
    text = None if file is None else json.dumps(asdict(file))
    return pa.RecordBatch.from_pylist([{"file": text, "rows": rows, "malformed": malformed}], _RESULT_SCHEMA)


def _writing_source(files: LogFiles, writer: DataFileWriter) -> type[DataSource]:
    """A source whose tasks write files, and whose rows are the files that are finished and the counts of tasks.

    It is a class of its own for each unit: options are shown by Spark, and how to reach the table can be a secret.
    """

    class TableFilesDataSource(DataSource):
        @classmethod
        def name(cls) -> str:
            # Spark warns of a second source with the same name.
            return writer.below.replace("/", "-")

        def schema(self) -> str:
            return _RESULT

        def reader(self, schema: StructType) -> DataSourceReader:
            del schema
            return _WritingReader(files, writer)

    return TableFilesDataSource


class _WritingReader(DataSourceReader):
    def __init__(self, files: LogFiles, writer: DataFileWriter) -> None:
        self._files = files
        self._writer = writer

    def partitions(self) -> list[InputPartition]:
        return input_partitions(find_tasks(self._files.options))

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, LogInputPartition)
        settle()
        counted = [0, 0]

        def batches() -> Iterator[pa.RecordBatch]:
            for batch, rows, malformed in self._files.writer.batches(partition.ranges):
                counted[0] += rows
                counted[1] += malformed
                yield batch

        yield from map(_as_batch, self._writer.write(batches()))
        yield _as_batch(None, *counted)
