"""What the groups had committed at a time: the last commit of each partition of a group up to then."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sql

from messagegen_arrow.histories.positions import TRANSACTION_COLUMNS

IS_PENDING: Final = "_isPending"
"""Whether a record belonged to a transaction that had not ended."""


def with_pending(log: DataFrame, at: int) -> DataFrame:
    """The rows of a log with the column ``IS_PENDING``, for a time in milliseconds since 1970.

    The rule is that of ``PartitionPosition``: the records before the first later one were there. A log without the
    columns of transactions has none.
    """
    if not set(TRANSACTION_COLUMNS) <= set(log.columns):
        return log.withColumn(IS_PENDING, sql.lit(col=False))

    is_end = sql.coalesce("isControl", sql.lit(col=False))
    is_later = sql.col("timestamp") > _time(at)
    of_partition = Window.partitionBy("topic", "partition")
    of_producer = Window.partitionBy("topic", "partition", "producerId").orderBy("offset")
    behind = of_producer.rowsBetween(1, Window.unboundedFollowing)
    known = log.withColumns(
        {
            "_firstLater": sql.min(sql.when(is_later, sql.col("offset"))).over(of_partition),
            "_end": sql.min(sql.when(is_end, sql.col("offset"))).over(behind),
        }
    )

    first_later, end = sql.col("_firstLater"), sql.col("_end")
    was_there = first_later.isNull() | (sql.col("offset") < first_later)
    had_ended = end.isNotNull() & (first_later.isNull() | (end < first_later))
    is_in_transaction = sql.coalesce("isTransactional", sql.lit(col=False)) & ~is_end
    found = known.withColumn(IS_PENDING, is_in_transaction & was_there & ~had_ended)
    return found.drop("_firstLater", "_end")


def last_commits(commits: DataFrame, at: int) -> DataFrame:
    """The last of the commits with the same ``about``, partition and kind of group that held at a time; no deletions.

    ``_at``, the time of the commit, becomes this time, so that the lag is that of this time.
    """
    of_partition = Window.partitionBy("about", "isShare", "group", "topic", "partition")
    until_then = commits.where((sql.col("_at") <= _time(at)) & ~sql.col(IS_PENDING))
    place = sql.row_number().over(of_partition.orderBy(sql.col("logOffset").desc()))
    last = until_then.withColumn("_place", place).where("_place = 1 AND NOT isTombstone")
    return last.withColumn("_at", _time(at)).drop("_place", IS_PENDING)


def _time(at: int) -> Column:
    return sql.timestamp_millis(sql.lit(at))
