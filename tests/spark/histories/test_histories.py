from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

import messagegen_kafka as kafka
from messagegen_kafka.client_quota_record import EntityData
from messagegen_kafka.share_group_state_partition_metadata_value import TopicPartitionsInfo
from messagegen_kafka.transaction_log_value import PartitionsSchema
from messagegen_spark.histories import consumer_lag_history, end_offsets, metadata_history, transaction_history
from tests.arrow.support.internal_records import Record, coordinator_record, int16, metadata_record

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

Log = Callable[..., "DataFrame"]

OFFSETS, SHARES = "__consumer_offsets", "__share_group_state"
EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - Spark's rows have plain datetimes, here in UTC
ORDERS, PAYMENTS = UUID(int=1), UUID(int=2)
SCHEMA = "topic string, partition int, offset long, timestamp timestamp, key binary, value binary, isControl boolean, path string"


@pytest.fixture
def log(spark: SparkSession) -> Log:
    """A frame of a log, with a record each second; ``path`` and ``start`` are the file and its first offset."""

    def of(records: Sequence[Record], path: str = "/data/x-0/00000000000000000000.log", start: int = 0) -> DataFrame:
        rows = [
            (each.topic, 0, start + at, at_second(start + at), each.key, each.value, each.is_control, path)
            for at, each in enumerate(records)
        ]
        return spark.createDataFrame(rows, SCHEMA)

    return of


def at_second(seconds: int) -> datetime:
    return EPOCH.replace(tzinfo=UTC) + timedelta(seconds=seconds)


# Consumer lag.


def commit(offset: int | None, group: str = "billing", second: int = 0, version: int = 3, **more: Any) -> Record:
    key = {"group": group, "topic": "orders", "partition": 0}
    value = None
    if offset is not None:
        value = kafka.OffsetCommitValue(offset=offset, commit_timestamp=second * 1000, **more)
    return coordinator_record(OFFSETS, "OffsetCommit", key, value, version)


def share(name: str, value: Any) -> Record:
    key = {"group_id": "workers", "topic_id": ORDERS, "partition": 0}
    return coordinator_record(SHARES, name, key, value)


def test_each_commit_knows_the_one_before(log: Log) -> None:
    expiring = commit(10, second=1, version=1, expire_timestamp=9000)
    records = [expiring, commit(3, "audits"), commit(25, metadata="m", leader_epoch=4), commit(None), commit(30)]
    history = consumer_lag_history(log(records)).orderBy("logOffset").collect()
    assert [(row.group, row.offset, row.previousOffset, row.delta, row.isTombstone) for row in history] == [
        ("billing", 10, None, None, False),
        ("audits", 3, None, None, False),
        ("billing", 25, 10, 15, False),
        ("billing", None, 25, None, True),
        ("billing", 30, None, None, False),
    ]
    first, _, third, fourth, _ = history
    assert (first.expireTimestamp, first.commitTimestamp) == (
        EPOCH + timedelta(seconds=9),
        EPOCH + timedelta(seconds=1),
    )
    assert (third.metadata, third.leaderEpoch, third.expireTimestamp) == ("m", 4, None)
    assert (first.leaderEpoch, fourth.metadata, fourth.commitTimestamp) == (None, None, None)
    assert {(row.topic, row.partition, row.lag, row.endOffset, row.groupType) for row in history} == {
        ("orders", 0, None, None, None)
    }
    assert fourth.logTimestamp == EPOCH + timedelta(seconds=3)


def test_commits_of_the_legacy_type_count_too(log: Log) -> None:
    key = {"group": "old", "topic": "orders", "partition": 0}
    value = kafka.LegacyOffsetCommitValue(offset=5, metadata="long ago", commit_timestamp=1000)
    legacy = coordinator_record(OFFSETS, "LegacyOffsetCommit", key, value)
    (row,) = consumer_lag_history(log([legacy])).collect()
    assert (row.group, row.offset, row.metadata, row.leaderEpoch) == ("old", 5, "long ago", None)


