"""What was appended to logs since a place: the rows between two positions, as a DataFrame."""

from __future__ import annotations

import base64
import pickle
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.streaming.datasource import ReadAllAvailable
from pyspark.sql.types import StructType

from messagegen_spark.sources.log.partitions import LogInputPartition, input_partitions
from messagegen_spark.sources.log.source import KafkaLogDataSource
from messagegen_spark.sources.log.stream import KafkaLogStreamReader, Offsets

_NAME: Final = "messagegen-new-rows"
_WORK: Final = "work"


def register_new_rows(spark: SparkSession) -> None:
    """Makes the source of ``new_rows`` known to a session, and to those of streams that are started in it later."""
    spark.dataSource.register(NewRowsDataSource)


def new_rows(spark: SparkSession, options: Mapping[str, str], start: Offsets) -> tuple[DataFrame, Offsets]:
    """The rows of logs from ``start`` on (empty: from the beginning), and the place where they end.

    The session knows its source (``register_new_rows``). ``options`` are those of ``kafka-log``. Raises what the source raises for paths
    and options.
    """
    source = KafkaLogDataSource(dict(options))
    schema = source.schema()
    reader = source.streamReader(schema)
    end = reader.latestOffset(start, ReadAllAvailable())
    tasks = [task.ranges for task in reader.partitions(start, end) if isinstance(task, LogInputPartition)]
    work = base64.b64encode(pickle.dumps(_Work(reader, tuple(tasks), schema))).decode()
    return spark.read.format(_NAME).option(_WORK, work).load(), end


@dataclass(frozen=True)
class _Work:
    reader: KafkaLogStreamReader
    tasks: tuple[tuple[Any, ...], ...]
    schema: StructType


class NewRowsDataSource(DataSource):
    """A source whose tasks were planned before."""

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        self._work: _Work = pickle.loads(base64.b64decode(options[_WORK]))  # noqa: S301 - the driver made it

    @classmethod
    def name(cls) -> str:
        """What ``format(...)`` calls it."""
        return _NAME

    def schema(self) -> StructType:
        """The columns that the options named."""
        return self._work.schema

    def reader(self, schema: StructType) -> DataSourceReader:
        """A reader of the tasks."""
        del schema
        return _NewRowsReader(self._work)


class _NewRowsReader(DataSourceReader):
    def __init__(self, work: _Work) -> None:
        self._work = work

    def partitions(self) -> list[InputPartition]:
        return input_partitions(self._work.tasks)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return self._work.reader.read(partition)
