"""The job ``conformance``: everything is decoded and encoded again, and what is not the same bytes is counted."""

# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as sql

from messagegen_arrow.catalog import Catalog, default_catalog, message_table, plans_digest
from messagegen_arrow.conformance import (
    COUNT_SCHEMA,
    UNREADABLE,
    Count,
    FrameCounter,
    RecordCounter,
    count_batch,
    reencoded,
    total,
)
from messagegen_arrow.frames.columns import FrameBatch
from messagegen_arrow.frames.parsing import FrameMessages
from messagegen_arrow.internal_topics.record_types import record_families
from messagegen_arrow.malformed import ERROR_NAME
from messagegen_spark.functions.dataframes import BatchFunction
from messagegen_spark.jobs.decode import catalog_digest, internal_log
from messagegen_spark.jobs.inputs import KAFKA_CAPTURE, Input
from messagegen_spark.jobs.runner import Job
from messagegen_spark.jobs.targets import Target, Writer
from messagegen_spark.jobs.unit_store import UnitStore, write_json
from messagegen_spark.jobs.units import Unit
from messagegen_spark.workers import settle

_COUNTS: Final = "_counts.json"


@dataclass(frozen=True, kw_only=True)
class Conformance:
    """All messages of an input: the records of internal topics in logs, or one message in a column."""

    input: Input
    message: str | None = None
    """The message of ``column``; ``None``: frames of captures, or records of internal topics and control records of all."""
    version: int | str | None = None
    column: str = "value"
    catalog: Catalog | None = None

    def job(self, unit_bytes: int | None = None) -> Job:
        """The job of these messages."""
        arguments = {
            "input": self.input.described(),
            "message": self.message,
            "version": self.version,
            "column": self.column,
            "catalog": self._digest(),
        }
        return Job("conformance", arguments, lambda spark: self.input.units(spark, unit_bytes), self.rows)

    def rows(self, spark: SparkSession, unit: Unit, observation: Observation) -> DataFrame:
        """The counts of each task by message and version. Only they travel, not messages."""
        counts = self._counts(spark, unit)
        return counts.observe(observation, _total("messages").alias("rows"), _total("malformed").alias("malformed"))

    def _digest(self) -> str:
        if self.message is None:
            return catalog_digest(self.catalog)
        return plans_digest([message_table(self.message, self.catalog)])

    def _counts(self, spark: SparkSession, unit: Unit) -> DataFrame:
        if self.message is not None:
            return self._messages(spark, unit, self.message)
        return self._frames(spark, unit) if self.input.format == KAFKA_CAPTURE else self._records(spark, unit)

    def _frames(self, spark: SparkSession, unit: Unit) -> DataFrame:
        frames = self.input.with_options(mode="PERMISSIVE").rows(spark, unit.paths)
        columns = frames.select("frame", "direction", "apiKey", "apiVersion", ERROR_NAME)
        return columns.mapInArrow(_count_frames(FrameCounter(FrameMessages.of(self.catalog))), COUNT_SCHEMA)

    def _records(self, spark: SparkSession, unit: Unit) -> DataFrame:
        known = default_catalog() if self.catalog is None else self.catalog
        rows = internal_log(self.input, "PERMISSIVE").rows(spark, unit.paths)
        columns = rows.select("key", "value", "topic", "isControl", f"{ERROR_NAME}.message")
        return columns.mapInArrow(_count_records(RecordCounter(record_families(known))), COUNT_SCHEMA)

    def _messages(self, spark: SparkSession, unit: Unit, message: str) -> DataFrame:
        table = message_table(message, self.catalog)
        version = sql.lit(self.version) if isinstance(self.version, int) else sql.col(str(self.version))
        rows = self.input.rows(spark, unit.paths)
        values = rows.select(sql.col(self.column).alias("value"), version.cast("int").alias("version"))
        return values.mapInArrow(_count_messages(table.name, table.plan), COUNT_SCHEMA)


def _total(column: str) -> Column:
    """The sum of a column; 0 where there are no rows."""
    return sql.coalesce(sql.sum(column), sql.lit(0))


def _counted(count: Callable[..., Iterable[Count]]) -> BatchFunction:
    """Counts the columns of each batch; gives the counts of a task when it has read all."""

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        settle()
        yield count_batch(total(each for batch in batches for each in count(*batch.columns)))

    return work


def _count_records(counter: RecordCounter) -> BatchFunction:
    def count(
        keys: pa.Array, values: pa.Array, topics: pa.Array, control: pa.Array, problems: pa.Array
    ) -> Iterator[Count]:
        yield from counter.count(keys.cast(pa.binary()), values.cast(pa.binary()), topics, control)
        yield from _unreadable(problems.drop_null())

    return _counted(count)


def _count_frames(counter: FrameCounter) -> BatchFunction:
    def count(
        frames: pa.Array, directions: pa.Array, api_keys: pa.Array, api_versions: pa.Array, errors: pa.Array
    ) -> Iterator[Count]:
        # What the source could not read has no frame, or not a whole one.
        unread = errors.is_valid()
        yield from _unreadable(pc.struct_field(errors.filter(unread), "message"))
        whole = pc.if_else(unread, pa.scalar(None, pa.binary()), frames.cast(pa.binary()))
        yield from counter.count(FrameBatch(whole, directions, api_keys, api_versions))

    return _counted(count)


def _unreadable(reasons: pa.StringArray) -> Iterator[Count]:
    if reasons:
        yield Count(UNREADABLE, None, len(reasons), 0, 0, len(reasons), reasons[0].as_py())


def _count_messages(name: str, plan: str) -> BatchFunction:
    def count(values: pa.Array, versions: pa.Array) -> Iterator[Count]:
        there = values.is_valid()
        without = pc.sum(pc.and_(there, versions.is_null())).as_py() or 0
        if without:
            yield Count(name, None, without, 0, 0, without, "the version is null")
        for version in versions.drop_null().unique().to_pylist():
            same = pc.fill_null(pc.and_(there, pc.equal(versions, version)), fill_value=False)
            group = values.filter(same).cast(pa.binary())
            if len(group):
                yield reencoded(name, plan, version, group)

    return _counted(count)


def counts_target() -> Target:
    """Keeps the counts of each unit in its folder; they are few, and come to this process."""

    def write(df: DataFrame, _: Unit, staged: Path) -> None:
        counts = total(Count(**row.asDict()) for row in df.collect())
        staged.mkdir()
        write_json(staged / _COUNTS, [count._asdict() for count in counts])

    def writer(_: UnitStore) -> Writer:
        return write

    return Target(writer, {})


def total_counts(store: UnitStore) -> list[Count]:
    """The counts of all units that are done, by message and version."""
    found: Iterable[dict[str, Any]] = (row for unit in store.units for row in store.json(unit, _COUNTS) or ())
    return total(Count(**row) for row in found)
