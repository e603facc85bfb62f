"""What jobs read: Kafka's logs, captures, and anything that Spark reads from files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote

from pyspark.sql import DataFrame, DataFrameReader, SparkSession
from pyspark.sql.types import StructType

from messagegen_arrow.files import Folders
from messagegen_arrow.log.files import given_paths
from messagegen_arrow.log.options import LogOptions
from messagegen_spark.jobs.cluster import cores
from messagegen_spark.jobs.units import Unit, file_units, log_units, sized_by

KAFKA_LOG: Final = "kafka-log"
KAFKA_CAPTURE: Final = "kafka-capture"


@dataclass(frozen=True)
class Input:
    """Files, the data source that reads them, and its options."""

    paths: tuple[str, ...]
    format: str = KAFKA_LOG
    options: Mapping[str, str] = field(default_factory=dict)
    _schemas: list[StructType] = field(default_factory=list, compare=False, repr=False)
    """What Spark found out about files, once it has; for some formats it reads them for that."""

    def units(
        self, spark: SparkSession, unit_bytes: int | None = None, *, whole_partitions: bool = False
    ) -> list[Unit]:
        """The input in units, as it is now. Raises what the data source raises for paths and options.

        Without ``unit_bytes`` units are sized by the cluster (``sized_by``).
        """
        if self.format == KAFKA_LOG:
            log_options = LogOptions.parse(self.options)
            # Whether a transaction was aborted stands behind it, perhaps in a later segment.
            together = whole_partitions or log_options.isolation_level == "read_committed"
            paths = [path for each in self.paths for path in given_paths(each, None)]
            size = unit_bytes or sized_by(cores(spark), log_options.max_partition_bytes)
            return log_units(paths, log_options.take_partition, size, whole_partitions=together)
        size = unit_bytes or sized_by(cores(spark))
        if self.format == KAFKA_CAPTURE:
            # It needs libraries that logs do without.
            from messagegen_arrow.capture.files import find_captures  # noqa: PLC0415
            from messagegen_arrow.capture.options import CaptureOptions  # noqa: PLC0415

            options = CaptureOptions.parse({**self.options, "paths": json.dumps(self.paths)})
            folders = Folders()
            files = find_captures(self.paths, folders)
            return file_units(files, size, whole_folders=options.continuous, folders=folders)
        return file_units(self._files(spark), size)

    def rows(self, spark: SparkSession, paths: Sequence[str]) -> DataFrame:
        """The rows of some of the files."""
        if self.format in (KAFKA_LOG, KAFKA_CAPTURE):
            # One string for all: Spark limits neither the length of an option nor the number of files in it.
            reader = spark.read.format(self.format).options(**self.options)
            return reader.option("paths", json.dumps(list(paths))).load()
        # Types of columns in the names of folders, and some of those in files, depend on what else there is.
        return self._reader(spark, paths).schema(self._schema(spark)).load(list(paths))

    def register(self, spark: SparkSession) -> None:
        """Makes the data source known to a session, where it is one of this package."""
        # Each source needs libraries that the other does without.
        if self.format == KAFKA_LOG:
            from messagegen_spark.sources.log.source import KafkaLogDataSource  # noqa: PLC0415

            spark.dataSource.register(KafkaLogDataSource)
        if self.format == KAFKA_CAPTURE:
            from messagegen_spark.sources.capture import KafkaCaptureDataSource  # noqa: PLC0415

            spark.dataSource.register(KafkaCaptureDataSource)

    def with_options(self, **options: str) -> Input:
        """The same input; options that it has already stay."""
        lower = {name.lower() for name in self.options}
        more = {name: value for name, value in options.items() if name.lower() not in lower}
        return Input(self.paths, self.format, {**self.options, **more}, self._schemas)

    def described(self) -> dict[str, Any]:
        """What decides the rows, as JSON values."""
        return {"paths": list(self.paths), "format": self.format, "options": dict(self.options)}

    def _reader(self, spark: SparkSession, files: Sequence[str]) -> DataFrameReader:
        base = base_path(files)
        reader = spark.read.format(self.format)
        return (reader if base is None else reader.option("basePath", base)).options(**self.options)

    def _files(self, spark: SparkSession) -> list[str]:
        files = spark.read.format(self.format).options(**self.options).load(list(self.paths)).inputFiles()
        return [unquote(file) for file in files]

    def _schema(self, spark: SparkSession) -> StructType:
        if not self._schemas:
            self._schemas.append(self._reader(spark, self._files(spark)).load(list(self.paths)).schema)
        return self._schemas[0]


def base_path(files: Sequence[str]) -> str | None:
    """The folder above those that have columns in their names, such as ``date=2026-03-01``; ``None`` where there are none.

    Raises ``ValueError`` for files below different ones: Spark reads the columns of one alone.
    """
    parents = dict.fromkeys(file.rpartition("/")[0] for file in files)
    bases = sorted({_without_columns(parent) for parent in parents})
    if all(base in parents for base in bases):
        return None
    if len(bases) > 1:
        raise ValueError(
            f"partition folders are below different folders ({', '.join(bases)}): give the input below one of them"
        )
    return bases[0]


def _without_columns(folder: str) -> str:
    above, _, name = folder.rpartition("/")
    return _without_columns(above) if "=" in name and above else folder
