"""``spark.read.format("kafka-capture")``: Kafka frames out of packet captures and frame dumps."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from messagegen_arrow.capture.columns import CAPTURE_COLUMNS
from messagegen_arrow.capture.options import CaptureOptions
from messagegen_arrow.capture.tasks import find_tasks, read_batches
from messagegen_spark.sources.schemas import check_schema, source_schema


class KafkaCaptureDataSource(DataSource):
    """Packet captures (pcap, pcapng) and frame dumps (JSON lines), gzipped or not, as a source named ``kafka-capture``.

    Paths are files, folders and globs, on local disks or mounts that all executors see. ``docs/kafka-capture-source.md`` explains
    options and columns.
    """

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        self._options = CaptureOptions.parse(options)

    @classmethod
    def name(cls) -> str:
        """What ``format(...)`` calls it."""
        return "kafka-capture"

    def schema(self) -> StructType:
        """All columns, or those of the option ``columns``."""
        return source_schema(self.name(), CAPTURE_COLUMNS, self._options.columns)

    def reader(self, schema: StructType) -> DataSourceReader:
        """A reader of whole files."""
        return KafkaCaptureReader(self._options, check_schema(self.name(), CAPTURE_COLUMNS, schema))


@dataclass
class CaptureInputPartition(InputPartition):
    """The files that one task reads, one after the other."""

    paths: tuple[str, ...]


class KafkaCaptureReader(DataSourceReader):
    """Reads a file in one task, or under ``continuous`` all captures of a folder: a stream of TCP has no place to cut it at."""

    def __init__(self, options: CaptureOptions, names: tuple[str, ...]) -> None:
        self._options = options
        self._names = names

    def partitions(self) -> list[InputPartition]:
        """The tasks. Raises ``CapturePathError`` where there is no capture."""
        return [CaptureInputPartition(paths) for paths in find_tasks(self._options)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of a task."""
        assert isinstance(partition, CaptureInputPartition)
        return read_batches(partition.paths, self._options, self._names)
