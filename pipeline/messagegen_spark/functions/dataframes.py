"""What the functions over whole DataFrames have in common: kept columns, and counting and dropping malformed rows."""

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
"""Turns columns into columns in workers, and says which rows could not be."""

MALFORMED: Final = "_malformed"
"""The column in which workers mark rows for DROPMALFORMED to drop."""
_MARK: Final = spark.StructField(MALFORMED, spark.BooleanType())


def kept_fields(df: DataFrame, keep: Sequence[str] | None, replaced: Collection[str]) -> list[spark.StructField]:
    """The columns ``keep`` of a DataFrame; ``None`` means all but the ``replaced`` ones. Raises ``ValueError``."""
    if keep is None:
        return [field for field in df.schema if field.name not in replaced]
    unknown = [name for name in keep if name not in df.columns]
    if unknown:
        raise ValueError(f"keep names {', '.join(unknown)}, but the columns are {', '.join(df.columns)}")
    return [df.schema[name] for name in keep]


def errors_of_rows(fields: Iterable[spark.StructField]) -> list[str]:
    """Which of the columns ``_error`` and ``_raw`` of a log are among these."""
    types = {field.name: field.dataType for field in fields if field.name in ERROR_COLUMNS}
    error = types.get(ERROR_NAME)
    if error is not None and not (isinstance(error, spark.StructType) and is_error_type(error.names)):
        return []
    return list(types)


def quoted(name: str) -> str:
    """A column's name as ``col`` takes it: with every dot and backtick a part of the name."""
    return "`" + name.replace("`", "``") + "`"


def _for_workers(df: DataFrame, kept: Iterable[spark.StructField], arguments: Iterable[Column]) -> DataFrame:
    """What ``mapInArrow`` gets: the kept columns, and behind them those that workers need; all go by position.

    It looks its columns up by names, and not every name that a column may have can be looked up, so they have numbers
    here.
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
    """The kept columns, and behind them what workers make of the arguments.

    Arguments that are numbers are known to ``convert``. ``schema`` is that of all columns, with the ``mark_fields`` of
    ``mode`` at the end.
    """
    columns = [item for item in arguments if not isinstance(item, int)]
    selected = _for_workers(df, kept, [sql.col(item) if isinstance(item, str) else item for item in columns])
    # What workers need of the arguments; they get the function with all that it refers to.
    kept_count = len(kept)
    names = schema.names
    is_marked = bool(mark_fields(mode))

    def converted_piece(batch: pa.RecordBatch) -> pa.RecordBatch:
        made, malformed = convert(*batch.columns[kept_count:])
        marks = [malformed] if is_marked else []
        # Spark takes columns by position and casts none of them.
        return pa.RecordBatch.from_arrays([*batch.columns[:kept_count], *made, *marks], names)

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        keep_imports()
        for batch in batches:
            for piece in pieces(batch):
                yield converted_piece(piece)

    return selected.mapInArrow(work, schema)


def mark_fields(mode: Mode) -> list[spark.StructField]:
    """The columns that workers add for ``without_marked``."""
    return [_MARK] if mode == "DROPMALFORMED" else []


def result_schema(fields: Sequence[spark.StructField], advice: str = "leave them out with keep=") -> spark.StructType:
    """The schema of what workers give. Raises ``ValueError``, with this advice, if two columns have one name."""
    schema = spark.StructType(list(fields))
    counts = Counter(schema.names)
    twice = sorted(name for name in counts if counts[name] > 1)
    if twice:
        raise ValueError(f"the result would have two columns named {' and two named '.join(twice)}; {advice}")
    return schema


def observed(df: DataFrame, malformed: Column, observe: Observation | str | None) -> DataFrame:
    """The DataFrame, with ``rows`` and ``malformed`` counted under ``observe``, if there is one."""
    if observe is None:
        return df
    return df.observe(observe, sql.count(sql.lit(1)).alias("rows"), sql.count_if(malformed).alias("malformed"))


def without_marked(df: DataFrame, mode: Mode, error: Column, observe: Observation | str | None) -> DataFrame:
    """The rows that ``mode`` leaves of what workers gave, counted under ``observe``.

    ``error`` is the column of errors, which is there under PERMISSIVE.
    """
    if mode == "PERMISSIVE":
        return observed(df, error.isNotNull(), observe)
    if mode == "FAILFAST":
        return observed(df, sql.lit(col=False), observe)
    counted = observed(df, sql.col(MALFORMED), observe)
    return counted.where(~sql.col(MALFORMED)).drop(MALFORMED)
