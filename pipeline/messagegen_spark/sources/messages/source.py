"""``spark.read.format("kafka-messages")``: messages in a column of Parquet files, decoded where the files are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import DataSource, DataSourceReader, Filter, InputPartition
from pyspark.sql.types import StructType

from messagegen_arrow.message_files.files import MessageFile, find_files
from messagegen_arrow.message_files.options import NAME, MessageFileOptions
from messagegen_arrow.message_files.parquet import FilePart
from messagegen_arrow.message_files.planning import plan
from messagegen_arrow.message_files.source import MessageFileSource
from messagegen_spark.sources.messages.column_types import with_spark_types
from messagegen_spark.sources.messages.filters import pushed
from messagegen_spark.sources.schemas import arrow_types, check_schema, conformed, source_schema, wanted_fields
from messagegen_spark.workers import settle


class KafkaMessagesDataSource(DataSource):
    """Messages in a column of bytes of Parquet files as a source named ``kafka-messages``.

    Paths are files, folders and globs, on disks that all executors see, or in object stores. ``docs/messages-in-spark.md`` explains
    options and columns.
    """

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        self._options = MessageFileOptions.parse(options)

    @classmethod
    def name(cls) -> str:
        """What ``format(...)`` calls it."""
        return NAME

    def schema(self) -> StructType:
        """The kept columns of the first file, and those of what is decoded."""
        source, _ = _source_and_files(self._options)
        return source_schema(NAME, source.columns, source.default_names)

    def reader(self, schema: StructType) -> DataSourceReader:
        """A reader; one that takes filters if the option ``pushFilters`` says so."""
        cls = FilteringKafkaMessagesReader if self._options.push_filters else KafkaMessagesReader
        return cls(self._options, schema)


@dataclass
class MessageInputPartition(InputPartition):
    """The parts of files that one task reads."""

    parts: tuple[FilePart, ...]


class KafkaMessagesReader(DataSourceReader):
    """Plans in the driver which row groups each task reads, and reads them in the executors."""

    def __init__(self, options: MessageFileOptions, schema: StructType) -> None:
        source, self._files = _source_and_files(options)
        source = source.with_fields(wanted_fields(NAME, source.columns, schema))
        self._names = check_schema(NAME, source.columns, schema)
        self._types = arrow_types(schema)
        self._source = source
        self._wanted: pc.Expression | None = None

    def __getstate__(self) -> dict[str, Any]:
        """What tasks need: each has its own parts of files."""
        return {**self.__dict__, "_files": []}

    def partitions(self) -> list[InputPartition]:
        """The tasks."""
        return [MessageInputPartition(parts) for parts in plan(self._files, self._source.options)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of a task."""
        assert isinstance(partition, MessageInputPartition)
        settle()
        reader = self._source.reader(self._names, self._wanted)
        return conformed(reader.read(partition.parts), self._types)


def _source_and_files(options: MessageFileOptions) -> tuple[MessageFileSource, list[MessageFile]]:
    """The source, and the files as they are now. Raises ``MessagePathError`` where there is none, and what ``MessageFileSource.of`` raises."""
    files = find_files(options.paths)
    return with_spark_types(MessageFileSource.of(options, files[0].path)), files


class FilteringKafkaMessagesReader(KafkaMessagesReader):
    """The same, without row groups that have no row which passes the filters on kept columns, as their statistics say."""

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:  # noqa: N802 - Spark's name
        """All filters: Spark applies them again, to rows that may not pass them."""
        self._wanted = pushed(filters, self._source.kept)
        return filters
