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

    Read the log with ``includeControl=true``, because transaction markers take offsets too, ``includeSegments=true``,
    because an empty segment tells the end by its name, and ``fromLogStart=false``, because deleted records may still
    tell when the end was theirs. The columns are ``topic``, ``partition``, ``endOffset`` (the offset after a batch),
    ``timestamp`` (the highest in the batch, in the broker's or the producer's time) and ``isExact``. Before a batch
    whose predecessor is gone, there is a row that is not exact: the end at that time is not known, but it is not
    higher. An empty last segment whose predecessor is gone has both: its end is exact, but records before it are gone.
    """
    batches = _placed_batches(log)
    is_batch = sql.col("_until").isNotNull()
    is_behind_gap = sql.col("_ended").isNull() | (sql.col("_base") > sql.col("_ended"))
    is_empty_at_end = ~is_batch & sql.col("_isLast")
    names = (_END, _TIME, _IS_EXACT)

    def end(*values: Column) -> Column:
        return sql.struct(*(value.alias(name) for name, value in zip(names, values, strict=True)))

    # Before offset 0 there was nothing.
    gap = end(sql.col("_base"), sql.col("_since"), is_batch & (sql.col("_base") == 0))
    name_of_last = end(sql.col("_base"), sql.col("_since"), sql.lit(col=True))
    own = end(sql.col("_until"), sql.col("_time"), sql.lit(col=True))
    found = sql.array(
        sql.when(is_behind_gap & (is_batch | is_empty_at_end), gap),
        sql.when(is_behind_gap & is_empty_at_end, name_of_last),
        sql.when(is_batch, own),
    )
    ends = batches.select("topic", "partition", sql.explode(sql.array_compact(found)).alias("_found"))
    return ends.select("topic", "partition", *(sql.col(f"_found.{name}").alias(name) for name in names))


def _placed_batches(log: DataFrame) -> DataFrame:
    """The batches and segments of a log, with the end and the latest time of those before them.

    ``_until`` is the offset after a batch, null for a segment without a batch at its beginning.
    """
    base = "batchOffset" if "batchOffset" in log.columns else "offset"
    is_read = sql.col("_error").isNull() if "_error" in log.columns else sql.lit(col=True)
    rows = log.where(is_read & sql.col(base).isNotNull()).groupBy("topic", "partition", sql.col(base).alias("_base"))
    batches = rows.agg((sql.max("offset") + 1).alias("_until"), sql.max("timestamp").alias("_time"))
    in_order = Window.partitionBy("topic", "partition").orderBy("_base")
    before = in_order.rowsBetween(Window.unboundedPreceding, -1)
    return batches.withColumns(
        {
            "_ended": sql.max("_until").over(before),
            "_since": sql.max("_time").over(before),
            "_isLast": sql.lead("_base").over(in_order).isNull(),
        }
    )


def with_end_offsets(commits: DataFrame, ends: DataFrame, time: str) -> DataFrame:
    """The commits with ``endOffset``, the end of their partition at the timestamp in the column ``time``.

    It is null if the end is not known. ``written`` is when the first record after the commit was written, null if that
    is not known or if there was no such record yet.
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
        {
            "_known": sql.max("_end").over(until_then),
            "_highest": sql.max(sql.col("_end")[_END]).over(partition),
            "_batch": _batch_of_next_record(),
        }
    )
    found = known.where("_isCommit").withColumns({_END: _end_at_commit(), "written": _time_of_next_record()})
    return found.drop("_time", "_isCommit", "_end", "_known", "_highest", "_times", "_batch")


def _end_at_commit() -> Column:
    """The end at the time of a commit; null if it is not known."""
    end, offset = sql.col("_known")[_END], sql.col("offset")
    # The end is no lower than what was committed; where it seems so, the times of records are later than they were
    # written.
    is_behind_commit = sql.coalesce((end < offset) & (offset <= sql.col("_highest")), sql.lit(col=False))
    is_known = (offset == end) | (sql.col("_known")[_IS_EXACT] & ~is_behind_commit)
    return sql.when(is_known, end)


def _batch_of_next_record() -> Column:
    """The times of the batch with the first record after a commit: that with the lowest end that is higher.

    Of rows with the same end, one that is not exact counts first, then the earliest.
    """
    place = sql.coalesce(sql.col("_end")[_END], "offset")
    is_exact = sql.col("_end")[_IS_EXACT]
    # Spark passes rows once only if a window ends at the current row, so the highest ends come first.
    order = [place.desc(), sql.col("_isCommit").desc(), is_exact.desc(), sql.col("_time").desc()]
    higher = Window.partitionBy("topic", "partition").orderBy(*order)
    until_here = higher.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    return sql.last("_times", ignorenulls=True).over(until_here)


def _time_of_next_record() -> Column:
    """When the first record after a commit was written; null if that is not known.

    The rule is that of ``WriteTimes``: a timestamp later than the commit is not when a record was written that was
    there.
    """
    own, latest = sql.col("_batch.own"), sql.col("_batch.latest")
    commit = sql.col("_time")
    written = sql.when(latest <= commit, latest).when(own <= commit, own)
    return sql.when(sql.col("offset").isNotNull(), written)


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
    known = given.withColumns(
        {
            "_latest": sql.max(sql.when(is_possible, sql.col("_time"))).over(lower),
            "_isLowest": sql.max(_END).over(lower).isNull(),
            "_isKnown": sql.col("_time").isNull() | is_possible,
        }
    )
    placed = known.withColumns(
        {
            "_time": sql.when(sql.col("_isKnown"), sql.col("_time")).otherwise(sql.col("_latest")),
            "_end": sql.struct(sql.col(_END), (sql.col(_IS_EXACT) & sql.col("_isKnown")).alias(_IS_EXACT)),
        }
    )
    return placed.withColumn("_times", _write_times()).select(
        "topic", "partition", "_time", "_end", "_times", sql.lit(col=False).alias("_isCommit")
    )


def _write_times() -> Column:
    """When the batch before an end was written: its own time, and the latest of the batches up to it.

    Both are null if nobody knows it: for the lowest end, and for ends that are not exact.
    """
    is_told = sql.col("_end")[_IS_EXACT] & ~sql.col("_isLowest")
    own = sql.when(is_told, sql.col("_time"))
    latest = sql.when(own.isNotNull(), sql.greatest(own, "_latest"))
    return sql.struct(own.alias("own"), latest.alias("latest"))
