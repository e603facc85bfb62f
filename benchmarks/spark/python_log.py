"""Reads values of a log through a Python data source, not through a reader inside the JVM.

The planner and the reader are those of ``kafka-log``; only the way into Spark differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from benchmarks.spark.data import VALUE
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.planning import LogPlanner, LogTask
from messagegen_arrow.log.rows import RowReader

PYTHON_LOG: Final = "python-log"


class PythonLog(DataSource):
    """A data source for the log at a path, with one column of values."""

    @classmethod
    def name(cls) -> str:
        """Return the name for ``format(...)``."""
        return PYTHON_LOG

    def schema(self) -> str:
        """Return the schema: one column."""
        return f"{VALUE} binary"

    def reader(self, schema: StructType) -> DataSourceReader:  # noqa: ARG002 - Spark's signature
        """Return a reader of the current files."""
        return _Reader(self.options["path"])


class _Reader(DataSourceReader):
    def __init__(self, path: str) -> None:
        self._options = {"path": path, "columns": VALUE}

    def partitions(self) -> Sequence[InputPartition]:
        return [InputPartition(task.text) for task in LogPlanner(LogOptions.parse(self._options)).plan()]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return RowReader((VALUE,), LogOptions.parse(self._options)).read(LogTask(partition.value))
