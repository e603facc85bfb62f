"""DataFrames of structs that the JVM encodes, with the same columns as workers return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql
from pyspark.sql import types as spark

from messagegen_arrow.malformed import ERROR_NAME, Mode
from messagegen_spark.functions.dataframes import MALFORMED, quoted
from messagegen_spark.jvm.catalog import JvmFunction

_VALUE: Final = "_value"
_IS_THERE: Final = "_is_there"
"""Whether a row has a struct or an error.

In mode DROPMALFORMED, null structs and malformed structs both become null.
"""


@dataclass(frozen=True, slots=True)
class JvmEncoding:
    """The arguments of a JVM function that encodes, and the columns of its results."""

    function: JvmFunction
    message: Column
    version: Column
    kept: Sequence[spark.StructField]
    """The columns that are kept."""
    has_errors: bool
    """Whether rows have an ``_error``; a row with an error cannot be written."""
    mode: Mode
    into: str

    def encoded(self, df: DataFrame) -> DataFrame:
        """Return the kept columns, the bytes, and the mark for DROPMALFORMED."""
        # A first select adds a column for the call, so that Spark only calls the function once. Columns are named by
        # numbers, because a kept column may have any name.
        given = [sql.col(quoted(field.name)) for field in self.kept]
        given = [column.alias(f"_{number}") for number, column in enumerate(given)]
        value, is_there = self._value(df)
        is_marked = self.mode == "DROPMALFORMED"
        marks = [is_there.alias(_IS_THERE)] if is_marked else []
        called = df.select(*given, value.alias(_VALUE), *marks)

        kept = [sql.col(f"_{number}").alias(field.name) for number, field in enumerate(self.kept)]
        made = [sql.col(_VALUE).alias(self.into)]
        if is_marked:
            made.append((sql.col(_IS_THERE) & sql.col(_VALUE).isNull()).alias(MALFORMED))
        return called.select(*kept, *made)

    def _value(self, df: DataFrame) -> tuple[Column, Column]:
        """Return the call, and whether the row has something to write."""
        value = self.function.call(self.message, self.version)
        is_there = self.message.isNotNull()
        if not self.has_errors or self._has_error_within(df):
            return value, is_there
        error = sql.col(ERROR_NAME)
        # A message that could not be read is null or has nulls. To refuse it, pass a struct with its error to the
        # function.
        refused = self.function.call(sql.struct(error.alias(ERROR_NAME)), self.version)
        return sql.when(error.isNull(), value).otherwise(refused), is_there | error.isNotNull()

    def _has_error_within(self, df: DataFrame) -> bool:
        (message,) = df.select(self.message).schema
        return isinstance(message.dataType, spark.StructType) and ERROR_NAME in message.dataType.names
