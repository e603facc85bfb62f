"""Who committed what when, out of ``__consumer_offsets`` and ``__share_group_state``, and how far behind they were."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame, Observation, Window
from pyspark.sql import functions as sql

from messagegen_arrow.catalog import Catalog
from messagegen_spark.histories.common import history_records, when_milliseconds

_COMMITS: Final = ("OffsetCommit", "LegacyOffsetCommit")
_GROUP_TYPES: Final = {
    "GroupMetadata": ("classic", "group"),
    "ConsumerGroupMetadata": ("consumer", "groupId"),
    "StreamsGroupMetadata": ("streams", "groupId"),
    "ShareGroupMetadata": ("share", "groupId"),
}
"""Record type to the type of its group, and the field of its key that names the group."""
_SHARE: Final = "share"
_SHARE_STATES: Final = ("ShareSnapshot", "ShareUpdate")
_SHARE_TOPICS: Final = "ShareGroupStatePartitionMetadata"

_COMMIT, _STATE, _TYPE, _NAMES = "commit", "state", "type", "names"
"""The kinds of records: of both histories, of groups' types, and of the names of share groups' topics."""
_PLACE: Final = ("about", "bucket")
_BUCKETS: Final = 16
"""How many tasks the commits of a group can be the work of."""
_ROW: Final = {
    "group": "string",
    "topic": "string",
    "sameTopic": "string",
    "partition": "int",
    "offset": "bigint",
    "known": "bigint",
    "leaderEpoch": "int",
    "metadata": "string",
    "commitTimestamp": "timestamp",
    "expireTimestamp": "timestamp",
    "topicId": "string",
    "deliveryCompleteCount": "int",
}
"""What a commit or the state of a share partition says. ``sameTopic`` tells topics apart, ``known`` is a start offset that is noted."""

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

    ``groupType`` is classic, consumer, streams or share, by the last word of the log; null where it has none. The log is read once. ``endOffset`` and
    ``lag`` are null unless ``ends`` says how far partitions were (``topic``, ``partition``, ``endOffset``). With a column
    ``timestamp``, as ``end_offsets`` makes it, the end is that at the time of the commit, otherwise the highest one given.

    Records that can't be read are left out, or end the query (``mode`` FAILFAST); ``observe`` counts them. Raises ``ValueError`` for
    frames that lack columns, and for other modes.
    """
    types = [*_COMMITS, *_GROUP_TYPES, *_SHARE_STATES, _SHARE_TOPICS]
    records = history_records(log, types, mode, observe, catalog)
    history = _history(_gathered(records))
    history = history.withColumn("endOffset", sql.lit(None).cast("long")) if ends is None else _with_ends(history, ends)
    done = sql.col("offset") + sql.greatest(sql.coalesce("deliveryCompleteCount", sql.lit(0)), sql.lit(0))
    behind = sql.col("endOffset") - done
    # Of nothing and 0 the greatest would be 0.
    lag = sql.when(behind.isNotNull(), sql.greatest(behind, sql.lit(0)))
    return history.withColumn("lag", lag).select(*_RESULT)


def end_offsets(log: DataFrame) -> DataFrame:
    """How far partitions were at what time, for ``consumer_lag_history``: a row for each batch of a ``kafka-log`` DataFrame.

    Read the log with ``includeControl=true``: marks of transactions take offsets too. The columns are ``topic``, ``partition``,
    ``endOffset`` (the offset after the batch) and ``timestamp`` (the highest in the batch, in the broker's or the producer's time).
    """
    batch = "batchOffset" if "batchOffset" in log.columns else "offset"
    ends = log.where(sql.col("offset").isNotNull()).groupBy("topic", "partition", batch)
    found = ends.agg((sql.max("offset") + 1).alias("endOffset"), sql.max("timestamp").alias("timestamp"))
    return found.select("topic", "partition", "endOffset", "timestamp")


def _gathered(records: DataFrame) -> DataFrame:
    """A row for each commit, state of a share partition, and word about a group or a topic; those that belong together are at one place.

    The log is decoded once and shuffled once: words come to the task that has the commits, where joins would read the log again for
    each of them. Commits of a group lie at several places, so that a busy group is not the work of one task, and
    words about the group go to all of these. States of share groups and the names of their topics meet by topic id.
    """
    kind = (
        sql.when(sql.col("recordType").isin(*_COMMITS), _COMMIT)
        .when(sql.col("recordType").isin(*_SHARE_STATES), _STATE)
        .when(sql.col("recordType").isin(*_GROUP_TYPES), _TYPE)
        .when((sql.col("recordType") == _SHARE_TOPICS) & ~sql.col("isTombstone"), _NAMES)
    )
    group = sql.coalesce(*(sql.col(f"{each}.key.{field}") for each, (_, field) in _GROUP_TYPES.items()))
    type_ = sql.coalesce(
        *(sql.when(sql.col("recordType") == each, sql.lit(type_)) for each, (type_, _) in _GROUP_TYPES.items())
    )
    row = sql.when(kind == _COMMIT, _commit()).when(kind == _STATE, _state())
    said = records.select(
        kind.alias("kind"),
        row.alias("row"),
        group.alias("wordOn"),
        type_.alias("type"),
        _topics_of_share_group().alias("names"),
        "isTombstone",
        *_position(),
    )
    placed = said.select(sql.explode(_places()).alias("place"), "kind", "row", "type", "isTombstone", *_position())
    flat = placed.select("place.*", "kind", "row.*", "type", "isTombstone", *_position())
    return flat.repartition(*_PLACE)