def test_group_types_are_the_last_ones_said(log: Log) -> None:
    classic = coordinator_record(OFFSETS, "GroupMetadata", {"group": "billing"}, kafka.GroupMetadataValue(), 3)
    no_classic = coordinator_record(OFFSETS, "GroupMetadata", {"group": "billing"})
    consumer = coordinator_record(
        OFFSETS, "ConsumerGroupMetadata", {"group_id": "billing"}, kafka.ConsumerGroupMetadataValue()
    )
    streams = coordinator_record(OFFSETS, "StreamsGroupMetadata", {"group_id": "totals"})
    commits = [commit(1), commit(1, "totals"), commit(1, "plain")]
    converted = consumer_lag_history(log([classic, consumer, no_classic, streams, *commits]))
    assert {row.group: row.groupType for row in converted.collect()} == {
        "billing": "consumer",
        "totals": "streams",
        "plain": None,
    }


def test_share_groups_have_start_offsets(log: Log) -> None:
    topics = kafka.ShareGroupStatePartitionMetadataValue(
        initialized_topics=(TopicPartitionsInfo(topic_id=ORDERS, topic_name="orders", partitions=(0,)),)
    )
    name = coordinator_record(OFFSETS, "ShareGroupStatePartitionMetadata", {"group_id": "workers"}, topics)
    states = [
        share("ShareSnapshot", kafka.ShareSnapshotValue(start_offset=-1, write_timestamp=1000)),
        share("ShareUpdate", kafka.ShareUpdateValue(start_offset=4)),
        share("ShareUpdate", kafka.ShareUpdateValue(start_offset=-1, delivery_complete_count=3)),
        share("ShareSnapshot", None),
        share("ShareUpdate", kafka.ShareUpdateValue(start_offset=-1)),
    ]
    frame = log([name]).unionByName(log(states))
    ends = log([Record("orders", None, b"x")] * 10)
    history = consumer_lag_history(frame, end_offsets(ends).drop("timestamp")).orderBy("logOffset").collect()
    assert [(row.topic, row.offset, row.previousOffset, row.lag, row.isTombstone) for row in history] == [
        ("orders", 4, None, 6, False),
        ("orders", 4, 4, 3, False),
        ("orders", None, 4, None, True),
    ]
    assert {(row.group, row.logTopic, row.topicId) for row in history} == {
        ("workers", SHARES, "AAAAAAAAAAAAAAAAAAAAAQ")
    }


def test_lag_is_that_at_the_time_of_the_commit(log: Log) -> None:
    ends = end_offsets(log([Record("orders", None, b"x")] * 10))
    commits = [commit(0, second=0), commit(2, second=4), commit(20, second=5), commit(8, second=100), commit(None)]
    history = consumer_lag_history(log([*commits, commit(1, "later", second=-1)]), ends)
    found = {(row.offset, row.logOffset): (row.endOffset, row.lag) for row in history.collect()}
    # Record n is of second n, so in second n the end offset is n + 1.
    assert found == {
        (0, 0): (1, 1),
        (2, 1): (5, 3),
        (20, 2): (6, 0),
        (8, 3): (10, 2),
        (None, 4): (5, None),
        (1, 5): (6, 5),
    }


def test_lag_is_null_where_no_end_is_known(log: Log, spark: SparkSession) -> None:
    ends = spark.createDataFrame([("payments", 0, 5)], "topic string, partition int, endOffset long")
    (row,) = consumer_lag_history(log([commit(1)]), ends).collect()
    assert (row.endOffset, row.lag) == (None, None)
    with pytest.raises(ValueError, match="ends has no column endOffset; end_offsets makes them"):
        consumer_lag_history(log([commit(1)]), ends.drop("endOffset"))


def test_rows_that_cannot_be_read_are_counted(log: Log, spark: SparkSession) -> None:
    from pyspark.sql import Observation  # noqa: PLC0415 - PySpark is loaded by the fixture

    seen = Observation()
    records = [commit(1), Record(OFFSETS, int16(99), int16(0)), commit(2)]
    assert consumer_lag_history(log(records), observe=seen).count() == 2
    assert seen.get == {"rows": 3, "malformed": 1}
    with pytest.raises(ValueError, match="the log has no column offset: read it with format"):
        consumer_lag_history(log(records).drop("offset"))


@pytest.mark.parametrize("history", [consumer_lag_history, metadata_history, transaction_history])
def test_what_cannot_be_read_is_no_part_of_a_history(history: Callable[..., DataFrame], log: Log) -> None:
    frame = log([commit(1)])
    with pytest.raises(
        ValueError, match="expected mode DROPMALFORMED or FAILFAST, not 'permissive'; rows of a history have no _error"
    ):
        history(frame, mode="permissive")
    assert history(frame, mode="failfast").columns == history(frame).columns


