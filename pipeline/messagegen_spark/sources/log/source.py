"""``spark.read.format("kafka-log")`` and ``spark.readStream.format("kafka-log")``: Kafka's log segments without Kafka."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

import pyarrow as pa
from pyspark import __version__
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.planning import LogPlanner
from messagegen_arrow.log.source import NAME, LogSource
from messagegen_arrow.options import OptionError, without_table_properties
from messagegen_spark.sources.log.partitions import LogInputPartition, input_partitions
from messagegen_spark.sources.log.query import LogQuery
from messagegen_spark.sources.schemas import source_schema

if TYPE_CHECKING:
    from messagegen_spark.sources.log.stream import KafkaLogStreamReader

_FIELDS: Final = "fields"
"""An option of ``read_log`` only: in Spark, schemas say which fields are wanted."""


class KafkaLogDataSource(DataSource):
    """Kafka's log segments (``*.log``) and snapshots (``*.checkpoint``) as a source named ``kafka-log``.

    Paths are folders of brokers or partitions, files, and globs, on disks that all executors see, or in object stores.
    ``docs/spark.md`` explains options and columns.
    """

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        self._options = _log_options(options)

    @classmethod
    def name(cls) -> str:
        """What ``format(...)`` calls it."""
        return NAME

    def schema(self) -> StructType:
        """All columns, or those of the option ``columns``."""
        source = LogSource.of(self._options)
        return source_schema(NAME, source.columns, source.default_names)

    def reader(self, schema: StructType) -> DataSourceReader:
        """A reader of what is there now."""
        return KafkaLogReader(LogQuery.of(self._options, schema))

    def streamReader(self, schema: StructType) -> KafkaLogStreamReader:  # noqa: N802 - Spark's name
        """A reader that follows logs. Raises ``RuntimeError`` in PySpark before 4.2."""
        # The module needs what PySpark has since 4.2, and reading in batches does not.
        if not find_spec("pyspark.sql.streaming.datasource"):
            raise RuntimeError(f"streams of kafka-log need PySpark 4.2 or newer, not {__version__}; read in batches")
        from messagegen_spark.sources.log.stream import KafkaLogStreamReader  # noqa: PLC0415

        return KafkaLogStreamReader(LogQuery.of(self._options, schema))


class KafkaLogReader(DataSourceReader):
    """Plans in the driver what each task reads, and reads it in the executors."""

    def __init__(self, query: LogQuery) -> None:
        self._query = query

    def partitions(self) -> list[InputPartition]:
        """The tasks. Raises ``LogPathError`` where there is no log."""
        return input_partitions(LogPlanner(self._query.options).plan().tasks)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of a task."""
        assert isinstance(partition, LogInputPartition)
        return self._query.read(partition.task)


def _log_options(options: Mapping[str, str]) -> LogOptions:
    """The options. Raises ``OptionError``, also for an option that ``read_log`` has and this source does not."""
    own = without_table_properties(options)
    names = {name.lower(): name for name in own}
    if _FIELDS in names:
        raise OptionError(
            f"kafka-log has no option {names[_FIELDS]}; a schema chooses fields, as in .schema('message STRUCT<offset: BIGINT>')"
        )
    return LogOptions.parse(own, without=[_FIELDS])