def _places() -> Column:
    """The places of a row: null, which leaves it out, for records that say nothing here."""

    def place(name: Column, bucket: Column, topic: Column | None = None) -> Column:
        of_topic = sql.lit(None).cast("string") if topic is None else topic
        return sql.struct(name.alias("about"), bucket.alias("bucket"), of_topic.alias("topicName"))

    kind, row, nowhere = sql.col("kind"), sql.col("row"), sql.lit(-1)
    bucket = sql.pmod(sql.hash(row["topic"], row["partition"]), sql.lit(_BUCKETS))
    all_buckets = sql.sequence(sql.lit(0), sql.lit(_BUCKETS - 1))
    return (
        sql.when(kind == _COMMIT, sql.array(place(row["group"], bucket)))
        .when(kind == _TYPE, sql.transform(all_buckets, lambda each: place(sql.col("wordOn"), each)))
        .when(kind == _STATE, sql.array(place(row["topicId"], nowhere)))
        .when(
            kind == _NAMES,
            sql.transform("names", lambda each: place(each["topicId"], nowhere, each["topicName"])),
        )
    )


def _history(gathered: DataFrame) -> DataFrame:
    """The commits with what was before them, and with what is said of their groups and topics."""
    is_share = sql.col("kind") == _STATE
    same = Window.partitionBy(*_PLACE, "kind", "group", "sameTopic", "partition").orderBy("logOffset")
    so_far = sql.last("known", ignorenulls=True).over(same)
    # Share groups note a start offset only when it changed, and a deletion says -1, so that nothing from before it is carried on.
    offset = sql.when(is_share, sql.when(so_far >= 0, so_far)).otherwise(sql.col("offset"))
    before = gathered.withColumn("offset", offset).withColumn("previousOffset", sql.lag("offset").over(same))

    here = Window.partitionBy(*_PLACE)
    # Deleted groups keep the type that they had.
    order = sql.when(sql.col("kind") == _TYPE, sql.struct(~sql.col("isTombstone"), "logOffset"))
    said = before.withColumn("said", sql.max_by("type", order).over(here)).withColumn(
        "named", sql.max("topicName").over(here)
    )
    # Before the first start offset is set, there is a state and no commit.
    is_commit = (sql.col("kind") == _COMMIT) | (is_share & (sql.col("offset").isNotNull() | sql.col("isTombstone")))
    return (
        said.where(is_commit)
        .withColumn("topic", sql.when(is_share, sql.col("named")).otherwise(sql.col("topic")))
        .withColumn("groupType", sql.when(is_share, _SHARE).otherwise(sql.col("said")))
        .withColumn("delta", sql.col("offset") - sql.col("previousOffset"))
    )


def _commit() -> Column:
    """A commit of the group coordinator. Only the newer of both types has an epoch, an expiry and a topic id."""

    def either(field: str) -> Column:
        return sql.coalesce(*(sql.col(f"{name}.{field}") for name in _COMMITS))

    value = sql.col("OffsetCommit.value")
    return _row(
        group=either("key.group"),
        topic=either("key.topic"),
        sameTopic=either("key.topic"),
        partition=either("key.partition"),
        offset=either("value.offset"),
        leaderEpoch=sql.when(value["leaderEpoch"] >= 0, value["leaderEpoch"]),
        metadata=either("value.metadata"),
        commitTimestamp=when_milliseconds(either("value.commitTimestamp")),
        expireTimestamp=when_milliseconds(value["expireTimestamp"]),
        topicId=_known_id(value["topicId"]),
    )


def _state() -> Column:
    """Where a share partition starts. Its topic is known by id."""

    def either(field: str) -> Column:
        return sql.coalesce(*(sql.col(f"{name}.{field}") for name in _SHARE_STATES))

    start, is_tombstone = either("value.startOffset"), sql.col("isTombstone")
    written = sql.coalesce(when_milliseconds(sql.col("ShareSnapshot.value.writeTimestamp")), sql.col("logTimestamp"))
    return _row(
        group=either("key.groupId"),
        topicId=either("key.topicId"),
        sameTopic=either("key.topicId"),
        partition=either("key.partition"),
        known=sql.when(is_tombstone, -1).otherwise(sql.when(start >= 0, start)),
        leaderEpoch=either("value.leaderEpoch"),
        commitTimestamp=sql.when(~is_tombstone, written),
        deliveryCompleteCount=either("value.deliveryCompleteCount"),
    )


def _row(**columns: Column) -> Column:
    """A struct of ``_ROW`` with these columns; others are null."""
    return sql.struct(*(columns.get(name, sql.lit(None)).cast(type_).alias(name) for name, type_ in _ROW.items()))


def _topics_of_share_group() -> Column:
    """Topic ids and names, as the group coordinator notes them for share groups."""
    value = sql.col(f"{_SHARE_TOPICS}.value")
    lists = [
        sql.transform(value[field], lambda each: sql.struct(each["topicId"], each["topicName"]))
        for field in ("initializingTopics", "initializedTopics", "deletingTopics")
    ]
    return sql.concat(*lists)


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
