"""Who committed what when, out of ``__consumer_offsets`` and ``__share_group_state``, and how far behind they were."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame, Observation, Window
from pyspark.sql import functions as sql

from messagegen_spark.catalog import Catalog
from messagegen_spark.histories.common import history_records, when_milliseconds

_COMMITS: Final = ("OffsetCommit", "LegacyOffsetCommit")
_GROUP_TYPES: Final = {
    "GroupMetadata": ("classic", "group"),
    "ConsumerGroupMetadata": ("consumer", "groupId"),
    "StreamsGroupMetadata": ("streams", "groupId"),
    "ShareGroupMetadata": ("share", "groupId"),
}
"""Record type to the type of its group, and the field of its key that names the group."""
_SHARE_STATES: Final = ("ShareSnapshot", "ShareUpdate")
_SHARE_TOPICS: Final = "ShareGroupStatePartitionMetadata"

_RESULT: Final = (
    "group",
    "groupType",
    "topic",
    "partition",
    "offset",
    "leaderEpoch",
    "metadata",
    "commitTimestamp",
    "expireTimestamp",
    "isTombstone",
    "previousOffset",
    "delta",
    "endOffset",
    "lag",
    "topicId",
    "logTopic",
    "logPartition",
    "logOffset",
    "logTimestamp",
)


def consumer_lag_history(
    log: DataFrame,
    ends: DataFrame | None = None,
    mode: str = "DROPMALFORMED",
    *,
    observe: Observation | str | None = None,
    catalog: Catalog | None = None,
) -> DataFrame:
    """A row for each commit of a group for a partition, and for each deletion of one (``isTombstone``), in no order.

    ``log`` has the records of ``__consumer_offsets``, and for share groups those of ``__share_group_state`` too. Read it with
    ``isolationLevel=read_committed``, or offsets that were sent to transactions count before these end. A compacted log has
    lost what was overwritten: ``previousOffset`` is that of the record before that is still there, null after a deletion, and
    ``delta`` the difference. For share groups ``offset`` is the start offset (KIP-932).

    ``groupType`` is classic, consumer, streams or share, by the last word of the log; null where it has none. ``endOffset`` and
    ``lag`` are null unless ``ends`` says how far partitions were (``topic``, ``partition``, ``endOffset``). With a column
    ``timestamp``, as ``end_offsets`` makes it, the end is that at the time of the commit, otherwise the highest one given.

    Records that can't be read are left out, or end the query (``mode`` FAILFAST); ``observe`` counts them. Raises ``ValueError`` for
    frames that lack columns, and for other modes.
    """
    types = [*_COMMITS, *_GROUP_TYPES, *_SHARE_STATES, _SHARE_TOPICS]
    records = history_records(log, types, mode, observe, catalog)
    commits = _commits(records).unionByName(_share_commits(records))
    commits = commits.join(_group_types(records), "group", "left")
    history = _with_previous(commits)
    history = history.withColumn("endOffset", sql.lit(None).cast("long")) if ends is None else _with_ends(history, ends)
    done = sql.col("offset") + sql.greatest(sql.coalesce("deliveryCompleteCount", sql.lit(0)), sql.lit(0))
    behind = sql.col("endOffset") - done
    # Of nothing and 0 the greatest would be 0.
    lag = sql.when(behind.isNotNull(), sql.greatest(behind, sql.lit(0)))
    return history.withColumn("lag", lag).select(*_RESULT)


def end_offsets(log: DataFrame) -> DataFrame:
    """How far partitions were at what time, for ``consumer_lag_history``: a row for each batch of a ``kafka-log`` frame.

    Read the log with ``includeControl=true``: marks of transactions take offsets too. The columns are ``topic``, ``partition``,
    ``endOffset`` (the offset after the batch) and ``timestamp`` (the highest in the batch, in the broker's or the producer's time).
    """
    batch = "batchOffset" if "batchOffset" in log.columns else "offset"
    ends = log.where(sql.col("offset").isNotNull()).groupBy("topic", "partition", batch)
    found = ends.agg((sql.max("offset") + 1).alias("endOffset"), sql.max("timestamp").alias("timestamp"))
    return found.select("topic", "partition", "endOffset", "timestamp")


def _commits(records: DataFrame) -> DataFrame:
    """Commits of the group coordinator. Only the newer of both types has an epoch, an expiry and a topic id."""

    def either(field: str) -> Column:
        return sql.coalesce(*(sql.col(f"{name}.{field}") for name in _COMMITS))

    value = sql.col("OffsetCommit.value")
    return records.where(sql.col("recordType").isin(*_COMMITS)).select(
        either("key.group").alias("group"),
        either("key.topic").alias("topic"),
        either("key.partition").alias("partition"),
        either("value.offset").alias("offset"),
        sql.when(value["leaderEpoch"] >= 0, value["leaderEpoch"]).alias("leaderEpoch"),
        either("value.metadata").alias("metadata"),
        when_milliseconds(either("value.commitTimestamp")).alias("commitTimestamp"),
        when_milliseconds(value["expireTimestamp"]).alias("expireTimestamp"),
        "isTombstone",
        _known_id(value["topicId"]).alias("topicId"),
        sql.lit(None).cast("int").alias("deliveryCompleteCount"),
        *_position(),
    )


def _share_commits(records: DataFrame) -> DataFrame:
    """Where share partitions start. Updates say it only when it changed; their topics are known by id."""

    def either(field: str) -> Column:
        return sql.coalesce(*(sql.col(f"{name}.{field}") for name in _SHARE_STATES))

    states = records.where(sql.col("recordType").isin(*_SHARE_STATES)).select(
        either("key.groupId").alias("group"),
        either("key.topicId").alias("topicId"),
        either("key.partition").alias("partition"),
        either("value.startOffset").alias("startOffset"),
        either("value.leaderEpoch").alias("leaderEpoch"),
        either("value.deliveryCompleteCount").alias("deliveryCompleteCount"),
        when_milliseconds(sql.col("ShareSnapshot.value.writeTimestamp")).alias("writeTimestamp"),
        "isTombstone",
        *_position(),
    )
    # A deletion says -1 here, so that nothing from before it is carried on.
    known = sql.when(sql.col("isTombstone"), -1).otherwise(
        sql.when(sql.col("startOffset") >= 0, sql.col("startOffset"))
    )
    so_far = Window.partitionBy("group", "topicId", "partition").orderBy("logOffset")
    carried = sql.last(known, ignorenulls=True).over(so_far)
    with_offset = states.withColumn("offset", sql.when(carried >= 0, carried))
    # Before the first start offset is set, there is a state and no commit.
    wanted = with_offset.where(sql.col("offset").isNotNull() | sql.col("isTombstone"))
    return wanted.join(_share_topics(records), "topicId", "left").select(
        "group",
        "topic",
        "partition",
        "offset",
        "leaderEpoch",
        sql.lit(None).cast("string").alias("metadata"),
        sql.when(~sql.col("isTombstone"), sql.coalesce("writeTimestamp", "logTimestamp")).alias("commitTimestamp"),
        sql.lit(None).cast("timestamp").alias("expireTimestamp"),
        "isTombstone",
        "topicId",
        "deliveryCompleteCount",
        *_position(),
    )


def _share_topics(records: DataFrame) -> DataFrame:
    """Topic ids and names, as the group coordinator notes them for share groups."""
    value = sql.col(f"{_SHARE_TOPICS}.value")
    lists = [
        sql.transform(value[field], lambda each: sql.struct(each["topicId"], each["topicName"]))
        for field in ("initializingTopics", "initializedTopics", "deletingTopics")
    ]
    found = records.where(sql.col("recordType") == _SHARE_TOPICS).where(~sql.col("isTombstone"))
    topics = found.select(sql.explode(sql.concat(*lists)).alias("each"))
    return topics.groupBy(sql.col("each.topicId").alias("topicId")).agg(sql.max("each.topicName").alias("topic"))


def _group_types(records: DataFrame) -> DataFrame:
    """Each group with its type. A group that was converted has records of both, of which the last one counts."""
    name = sql.coalesce(*(sql.col(f"{each}.key.{field}") for each, (_, field) in _GROUP_TYPES.items()))
    type_ = sql.coalesce(
        *(sql.when(sql.col("recordType") == each, sql.lit(type_)) for each, (type_, _) in _GROUP_TYPES.items())
    )
    found = records.where(sql.col("recordType").isin(*_GROUP_TYPES))
    named = found.select(name.alias("group"), type_.alias("type"), "isTombstone", "logOffset")
    # Deleted groups keep the type that they had.
    last = sql.max_by("type", sql.struct(~sql.col("isTombstone"), "logOffset"))
    return named.groupBy("group").agg(last.alias("groupType"))


def _with_previous(commits: DataFrame) -> DataFrame:
    before = Window.partitionBy("group", "topic", "shareTopicId", "partition").orderBy("logOffset")
    of_share = sql.when(sql.col("topic").isNull(), sql.col("topicId"))
    previous = sql.lag("offset").over(before)
    with_key = commits.withColumn("shareTopicId", of_share).withColumn("previousOffset", previous)
    return with_key.withColumn("delta", sql.col("offset") - sql.col("previousOffset"))


def _with_ends(history: DataFrame, ends: DataFrame) -> DataFrame:
    missing = [name for name in ("topic", "partition", "endOffset") if name not in ends.columns]
    if missing:
        raise ValueError(f"ends has no column {', '.join(missing)}; end_offsets makes them out of a log")
    if "timestamp" in ends.columns:
        return _with_ends_at_commit(history, ends)
    highest = ends.groupBy("topic", "partition").agg(sql.max("endOffset").alias("endOffset"))
    return history.join(highest, ["topic", "partition"], "left")


def _with_ends_at_commit(history: DataFrame, ends: DataFrame) -> DataFrame:
    """The highest end up to each commit: ends and commits of a partition are put in order of time, and run through once."""
    at = sql.coalesce("commitTimestamp", "logTimestamp")
    commit = sql.struct(*(name for name in history.columns if name not in ("topic", "partition"))).alias("commit")
    commits = history.select("topic", "partition", at.alias("at"), commit)
    moved = ends.select("topic", "partition", sql.col("timestamp").alias("at"), "endOffset")
    both = commits.unionByName(moved, allowMissingColumns=True)
    so_far = Window.partitionBy("topic", "partition").orderBy("at")  # by range: all of one moment count
    known = both.withColumn("known", sql.max("endOffset").over(so_far)).where(sql.col("commit").isNotNull())
    return known.select("topic", "partition", "commit.*", sql.col("known").alias("endOffset"))


def _known_id(topic_id: Column) -> Column:
    """A topic id, unless it is the zero that stands for none."""
    return sql.when(topic_id != "AAAAAAAAAAAAAAAAAAAAAA", topic_id)


def _position() -> tuple[str, ...]:
    return ("logTopic", "logPartition", "logOffset", "logTimestamp")
