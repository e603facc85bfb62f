"""How far partitions were, and how far at the time of a commit."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sql

from messagegen_arrow.histories.consumer_lag.end_offsets import LATEST_TIME

_NEEDED: Final = ("topic", "partition", "endOffset")
_END, _TIME, _IS_EXACT = "endOffset", "timestamp", "isExact"


def end_offsets(log: DataFrame) -> DataFrame:
    """How far partitions were at what time, for ``consumer_lag_history``: from a ``kafka-log`` DataFrame.

    Read the log with ``includeControl=true``, because marks of transactions take offsets too, ``includeSegments=true``,
    because an empty segment tells the end by its name, and ``fromLogStart=false``, because deleted records may still
    tell when the end was theirs. The columns are ``topic``, ``partition``, ``endOffset`` (the offset after a batch),
    ``timestamp`` (the highest in the batch, in the broker's or the producer's time) and ``isExact``. Before a batch
    whose predecessor is gone, there is a row that is not exact: the end at that time is not known, but it is not
    higher.
    """
    base = "batchOffset" if "batchOffset" in log.columns else "offset"
    is_read = sql.col("_error").isNull() if "_error" in log.columns else sql.lit(col=True)
    rows = log.where(is_read & sql.col(base).isNotNull()).groupBy("topic", "partition", sql.col(base).alias("_base"))
    # Of a segment without a batch at its beginning, there is no offset.
    batches = rows.agg((sql.max("offset") + 1).alias("_until"), sql.max("timestamp").alias("_time"))
    in_order = Window.partitionBy("topic", "partition").orderBy("_base")
    before = in_order.rowsBetween(Window.unboundedPreceding, -1)
    placed = batches.withColumns(
        {
            "_ended": sql.max("_until").over(before),
            "_since": sql.max("_time").over(before),
            "_isLast": sql.lead("_base").over(in_order).isNull(),
        }
    )
    is_batch = sql.col("_until").isNotNull()
    is_behind_gap = sql.col("_ended").isNull() | (sql.col("_base") > sql.col("_ended"))
    names = (_END, _TIME, _IS_EXACT)

    def end(*values: Column) -> Column:
        return sql.struct(*(value.alias(name) for name, value in zip(names, values, strict=True)))

    # Before offset 0 there was nothing.
    gap = end(sql.col("_base"), sql.col("_since"), ~is_batch | (sql.col("_base") == 0))
    own = end(sql.col("_until"), sql.col("_time"), sql.lit(col=True))
    found = sql.array(sql.when(is_behind_gap & (is_batch | sql.col("_isLast")), gap), sql.when(is_batch, own))
    ends = placed.select("topic", "partition", sql.explode(sql.array_compact(found)).alias("_found"))
    return ends.select("topic", "partition", *(sql.col(f"_found.{name}").alias(name) for name in names))


def with_end_offsets(commits: DataFrame, ends: DataFrame, time: str) -> DataFrame:
    """The commits with ``endOffset``, the end of their partition at the timestamp in the column ``time``.

    It is null if the end is not known.
    Ends without a column ``timestamp``, or with a null there, hold at all times. Those without a column ``isExact`` are
    exact. Raises ``ValueError`` for ends that lack columns.
    """
    both = _with_known_times(ends).unionByName(
        commits.withColumns({"_time": sql.col(time), "_isCommit": sql.lit(col=True)}), allowMissingColumns=True
    )
    partition = Window.partitionBy("topic", "partition")
    # Null times are first in ascending order, and an end at the time of a commit counts.
    until_then = partition.orderBy("_time", "_isCommit").rowsBetween(Window.unboundedPreceding, Window.currentRow)
    known = both.withColumns(
        {"_known": sql.max("_end").over(until_then), "_highest": sql.max(sql.col("_end")[_END]).over(partition)}
    )
    end, offset = sql.col("_known")[_END], sql.col("offset")
    # The end is no lower than what was committed; where it seems so, the times of records are later than they were
    # written.
    is_behind_commit = sql.coalesce((end < offset) & (offset <= sql.col("_highest")), sql.lit(col=False))
    is_known = (offset == end) | (sql.col("_known")[_IS_EXACT] & ~is_behind_commit)
    found = known.where("_isCommit").withColumn(_END, sql.when(is_known, end))
    return found.drop("_time", "_isCommit", "_end", "_known", "_highest")


def _with_known_times(ends: DataFrame) -> DataFrame:
    """The ends with a time. One that has no possible time may be as old as the times of lower ends."""
    missing = [name for name in _NEEDED if name not in ends.columns]
    if missing:
        raise ValueError(f"ends has no column {', '.join(missing)}; end_offsets makes them from a log")
    time = (sql.col(_TIME) if _TIME in ends.columns else sql.lit(None)).cast("timestamp")
    is_exact = sql.col(_IS_EXACT) if _IS_EXACT in ends.columns else sql.lit(col=True)
    given = ends.where(sql.col("topic").isNotNull() & sql.col(_END).isNotNull()).select(
        "topic", "partition", sql.col(_END).cast("long").alias(_END), time.alias("_time"), is_exact.alias(_IS_EXACT)
    )
    is_possible = sql.unix_micros("_time").between(0, LATEST_TIME)
    lower = Window.partitionBy("topic", "partition").orderBy(_END).rangeBetween(Window.unboundedPreceding, -1)
    latest = sql.max(sql.when(is_possible, sql.col("_time"))).over(lower)
    is_known = sql.col("_time").isNull() | is_possible
    placed = given.withColumns(
        {
            "_time": sql.when(is_known, sql.col("_time")).otherwise(latest),
            "_end": sql.struct(sql.col(_END), (sql.col(_IS_EXACT) & is_known).alias(_IS_EXACT)),
        }
    )
    return placed.select("topic", "partition", "_time", "_end", sql.lit(col=False).alias("_isCommit"))
