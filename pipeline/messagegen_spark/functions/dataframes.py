"""Helpers for the functions on DataFrames: kept columns, and counting and dropping malformed rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Observation
from pyspark.sql import functions as sql
from pyspark.sql import types as spark

from messagegen_arrow.columns.pieces import pieces
from messagegen_arrow.columns.row_errors import ERROR_COLUMNS, is_error_type
from messagegen_arrow.malformed import ERROR_NAME, Mode
from messagegen_spark.functions.workers import keep_imports

Convert = Callable[..., tuple[Sequence[pa.Array], pa.BooleanArray]]
"""A function that converts columns in workers, and also returns which rows are malformed."""

MALFORMED: Final = "_malformed"
"""The column in which workers mark the rows that DROPMALFORMED drops."""
_MARK: Final = spark.StructField(MALFORMED, spark.BooleanType())


def kept_fields(df: DataFrame, keep: Sequence[str] | None, replaced: Collection[str]) -> list[spark.StructField]:
    """Return the columns ``keep`` of a DataFrame; ``None`` means all except ``replaced``. Raises ``ValueError``."""
    if keep is None:
        return [field for field in df.schema if field.name not in replaced]
    unknown = [name for name in keep if name not in df.columns]
    if unknown:
        raise ValueError(f"keep names {', '.join(unknown)}, but the columns are {', '.join(df.columns)}")
    return [df.schema[name] for name in keep]


def errors_of_rows(fields: Iterable[spark.StructField]) -> list[str]:
    """Return the names of the columns ``_error`` and ``_raw`` of a log that are among ``fields``."""
    types = {field.name: field.dataType for field in fields if field.name in ERROR_COLUMNS}
    error = types.get(ERROR_NAME)
    if error is not None and not (isinstance(error, spark.StructType) and is_error_type(error.names)):
        return []
    return list(types)


def quoted(name: str) -> str:
    """Return a column's name in the form that ``col`` accepts: dots and backticks are quoted as part of the name."""
    return "`" + name.replace("`", "``") + "`"


def _for_workers(df: DataFrame, kept: Iterable[spark.StructField], arguments: Iterable[Column]) -> DataFrame:
    """Return the input for ``mapInArrow``: the kept columns, then the columns that workers need, named by numbers.

    ``mapInArrow`` looks columns up by name, which fails for some valid names.
    """
    columns = [*(sql.col(quoted(field.name)) for field in kept), *arguments]
    return df.select(*(column.alias(f"_{number}") for number, column in enumerate(columns)))


def converted(
    df: DataFrame,
    kept: Sequence[spark.StructField],
    arguments: Iterable[Column | str | int],
    convert: Convert,
    schema: spark.StructType,
    mode: Mode,
) -> DataFrame:
    """Return the kept columns, followed by the results of ``convert`` in workers.

    Arguments that are numbers are not passed, because ``convert`` already has them. ``schema`` has all columns, with
    the ``mark_fields`` of ``mode`` at the end.
    """
    columns = [item for item in arguments if not isinstance(item, int)]
    selected = _for_workers(df, kept, [sql.col(item) if isinstance(item, str) else item for item in columns])
    # Workers receive the function with everything that it refers to, so it only refers to these small values.
    kept_count = len(kept)
    names = schema.names
    is_marked = bool(mark_fields(mode))

    def converted_piece(batch: pa.RecordBatch) -> pa.RecordBatch:
        made, malformed = convert(*batch.columns[kept_count:])
        marks = [malformed] if is_marked else []
        # Spark identifies columns by position, and casts none of them.
        return pa.RecordBatch.from_arrays([*batch.columns[:kept_count], *made, *marks], names)

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        keep_imports()
        for batch in batches:
            for piece in pieces(batch):
                yield converted_piece(piece)

    return selected.mapInArrow(work, schema)


def mark_fields(mode: Mode) -> list[spark.StructField]:
    """Return the columns that workers add for ``without_marked``."""
    return [_MARK] if mode == "DROPMALFORMED" else []


def result_schema(fields: Sequence[spark.StructField], advice: str = "leave them out of keep=") -> spark.StructType:
    """Return the schema of a result. Raises ``ValueError``, with this advice, if two columns have the same name."""
    schema = spark.StructType(list(fields))
    counts = Counter(schema.names)
    twice = sorted(name for name in counts if counts[name] > 1)
    if twice:
        raise ValueError(f"the result would have two columns named {' and two named '.join(twice)}; {advice}")
    return schema


def observed(df: DataFrame, malformed: Column, observe: Observation | str | None) -> DataFrame:
    """Return the DataFrame, with counts of ``rows`` and ``malformed`` under ``observe`` if that is not ``None``."""
    if observe is None:
        return df
    return df.observe(observe, sql.count(sql.lit(1)).alias("rows"), sql.count_if(malformed).alias("malformed"))


def without_marked(df: DataFrame, mode: Mode, error: Column, observe: Observation | str | None) -> DataFrame:
    """Return those rows of the workers' result that ``mode`` keeps, and count all rows under ``observe``.

    ``error`` is the error column, which exists in mode PERMISSIVE.
    """
    if mode == "PERMISSIVE":
        return observed(df, error.isNotNull(), observe)
    if mode == "FAILFAST":
        return observed(df, sql.lit(col=False), observe)
    counted = observed(df, sql.col(MALFORMED), observe)
    return counted.where(~sql.col(MALFORMED)).drop(MALFORMED)
