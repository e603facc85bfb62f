"""Who committed what when, and how far behind they were: window functions over decoded records."""

from __future__ import annotations

from datetime import datetime

from pyspark.sql import Column, DataFrame, Observation, Window
from pyspark.sql import functions as sql

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.consumer_lag.schema import (
    ALL_TYPES,
    COMMITS,
    GROUP_TYPES,
    LAG_HISTORY,
    LISTS_OF_NAMES,
    MICROSECONDS_OF_MILLISECOND,
    MOST_MILLISECONDS,
    NAMES,
    NO_ID,
    POSITION,
    STATES,
    TOPICS,
)
from messagegen_arrow.histories.moments import parse_moment
from messagegen_arrow.histories.records import check_history_mode
from messagegen_spark.functions.internal_topics import decode_internal_topics
from messagegen_spark.histories.end_offsets import with_end_offsets
from messagegen_spark.histories.last_commits import IS_PENDING, last_commits, with_pending
from messagegen_spark.histories.log import of_topics


def consumer_lag_history(
    log: DataFrame,
    ends: DataFrame | None = None,
    mode: str = "DROPMALFORMED",
    *,
    at: datetime | int | str | None = None,
    observe: Observation | str | None = None,
    catalog: Catalog | None = None,
) -> DataFrame:
    """The rows of ``messagegen_arrow.consumer_lag_history``, in no order.

    ``log`` has the records of ``__consumer_offsets``, and for share groups also those of ``__share_group_state``. Read
    it with ``isolationLevel=read_committed``, or offsets that were sent to transactions count before these end. It is
    read once. ``endOffset``, ``lag`` and ``lagMs`` are null without ``ends``, which says how far partitions were
    (``topic``, ``partition``, ``endOffset``). With a column ``timestamp``, as ``end_offsets`` makes it, the end is that
    at the time of the commit, otherwise the highest one. They are null where the end at that time is not known, and
    ``lagMs`` where nobody knows when the first record after the commit was written.

    With ``at``, there is only one row for each partition of a group: the commit that it had at this time, with the lag
    at this time. The rules and the forms of ``at`` are those of ``messagegen_arrow.consumer_lag_history``. Read the log
    also with ``includeControl=true``, because offsets that were sent to a transaction hold from its end on.

    Records that can't be read are left out, or end the query (``mode`` FAILFAST); ``observe`` counts them. Raises
    ``ValueError`` for DataFrames that lack columns, for other modes, and for another ``at``.
    """
    checked = check_history_mode(mode)
    moment = None if at is None else parse_moment(at)
    rows = of_topics(log, TOPICS)
    kept = list(POSITION)
    if moment is not None:
        rows = with_pending(rows, moment)
        kept.append(IS_PENDING)
    records = decode_internal_topics(rows, ALL_TYPES, checked, keep=kept, observe=observe, catalog=catalog)
    commits = _commits(_with_what_is_said(_fields_as_columns(records)))
    if moment is not None:
        commits = last_commits(commits, moment)
    if ends is None:
        unknown = sql.lit(None)
        found = commits.withColumns({"endOffset": unknown.cast("long"), "written": unknown.cast("timestamp")})
    else:
        found = with_end_offsets(commits, ends, "_at")
    return found.withColumn("lag", _lag()).withColumn("lagMs", _lag_in_time()).select(*LAG_HISTORY.names)


def _lag() -> Column:
    """How many records are left; null where that is not known."""
    # A negative number of records that a share group is done with means that it is not known.
    of_share_group = sql.when(sql.col("_delivered") >= 0, sql.col("_delivered"))
    delivered = sql.when(sql.col("isShare"), of_share_group).otherwise(0)
    return sql.col("endOffset") - sql.col("offset") - delivered


def _lag_in_time() -> Column:
    """How many milliseconds before the commit the first record after it was written; 0 if there was none."""
    waited = sql.unix_millis("_at") - sql.unix_millis("written")
    return sql.when(sql.col("lag") == 0, sql.lit(0).cast("long")).otherwise(waited)


def _fields_as_columns(records: DataFrame) -> DataFrame:
    """Commits, states of share partitions, and what is said about groups and topics: their fields as columns."""
    columns = {
        "kind": sql.col("recordType"),
        "isTombstone": sql.col("isTombstone"),
        "group": _group(),
        "saidType": _said_type(),
        "saidTopics": sql.flatten(_lists_of_names()),
        "topic": _of_commit("key.topic"),
        "partition": sql.coalesce(_of_commit("key.partition"), _of_state("key.partition")),
        "topicId": _topic_id(),
        "offset": _not_negative(_of_commit("value.offset")),
        "start": _start(),
        "leaderEpoch": _leader_epoch(),
        "metadata": _of_commit("value.metadata"),
        "commitTimestamp": _commit_time(),
        "expireTimestamp": _time(sql.col("OffsetCommit.value.expireTimestamp")),
        "_delivered": _of_state("value.deliveryCompleteCount"),
    }
    for name, title in POSITION.items():
        columns[title] = sql.col(name)
    if IS_PENDING in records.columns:
        columns[IS_PENDING] = sql.col(IS_PENDING)
    wanted = records.where(sql.col("recordType").isin(*ALL_TYPES))
    return wanted.select(*(column.alias(name) for name, column in columns.items()))


