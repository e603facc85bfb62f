"""How Spark runs the functions of ``messagegen_arrow.histories``: over the partitions of DataFrames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, Observation
from pyspark.sql import functions as sql

from messagegen_arrow.histories.records import OPTIONAL, REQUIRED, HistoryCounts, HistoryReader, Records, check_log
from messagegen_spark.schemas import spark_struct

Batches = Iterator[pa.RecordBatch]
Extract = Callable[[Records], pa.RecordBatch]

_ROWS, _MALFORMED = "_rows", "_malformed"
_COUNTS: Final = [pa.field(name, pa.int64()) for name in (_ROWS, _MALFORMED)]


def extracted(
    log: DataFrame, reader: HistoryReader, extract: Extract, schema: pa.Schema, observe: Observation | str | None
) -> DataFrame:
    """What a history takes from the records of a log, as rows of ``schema``; ``observe`` counts ``rows`` and ``malformed``.

    Raises ``ValueError`` for a DataFrame that is not a log.
    """
    check_log(log.columns)
    needed = [*REQUIRED, *(name for name in OPTIONAL if name in log.columns)]
    with_counts = pa.schema([*schema, *_COUNTS])

    def work(batches: Iterable[pa.RecordBatch]) -> Batches:
        counts = HistoryCounts()
        for batch in batches:
            yield _with_nulls(extract(reader.read(batch, counts)), with_counts)
        # One row for all that a task counted.
        last = {_ROWS: counts.rows, _MALFORMED: counts.malformed}
        yield pa.RecordBatch.from_pylist([last], schema=with_counts)

    found = log.select(*needed).mapInArrow(work, spark_struct(with_counts))
    if observe is not None:
        sums = (sql.coalesce(sql.sum(name), sql.lit(0)).alias(name[1:]) for name in (_ROWS, _MALFORMED))
        found = found.observe(observe, *sums)
    return found.where(sql.col(_ROWS).isNull()).drop(_ROWS, _MALFORMED)


def mapped(df: DataFrame, taken: pa.Schema, function: Callable[[Batches], Batches], given: pa.Schema) -> DataFrame:
    """A DataFrame through a function over the batches of each partition; rows keep the order that they have there."""

    def work(batches: Iterable[pa.RecordBatch]) -> Batches:
        return function(as_schema(batch, taken) for batch in batches)

    return df.select(*taken.names).mapInArrow(work, spark_struct(given))


def as_schema(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The columns of a batch in the types of a schema: Spark has the session's time zone, and other names in lists."""
    arrays = (batch.column(field.name).cast(field.type) for field in schema)
    return pa.RecordBatch.from_arrays(list(arrays), schema=schema)


def _with_nulls(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    more = [pa.nulls(batch.num_rows, field.type) for field in list(schema)[batch.num_columns :]]
    return pa.RecordBatch.from_arrays([*batch.columns, *more], schema=schema)