def test_what_ends_a_history_is_advised_what_a_history_can_do(log: Log) -> None:
    cut_off = Record(commit(2).topic, commit(2).key, (commit(2).value or b"")[:-1])
    with pytest.raises(Exception, match=r"mode DROPMALFORMED leaves such records out; .* decode, shows them") as caught:
        consumer_lag_history(log([cut_off]), mode="FAILFAST").collect()
    assert "PERMISSIVE" not in str(caught.value).rpartition("MalformedMessageError")[2].splitlines()[0]


def test_records_cut_short_do_not_pass_for_deletions(log: Log) -> None:
    damaged = [Record(each.topic, each.key, (each.value or b"")[:-1]) for each in (commit(2), topic())]
    commits = consumer_lag_history(log([commit(1), damaged[0], commit(3)])).orderBy("logOffset").collect()
    assert [(row.offset, row.previousOffset) for row in commits] == [(1, None), (3, 1)]
    assert [each[2] for each in changes(log([topic(), damaged[1]]))] == ["created"]


def test_the_log_is_decoded_and_shuffled_once(log: Log) -> None:
    history = consumer_lag_history(log([commit(1)]))
    history.collect()
    java: Any = history._jdf  # noqa: SLF001 - the plan as it was run
    plan = java.queryExecution().executedPlan().toString()
    final = plan.partition("== Initial Plan ==")[0]
    assert (final.count("MapInArrow"), final.count(" Exchange ")) == (1, 1)


def test_types_of_groups_reach_all_their_commits(log: Log) -> None:
    """The commits of a busy group are the work of several tasks."""
    group = coordinator_record(
        OFFSETS, "ConsumerGroupMetadata", {"group_id": "billing"}, kafka.ConsumerGroupMetadataValue()
    )
    keys = [{"group": "billing", "topic": f"t{number}", "partition": number % 7} for number in range(100)]
    value = kafka.OffsetCommitValue(offset=1)
    commits = [coordinator_record(OFFSETS, "OffsetCommit", key, value, 3) for key in keys]
    rows = consumer_lag_history(log([*commits, group])).collect()
    assert len(rows) == 100
    assert {row.groupType for row in rows} == {"consumer"}


# Metadata.


def topic(name: str = "orders", topic_id: UUID = ORDERS) -> Record:
    return metadata_record(kafka.TopicRecord(name=name, topic_id=topic_id))


def config(value: str | None, name: str = "retention.ms", resource: str = "orders", type_: int = 2) -> Record:
    return metadata_record(kafka.ConfigRecord(resource_type=type_, resource_name=resource, name=name, value=value))


def changes(frame: DataFrame, *subjects: str) -> list[tuple[Any, ...]]:
    rows = metadata_history(frame).orderBy("offset", "place", "name", "property").collect()
    return [
        (row.offset, row.name, row.action, row.property, row.value, row.previous)
        for row in rows
        if not subjects or row.subject in subjects
    ]


def test_topics_and_partitions_have_a_history(log: Log) -> None:
    partition = kafka.PartitionRecord(partition_id=0, topic_id=ORDERS, replicas=(1, 2), isr=(1, 2), leader=1)
    change = kafka.PartitionChangeRecord(partition_id=0, topic_id=ORDERS, leader=2, isr=(2,))
    isr_only = kafka.PartitionChangeRecord(partition_id=0, topic_id=ORDERS, isr=(2, 1))
    gone = kafka.RemoveTopicRecord(topic_id=ORDERS)
    records = [
        topic(),
        *(metadata_record(each) for each in (partition, change, isr_only, gone)),
        topic("orders", PAYMENTS),
    ]
    assert changes(log(records)) == [
        (0, "orders", "created", "topicId", "AAAAAAAAAAAAAAAAAAAAAQ", None),
        (1, "orders-0", "created", "leader", "1", None),
        (1, "orders-0", "created", "replicas", "[1,2]", None),
        (1, "orders-0", "created", "isr", "[1,2]", None),
        (2, "orders-0", "changed", "leader", "2", "1"),
        (2, "orders-0", "changed", "isr", "[2]", "[1,2]"),
        (3, "orders-0", "changed", "isr", "[2,1]", "[2]"),
        (4, "orders", "removed", "topicId", None, "AAAAAAAAAAAAAAAAAAAAAQ"),
        (4, "orders-0", "removed", "isr", None, "[2,1]"),
        (4, "orders-0", "removed", "leader", None, "2"),
        (4, "orders-0", "removed", "replicas", None, "[1,2]"),
        (5, "orders", "created", "topicId", "AAAAAAAAAAAAAAAAAAAAAg", None),
    ]


