"""What a query asks of ``kafka-log``: columns with their types, as Spark says them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql.types import StructType

from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.planning import LogTask
from messagegen_arrow.log.source import NAME, LogSource
from messagegen_spark.sources.schemas import arrow_types, check_schema, conformed, wanted_fields


@dataclass(frozen=True)
class LogQuery:
    """Reads in executors what was asked for in the driver; it pickles."""

    source: LogSource
    names: tuple[str, ...]
    types: pa.Schema

    @classmethod
    def of(cls, options: LogOptions, schema: StructType) -> LogQuery:
        """The columns of a schema. Of structs that are decoded it may have fewer fields, and then only those are decoded.

        Raises ``ValueError`` for a column that does not exist, and for one that has another type.
        """
        source = LogSource.of(options)
        if source.content is not None:
            source = source.with_fields(wanted_fields(NAME, source.columns, schema))
        return cls(source, check_schema(NAME, source.columns, schema), arrow_types(schema))

    @property
    def options(self) -> LogOptions:
        """The options; what can't hold what is asked for is left out."""
        return self.source.options

    def read(self, task: LogTask) -> Iterator[pa.RecordBatch]:
        """The rows of a task."""
        return conformed(self.source.reader(self.names, self.options.bounds).read(task), self.types)
