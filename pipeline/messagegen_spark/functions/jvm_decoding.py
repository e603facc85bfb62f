"""DataFrames of messages that the JVM decodes, with the same columns as workers return."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql
from pyspark.sql import types as spark

from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, Mode
from messagegen_spark.functions.dataframes import MALFORMED, quoted

_MESSAGE: Final = "_message"
_IS_THERE: Final = "_is_there"
"""Whether a row has a value, which is null for a malformed message under DROPMALFORMED."""


@dataclass(frozen=True, slots=True)
class JvmCall:
    """A call of a JVM function that decodes, and the columns of its results."""

    call: Column
    value: Column
    kept: Sequence[spark.StructField]
    """The columns that are kept."""
    errors_of_rows: Collection[str]
    """The error columns of rows that also get the errors of messages."""
    fields: Sequence[str]
    """The fields of the message, without ``_error`` and ``_raw``."""
    mode: Mode
    into: str | None

    def decoded(self, df: DataFrame) -> DataFrame:
        """Return the kept columns, the message, the errors of rows, and the mark for DROPMALFORMED."""
        # A first select adds a column for the call, so that Spark only calls the function once. Columns are named by
        # numbers, because a kept column may have any name.
        given = [sql.col(quoted(field.name)) for field in self.kept]
        given = [column.alias(f"_{number}") for number, column in enumerate(given)]
        errors = [sql.col(name).alias(_of_row(name)) for name in self.errors_of_rows]
        marks = [self.value.isNotNull().alias(_IS_THERE)] if self.mode == "DROPMALFORMED" else []
        called = df.select(*given, self.call.alias(_MESSAGE), *errors, *marks)

        kept = [sql.col(f"_{number}").alias(field.name) for number, field in enumerate(self.kept)]
        made = self._with_errors_of_rows() if self.errors_of_rows else self._message()
        if marks:
            made.append((sql.col(_IS_THERE) & sql.col(_MESSAGE).isNull()).alias(MALFORMED))
        return called.select(*kept, *made)

    def _message(self) -> list[Column]:
        if self.into is not None:
            return [sql.col(_MESSAGE).alias(self.into)]
        errors = (ERROR_NAME, RAW_NAME) if self.mode == "PERMISSIVE" else ()
        return [_field(name) for name in (*self.fields, *errors)]

    def _with_errors_of_rows(self) -> list[Column]:
        """Return the message without errors, which is null if malformed, and the row's ``_error`` and ``_raw``."""
        error = sql.col(f"{_MESSAGE}.{ERROR_NAME}")
        path = error["path"]
        if self.into is not None:
            within = sql.concat(sql.lit(f"{self.into}."), path)
            path = sql.when(path == "", sql.lit(self.into)).otherwise(within)
        parts = [error["message"].alias("message"), path.alias("path"), error["offset"].alias("offset")]
        of_message = sql.when(error.isNotNull(), sql.struct(*parts))
        raw = sql.col(f"{_MESSAGE}.{RAW_NAME}")
        if ERROR_NAME in self.errors_of_rows:
            of_message = sql.coalesce(sql.col(_of_row(ERROR_NAME)), of_message)
        if RAW_NAME in self.errors_of_rows:
            raw = sql.coalesce(sql.col(_of_row(RAW_NAME)), raw)
        fields = [_field(name) for name in self.fields]
        if self.into is not None:
            is_right = sql.col(_MESSAGE).isNotNull() & error.isNull()
            fields = [sql.when(is_right, sql.struct(*fields)).alias(self.into)]
        return [*fields, of_message.alias(ERROR_NAME), raw.alias(RAW_NAME)]


def _field(name: str) -> Column:
    return sql.col(f"{_MESSAGE}.{quoted(name)}").alias(name)


def _of_row(name: str) -> str:
    return f"_row{name}"
