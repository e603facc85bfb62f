"""How far partitions were, and how far at the time of a commit."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sql

_NEEDED: Final = ("topic", "partition", "endOffset")
_TIME, _IS_COMMIT, _END = "_time", "_isCommit", "endOffset"


def end_offsets(log: DataFrame) -> DataFrame:
    """How far partitions were at what time, for ``consumer_lag_history``: a row for each batch of a ``kafka-log`` DataFrame.

    Read the log with ``includeControl=true``: marks of transactions take offsets too. The columns are ``topic``, ``partition``,
    ``endOffset`` (the offset after the batch) and ``timestamp`` (the highest in the batch, in the broker's or the producer's time).
    """
    batch = "batchOffset" if "batchOffset" in log.columns else "offset"
    records = log.where(sql.col("offset").isNotNull())
    ends = records.groupBy("topic", "partition", sql.col(batch).alias("_batch")).agg(
        (sql.max("offset") + 1).alias(_END), sql.max("timestamp").alias("timestamp")
    )
    return ends.drop("_batch")


def with_end_offsets(commits: DataFrame, ends: DataFrame, time: str) -> DataFrame:
    """The commits with ``endOffset``, the highest end of their partition up to the timestamp in the column ``time``.

    Ends without a column ``timestamp``, or with a null there, hold at all times. Raises ``ValueError`` for ends that lack columns.
    """
    missing = [name for name in _NEEDED if name not in ends.columns]
    if missing:
        raise ValueError(f"ends has no column {', '.join(missing)}; end_offsets makes them from a log")
    at = sql.col("timestamp") if "timestamp" in ends.columns else sql.lit(None)
    known = ends.where(sql.col("topic").isNotNull() & sql.col(_END).isNotNull())
    known = known.select("topic", "partition", sql.col(_END).cast("long"), at.cast("timestamp").alias(_TIME))
    both = known.withColumn(_IS_COMMIT, sql.lit(col=False)).unionByName(
        commits.withColumns({_TIME: sql.col(time), _IS_COMMIT: sql.lit(col=True)}), allowMissingColumns=True
    )
    # Null times are first in ascending order, and an end at the time of a commit counts.
    until_then = Window.partitionBy("topic", "partition").orderBy(_TIME, _IS_COMMIT)
    rows = until_then.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    return both.withColumn(_END, sql.max(_END).over(rows)).where(_IS_COMMIT).drop(_TIME, _IS_COMMIT)
