"""DataFrames to statistics in one pass: counted in workers, so that only sums travel."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql
from pyspark.sql import types as spark

from messagegen_arrow.advisor.advice import Advice
from messagegen_arrow.advisor.collecting import SEED, asked_table, collect_arrow
from messagegen_arrow.advisor.costs import CostTable, Engine
from messagegen_arrow.advisor.recommending import NANOSECONDS_PER_BYTE, recommend
from messagegen_arrow.advisor.statistics import (
    Statistics,
    Versions,
    merge_versions,
    versions_as_json,
    versions_from_json,
)
from messagegen_arrow.catalog import Catalog, MessageTable

_PARTIAL: Final = "statistics"
_PARTIALS: Final = spark.StructType([spark.StructField(_PARTIAL, spark.StringType())])
_MERGERS: Final = 8
"""The sums of all partitions are added by so many tasks, so that however many there are, few arrive in the driver."""

_BatchFunction = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]


def advise(  # noqa: PLR0913 - keyword arguments of a public function
    df: DataFrame,
    message: str | MessageTable,
    version: int | Column | str = "version",
    *,
    column: Column | str = "value",
    catalog: Catalog | None = None,
    sample: float = 1.0,
    engine: Engine = "native",
    nanoseconds_per_byte: float = NANOSECONDS_PER_BYTE,
    costs: CostTable | None = None,
) -> Advice:
    """Which encoding would serve each integer field of a message best; see ``collect`` for the data, ``recommend`` for the rest."""
    found = collect(df, message, version, column=column, catalog=catalog, sample=sample)
    return recommend(found, costs=costs, engine=engine, nanoseconds_per_byte=nanoseconds_per_byte)


def collect(
    df: DataFrame,
    message: str | MessageTable,
    version: int | Column | str = "version",
    *,
    column: Column | str = "value",
    catalog: Catalog | None = None,
    sample: float = 1.0,
) -> Statistics:
    """The statistics of a message's integers in a column, in one pass over the DataFrame.

    ``column`` holds messages without header or frame, as bytes, or as structs that were decoded by ``from_kafka_message`` or
    ``decode_messages``. ``version`` is the version of all, or a column of integers (or its name). ``sample`` is the share of rows
    to look at, chosen at random with the same outcome each time.

    Rows that cannot be read are counted by version, as are those with a version that the message does not have. Null rows do not
    count. Raises ``LookupError`` for a message or version that there is not, ``ValueError`` for a sample that is no share.
    """
    table = asked_table(message, version, sample, catalog)
    values = sql.col(column) if isinstance(column, str) else column
    versions = sql.lit(version) if isinstance(version, int) else version
    numbers = sql.col(versions) if isinstance(versions, str) else versions
    rows = df.sample(fraction=sample, seed=SEED) if sample < 1 else df
    selected = rows.select(values.alias("value"), numbers.cast("int").alias("version"))
    partials = selected.mapInArrow(_collector(table.plan), _PARTIALS)
    merged = partials.repartition(_MERGERS).mapInArrow(_merge, _PARTIALS)
    parts = (versions_from_json(json.loads(row[_PARTIAL])) for row in merged.collect())
    return Statistics(table.name, table.plan, sample, merge_versions(parts))


def _collector(plan: str) -> _BatchFunction:
    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield _partial(merge_versions(collect_arrow(batch.column(0), batch.column(1), plan) for batch in batches))

    return work


def _merge(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    parts = (versions_from_json(json.loads(text)) for batch in batches for text in batch.column(0).to_pylist())
    merged = merge_versions(parts)
    if merged:
        yield _partial(merged)


def _partial(versions: Versions) -> pa.RecordBatch:
    texts: Any = pa.array([json.dumps(versions_as_json(versions))], pa.string())
    return pa.RecordBatch.from_arrays([texts], [_PARTIAL])
