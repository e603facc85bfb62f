"""Which logs workers can decode and write without Spark, and the columns of the files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pyarrow as pa
from pyspark.sql import types as spark

from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.columns.message_decoder import MessageDecoder, decoded_fields
from messagegen_arrow.log.columns import LOG_COLUMNS
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.parquet_files import DECODED_BYTES, FOLDER_COLUMNS, LogFileWriter
from messagegen_arrow.log.rows import RowReader
from messagegen_spark.functions.messages import decoded_schema
from messagegen_spark.jobs.folders import SCHEMA_KEY
from messagegen_spark.jobs.written_files import LogFiles
from messagegen_spark.schemas import spark_struct

_BYTES: Final = ("key", "value")


@dataclass(frozen=True)
class DecodedLog:
    """A log of which a column is decoded."""

    options: LogOptions
    arguments: tuple[str, ...]
    """The column of bytes, and that of versions if each row has its own."""
    kept: tuple[str, ...]
    decoder: MessageDecoder
    table: MessageTable
    into: str
    drops: bool
    """Whether malformed rows are left out, after they were counted."""

    def files(self, folders: tuple[str, ...]) -> LogFiles | None:
        """What workers write, in folders by these columns; ``None`` for what Spark has to write, or refuses."""
        if not self._can_be_written(folders):
            return None
        inner = [LOG_COLUMNS[name].field for name in self.kept if name not in folders]
        every = spark_struct(LOG_COLUMNS[name].field for name in self.kept)
        message = spark.StructField(self.into, decoded_schema(self.decoder.wanted, self.decoder.mode, self.table))
        in_files = spark.StructType([*spark_struct(inner).fields, message])
        writer = LogFileWriter(
            reader=RowReader(self.options.columns or (), self.options, self.options.bounds, DECODED_BYTES),
            decoder=self.decoder,
            arguments=self.arguments,
            schema=pa.schema([*_plain(inner), self._message_field()], {SCHEMA_KEY: in_files.json()}),
            folders=folders,
            drops=self.drops,
        )
        return LogFiles(self.options, writer, spark.StructType([*every.fields, message]))

    def _can_be_written(self, folders: tuple[str, ...]) -> bool:
        names = set(self.options.columns or ())
        return (
            self.options.content is None
            and self.arguments[0] in _BYTES
            and names <= LOG_COLUMNS.keys()
            and {*self.arguments, *self.kept} <= names
            and set(folders) <= set(FOLDER_COLUMNS) & set(self.kept)
            and _are_different(folders)
            and _are_different([*self.kept, self.into])
        )

    def _message_field(self) -> pa.Field:
        fields = decoded_fields(self.decoder.wanted, self.decoder.mode, None)
        return pa.field(self.into, pa.struct(fields))


def _plain(fields: Sequence[pa.Field]) -> list[pa.Field]:
    return [field.remove_metadata() for field in fields]


def _are_different(names: Sequence[str]) -> bool:
    return len(set(names)) == len(names)
