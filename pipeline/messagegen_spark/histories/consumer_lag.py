"""Who committed what when, and how far behind they were: window functions over decoded records."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import Column, DataFrame, Observation, Window
from pyspark.sql import functions as sql

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.consumer_lag import (
    ALL_TYPES,
    COMMITS,
    GROUP_TYPES,
    LAG_HISTORY,
    LISTS_OF_NAMES,
    MOST_MILLISECONDS,
    NAMES,
    NO_ID,
    POSITION,
    STATES,
    TOPICS,
)
from messagegen_arrow.histories.records import check_history_mode
from messagegen_spark.functions.internal_topics import decode_internal_topics
from messagegen_spark.histories.end_offsets import with_end_offsets
from messagegen_spark.histories.log import of_topics


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
    the highest one. Both are null where the end at that time is not known.

    Records that can't be read are left out, or end the query (``mode`` FAILFAST); ``observe`` counts them. Raises ``ValueError`` for
    DataFrames that lack columns, and for other modes.
    """
    checked = check_history_mode(mode)
    records = decode_internal_topics(
        of_topics(log, TOPICS), ALL_TYPES, checked, keep=list(POSITION), observe=observe, catalog=catalog
    )
    commits = _commits(_with_what_is_said(_rows(records)))
    if ends is None:
        found = commits.withColumn("endOffset", sql.lit(None).cast("long"))
    else:
        found = with_end_offsets(commits, ends, "_at")
    # A negative number of records that a share group is done with means that it is not known, and so the lag is not either.
    done = sql.when(sql.col("isShare"), sql.when(sql.col("_delivered") >= 0, sql.col("_delivered"))).otherwise(0)
    lag = sql.col("endOffset") - sql.col("offset") - done
    return found.withColumn("lag", lag).select(*LAG_HISTORY.names)


def _rows(records: DataFrame) -> DataFrame:
    """Commits, states of share partitions, and what is said about groups and topics, with the fields of all of them as columns."""
    kind = sql.col("recordType")
    epoch, topic_id = sql.col("OffsetCommit.value.leaderEpoch"), sql.col("OffsetCommit.value.topicId")
    committed, start = _first(COMMITS, "value.offset"), _first(STATES, "value.startOffset")
    is_state = kind.isin(*STATES)
    written = _time(sql.col("ShareSnapshot.value.writeTimestamp"))
    group_types = sql.create_map(*(sql.lit(part) for name, (type_, _) in GROUP_TYPES.items() for part in (name, type_)))
    columns = {
        "kind": kind,
        "isTombstone": sql.col("isTombstone"),
        "group": sql.coalesce(
            _first(COMMITS, "key.group"),
            _first(STATES, "key.groupId"),
            sql.col(f"{NAMES}.key.groupId"),
            *(sql.col(f"{name}.key.{field}") for name, (_, field) in GROUP_TYPES.items()),
        ),
        "saidType": group_types[kind],
        "saidTopics": sql.flatten(_lists_of_names()),
        "topic": _first(COMMITS, "key.topic"),
        "partition": sql.coalesce(_first(COMMITS, "key.partition"), _first(STATES, "key.partition")),
        "topicId": sql.coalesce(sql.when(topic_id != NO_ID, topic_id), _first(STATES, "key.topicId")),
        "offset": sql.when(committed >= 0, committed),
        # A share partition notes where it starts only when that changed; a deletion counts as a start that no offset has.
        "start": sql.when(is_state & sql.col("isTombstone"), sql.lit(-1)).when(start >= 0, start),
        "leaderEpoch": sql.coalesce(sql.when(epoch >= 0, epoch), _first(STATES, "value.leaderEpoch")),
        "metadata": _first(COMMITS, "value.metadata"),
        "commitTimestamp": sql.when(
            is_state, sql.when(~sql.col("isTombstone"), sql.coalesce(written, "timestamp"))
        ).otherwise(_time(_first(COMMITS, "value.commitTimestamp"))),
        "expireTimestamp": _time(sql.col("OffsetCommit.value.expireTimestamp")),
        "_delivered": _first(STATES, "value.deliveryCompleteCount"),
    }
    position = [sql.col(name).alias(title) for name, title in POSITION.items()]
    return records.where(kind.isin(*ALL_TYPES)).select(
        *(column.alias(name) for name, column in columns.items()), *position
    )


def _with_what_is_said(rows: DataFrame) -> DataFrame:
    """Commits and states with the type of their group and the name of their topic, which may come before or after them.

    Rows with the same ``about`` meet: a group's commits and what is said of its type, a topic's states and its names.
    """
    is_state, is_name = sql.col("kind").isin(*STATES), sql.col("kind") == NAMES
    named = rows.withColumn("said", sql.explode_outer("saidTopics")).drop("saidTopics")
    about = sql.when(is_state, sql.col("topicId")).when(is_name, sql.col("said.topicId")).otherwise(sql.col("group"))
    # A group that was deleted keeps the type that it had; of several types the last one counts.
    word = sql.when(sql.col("saidType").isNotNull(), sql.struct(~sql.col("isTombstone"), "logOffset", "saidType"))
    together = Window.partitionBy("about", "isShare")
    known = named.withColumns({"about": about, "isShare": is_state | is_name}).withColumns(
        {
            "groupType": sql.when(is_state, sql.lit("share")).otherwise(sql.max(word).over(together)["saidType"]),
            "topic": sql.when(is_state, sql.max("said.topicName").over(together)).otherwise(sql.col("topic")),
        }
    )
    return known.where(is_state | sql.col("kind").isin(*COMMITS))


def _commits(rows: DataFrame) -> DataFrame:
    """Each commit with the one before."""
    is_state = sql.col("kind").isin(*STATES)
    in_order = Window.partitionBy("about", "isShare", "group", "topic", "partition").orderBy("logOffset")
    until_then = in_order.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    start = sql.last("start", ignorenulls=True).over(until_then)
    offset = sql.when(is_state, sql.when(start >= 0, start)).otherwise(sql.col("offset"))
    found = rows.withColumn("offset", offset)
    found = found.withColumn("previousOffset", sql.lag("offset").over(in_order))
    found = found.withColumns(
        {
            "delta": sql.col("offset") - sql.col("previousOffset"),
            "_at": sql.coalesce("commitTimestamp", "logTimestamp"),
        }
    )
    # Before the first start of a share partition is set, there is a state and no commit.
    return found.where(~is_state | sql.col("offset").isNotNull() | sql.col("isTombstone"))


def _first(types: tuple[str, ...], path: str) -> Column:
    """The field of the record types that is not null."""
    return reduce(
        lambda found, name: sql.coalesce(found, sql.col(f"{name}.{path}")), types[1:], sql.col(f"{types[0]}.{path}")
    )


def _lists_of_names() -> Column:
    """The topics that a record names, as ``topicId`` and ``topicName``."""
    empty = sql.array().cast("array<struct<topicId: string, topicName: string>>")

    def names(each: Column) -> Column:
        return sql.transform(
            each, lambda topic: sql.struct(topic["topicId"].alias("topicId"), topic["topicName"].alias("topicName"))
        )

    return sql.array(*(sql.coalesce(names(sql.col(f"{NAMES}.value.{name}")), empty) for name in LISTS_OF_NAMES))


def _time(milliseconds: Column) -> Column:
    """Kafka's milliseconds as a timestamp; null for negative ones, which mean no time."""
    most = sql.least(milliseconds, sql.lit(MOST_MILLISECONDS))
    return sql.when(milliseconds >= 0, sql.timestamp_micros(most * 1000))
