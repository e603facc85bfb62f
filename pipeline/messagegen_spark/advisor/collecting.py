"""DataFrames to statistics in one pass: counted in workers, so that only sums travel."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
from pyarrow import compute
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql
from pyspark.sql import types as spark

from messagegen_arrow.catalog import Catalog, MessageTable, message_table
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.model import MessageColumns
from messagegen_arrow.malformed import ERROR_NAME
from messagegen_arrow.plans import read_plan, root_layouts
from messagegen_spark.advisor.advice import Advice
from messagegen_spark.advisor.costs import CostTable, Engine
from messagegen_spark.advisor.fields import integer_fields, wanted_paths
from messagegen_spark.advisor.measuring import measure_columns
from messagegen_spark.advisor.recommending import NANOSECONDS_PER_BYTE, recommend
from messagegen_spark.advisor.statistics import (
    Statistics,
    Versions,
    VersionStatistics,
    merge_versions,
    versions_as_json,
    versions_from_json,
)

pc: Any = compute
"""Most of its functions are made when it is imported, where no type checker sees them."""

_PARTIAL: Final = "statistics"
_PARTIALS: Final = spark.StructType([spark.StructField(_PARTIAL, spark.StringType())])
_MERGERS: Final = 8
"""The sums of all partitions are added by so many tasks, so that however many there are, few arrive in the driver."""

_SEED: Final = 625

_BatchFunction = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]


def advise(  # noqa: PLR0913 - each argument is a word of the one sentence that a question is
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
    if not 0 < sample <= 1:
        raise ValueError(f"sample must be above 0 and at most 1, not {sample}")
    table = message_table(message, catalog)
    if isinstance(version, int):
        root_layouts(read_plan(table.plan), [version])
    values = sql.col(column) if isinstance(column, str) else column
    versions = sql.lit(version) if isinstance(version, int) else version
    numbers = sql.col(versions) if isinstance(versions, str) else versions
    rows = df.sample(fraction=sample, seed=_SEED) if sample < 1 else df
    selected = rows.select(values.alias("value"), numbers.cast("int").alias("version"))
    partials = selected.mapInArrow(_collector(table.plan), _PARTIALS)
    merged = partials.repartition(_MERGERS).mapInArrow(_merge, _PARTIALS)
    parts = (versions_from_json(json.loads(row[_PARTIAL])) for row in merged.collect())
    return Statistics(table.name, table.plan, sample, merge_versions(parts))


def collect_arrow(values: pa.Array, versions: pa.Array, plan: str) -> Versions:
    """``collect`` for one Arrow batch: messages as ``binary`` or as structs, and the version of each."""
    found: dict[int | None, VersionStatistics] = {}
    for version in versions.unique().to_pylist():
        mask = versions.is_null() if version is None else pc.fill_null(pc.equal(versions, version), fill_value=False)
        rows = values if pc.all(mask).as_py() else values.filter(mask)
        if rows.null_count:
            rows = rows.drop_null()
        if len(rows):
            found[version] = _of_version(rows, version, plan)
    return found


def _of_version(rows: pa.Array, version: int | None, plan: str) -> VersionStatistics:
    known = read_plan(plan)
    if version is None or version not in known.roots:
        return VersionStatistics(
            bytes=0 if _is_bytes(rows) else None, malformed=len(rows), example=f"there is no version {version}"
        )
    reader = _Reader.of(plan, version)
    return reader.bytes(rows) if _is_bytes(rows) else reader.structs(rows, None)


def _is_bytes(rows: pa.Array) -> bool:
    return not pa.types.is_struct(rows.type)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the messages of one version."""

    plan: str
    version: int
    wanted: MessageColumns

    @classmethod
    def of(cls, plan: str, version: int) -> _Reader:
        # A message without integers has no path that is wanted, and no fields at all would mean all of them.
        paths = wanted_paths(plan, version)
        return cls(plan, version, MessageColumns(plan, (version,), tuple(sorted(paths)), names="snake"))

    def bytes(self, rows: pa.Array) -> VersionStatistics:
        decoded = decode_columns(self.wanted, rows, self.version)
        lengths = pc.binary_length(rows)
        errors = decoded.field(ERROR_NAME)
        read = lengths.filter(errors.is_null()) if errors.null_count < len(errors) else lengths
        return self.structs(decoded, pc.sum(read).as_py() or 0)

    def structs(self, rows: pa.StructArray, bytes_: int | None) -> VersionStatistics:
        plan = read_plan(self.plan)
        layout = plan.roots[self.version]
        fields = measure_columns(plan, layout, rows, integer_fields(self.plan, self.version))
        malformed, example = _malformed(rows)
        return VersionStatistics(len(rows) - malformed, bytes_, malformed, example, fields)


def _malformed(rows: pa.StructArray) -> tuple[int, str | None]:
    """How many rows have an error, and what the first of these says in the order of text."""
    if rows.type.get_field_index(ERROR_NAME) < 0:
        return 0, None
    errors = rows.field(ERROR_NAME)
    malformed = len(errors) - errors.null_count
    if not malformed:
        return 0, None
    message, path = (errors.drop_null().field(part) for part in ("message", "path"))
    texts = pc.binary_join_element_wise(path, message, ": ")
    return malformed, pc.min(texts).as_py().removeprefix(": ")


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
