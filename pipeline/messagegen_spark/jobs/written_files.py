"""Parquet files that workers write where they decode: rows never reach Spark, only the names of finished files do.

A task may run several times: after a failure, or at the same time where Spark speculates. Every attempt writes files with names of
its own, and Spark gives those of one successful attempt of each task. These are moved to the unit; what other attempts wrote stays in the
scratch folder, and goes with it.
"""

from __future__ import annotations

import base64
import pickle
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from messagegen_arrow.files import joined
from messagegen_arrow.files.writing import put
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.parquet_files import LogFileWriter, WrittenFile
from messagegen_arrow.log.tasks import find_tasks
from messagegen_spark.jobs.folders import keep_readable
from messagegen_spark.jobs.unit_store import SHARED_PATH_ADVICE, OutputError, UnitCounts
from messagegen_spark.sources.log.partitions import LogInputPartition, input_partitions
from messagegen_spark.workers import settle

_NAME: Final = "messagegen-written-files"
_WORK: Final = "work"
_ATTEMPTS: Final = "attempts"
_SCHEMA: Final = pa.schema([("path", pa.string()), ("rows", pa.int64()), ("malformed", pa.int64())])


@dataclass(frozen=True)
class LogFiles:
    """What workers write of a unit; it pickles."""

    options: LogOptions
    writer: LogFileWriter
    schema: StructType
    """All columns, also those in the names of folders."""


def write_files(spark: SparkSession, files: LogFiles, staged: Path) -> UnitCounts:
    """Has workers write a unit, and puts what is finished into ``staged``.

    Raises ``OutputError`` where executors do not write to the file system that this process sees, and what reading raises.
    """
    attempts = staged.with_name(_ATTEMPTS)
    attempts.mkdir()
    finished = finished_files(spark, files, attempts)
    staged.mkdir()
    for file in finished:
        _move(attempts / file.path, staged / file.path)
    if files.writer.folders:
        keep_readable(staged, spark.createDataFrame([], files.schema), files.writer.folders)
    elif not finished:
        files.writer.write_nothing(staged / "part-none.snappy.parquet")
    return counts_of(finished)


def finished_files(spark: SparkSession, files: LogFiles, folder: Path | str) -> list[WrittenFile]:
    """Has workers write the files of a unit to a folder or URL; gives those of successful tasks. Raises what reading raises."""
    spark.dataSource.register(WrittenFilesDataSource)
    work = base64.b64encode(pickle.dumps((files, folder))).decode()
    return [WrittenFile(*row) for row in spark.read.format(_NAME).option(_WORK, work).load().collect()]


def counts_of(finished: Sequence[WrittenFile]) -> UnitCounts:
    """What was counted in files."""
    return UnitCounts(sum(file.rows for file in finished), sum(file.malformed for file in finished))


def _move(written: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        written.rename(place)
    except FileNotFoundError:
        raise OutputError(f"what was written is not in {written.parent}: {SHARED_PATH_ADVICE}") from None


class WrittenFilesDataSource(DataSource):
    """A source whose tasks write files, and whose rows are the files that are finished."""

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        self._work = options[_WORK]

    @classmethod
    def name(cls) -> str:
        """What ``format(...)`` calls it."""
        return _NAME

    def schema(self) -> str:
        """The columns of ``WrittenFile``."""
        return "path STRING, rows BIGINT, malformed BIGINT"

    def reader(self, schema: StructType) -> DataSourceReader:
        """A reader that writes."""
        del schema
        files, folder = pickle.loads(base64.b64decode(self._work))  # noqa: S301 - the driver made it
        return _WritingReader(files, folder)


class _WritingReader(DataSourceReader):
    def __init__(self, files: LogFiles, folder: Path | str) -> None:
        self._files = files
        self._folder = folder

    def partitions(self) -> list[InputPartition]:
        return input_partitions(find_tasks(self._files.options))

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, LogInputPartition)
        settle()
        for file in self._written(partition):
            yield pa.RecordBatch.from_arrays([pa.array([value]) for value in file], schema=_SCHEMA)

    def _written(self, partition: LogInputPartition) -> Iterator[WrittenFile]:
        if isinstance(self._folder, str):
            with TemporaryDirectory(prefix="messagegen-") as scratch:
                for file in self._files.writer.write(partition.ranges, Path(scratch)):
                    put(joined(self._folder, *file.path.split("/")), Path(scratch, file.path))
                    Path(scratch, file.path).unlink()
                    yield file
            return
        # The folder of a job that was killed is gone, and is not made again.
        if not self._folder.is_dir():
            raise OutputError(f"{self._folder} is not there for an executor: {SHARED_PATH_ADVICE}")
        yield from self._files.writer.write(partition.ranges, self._folder)
