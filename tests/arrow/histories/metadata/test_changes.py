"""Changes of each part of cluster metadata: topics, configs, quotas, brokers and the rest."""

from __future__ import annotations

import messagegen_kafka as kafka
from messagegen_kafka.client_quota_record import EntityData
from tests.arrow.histories.metadata.records import changes, config, topic
from tests.arrow.support.history_data import ORDERS, ORDERS_ID, PAYMENTS, PAYMENTS_ID, log_rows
from tests.arrow.support.internal_records import Record, metadata_record


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


def test_configs_are_removed_with_their_topic() -> None:
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


def test_quotas_and_features_and_acls_have_a_history() -> None:
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


def test_equal_values_are_not_a_change() -> None:
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
        # Only the secret changed, and it is not shown.
        (4, "ann", "changed", "SCRAM-SHA-256"),
        (10, "topic orders", "changed", "ssl.key.password"),
    ]
    assert {each[0] for each in found if each[1] == "1"} == {5}


def test_salts_and_keys_and_passwords_are_hidden() -> None:
    scram = kafka.UserScramCredentialRecord(name="carol", mechanism=2, salt=b"salt", stored_key=b"key", iterations=4096)
    removal = kafka.RemoveUserScramCredentialRecord(name="carol", mechanism=2)
    password = config("hunter2", "ssl.key.password", "1", 4)
    found = changes(log_rows([metadata_record(scram), metadata_record(removal), password]))
    assert found == [
        (0, "carol", "created", "SCRAM-SHA-512", "iterations=4096", None),
        (1, "carol", "removed", "SCRAM-SHA-512", None, "iterations=4096"),
        (2, "broker 1", "created", "ssl.key.password", "<redacted>", None),
    ]


def test_brokers_are_created_and_changed_and_removed() -> None:
    records = [
        kafka.RegisterBrokerRecord(broker_id=1, fenced=True),
        kafka.UnfenceBrokerRecord(id=1),
        kafka.BrokerRegistrationChangeRecord(broker_id=1, fenced=1),
        kafka.BrokerRegistrationChangeRecord(broker_id=1, in_controlled_shutdown=1),
        kafka.UnregisterBrokerRecord(broker_id=1),
    ]
    # Version 1 has inControlledShutdown, but does not need directories.
    found = changes(log_rows([metadata_record(each, 1 if "Change" in type(each).__name__ else 0) for each in records]))
    assert [each for each in found if each[3] in ("fenced", "inControlledShutdown")] == [
        (0, "1", "created", "fenced", "true", None),
        (1, "1", "changed", "fenced", "false", "true"),
        (2, "1", "changed", "fenced", "true", "false"),
        (3, "1", "changed", "inControlledShutdown", "true", None),
        (4, "1", "removed", "fenced", None, "true"),
        (4, "1", "removed", "inControlledShutdown", None, "true"),
    ]


def test_controllers_are_created_and_removed() -> None:
    records = [
        kafka.RegisterControllerRecord(controller_id=7),
        kafka.UnregisterControllerRecord(controller_id=7),
    ]
    assert changes(log_rows([metadata_record(each) for each in records]), "controller") == [
        (0, "7", "created", "endPoints", "", None),
        (1, "7", "removed", "endPoints", None, ""),
    ]


def test_leaders_of_the_quorum_have_a_history() -> None:
    body = kafka.LeaderChangeMessage(version=0, leader_id=3).encode(version=0)
    election = Record("__cluster_metadata", b"\0\0\0\2", body, is_control=True)
    assert changes(log_rows([election])) == [(0, "cluster", "created", "leaderId", "3", None)]


def test_aborted_and_open_transactions_of_metadata_have_no_changes() -> None:
    begin = metadata_record(kafka.BeginTransactionRecord(name="t"))
    end, abort = metadata_record(kafka.EndTransactionRecord()), metadata_record(kafka.AbortTransactionRecord())
    records = [config("0"), begin, config("1"), end, begin, config("2"), abort, config("3"), begin, config("4")]
    assert [(each[0], each[4]) for each in changes(log_rows(records))] == [(0, "0"), (2, "1"), (7, "3")]
