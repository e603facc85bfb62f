"""``spark.read.format("kafka-capture")``: Kafka frames out of packet captures and frame dumps."""

from __future__ import annotations

import os
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass
from itertools import groupby

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from messagegen_arrow.capture.columns import CAPTURE_COLUMNS, batches
from messagegen_arrow.capture.files import find_captures
from messagegen_arrow.capture.options import CaptureOptions
from messagegen_arrow.capture.reading import CaptureRow, read_captures
from messagegen_arrow.malformed import MalformedMessageError
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
        files = find_captures(self._options.paths)
        if not self._options.continuous:
            return [CaptureInputPartition((file,)) for file in files]
        return [CaptureInputPartition(tuple(group)) for _, group in groupby(files, os.path.dirname)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of a task."""
        assert isinstance(partition, CaptureInputPartition)
        return batches(self._rows(partition.paths), self._names)

    def _rows(self, paths: tuple[str, ...]) -> Iterator[CaptureRow]:
        mode = self._options.mode
        for row in read_captures(paths, self._options.settings):
            problem = row.row.problem
            if problem is not None and mode == "FAILFAST":
                where = f"{row.path}, {row.connection.connection}" if row.connection.connection else row.path
                raise MalformedMessageError(
                    f"{problem} ({where}); mode PERMISSIVE keeps such rows, with the reason in _error"
                )
            if problem is None or mode == "PERMISSIVE":
                yield row
