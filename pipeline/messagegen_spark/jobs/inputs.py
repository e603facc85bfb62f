"""What jobs read: Kafka's logs, captures, and anything that Spark reads from files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pyspark.sql import DataFrame, DataFrameReader, SparkSession

from messagegen_spark.jobs.units import DEFAULT_UNIT_BYTES, Unit, file_units, log_units
from messagegen_spark.sources.log_files import given_paths
from messagegen_spark.sources.log_options import LogOptions

KAFKA_LOG: Final = "kafka-log"
KAFKA_CAPTURE: Final = "kafka-capture"


@dataclass(frozen=True)
class Input:
    """Files, the data source that reads them, and its options."""

    paths: tuple[str, ...]
    format: str = KAFKA_LOG
    options: Mapping[str, str] = field(default_factory=dict)

    def units(
        self, spark: SparkSession, unit_bytes: int = DEFAULT_UNIT_BYTES, *, whole_partitions: bool = False
    ) -> list[Unit]:
        """The input in units, as it is now. Raises what the data source raises for paths and options."""
        if self.format == KAFKA_LOG:
            log_options = LogOptions.parse(self.options)
            # Whether a transaction was aborted stands behind it, perhaps in a later segment.
            together = whole_partitions or log_options.isolation_level == "read_committed"
            paths = [path for each in self.paths for path in given_paths(each, None)]
            return log_units(paths, log_options.take_partition, unit_bytes, whole_partitions=together)
        if self.format == KAFKA_CAPTURE:
            # It needs libraries that logs do without.
            from messagegen_spark.capture.files import find_captures  # noqa: PLC0415
            from messagegen_spark.sources.capture_options import CaptureOptions  # noqa: PLC0415

            options = CaptureOptions.parse({**self.options, "paths": json.dumps(self.paths)})
            return file_units(find_captures(self.paths), unit_bytes, whole_folders=options.continuous)
        return file_units(self._reader(spark).load(list(self.paths)).inputFiles(), unit_bytes)

    def frame(self, spark: SparkSession, paths: Sequence[str]) -> DataFrame:
        """The rows of some of the files."""
        if self.format in (KAFKA_LOG, KAFKA_CAPTURE):
            # One string for all: Spark limits neither the length of an option nor the number of files in it.
            return self._reader(spark).option("paths", json.dumps(list(paths))).load()
        return self._reader(spark).load(list(paths))

    def register(self, spark: SparkSession) -> None:
        """Makes the data source known to a session, where it is one of this package."""
        # Each source needs libraries that the other does without.
        if self.format == KAFKA_LOG:
            from messagegen_spark.sources.log_source import KafkaLogDataSource  # noqa: PLC0415

            spark.dataSource.register(KafkaLogDataSource)
        if self.format == KAFKA_CAPTURE:
            from messagegen_spark.sources.capture_source import KafkaCaptureDataSource  # noqa: PLC0415

            spark.dataSource.register(KafkaCaptureDataSource)

    def with_options(self, **options: str) -> Input:
        """The same input; options that it has already stay."""
        lower = {name.lower() for name in self.options}
        more = {name: value for name, value in options.items() if name.lower() not in lower}
        return Input(self.paths, self.format, {**self.options, **more})

    def described(self) -> dict[str, Any]:
        """What decides the rows, as JSON values."""
        return {"paths": list(self.paths), "format": self.format, "options": dict(self.options)}

    def _reader(self, spark: SparkSession) -> DataFrameReader:
        return spark.read.format(self.format).options(**self.options)
