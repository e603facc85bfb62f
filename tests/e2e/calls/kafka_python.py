"""Every call of kafka-python."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Final

from tests.e2e.calls.calls import PATIENCE, Call, ClientCalls, Cluster

with warnings.catch_warnings():
    # kafka-python reads its specs with a function that is deprecated in Python 3.11.
    warnings.simplefilter("ignore", DeprecationWarning)
    import kafka  # type: ignore[import-untyped]
    import kafka.admin  # type: ignore[import-untyped]

_kafka: Any = kafka
_admin: Any = kafka.admin
_LOCAL: Final = "changes or returns what the client has in memory"
_BROKER: Final = 1
_PREFERRED: Final = 0


def _partition(cluster: Cluster, number: int = 0) -> Any:
    return _kafka.TopicPartition(cluster.topic, number)


def _resource(cluster: Cluster, **configs: str) -> Any:
    return _admin.ConfigResource(_admin.ConfigResourceType.TOPIC, cluster.topic, configs=configs or None)


def _acl(cluster: Cluster, kind: str) -> Any:
    pattern = {"ACL": "ResourcePattern", "ACLFilter": "ResourcePatternFilter"}[kind]
    resource = getattr(_admin, pattern)(
        _admin.ResourceType.TOPIC, cluster.name("acl"), _admin.ACLResourcePatternType.LITERAL
    )
    return getattr(_admin, kind)(
        principal="User:ann",
        host="*",
        operation=_admin.ACLOperation.READ,
        permission_type=_admin.ACLPermissionType.ALLOW,
        resource_pattern=resource,
    )


def _new_topic(cluster: Cluster) -> Any:
    return _admin.NewTopic(name=cluster.name("new"), num_partitions=1, replication_factor=1)


def _scram(cluster: Cluster) -> Any:
    return _admin.UserScramCredentialUpsertion(cluster.name("user"), _admin.ScramMechanism.SCRAM_SHA_256, "password")


def _offset(number: int) -> Any:
    return _kafka.OffsetAndMetadata(number, "", -1)


def _reset_offsets(admin: Any, cluster: Cluster) -> None:
    admin.reset_group_offsets(cluster.name("group"), {_partition(cluster): _admin.OffsetSpec.EARLIEST})


def _abort(admin: Any, cluster: Cluster) -> None:
    admin.abort_transaction(_admin.AbortTransactionSpec(_partition(cluster), 999, 0, 0))


ADMIN: Final[Mapping[str, Call]] = {
    "api_versions": lambda admin, _: admin.api_versions(),
    "get_broker_version_data": lambda admin, _: admin.get_broker_version_data(_BROKER),
    "describe_cluster": lambda admin, _: admin.describe_cluster(),
    "describe_features": lambda admin, _: admin.describe_features(),
    "update_features": lambda admin, _: admin.update_features({}, validate_only=True),
    "describe_metadata_quorum": lambda admin, _: admin.describe_metadata_quorum(),
    "create_topics": lambda admin, c: admin.create_topics([_new_topic(c)]),
    "wait_for_topics": lambda admin, c: admin.wait_for_topics([c.name("new")]),
    "create_partitions": lambda admin, c: admin.create_partitions({c.name("new"): _admin.NewPartitions(2)}),
    "list_topics": lambda admin, _: admin.list_topics(),
    "describe_topics": lambda admin, c: admin.describe_topics([c.topic]),
    "describe_topic_partitions": lambda admin, c: admin.describe_topic_partitions([c.topic]),
    "delete_topics": lambda admin, c: admin.delete_topics([c.name("new")]),
    "describe_configs": lambda admin, c: admin.describe_configs([_resource(c)]),
    "alter_configs": lambda admin, c: admin.alter_configs([_resource(c, **{"retention.ms": "90000000"})]),
    "reset_configs": lambda admin, c: admin.reset_configs([_resource(c, **{"retention.ms": ""})]),
    "list_config_resources": lambda admin, _: admin.list_config_resources(),
    "list_partition_offsets": lambda admin, c: admin.list_partition_offsets({_partition(c): _admin.OffsetSpec.LATEST}),
    "delete_records": lambda admin, c: admin.delete_records({_partition(c): 1}),
    "elect_leaders": lambda admin, c: admin.elect_leaders(_PREFERRED, {c.topic: [0]}, raise_errors=False),
    "list_partition_reassignments": lambda admin, _: admin.list_partition_reassignments(),
    "alter_partition_reassignments": lambda admin, c: admin.alter_partition_reassignments({_partition(c): [_BROKER]}),
    "describe_log_dirs": lambda admin, _: admin.describe_log_dirs(),
    "alter_replica_log_dirs": lambda admin, _: admin.alter_replica_log_dirs({}),
    "alter_group_offsets": lambda admin, c: admin.alter_group_offsets(c.name("group"), {_partition(c): _offset(3)}),
    "reset_group_offsets": _reset_offsets,
    "list_group_offsets": lambda admin, c: admin.list_group_offsets({c.name("group"): None}),
    "list_groups": lambda admin, _: admin.list_groups(),
    "describe_groups": lambda admin, c: admin.describe_groups([c.name("group")]),
    "remove_group_members": lambda admin, c: admin.remove_group_members(
        c.name("group"), [_admin.MemberToRemove(group_instance_id="absent")]
    ),
    "delete_group_offsets": lambda admin, c: admin.delete_group_offsets(c.name("group"), [_partition(c)]),
    "delete_groups": lambda admin, c: admin.delete_groups([c.name("group")]),
    "create_acls": lambda admin, c: admin.create_acls([_acl(c, "ACL")]),
    "describe_acls": lambda admin, c: admin.describe_acls(_acl(c, "ACLFilter")),
    "delete_acls": lambda admin, c: admin.delete_acls([_acl(c, "ACLFilter")]),
    "alter_user_scram_credentials": lambda admin, c: admin.alter_user_scram_credentials([_scram(c)]),
    "describe_user_scram_credentials": lambda admin, c: admin.describe_user_scram_credentials([c.name("user")]),
    "list_transactions": lambda admin, _: admin.list_transactions(),
    "describe_transactions": lambda admin, c: admin.describe_transactions([c.name("absent")]),
    "describe_producers": lambda admin, c: admin.describe_producers([_partition(c)]),
    "find_hanging_transactions": lambda admin, _: admin.find_hanging_transactions(),
    "abort_transaction": _abort,
    "close": lambda admin, _: admin.close(),
}


def _send(producer: Any, cluster: Cluster) -> None:
    producer.send(cluster.topic, b"value", partition=0).get(PATIENCE)


def _send_offsets(producer: Any, cluster: Cluster) -> None:
    producer.send_offsets_to_transaction({_partition(cluster): _offset(1)}, cluster.name("transactional"))


def _abort_transaction(producer: Any, cluster: Cluster) -> None:
    producer.begin_transaction()
    producer.send(cluster.topic, b"aborted", partition=1)
    producer.abort_transaction()


PRODUCER: Final[Mapping[str, Call]] = {
    "bootstrap_connected": lambda producer, _: producer.bootstrap_connected(),
    "partitions_for": lambda producer, c: producer.partitions_for(c.topic),
    "init_transactions": lambda producer, _: producer.init_transactions(),
    "begin_transaction": lambda producer, _: producer.begin_transaction(),
    "send": _send,
    "flush": lambda producer, _: producer.flush(PATIENCE),
    "send_offsets_to_transaction": _send_offsets,
    "commit_transaction": lambda producer, _: producer.commit_transaction(),
    "abort_transaction": _abort_transaction,
    "close": lambda producer, _: producer.close(),
}


def _poll(consumer: Any, _: Cluster) -> None:
    assert any(consumer.poll(timeout_ms=500) for _ in range(int(2 * PATIENCE)))


def _commit_async(consumer: Any, _: Cluster) -> None:
    future = consumer.commit_async()
    while not future.is_done:
        consumer.poll(timeout_ms=10)
    assert future.succeeded(), future.exception


def _assign(consumer: Any, cluster: Cluster) -> None:
    consumer.unsubscribe()
    consumer.assign([_partition(cluster)])


CONSUMER: Final[Mapping[str, Call]] = {
    "bootstrap": lambda consumer, _: consumer.bootstrap(),
    "bootstrap_connected": lambda consumer, _: consumer.bootstrap_connected(),
    "topics": lambda consumer, _: consumer.topics(),
    "partitions_for_topic": lambda consumer, c: consumer.partitions_for_topic(c.topic),
    "subscribe": lambda consumer, c: consumer.subscribe([c.topic]),
    "poll": _poll,
    "commit": lambda consumer, _: consumer.commit(),
    "commit_async": _commit_async,
    "unsubscribe": _assign,
    "assign": _assign,
    "committed": lambda consumer, c: consumer.committed(_partition(c)),
    "position": lambda consumer, c: consumer.position(_partition(c)),
    "beginning_offsets": lambda consumer, c: consumer.beginning_offsets([_partition(c)]),
    "end_offsets": lambda consumer, c: consumer.end_offsets([_partition(c)]),
    "offsets_for_times": lambda consumer, c: consumer.offsets_for_times({_partition(c): 0}),
    "seek": lambda consumer, c: consumer.seek(_partition(c), 2),
    "seek_to_beginning": lambda consumer, c: consumer.seek_to_beginning(_partition(c)),
    "seek_to_end": lambda consumer, c: consumer.seek_to_end(_partition(c)),
    "close": lambda consumer, _: consumer.close(),
}

_LOCAL_OF_CONSUMER: Final = (
    "assignment",
    "group_metadata",
    "highwater",
    "metrics",
    "pause",
    "paused",
    "resume",
    "subscription",
)

ALL: Final = {
    "KafkaAdminClient": ClientCalls(_admin.KafkaAdminClient, ADMIN, {}),
    "KafkaProducer": ClientCalls(
        _kafka.KafkaProducer, PRODUCER, {"max_usable_produce_magic": _LOCAL, "metrics": _LOCAL}
    ),
    "KafkaConsumer": ClientCalls(_kafka.KafkaConsumer, CONSUMER, dict.fromkeys(_LOCAL_OF_CONSUMER, _LOCAL)),
}


def client(name: str, cluster: Cluster) -> Any:
    """Return a client of a class in ``ALL``."""
    settings: dict[str, Any] = {"bootstrap_servers": cluster.bootstrap}
    if name == "KafkaProducer":
        settings["transactional_id"] = cluster.name("kafka-python")
    if name == "KafkaConsumer":
        settings |= {"group_id": cluster.name("reader"), "auto_offset_reset": "earliest", "enable_auto_commit": False}
    return ALL[name].client(**settings)
