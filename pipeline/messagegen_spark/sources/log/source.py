"""``spark.read.format("kafka-log")`` and ``spark.readStream.format("kafka-log")``: Kafka's log segments without Kafka."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, Filter, InputPartition
from pyspark.sql.types import StructType

from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.source import NAME, LogSource
from messagegen_arrow.log.tasks import find_tasks
from messagegen_spark.sources.log.filters import Pushed, push
from messagegen_spark.sources.log.partitions import LogInputPartition, input_partitions
from messagegen_spark.sources.log.query import LogQuery
from messagegen_spark.sources.schemas import source_schema

if TYPE_CHECKING:
    from messagegen_spark.sources.log.stream import KafkaLogStreamReader


class KafkaLogDataSource(DataSource):
    """Kafka's log segments (``*.log``) and snapshots (``*.checkpoint``) as a source named ``kafka-log``.

    Paths are folders of brokers or partitions, files, and globs, on disks that all executors see, or in object stores.
    ``docs/kafka-log-source.md`` explains options and columns.
    """

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        self._options = LogOptions.parse(options)

    @classmethod
    def name(cls) -> str:
        """What ``format(...)`` calls it."""
        return NAME

    def schema(self) -> StructType:
        """All columns, or those of the option ``columns``."""
        source = LogSource.of(self._options)
        return source_schema(NAME, source.columns, source.default_names)

    def reader(self, schema: StructType) -> DataSourceReader:
        """A reader; one that takes filters if the option ``pushFilters`` says so."""
        cls = FilteringKafkaLogReader if self._options.push_filters else KafkaLogReader
        return cls(LogQuery.of(self._options, schema))

    def streamReader(self, schema: StructType) -> KafkaLogStreamReader:  # noqa: N802 - Spark's name
        """A reader that follows logs. It needs PySpark 4.2 or newer."""
        # The module needs what PySpark has since 4.2, and reading in batches does not.
        from messagegen_spark.sources.log.stream import KafkaLogStreamReader  # noqa: PLC0415

        return KafkaLogStreamReader(LogQuery.of(self._options, schema))


class KafkaLogReader(DataSourceReader):
    """Plans in the driver what each task reads, and reads it in the executors."""

    def __init__(self, query: LogQuery) -> None:
        self._query = query
        self._pushed = Pushed(query.options.bounds)

    def partitions(self) -> list[InputPartition]:
        """The tasks. Raises ``LogPathError`` where there is no log."""
        tasks = find_tasks(self._query.options, self._pushed.bounds, self._pushed.take_partition)
        return input_partitions(tasks)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of a task."""
        assert isinstance(partition, LogInputPartition)
        return self._query.read(partition.ranges, self._pushed.bounds)


class FilteringKafkaLogReader(KafkaLogReader):
    """The same, sparing what filters on offset, timestamp, topic and partition leave out."""

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:  # noqa: N802 - Spark's name
        """All filters: Spark applies them again, to rows that may still be outside."""
        self._pushed = push(filters, self._query.options.bounds)
        return filters