def _group() -> Column:
    """The group that a record is about, whatever its type."""
    of_group_types = [sql.col(f"{record_type}.key.{field}") for record_type, (_, field) in GROUP_TYPES.items()]
    return sql.coalesce(
        _of_commit("key.group"),
        _of_state("key.groupId"),
        sql.col(f"{NAMES}.key.groupId"),
        *of_group_types,
    )


def _said_type() -> Column:
    """The type of its group that a record tells; null for other records."""
    pairs: list[Column] = []
    for record_type, (group_type, _) in GROUP_TYPES.items():
        pairs += [sql.lit(record_type), sql.lit(group_type)]
    return sql.create_map(*pairs)[sql.col("recordType")]


def _topic_id() -> Column:
    of_commits = sql.col("OffsetCommit.value.topicId")
    return sql.coalesce(sql.when(of_commits != NO_ID, of_commits), _of_state("key.topicId"))


def _start() -> Column:
    """Where a share partition starts, which its records note only when that changed.

    A deletion counts as a start that no offset has.
    """
    is_deletion = sql.col("recordType").isin(*STATES) & sql.col("isTombstone")
    start = _of_state("value.startOffset")
    return sql.when(is_deletion, sql.lit(-1)).when(start >= 0, start)


def _leader_epoch() -> Column:
    of_commits = _not_negative(sql.col("OffsetCommit.value.leaderEpoch"))
    return sql.coalesce(of_commits, _of_state("value.leaderEpoch"))


def _commit_time() -> Column:
    """When a commit was made, or a state written: a state without a time of its own at the time of its record."""
    written = sql.coalesce(_time(sql.col("ShareSnapshot.value.writeTimestamp")), "timestamp")
    of_state = sql.when(~sql.col("isTombstone"), written)
    of_commit = _time(_of_commit("value.commitTimestamp"))
    return sql.when(sql.col("recordType").isin(*STATES), of_state).otherwise(of_commit)


def _with_what_is_said(rows: DataFrame) -> DataFrame:
    """Commits and states with the type of their group and the name of their topic, which may come before or after them.

    Rows with the same ``about`` meet: a group's commits and what is said of its type, a topic's states and its names.
    """
    is_state = sql.col("kind").isin(*STATES)
    is_name = sql.col("kind") == NAMES
    named = rows.withColumn("said", sql.explode_outer("saidTopics")).drop("saidTopics")
    about = sql.when(is_state, sql.col("topicId")).when(is_name, sql.col("said.topicId")).otherwise(sql.col("group"))
    meeting = named.withColumns({"about": about, "isShare": is_state | is_name})
    together = Window.partitionBy("about", "isShare")

    # A group that was deleted keeps the type that it had; of several types the last one counts.
    said = sql.struct(~sql.col("isTombstone"), "logOffset", "saidType")
    last_said = sql.max(sql.when(sql.col("saidType").isNotNull(), said)).over(together)
    group_type = sql.when(is_state, sql.lit("share")).otherwise(last_said["saidType"])

    topic_name = sql.max("said.topicName").over(together)
    topic = sql.when(is_state, topic_name).otherwise(sql.col("topic"))
    known = meeting.withColumns({"groupType": group_type, "topic": topic})
    return known.where(is_state | sql.col("kind").isin(*COMMITS))


def _commits(rows: DataFrame) -> DataFrame:
    """Each commit with the one before."""
    is_state = sql.col("kind").isin(*STATES)
    in_order = Window.partitionBy("about", "isShare", "group", "topic", "partition").orderBy("logOffset")
    until_then = in_order.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    start = sql.last("start", ignorenulls=True).over(until_then)
    offset = sql.when(is_state, _not_negative(start)).otherwise(sql.col("offset"))
    delta = sql.col("offset") - sql.col("previousOffset")

    # One after the other: each uses the column before.
    found = rows.withColumn("offset", offset)
    found = found.withColumn("previousOffset", sql.lag("offset").over(in_order))
    found = found.withColumns({"delta": delta, "_at": sql.coalesce("commitTimestamp", "logTimestamp")})
    # Before the first start of a share partition is set, there is a state and no commit.
    return found.where(~is_state | sql.col("offset").isNotNull() | sql.col("isTombstone"))


def _of_commit(path: str) -> Column:
    """A field that all types of commits have."""
    return sql.coalesce(*(sql.col(f"{record_type}.{path}") for record_type in COMMITS))


def _of_state(path: str) -> Column:
    """A field that all types of states have."""
    return sql.coalesce(*(sql.col(f"{record_type}.{path}") for record_type in STATES))


def _not_negative(number: Column) -> Column:
    """The number; null for a negative one, which means none."""
    return sql.when(number >= 0, number)


def _lists_of_names() -> Column:
    """The topics that a record names, as ``topicId`` and ``topicName``."""
    empty = sql.array().cast("array<struct<topicId: string, topicName: string>>")

    def id_and_name(topic: Column) -> Column:
        return sql.struct(topic["topicId"].alias("topicId"), topic["topicName"].alias("topicName"))

    def topics(name: str) -> Column:
        return sql.coalesce(sql.transform(f"{NAMES}.value.{name}", id_and_name), empty)

    return sql.array(*(topics(name) for name in LISTS_OF_NAMES))


def _time(milliseconds: Column) -> Column:
    """Kafka's milliseconds as a timestamp; null for negative ones, which mean no time."""
    bounded = sql.least(milliseconds, sql.lit(MOST_MILLISECONDS))
    return sql.when(milliseconds >= 0, sql.timestamp_micros(bounded * MICROSECONDS_OF_MILLISECOND))