def test_configs_go_with_their_topic(log: Log) -> None:
    records = [
        *(topic(), config("1"), config("2"), config("x", "cleanup.policy"), config(None, "cleanup.policy")),
        metadata_record(kafka.RemoveTopicRecord(topic_id=ORDERS)),
        *(topic("orders", PAYMENTS), config("3"), config("4", resource="", type_=4)),
    ]
    assert changes(log(records), "config") == [
        (1, "topic orders", "created", "retention.ms", "1", None),
        (2, "topic orders", "changed", "retention.ms", "2", "1"),
        (3, "topic orders", "created", "cleanup.policy", "x", None),
        (4, "topic orders", "removed", "cleanup.policy", None, "x"),
        (5, "topic orders", "removed", "retention.ms", None, "2"),
        (7, "topic orders", "created", "retention.ms", "3", None),
        (8, "broker <default>", "created", "retention.ms", "4", None),
    ]


def test_quotas_features_and_acls(log: Log) -> None:
    both = (EntityData(entity_type="user", entity_name="ann"), EntityData(entity_type="client-id", entity_name=None))
    acl = kafka.AccessControlEntryRecord(
        id=ORDERS,
        resource_type=2,
        resource_name="orders",
        pattern_type=4,
        principal="User:ann",
        host="*",
        operation=3,
        permission_type=3,
    )
    records = [
        kafka.ClientQuotaRecord(entity=both, key="producer_byte_rate", value=1.5),
        kafka.ClientQuotaRecord(entity=both, key="producer_byte_rate", value=2e9),
        kafka.ClientQuotaRecord(entity=both, key="producer_byte_rate", remove=True),
        kafka.FeatureLevelRecord(name="group.version", feature_level=1),
        kafka.FeatureLevelRecord(name="group.version", feature_level=0),
        acl,
        kafka.RemoveAccessControlEntryRecord(id=ORDERS),
    ]
    entity, acl_id = "client-id=<default>,user=ann", "AAAAAAAAAAAAAAAAAAAAAQ"
    words = "User:ann ALLOW READ on TOPIC PREFIXED orders from *"
    assert changes(log([metadata_record(each) for each in records])) == [
        (0, entity, "created", "producer_byte_rate", "1.5", None),
        (1, entity, "changed", "producer_byte_rate", "2.0E9", "1.5"),
        (2, entity, "removed", "producer_byte_rate", None, "2.0E9"),
        (3, "group.version", "created", "level", "1", None),
        (4, "group.version", "removed", "level", None, "1"),
        (5, acl_id, "created", "entry", words, None),
        (6, acl_id, "removed", "entry", None, words),
    ]


def test_secrets_stay_secret(log: Log) -> None:
    scram = kafka.UserScramCredentialRecord(name="carol", mechanism=2, salt=b"salt", stored_key=b"key", iterations=4096)
    removal = kafka.RemoveUserScramCredentialRecord(name="carol", mechanism=2)
    password = config("hunter2", "ssl.key.password", "1", 4)
    found = changes(log([metadata_record(scram), metadata_record(removal), password]))
    assert found == [
        (0, "carol", "created", "SCRAM-SHA-512", "iterations=4096", None),
        (1, "carol", "removed", "SCRAM-SHA-512", None, "iterations=4096"),
        (2, "broker 1", "created", "ssl.key.password", "<redacted>", None),
    ]


def test_brokers_come_and_go(log: Log) -> None:
    records = [
        kafka.RegisterBrokerRecord(broker_id=1, fenced=True),
        kafka.UnfenceBrokerRecord(id=1),
        kafka.BrokerRegistrationChangeRecord(broker_id=1, fenced=1),
        kafka.BrokerRegistrationChangeRecord(broker_id=1, in_controlled_shutdown=1),
        kafka.UnregisterBrokerRecord(broker_id=1),
    ]
    # A version that has inControlledShutdown and does not need directories.
    found = changes(log([metadata_record(each, 1 if "Change" in type(each).__name__ else 0) for each in records]))
    assert [each for each in found if each[3] in ("fenced", "inControlledShutdown")] == [
        (0, "1", "created", "fenced", "true", None),
        (1, "1", "changed", "fenced", "false", "true"),
        (2, "1", "changed", "fenced", "true", "false"),
        (3, "1", "changed", "inControlledShutdown", "true", None),
        (4, "1", "removed", "fenced", None, "true"),
        (4, "1", "removed", "inControlledShutdown", None, "true"),
    ]


