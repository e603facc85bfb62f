"""How Spark runs the functions of ``messagegen_arrow.histories``: over the partitions of DataFrames."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, Observation
from pyspark.sql import functions as sql

from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.histories.kinds import HistoryKind
from messagegen_arrow.histories.records import OPTIONAL, REQUIRED, HistoryReader, Records, check_log
from messagegen_spark.schemas import spark_struct

Batches = Iterator[pa.RecordBatch]
Extract = Callable[[Records], pa.RecordBatch]

_ROWS, _MALFORMED, _COUNTED = "_rows", "_malformed", "_counted"
_COUNTS: Final = [pa.field(_ROWS, pa.int64()), pa.field(_MALFORMED, pa.int64()), pa.field(_COUNTED, pa.string())]
_NAMES: Final = [field.name for field in _COUNTS]


def extracted(
    log: DataFrame, reader: HistoryReader, extract: Extract, schema: pa.Schema, observe: Observation | str | None
) -> DataFrame:
    """What a history takes from the records of a log, as rows of ``schema``; ``observe`` counts ``rows`` and ``malformed``.

    It also collects what tasks ``counted``, as JSON text of ``HistoryCounts``. Raises ``ValueError`` for a DataFrame that is not a log.
    """
    found = _with_counts(log, reader, extract, schema)
    if observe is not None:
        sums = (sql.coalesce(sql.sum(name), sql.lit(0)).alias(name[1:]) for name in (_ROWS, _MALFORMED))
        found = found.observe(observe, *sums, sql.collect_list(_COUNTED).alias(_COUNTED[1:]))
    return found.where(sql.col(_ROWS).isNull()).drop(*_NAMES)


def collected(log: DataFrame, reader: HistoryReader, kind: HistoryKind) -> tuple[pa.RecordBatch, HistoryCounts]:
    """What a history takes from the records of a log, in the order of the log, in the memory of this process; and the counts."""
    table = _with_counts(log, reader, kind.extract, kind.extracted).toArrow()
    counts = HistoryCounts.total(json.loads(text) for text in table.column(_COUNTED).drop_null().to_pylist())
    rows = table.filter(table.column(_ROWS).is_null()).sort_by([(name, "ascending") for name in kind.order])
    batches = rows.combine_chunks().to_batches() or [pa.RecordBatch.from_pylist([], schema=rows.schema)]
    return as_schema(pa.concat_batches(batches), kind.extracted), counts


def _with_counts(log: DataFrame, reader: HistoryReader, extract: Extract, schema: pa.Schema) -> DataFrame:
    """What a history takes from the records of a log, and a row for all that each task counted."""
    check_log(log.columns)
    needed = [*REQUIRED, *(name for name in OPTIONAL if name in log.columns)]
    with_counts = pa.schema([*schema, *_COUNTS])

    def work(batches: Iterable[pa.RecordBatch]) -> Batches:
        counts = HistoryCounts()
        for batch in batches:
            yield _with_nulls(extract(reader.read(batch, counts)), with_counts)
        last = {_ROWS: counts.rows, _MALFORMED: counts.malformed, _COUNTED: json.dumps(counts.as_json())}
        yield pa.RecordBatch.from_pylist([last], schema=with_counts)

    return log.select(*needed).mapInArrow(work, spark_struct(with_counts))


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
