"""Who committed what when, and how far behind they were: ``messagegen_arrow.histories`` over DataFrames."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Observation
from pyspark.sql import functions as sql

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.commits import COMMIT, NAME, ROWS, TYPE
from messagegen_arrow.histories.end_offsets import END_COLUMNS, END_SCHEMA, EndOffsets, ends_of_batches
from messagegen_arrow.histories.kinds import CONSUMER_LAG
from messagegen_arrow.histories.lag import COMMITS, LAG_HISTORY, CommitHistory, with_lag
from messagegen_spark.histories.common import Batches, as_schema, extracted, mapped
from messagegen_spark.schemas import spark_struct

_BUCKETS: Final = 16
"""How many tasks can share the commits of a group."""
_COMMIT: Final = "commit"


def consumer_lag_history(
    log: DataFrame,
    ends: DataFrame | None = None,
    mode: str = "DROPMALFORMED",
    *,
    observe: Observation | str | None = None,
    catalog: Catalog | None = None,
) -> DataFrame:
    """The rows of ``messagegen_arrow.consumer_lag_history``, in no order.

    ``log`` has the records of ``__consumer_offsets``, and for share groups also those of ``__share_group_state``. Read it with
    ``isolationLevel=read_committed``, or offsets that were sent to transactions count before these end. It is read once.
    ``endOffset`` and ``lag`` are null without ``ends``, which says how far partitions were (``topic``, ``partition``,
    ``endOffset``). With a column ``timestamp``, as ``end_offsets`` makes it, the end is that at the time of the commit, otherwise
    the highest one.

    Records that can't be read are left out, or end the query (``mode`` FAILFAST); ``observe`` counts them. Raises ``ValueError`` for
    DataFrames that lack columns, and for other modes.
    """
    rows = extracted(log, CONSUMER_LAG.reader(mode, catalog), CONSUMER_LAG.extract, ROWS, observe)
    if ends is None:
        return mapped(_gathered(rows), ROWS, _without_ends, LAG_HISTORY)
    return _with_ends(mapped(_gathered(rows), ROWS, _commits, COMMITS), ends)


def end_offsets(log: DataFrame) -> DataFrame:
    """How far partitions were at what time, for ``consumer_lag_history``: a row for each batch of a ``kafka-log`` DataFrame.

    Read the log with ``includeControl=true``: marks of transactions take offsets too. The columns are ``topic``, ``partition``,
    ``endOffset`` (the offset after the batch) and ``timestamp`` (the highest in the batch, in the broker's or the producer's time).
    """
    columns = [name for name in END_COLUMNS if name in log.columns]
    return log.select(*columns).mapInArrow(ends_of_batches, spark_struct(END_SCHEMA))


def _gathered(rows: DataFrame) -> DataFrame:
    """The rows, with those that belong together in one partition: types of groups and names of topics, then commits in order.

    Commits of a group lie in several partitions, so that a busy group is not the work of one task, and what is said about
    the group is copied to all of them. States of share groups and the names of their topics meet by topic id.
    """

    def place(about: Column, bucket: Column) -> Column:
        return sql.struct(about.alias("about"), bucket.alias("bucket"))

    kind, group, nowhere = sql.col("kind"), sql.col("group"), sql.lit(-1)
    bucket = sql.pmod(sql.hash("topic", "partition"), sql.lit(_BUCKETS))
    buckets = sql.sequence(sql.lit(0), sql.lit(_BUCKETS - 1))
    places = (
        sql.when(kind == COMMIT, sql.array(place(group, bucket)))
        .when(kind == TYPE, sql.transform(buckets, lambda each: place(group, each)))
        .otherwise(sql.array(place(sql.col("topicId"), nowhere)))
    )
    placed = rows.select(sql.explode(places).alias("place"), *ROWS.names).select("place.*", *ROWS.names)
    is_commit = ~kind.isin(TYPE, NAME)
    return placed.repartition("about", "bucket").sortWithinPartitions(is_commit, "logOffset")


def _commits(batches: Batches) -> Batches:
    history = CommitHistory()
    for batch in batches:
        history.learn(batch)
        yield history.commits(batch)


def _without_ends(batches: Batches) -> Batches:
    ends = EndOffsets()
    return (with_lag(batch, ends) for batch in _commits(batches))


def _with_ends(commits: DataFrame, ends: DataFrame) -> DataFrame:
    """The commits with ends: those of a topic partition come to one partition, ends first."""
    missing = [name for name in ("topic", "partition", "endOffset") if name not in ends.columns]
    if missing:
        raise ValueError(f"ends has no column {', '.join(missing)}; end_offsets makes them from a log")
    commit = sql.struct(*COMMITS.names).alias(_COMMIT)
    columns = [name for name in END_SCHEMA.names if name in ends.columns]
    both = ends.select(*columns).unionByName(commits.select("topic", "partition", commit), allowMissingColumns=True)
    ordered = both.repartition("topic", "partition").sortWithinPartitions(sql.col(_COMMIT).isNotNull())
    return ordered.mapInArrow(_lags, spark_struct(LAG_HISTORY))


def _lags(batches: Iterable[pa.RecordBatch]) -> Batches:
    ends = EndOffsets()
    for batch in batches:
        is_commit = batch.column(_COMMIT).is_valid()
        ends.add(batch.filter(batch.column(_COMMIT).is_null()))
        commits = pa.RecordBatch.from_struct_array(batch.column(_COMMIT).filter(is_commit))
        yield with_lag(as_schema(commits, COMMITS), ends)
