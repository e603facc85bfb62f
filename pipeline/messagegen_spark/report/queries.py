"""What pages show of the rows of a run: sums that are small however many rows there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql

BUCKETS: Final = 120
"""Into so many parts charts divide the time of a run."""

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Span:
    """The time from the first row to the last, in microseconds since 1970."""

    first: int
    last: int

    @property
    def width(self) -> int:
        """The microseconds of a bucket."""
        return max((self.last - self.first) // BUCKETS + 1, 1)

    @property
    def times(self) -> npt.NDArray[np.datetime64]:
        """The beginnings of the buckets."""
        starts = self.first + self.width * np.arange(BUCKETS, dtype=np.int64)
        return starts.astype("datetime64[us]")

    def bucket(self, time: Column) -> Column:
        """The number of the bucket of a time."""
        number = sql.floor((sql.unix_micros(time) - sql.lit(self.first)) / sql.lit(self.width))
        return sql.greatest(sql.lit(0), sql.least(number, sql.lit(BUCKETS - 1))).cast("int")


@dataclass(frozen=True)
class Series:
    """A line of a chart: a value for each bucket, NaN before the first one."""

    name: str
    values: Numbers


def span_of(rows: DataFrame, time: str) -> Span | None:
    """The span of the rows' times, ``None`` without any."""
    found = rows.agg(
        sql.unix_micros(sql.min(time)).alias("first"), sql.unix_micros(sql.max(time)).alias("last")
    ).first()
    return None if found is None or found["first"] is None else Span(found["first"], found["last"])


def counts_of(rows: DataFrame, columns: Sequence[str | Column], most: int) -> list[Any]:
    """How many rows have the same values in some columns, as Spark's rows with ``count``; the most frequent ones."""
    return rows.groupBy(*columns).count().orderBy(sql.desc("count"), *columns).limit(most).collect()


def counts_over_time(rows: DataFrame, by: str, time: str, span: Span, names: Sequence[str]) -> list[Series]:
    """How many rows each bucket has, for each of some values of a column."""
    counted = rows.where(sql.col(by).isin(list(names))).groupBy(by, span.bucket(sql.col(time)).alias("bucket")).count()
    found = {name: np.zeros(BUCKETS) for name in names}
    for row in counted.collect():
        found[row[by]][row["bucket"]] = row["count"]
    return [Series(str(name), values) for name, values in found.items()]


def lag_by_group(history: DataFrame, most: int) -> list[Any]:
    """For each group with commits, the groups that lag most first: what is known of it now, as Spark's rows."""
    place = sql.col("logOffset")
    each = history.groupBy("group", "topic", "partition").agg(
        sql.max("groupType").alias("type"),
        sql.count_if(~sql.col("isTombstone")).alias("commits"),
        sql.max("commitTimestamp").alias("latest"),
        sql.max_by(sql.coalesce("lag", sql.lit(0)), place).alias("lag"),
        sql.max("lag").alias("highest"),
    )
    groups = each.groupBy("group").agg(
        sql.max("type").alias("type"),
        sql.count(sql.lit(1)).alias("partitions"),
        sql.sum("commits").alias("commits"),
        sql.date_format(_in_utc(sql.max("latest")), "yyyy-MM-dd HH:mm:ss").alias("latest"),
        sql.when(sql.max("highest").isNotNull(), sql.sum("lag")).alias("lag"),
        sql.max("highest").alias("highest"),
    )
    return groups.orderBy(sql.desc_nulls_last("lag"), sql.desc("commits"), "group").limit(most).collect()


def _in_utc(time: Column) -> Column:
    """A time whose text is that in UTC, whatever the time zone of the session is."""
    return sql.convert_timezone(None, sql.lit("UTC"), time.cast("timestamp_ntz"))


def lag_over_time(history: DataFrame, groups: Sequence[str], span: Span) -> list[Series]:
    """The lag of each group over all its partitions: that of the last commit of each, until the next one."""
    bucket = span.bucket(_when()).alias("bucket")
    lag = sql.max_by(sql.coalesce("lag", sql.lit(0)), sql.col("logOffset")).alias("lag")
    named = history.where(sql.col("group").isin(list(groups)))
    lines: dict[str, dict[tuple[str, int], Numbers]] = {group: {} for group in groups}
    for row in named.groupBy("group", "topic", "partition", bucket).agg(lag).collect():
        of_group = lines[row["group"]]
        values = of_group.setdefault((row["topic"], row["partition"]), np.full(BUCKETS, np.nan))
        values[row["bucket"]] = row["lag"]
    return [Series(group, _sum([_held(values) for values in each.values()])) for group, each in lines.items()]


def commit_span(history: DataFrame) -> Span | None:
    """The span of the commits of a history."""
    return span_of(history.select(_when().alias("time")), "time")


def _when() -> Column:
    return sql.coalesce("commitTimestamp", "logTimestamp")


def _held(values: Numbers) -> Numbers:
    """Each value until the next one."""
    places = np.maximum.accumulate(np.where(np.isnan(values), -1, np.arange(len(values))))
    return np.where(places < 0, np.nan, values[np.maximum(places, 0)])


def _sum(lines: Sequence[Numbers]) -> Numbers:
    if not lines:
        return np.full(BUCKETS, np.nan)
    stacked = np.vstack(lines)
    known = ~np.isnan(stacked).all(axis=0)
    return np.where(known, np.nansum(stacked, axis=0), np.nan)
