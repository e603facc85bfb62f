"""What became of topics, configs, quotas and the rest of a cluster's metadata, out of ``__cluster_metadata`` and its snapshots."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame, Observation, Window
from pyspark.sql import functions as sql

from messagegen_arrow.catalog import Catalog
from messagegen_spark.histories.common import history_records
from messagegen_spark.histories.metadata.changes import CHANGE_FIELDS, RECORD_TYPES, changes_of_record

_SNAPSHOT: Final = r"/(\d{20})-\d{10}\.checkpoint$"
_BEGIN, _END, _ABORT = "BeginTransactionRecord", "EndTransactionRecord", "AbortTransactionRecord"


def metadata_history(
    log: DataFrame,
    mode: str = "DROPMALFORMED",
    *,
    observe: Observation | str | None = None,
    catalog: Catalog | None = None,
) -> DataFrame:
    """A row for each property of something that was created, changed or removed, in no order; sort it by ``offset`` and ``place``.

    ``subject`` is one of topic, partition, config, quota, feature, acl, scram, token, broker, controller, quorum, producer-ids and
    zk-migration; ``name`` says which one (``orders``, ``orders-0``, ``topic orders``, ``client-id=reports,user=ann``), ``property`` what of it,
    ``value`` what it is from then on and ``previous`` what it was before, both as text and null for nothing. ``action`` is created,
    changed, removed, or present for what a snapshot says. ``offset`` and ``timestamp`` are the record's.

    ``log`` has the records of ``__cluster_metadata``, with ``includeControl=true`` also elections of its leader. Where it begins
    behind offset 0 and has snapshots too (``*.checkpoint``), the last one from before begins the history, with the offset of the
    last record that it contains; other snapshots say nothing new and are left out. Records of metadata transactions that were
    aborted, or that are not ended, are left out (KIP-868). Secrets are never shown: of SCRAM users there are the mechanism and the
    count of iterations, and configs that are passwords are ``<redacted>``.

    The log is read once and brought into one order, by one task. Records that can't be read are left out, or end the query
    (``mode`` FAILFAST); ``observe`` counts them. Raises ``ValueError`` for a DataFrame that lacks columns, and for other modes.
    """
    records = history_records(log, RECORD_TYPES, mode, observe, catalog, more=("path",))
    path = sql.col("path") if "path" in log.columns else sql.lit("")
    said = records.select(
        "recordType",
        "logPartition",
        sql.col("logOffset").alias("offset"),
        sql.col("logTimestamp").alias("timestamp"),
        path.endswith(".checkpoint").alias("isSnapshot"),
        sql.regexp_extract(path, _SNAPSHOT, 1).try_cast("long").alias("snapshotEnd"),
        changes_of_record().alias("changes"),
    )
    named = _named(_exploded(_from_base(_without_undone(said))))
    return _with_ends_of_removed_topics(_with_previous(named)).select(
        "offset", "timestamp", "subject", "name", "action", "property", "value", "previous", "place"
    )


def _without_undone(records: DataFrame) -> DataFrame:
    """The records without those of transactions that were aborted, or that nothing ended."""
    whole = Window.partitionBy("logPartition", "isSnapshot")
    is_mark = sql.col("recordType").isin(_BEGIN, _END, _ABORT)
    mark = sql.when(is_mark, sql.col("recordType"))
    before = sql.last(mark, ignorenulls=True).over(whole.orderBy("offset"))
    # The same backwards: a window that ends with the partition would be computed again for each row.
    after = sql.last(mark, ignorenulls=True).over(whole.orderBy(sql.desc("offset")))
    marked = records.withColumn("before", before).withColumn("after", after)
    is_undone = (sql.col("before") == _BEGIN) & (sql.coalesce("after", sql.lit(_ABORT)) != _END)
    return marked.where(sql.col("isSnapshot") | ~sql.coalesce(is_undone, sql.lit(col=False)))


def _from_base(records: DataFrame) -> DataFrame:
    """The rows of the log and of the one snapshot that comes before it, which get the offset of the last record in it."""
    whole = Window.partitionBy("logPartition")
    is_snapshot = sql.col("isSnapshot")
    first = sql.min(sql.when(~is_snapshot, sql.col("offset"))).over(whole)
    ends = sql.collect_set("snapshotEnd").over(whole)
    found = records.withColumn("first", first).withColumn("ends", ends)
    before = sql.array_max(sql.filter("ends", lambda end: end <= sql.coalesce("first", end)))
    base = sql.when(sql.coalesce("first", sql.lit(1)) > 0, sql.coalesce(before, sql.array_min("ends")))
    bound = found.withColumn("base", base)
    in_log = ~is_snapshot & (sql.col("base").isNull() | (sql.col("offset") >= sql.col("base")))
    in_base = is_snapshot & (sql.col("snapshotEnd") == sql.col("base"))
    row = sql.when(is_snapshot, sql.col("offset")).otherwise(0)
    offset = sql.when(is_snapshot, sql.col("base") - 1).otherwise(sql.col("offset"))
    return bound.where(in_log | in_base).withColumn("row", row).withColumn("offset", offset)


def _exploded(records: DataFrame) -> DataFrame:
    """A row for each property that a record says something of; topics have ids only."""
    changes = records.select(
        "offset", "timestamp", "isSnapshot", "row", sql.posexplode("changes").alias("within", "change")
    )
    return changes.select(
        "offset",
        "timestamp",
        "isSnapshot",
        sql.struct("row", "within").alias("place"),
        *(sql.col(f"change.{name}").alias(name) for name in CHANGE_FIELDS),
    )


def _named(changes: DataFrame) -> DataFrame:
    """The same with names of topics in place of their ids, and what tells things from their namesakes of before."""
    is_topic = sql.col("subject") == "topic"
    of_topic = sql.max(sql.when(is_topic, sql.col("name"))).over(Window.partitionBy("topicId"))
    known = changes.withColumn("topicName", sql.when(sql.col("topicId").isNotNull(), of_topic))
    name = (
        sql.when(is_topic, sql.coalesce("topicName", "name", "topicId"))
        .when(
            sql.col("subject") == "partition", sql.concat_ws("-", sql.coalesce("topicName", "topicId"), "partitionId")
        )
        .otherwise(sql.col("name"))
    )
    identity = sql.concat_ws("-", "topicId", "partitionId")
    return known.withColumn("name", name).withColumn("identity", identity)


def _with_previous(changes: DataFrame) -> DataFrame:
    """The same with what was before, and when the topic of a partition or a config was removed."""
    of_topic = Window.partitionBy("topicOfChange")
    removal = sql.when(_is_removal_of_topic(), sql.struct("offset", "timestamp", "place"))
    removed_before = sql.max(removal).over(of_topic.orderBy("offset", "place"))
    removed_after = sql.min(removal).over(of_topic.orderBy(sql.desc("offset"), sql.desc("place")))
    goes_with_topic = sql.col("subject").isin("config", "partition")
    known = (
        changes.withColumn("topicOfChange", _topic_of_change())
        .withColumn("removedBefore", sql.when(goes_with_topic, removed_before))
        .withColumn("removedAfter", sql.when(goes_with_topic, removed_after))
    )
    same = Window.partitionBy("subject", "name", "identity", "property").orderBy("offset", "place")
    is_gone = sql.col("removedBefore.offset") > sql.lag("offset").over(same)
    previous = sql.when(~sql.coalesce(is_gone, sql.lit(col=False)), sql.lag("value").over(same))
    return (
        known.withColumn("previous", previous)
        .withColumn("nextOffset", sql.lead("offset").over(same))
        .withColumn("action", _action())
    )


def _is_removal_of_topic() -> Column:
    return (sql.col("subject") == "topic") & (sql.col("property") == "topicId") & sql.col("value").isNull()


def _topic_of_change() -> Column:
    """The topic as the names of configs have it, ``topic orders``; for other configs their own name, which no topic has."""
    topic = sql.concat(sql.lit("topic "), sql.coalesce("topicName", "topicId"))
    return sql.when(sql.col("subject") == "config", sql.col("name")).otherwise(topic)


def _action() -> Column:
    return (
        sql.when(sql.col("isSnapshot"), "present")
        .when(sql.col("value").isNull(), "removed")
        .when(sql.col("previous").isNull() & ~sql.col("alters"), "created")
        .otherwise("changed")
    )


def _with_ends_of_removed_topics(changes: DataFrame) -> DataFrame:
    """The same, and a row for the end of what a topic still had when it was removed: no record says so of configs and partitions."""
    removal = sql.col("removedAfter")
    lasted = sql.col("nextOffset").isNull() | (sql.col("nextOffset") > removal["offset"])
    ends = removal.isNotNull() & sql.col("value").isNotNull() & lasted
    names = ("offset", "timestamp", "place", "action", "value", "previous")
    itself = sql.struct(*names)
    nothing = sql.lit(None).cast("string")
    end = (removal["offset"], removal["timestamp"], removal["place"], sql.lit("removed"), nothing, sql.col("value"))
    ending = sql.struct(*(column.alias(name) for column, name in zip(end, names, strict=True)))
    rows = sql.when(ends, sql.array(itself, ending)).otherwise(sql.array(itself))
    return changes.select("subject", "name", "property", sql.explode(rows).alias("each")).select(
        "subject", "name", "property", "each.*"
    )
