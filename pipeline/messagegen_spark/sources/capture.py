"""``spark.read.format("kafka-capture")``: Kafka frames out of packet captures and frame dumps."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from messagegen_arrow.capture.options import CaptureOptions
from messagegen_arrow.capture.source import NAME, CaptureSource
from messagegen_arrow.capture.tasks import find_tasks
from messagegen_spark.sources.schemas import arrow_types, check_schema, conformed, source_schema, wanted_fields


class KafkaCaptureDataSource(DataSource):
    """Packet captures (pcap, pcapng) and frame dumps (JSON lines), gzipped or not, as a source named ``kafka-capture``.

    Paths are files, folders and globs, on disks that all executors see, or in object stores. ``docs/kafka-capture-source.md`` explains
    options and columns.
    """

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        self._options = CaptureOptions.parse(options)

    @classmethod
    def name(cls) -> str:
        """What ``format(...)`` calls it."""
        return NAME

    def schema(self) -> StructType:
        """All columns, or those of the option ``columns``."""
        source = CaptureSource.of(self._options)
        return source_schema(NAME, source.columns, source.default_names)

    def reader(self, schema: StructType) -> DataSourceReader:
        """A reader of whole files."""
        return KafkaCaptureReader(self._options, schema)


@dataclass
class CaptureInputPartition(InputPartition):
    """The files that one task reads, one after the other."""

    paths: tuple[str, ...]


class KafkaCaptureReader(DataSourceReader):
    """Reads a file in one task, or under ``continuous`` all captures of a folder: a stream of TCP has no place to cut it at."""

    def __init__(self, options: CaptureOptions, schema: StructType) -> None:
        source = CaptureSource.of(options)
        if source.content is not None:
            source = source.with_fields(wanted_fields(NAME, source.columns, schema))
        self._source = source
        self._names = check_schema(NAME, source.columns, schema)
        self._types = arrow_types(schema)

    def partitions(self) -> list[InputPartition]:
        """The tasks. Raises ``CapturePathError`` where there is no capture."""
        return [CaptureInputPartition(paths) for paths in find_tasks(self._source.options)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of a task."""
        assert isinstance(partition, CaptureInputPartition)
        return conformed(self._source.read(partition.paths, self._names), self._types)