def test_controllers_come_and_go(log: Log) -> None:
    records = [
        kafka.RegisterControllerRecord(controller_id=7),
        kafka.UnregisterControllerRecord(controller_id=7),
    ]
    assert changes(log([metadata_record(each) for each in records]), "controller") == [
        (0, "7", "created", "endPoints", "", None),
        (1, "7", "removed", "endPoints", None, ""),
    ]


def test_transactions_of_metadata_are_respected(log: Log) -> None:
    begin = metadata_record(kafka.BeginTransactionRecord(name="t"))
    end, abort = metadata_record(kafka.EndTransactionRecord()), metadata_record(kafka.AbortTransactionRecord())
    records = [config("0"), begin, config("1"), end, begin, config("2"), abort, config("3"), begin, config("4")]
    assert [(each[0], each[4]) for each in changes(log(records))] == [(0, "0"), (2, "1"), (7, "3")]


def test_a_snapshot_stands_for_what_is_gone(log: Log) -> None:
    folder = "/data/__cluster_metadata-0"
    old = log([config("old")], f"{folder}/00000000000000000003-0000000001.checkpoint")
    base = log([topic(), config("base")], f"{folder}/00000000000000000010-0000000001.checkpoint")
    newer = log([config("newer")], f"{folder}/00000000000000000013-0000000001.checkpoint")
    first = log([config("bootstrap")], "/data/bootstrap.checkpoint")
    tail = log([config("10"), config("11")], f"{folder}/00000000000000000010.log", start=10)
    both = old.unionByName(base).unionByName(newer).unionByName(first).unionByName(tail)
    assert changes(both, "config") == [
        (9, "topic orders", "present", "retention.ms", "base", None),
        (10, "topic orders", "changed", "retention.ms", "10", "base"),
        (11, "topic orders", "changed", "retention.ms", "11", "10"),
    ]
    whole = log([config("0"), config("1")], f"{folder}/00000000000000000000.log")
    assert [each[4] for each in changes(both.where("path like '%checkpoint'").unionByName(whole), "config")] == [
        "0",
        "1",
    ]
    alone = [each[:5] for each in changes(base, "config")]
    assert alone == [(9, "topic orders", "present", "retention.ms", "base")]


def test_leaders_of_the_quorum(log: Log) -> None:
    body = kafka.LeaderChangeMessage(version=0, leader_id=3).encode(version=0)
    election = Record("__cluster_metadata", b"\0\0\0\2", body, is_control=True)
    assert changes(log([election])) == [(0, "cluster", "created", "leaderId", "3", None)]


# Transactions.


def test_transactional_ids_change_state(log: Log) -> None:
    def state(status: int, **more: Any) -> Record:
        value = kafka.TransactionLogValue(producer_id=9, transaction_status=status, transaction_timeout_ms=60, **more)
        return coordinator_record("__transaction_state", "TransactionLog", {"transactional_id": "ledger"}, value)

    partitions = (PartitionsSchema(topic="orders", partition_ids=(0, 2)),)
    gone = coordinator_record("__transaction_state", "TransactionLog", {"transactional_id": "ledger"})
    ongoing = state(1, transaction_partitions=partitions, transaction_start_timestamp_ms=1000)
    records = [state(0, transaction_start_timestamp_ms=-1), ongoing, state(2), state(4), gone]
    rows = transaction_history(log(records)).orderBy("logOffset").collect()
    assert [(row.previousState, row.state, row.isTombstone) for row in rows] == [
        (None, "Empty", False),
        ("Empty", "Ongoing", False),
        ("Ongoing", "PrepareCommit", False),
        ("PrepareCommit", "CompleteCommit", False),
        ("CompleteCommit", None, True),
    ]
    assert [(each.topic, each.partitions) for each in rows[1].partitions] == [("orders", [0, 2])]
    assert rows[0].startTimestamp is None
    assert rows[1].startTimestamp == EPOCH + timedelta(seconds=1)
