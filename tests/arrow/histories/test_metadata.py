"""How topics, configs, quotas and the rest of a cluster's metadata changed, without Spark."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka as kafka
from messagegen_arrow import HistoryCounts, MalformedMessageError, metadata_history, read_log
from messagegen_arrow.histories.metadata.changes import java_double
from messagegen_arrow.log.errors import LogPathError
from messagegen_client.quotas.names import DEFAULT, sanitize
from messagegen_kafka.client_quota_record import EntityData
from tests.arrow.support.history_data import ORDERS, ORDERS_ID, PAYMENTS, PAYMENTS_ID, log_rows, second, write_log
from tests.arrow.support.internal_records import Record, metadata_record

FOLDER = "__cluster_metadata-0"


def topic(name: str = "orders", topic_id: UUID = ORDERS) -> Record:
    return metadata_record(kafka.TopicRecord(name=name, topic_id=topic_id))


def config(value: str | None, name: str = "retention.ms", resource: str = "orders", type_: int = 2) -> Record:
    return metadata_record(kafka.ConfigRecord(resource_type=type_, resource_name=resource, name=name, value=value))


def changes(log: Any, *subjects: str) -> list[tuple[Any, ...]]:
    rows = pa.table(metadata_history(log)).to_pylist()
    rows.sort(
        key=lambda row: (row["offset"], row["place"]["row"], row["place"]["within"], row["name"], row["property"])
    )
    return [
        (row["offset"], row["name"], row["action"], row["property"], row["value"], row["previous"])
        for row in rows
        if not subjects or row["subject"] in subjects
    ]


def test_topics_and_partitions_have_a_history() -> None:
    partition = kafka.PartitionRecord(partition_id=0, topic_id=ORDERS, replicas=(1, 2), isr=(1, 2), leader=1)
    change = kafka.PartitionChangeRecord(partition_id=0, topic_id=ORDERS, leader=2, isr=(2,))
    isr_only = kafka.PartitionChangeRecord(partition_id=0, topic_id=ORDERS, isr=(2, 1))
    gone = kafka.RemoveTopicRecord(topic_id=ORDERS)
    records = [
        topic(),
        *(metadata_record(each) for each in (partition, change, isr_only, gone)),
        topic("orders", PAYMENTS),
    ]
    assert changes(log_rows(records)) == [
        (0, "orders", "created", "topicId", ORDERS_ID, None),
        (1, "orders-0", "created", "leader", "1", None),
        (1, "orders-0", "created", "replicas", "[1,2]", None),
        (1, "orders-0", "created", "isr", "[1,2]", None),
        (2, "orders-0", "changed", "leader", "2", "1"),
        (2, "orders-0", "changed", "isr", "[2]", "[1,2]"),
        (3, "orders-0", "changed", "isr", "[2,1]", "[2]"),
        (4, "orders", "removed", "topicId", None, ORDERS_ID),
        (4, "orders-0", "removed", "isr", None, "[2,1]"),
        (4, "orders-0", "removed", "leader", None, "2"),
        (4, "orders-0", "removed", "replicas", None, "[1,2]"),
        (5, "orders", "created", "topicId", PAYMENTS_ID, None),
    ]


def test_configs_go_with_their_topic() -> None:
    records = [
        topic(),
        config("1"),
        config("2"),
        config("x", "cleanup.policy"),
        config(None, "cleanup.policy"),
        metadata_record(kafka.RemoveTopicRecord(topic_id=ORDERS)),
        topic("orders", PAYMENTS),
        config("3"),
        config("4", resource="", type_=4),
    ]
    assert changes(log_rows(records), "config") == [
        (1, "topic orders", "created", "retention.ms", "1", None),
        (2, "topic orders", "changed", "retention.ms", "2", "1"),
        (3, "topic orders", "created", "cleanup.policy", "x", None),
        (4, "topic orders", "removed", "cleanup.policy", None, "x"),
        (5, "topic orders", "removed", "retention.ms", None, "2"),
        (7, "topic orders", "created", "retention.ms", "3", None),
        (8, "broker <default>", "created", "retention.ms", "4", None),
    ]


def test_quotas_features_and_acls() -> None:
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
    entity, acl_id = "client-id=<default>,user=ann", ORDERS_ID
    words = "User:ann ALLOW READ on TOPIC PREFIXED orders from *"
    assert changes(log_rows([metadata_record(each) for each in records])) == [
        (0, entity, "created", "producer_byte_rate", "1.5", None),
        (1, entity, "changed", "producer_byte_rate", "2.0E9", "1.5"),
        (2, entity, "removed", "producer_byte_rate", None, "2.0E9"),
        (3, "group.version", "created", "level", "1", None),
        (4, "group.version", "removed", "level", None, "1"),
        (5, acl_id, "created", "entry", words, None),
        (6, acl_id, "removed", "entry", None, words),
    ]


def quota(value: float, **names: str | None) -> Record:
    entity = tuple(EntityData(entity_type=kind.replace("_", "-"), entity_name=name) for kind, name in names.items())
    return metadata_record(kafka.ClientQuotaRecord(entity=entity, key="producer_byte_rate", value=value))


def test_entities_of_quotas_are_kept_apart() -> None:
    records = [
        quota(1, user=None),
        quota(2, user="<default>"),
        quota(3, client_id="a", user="b"),
        quota(4, client_id="a,user=b"),
        quota(5, ip="2001:db8::1"),
    ]
    assert changes(log_rows(records)) == [
        (0, "user=<default>", "created", "producer_byte_rate", "1.0", None),
        (1, "user=%3Cdefault%3E", "created", "producer_byte_rate", "2.0", None),
        (2, "client-id=a,user=b", "created", "producer_byte_rate", "3.0", None),
        (3, "client-id=a%2Cuser%3Db", "created", "producer_byte_rate", "4.0", None),
        (4, "ip=2001:db8::1", "created", "producer_byte_rate", "5.0", None),
    ]


def test_the_default_of_configs_is_kept_apart_from_its_name() -> None:
    records = [config("1", resource="", type_=32), config("2", resource="<default>", type_=32)]
    assert [each[1] for each in changes(log_rows(records))] == ["group <default>", "group %3Cdefault%3E"]


NAMES = (
    st.none() | st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(["<default>", "a,user=b", "%2C"])
)


@given(st.lists(st.dictionaries(st.sampled_from(["user", "client-id", "ip"]), NAMES, min_size=1), max_size=4))
def test_names_of_entities_are_those_of_kafka_client_quotas(entities: list[dict[str, str | None]]) -> None:
    records = [quota(at, **names) for at, names in enumerate(entities)]
    rows = pa.table(metadata_history(log_rows(records))).to_pylist()
    by_name: dict[str, dict[str, str | None]] = {}
    for row in rows:
        names = entities[row["offset"]]
        parts = (f"{kind}={DEFAULT if name is None else sanitize(name)}" for kind, name in sorted(names.items()))
        assert row["name"] == ",".join(parts)
        assert by_name.setdefault(row["name"], names) == names
    assert len(rows) == len(entities)


def test_what_stays_the_same_is_not_a_change() -> None:
    partition = kafka.PartitionRecord(partition_id=0, topic_id=ORDERS, replicas=(1, 2), isr=(1, 2), leader=1)
    change = kafka.PartitionChangeRecord(partition_id=0, topic_id=ORDERS, leader=1, isr=(2,))
    scram = [
        kafka.UserScramCredentialRecord(name="ann", mechanism=1, salt=salt, iterations=4096) for salt in (b"1", b"2")
    ]
    broker = kafka.RegisterBrokerRecord(broker_id=1)
    records = [topic(), *map(metadata_record, (partition, change, *scram, broker, broker))]
    records += [config("1"), config("1"), config("secret", "ssl.key.password"), config("other", "ssl.key.password")]
    found = changes(log_rows(records))
    assert [each[:4] for each in found if each[2] == "changed"] == [
        (2, "orders-0", "changed", "isr"),
        # Only the secret changed, which is not shown.
        (4, "ann", "changed", "SCRAM-SHA-256"),
        (10, "topic orders", "changed", "ssl.key.password"),
    ]
    assert {each[0] for each in found if each[1] == "1"} == {5}


def test_secrets_stay_secret() -> None:
    scram = kafka.UserScramCredentialRecord(name="carol", mechanism=2, salt=b"salt", stored_key=b"key", iterations=4096)
    removal = kafka.RemoveUserScramCredentialRecord(name="carol", mechanism=2)
    password = config("hunter2", "ssl.key.password", "1", 4)
    found = changes(log_rows([metadata_record(scram), metadata_record(removal), password]))
    assert found == [
        (0, "carol", "created", "SCRAM-SHA-512", "iterations=4096", None),
        (1, "carol", "removed", "SCRAM-SHA-512", None, "iterations=4096"),
        (2, "broker 1", "created", "ssl.key.password", "<redacted>", None),
    ]


def test_brokers_come_and_go() -> None:
    records = [
        kafka.RegisterBrokerRecord(broker_id=1, fenced=True),
        kafka.UnfenceBrokerRecord(id=1),
        kafka.BrokerRegistrationChangeRecord(broker_id=1, fenced=1),
        kafka.BrokerRegistrationChangeRecord(broker_id=1, in_controlled_shutdown=1),
        kafka.UnregisterBrokerRecord(broker_id=1),
    ]
    # A version that has inControlledShutdown and does not need directories.
    found = changes(log_rows([metadata_record(each, 1 if "Change" in type(each).__name__ else 0) for each in records]))
    assert [each for each in found if each[3] in ("fenced", "inControlledShutdown")] == [
        (0, "1", "created", "fenced", "true", None),
        (1, "1", "changed", "fenced", "false", "true"),
        (2, "1", "changed", "fenced", "true", "false"),
        (3, "1", "changed", "inControlledShutdown", "true", None),
        (4, "1", "removed", "fenced", None, "true"),
        (4, "1", "removed", "inControlledShutdown", None, "true"),
    ]


def test_controllers_come_and_go() -> None:
    records = [
        kafka.RegisterControllerRecord(controller_id=7),
        kafka.UnregisterControllerRecord(controller_id=7),
    ]
    assert changes(log_rows([metadata_record(each) for each in records]), "controller") == [
        (0, "7", "created", "endPoints", "", None),
        (1, "7", "removed", "endPoints", None, ""),
    ]


def test_transactions_of_metadata_are_respected() -> None:
    begin = metadata_record(kafka.BeginTransactionRecord(name="t"))
    end, abort = metadata_record(kafka.EndTransactionRecord()), metadata_record(kafka.AbortTransactionRecord())
    records = [config("0"), begin, config("1"), end, begin, config("2"), abort, config("3"), begin, config("4")]
    assert [(each[0], each[4]) for each in changes(log_rows(records))] == [(0, "0"), (2, "1"), (7, "3")]


def test_a_snapshot_stands_for_what_is_gone() -> None:
    folder = "/data/__cluster_metadata-0"
    old = log_rows([config("old")], f"{folder}/00000000000000000003-0000000001.checkpoint")
    base = log_rows([topic(), config("base")], f"{folder}/00000000000000000010-0000000001.checkpoint")
    newer = log_rows([config("newer")], f"{folder}/00000000000000000013-0000000001.checkpoint")
    first = log_rows([config("bootstrap")], "/data/bootstrap.checkpoint")
    tail = log_rows([config("10"), config("11")], f"{folder}/00000000000000000010.log", start=10)
    both = pa.concat_tables([old, base, newer, first, tail])
    assert changes(both, "config") == [
        (9, "topic orders", "present", "retention.ms", "base", None),
        (10, "topic orders", "changed", "retention.ms", "10", "base"),
        (11, "topic orders", "changed", "retention.ms", "11", "10"),
    ]
    whole = log_rows([config("0"), config("1")], f"{folder}/00000000000000000000.log")
    assert [each[4] for each in changes(pa.concat_tables([old, base, newer, first, whole]), "config")] == [
        "0",
        "1",
    ]
    alone = [each[:5] for each in changes(base, "config")]
    assert alone == [(9, "topic orders", "present", "retention.ms", "base")]


def snapshot_name(end: int, epoch: int = 1) -> str:
    return f"{end:020}-{epoch:010}.checkpoint"


@pytest.fixture
def snapshots(tmp_path: Path) -> Path:
    """A folder of cluster metadata that has snapshots only."""
    folder = tmp_path / "data" / FOLDER
    write_log(folder, [topic(), config("old"), config("x", "cleanup.policy")], name=snapshot_name(3))
    write_log(folder, [topic(), config("new")], name=snapshot_name(8))
    return folder


OLD = [(2, "x"), (2, "old")]
NEW = [(7, "new")]


def values(*paths: Path) -> list[tuple[Any, ...]]:
    """Offset and value of each config; all must be present ones, without a previous value."""
    found = changes(list(paths), "config")
    assert {(each[2], each[5]) for each in found} <= {("present", None)}
    return sorted((each[0], each[4]) for each in found)


def test_a_snapshot_that_is_named_is_read_itself(snapshots: Path) -> None:
    old, new = snapshots / snapshot_name(3), snapshots / snapshot_name(8)
    write_log(snapshots, [config("later")], first=8)
    assert values(old) == sorted(OLD)
    assert values(new) == NEW
    assert values(old, new) == sorted(OLD + NEW)
    assert [each[4] for each in changes(snapshots, "config")] == ["new", "later"]


def test_the_later_of_two_snapshots_with_an_end_counts(snapshots: Path) -> None:
    write_log(snapshots, [topic(), config("epoch 2")], name=snapshot_name(8, 2))
    write_log(snapshots, [config("later")], first=8)
    assert [each[4] for each in changes(snapshots, "config")] == ["epoch 2", "later"]


def test_a_folder_without_a_log_has_its_snapshots(snapshots: Path) -> None:
    assert values(snapshots) == values(snapshots.parent) == sorted(OLD + NEW)


@pytest.mark.parametrize("name", ["bootstrap.checkpoint", "a copy.checkpoint", "0003-1.checkpoint"])
def test_a_snapshot_with_any_name_has_rows_without_an_offset(name: str, tmp_path: Path) -> None:
    path = write_log(tmp_path / "data", [topic(), config("1")], name=name)
    assert values(path) == values(path.parent) == [(None, "1")]


def test_a_snapshot_of_another_folder_than_the_log_is_refused(snapshots: Path) -> None:
    other = write_log(snapshots.parent / "x" / FOLDER, [topic()])
    with pytest.raises(LogPathError, match="are replicas of the same partition"):
        metadata_history([snapshots / snapshot_name(3), other.parent])


def test_leaders_of_the_quorum() -> None:
    body = kafka.LeaderChangeMessage(version=0, leader_id=3).encode(version=0)
    election = Record("__cluster_metadata", b"\0\0\0\2", body, is_control=True)
    assert changes(log_rows([election])) == [(0, "cluster", "created", "leaderId", "3", None)]


def test_a_folder_is_read_with_its_snapshots(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    write_log(folder, [config("old")], name="00000000000000000002-0000000001.checkpoint")
    write_log(folder, [topic(), config("base")], name="00000000000000000005-0000000001.checkpoint")
    write_log(folder, [config("new"), metadata_record(kafka.RemoveTopicRecord(topic_id=ORDERS))], first=5)
    history = metadata_history(tmp_path)
    assert changes(tmp_path, "config") == [
        (4, "topic orders", "present", "retention.ms", "base", None),
        (5, "topic orders", "changed", "retention.ms", "new", "base"),
        (6, "topic orders", "removed", "retention.ms", None, "new"),
    ]
    # Each reading finds what is there by then.
    write_log(folder, [config("later")], first=7)
    last = pa.table(history).to_pylist()[-1]
    assert (last["offset"], last["timestamp"], last["value"]) == (7, second(7), "later")


def test_the_life_of_a_topic_in_a_folder(tmp_path: Path) -> None:
    partition = kafka.PartitionRecord(partition_id=0, topic_id=ORDERS, replicas=(1,), isr=(1,), leader=1)
    leader = kafka.PartitionChangeRecord(partition_id=0, topic_id=ORDERS, leader=2)
    tombstone = Record("__cluster_metadata", b"key", None)
    cut_off = Record("__cluster_metadata", None, (topic().value or b"")[:-1])
    messages = [metadata_record(each) for each in (partition, leader, kafka.RemoveTopicRecord(topic_id=ORDERS))]
    records = [topic(), *messages[:2], tombstone, cut_off, messages[2], topic("orders", PAYMENTS), config("3")]
    write_log(tmp_path / FOLDER, records)
    counts = HistoryCounts()
    rows = pa.table(metadata_history(tmp_path, counts=counts)).to_pylist()
    assert (counts.rows, counts.malformed) == (8, 2)
    assert [(row["offset"], row["name"], row["action"], row["value"]) for row in rows if row["offset"] > 1] == [
        (2, "orders-0", "changed", "2"),
        (5, "orders", "removed", None),
        (5, "orders-0", "removed", None),
        (5, "orders-0", "removed", None),
        (5, "orders-0", "removed", None),
        (6, "orders", "created", PAYMENTS_ID),
        (7, "topic orders", "created", "3"),
    ]
    assert {row["timestamp"] for row in rows if row["offset"] == 5} == {second(5)}
    with pytest.raises(MalformedMessageError, match=r"\(.*byte"):
        list(metadata_history(tmp_path, "failfast"))


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["orders-0"], "no __cluster_metadata in "),
        ([f"a/{FOLDER}", f"b/{FOLDER}"], "replicas of the same partition: give the logs of one broker"),
    ],
)
def test_other_logs_are_refused(names: list[str], reason: str, tmp_path: Path) -> None:
    paths = [write_log(tmp_path / name, [topic()]).parent for name in names]
    with pytest.raises(LogPathError, match=reason):
        metadata_history(paths)


def test_rows_must_be_those_of_a_log_in_its_order(tmp_path: Path) -> None:
    rows = log_rows([config("1"), config("2")])
    with pytest.raises(ValueError, match="the log has no column key, offset: read it with read_log"):
        metadata_history(rows.drop_columns(["key", "offset"]))
    with pytest.raises(ValueError, match="not in the order of their offsets: sort them by topic, partition and offset"):
        pa.table(metadata_history(rows.take([1, 0])))
    write_log(tmp_path / FOLDER, [config("1")])
    assert len(changes(read_log(tmp_path))) == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"),
        (-1.5, "-1.5"),
        (0.001, "0.001"),
        (9.999e-4, "9.999E-4"),
        (9999999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (12345678.9, "1.23456789E7"),
        (5e-324, "4.9E-324"),
        (1.7976931348623157e308, "1.7976931348623157E308"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
        (float("nan"), "NaN"),
    ],
)
def test_numbers_look_as_kafkas_tools_print_them(value: float, text: str) -> None:
    assert java_double(value) == text
