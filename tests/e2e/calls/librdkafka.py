"""Every call of confluent-kafka."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any, Final

import confluent_kafka
import confluent_kafka.admin

from tests.e2e.calls.calls import PATIENCE, Call, ClientCalls, Cluster

_kafka: Any = confluent_kafka
_admin: Any = confluent_kafka.admin

_LOCAL: Final = "changes or returns what the client has in memory"


def _wait(result: Any) -> Any:
    """Wait for a future, or for a dictionary of futures, and return the results."""
    if isinstance(result, Future):
        return result.result(PATIENCE)
    return {key: future.result(PATIENCE) for key, future in result.items()}


def _partition(cluster: Cluster, offset: int = _kafka.OFFSET_INVALID, partition: int = 0) -> Any:
    return _kafka.TopicPartition(cluster.topic, partition, offset)


def _acl(cluster: Cluster, kind: str) -> Any:
    arguments = (
        _admin.ResourceType.TOPIC,
        cluster.name("acl"),
        _admin.ResourcePatternType.LITERAL,
        "User:ann",
        "*",
        _admin.AclOperation.READ,
        _admin.AclPermissionType.ALLOW,
    )
    return getattr(_admin, kind)(*arguments)


def _config(cluster: Cluster, *, incremental: bool) -> Any:
    if not incremental:
        return _admin.ConfigResource(_admin.ResourceType.TOPIC, cluster.topic, {"retention.ms": "90000000"})
    entry = _admin.ConfigEntry("retention.ms", "91000000", incremental_operation=_admin.AlterConfigOpType.SET)
    return _admin.ConfigResource(_admin.ResourceType.TOPIC, cluster.topic, incremental_configs=[entry])


def _scram(cluster: Cluster) -> Any:
    info = _admin.ScramCredentialInfo(_admin.ScramMechanism.SCRAM_SHA_256, 4096)
    return _admin.UserScramCredentialUpsertion(cluster.name("user"), info, b"password", b"salt")


def _group_offsets(cluster: Cluster, *, with_offset: bool) -> Any:
    partition = _partition(cluster, 3) if with_offset else _partition(cluster)
    return [_kafka.ConsumerGroupTopicPartitions(cluster.name("group"), [partition])]


ADMIN: Final[Mapping[str, Call]] = {
    "cluster_id": lambda admin, _: admin.cluster_id(PATIENCE),
    "list_topics": lambda admin, _: admin.list_topics(timeout=PATIENCE),
    "describe_cluster": lambda admin, _: _wait(admin.describe_cluster(include_authorized_operations=True)),
    "create_topics": lambda admin, c: _wait(admin.create_topics([_admin.NewTopic(c.name("new"), 1, 1)])),
    "create_partitions": lambda admin, c: _wait(admin.create_partitions([_admin.NewPartitions(c.name("new"), 2)])),
    "describe_topics": lambda admin, c: _wait(
        admin.describe_topics(_kafka.TopicCollection([c.topic]), include_authorized_operations=True)
    ),
    "delete_topics": lambda admin, c: _wait(admin.delete_topics([c.name("new")])),
    "describe_configs": lambda admin, c: _wait(
        admin.describe_configs([_admin.ConfigResource(_admin.ResourceType.TOPIC, c.topic)])
    ),
    "alter_configs": lambda admin, c: _wait(admin.alter_configs([_config(c, incremental=False)])),
    "incremental_alter_configs": lambda admin, c: _wait(
        admin.incremental_alter_configs([_config(c, incremental=True)])
    ),
    "list_offsets": lambda admin, c: _wait(admin.list_offsets({_partition(c): _admin.OffsetSpec.latest()})),
    "delete_records": lambda admin, c: _wait(admin.delete_records([_partition(c, 1)])),
    "elect_leaders": lambda admin, c: _wait(admin.elect_leaders(_kafka.ElectionType.PREFERRED, [_partition(c)])),
    "alter_consumer_group_offsets": lambda admin, c: _wait(
        admin.alter_consumer_group_offsets(_group_offsets(c, with_offset=True))
    ),
    "list_consumer_group_offsets": lambda admin, c: _wait(
        admin.list_consumer_group_offsets(_group_offsets(c, with_offset=False))
    ),
    "list_groups": lambda admin, _: admin.list_groups(timeout=PATIENCE),
    "list_consumer_groups": lambda admin, _: _wait(admin.list_consumer_groups()),
    "describe_consumer_groups": lambda admin, c: _wait(
        admin.describe_consumer_groups([c.name("group")], include_authorized_operations=True)
    ),
    "delete_consumer_groups": lambda admin, c: _wait(admin.delete_consumer_groups([c.name("group")])),
    "create_acls": lambda admin, c: _wait(admin.create_acls([_acl(c, "AclBinding")])),
    "describe_acls": lambda admin, c: _wait(admin.describe_acls(_acl(c, "AclBindingFilter"))),
    "delete_acls": lambda admin, c: _wait(admin.delete_acls([_acl(c, "AclBindingFilter")])),
    "alter_user_scram_credentials": lambda admin, c: _wait(admin.alter_user_scram_credentials([_scram(c)])),
    "describe_user_scram_credentials": lambda admin, c: _wait(admin.describe_user_scram_credentials([c.name("user")])),
}


def _delivered(producer: Any) -> None:
    assert producer.flush(PATIENCE) == 0


def _produce_batch(producer: Any, cluster: Cluster) -> None:
    producer.produce_batch(cluster.topic, [{"value": b"one"}, {"value": b"two"}])
    _delivered(producer)


def _produce(producer: Any, cluster: Cluster) -> None:
    producer.produce(cluster.topic, b"value", partition=0)
    _delivered(producer)


def _send_offsets(producer: Any, cluster: Cluster) -> None:
    consumer = _kafka.Consumer({"bootstrap.servers": cluster.bootstrap, "group.id": cluster.name("transactional")})
    metadata = consumer.consumer_group_metadata()
    producer.send_offsets_to_transaction([_partition(cluster, 1)], metadata, PATIENCE)
    consumer.close()


def _abort(producer: Any, cluster: Cluster) -> None:
    producer.begin_transaction()
    producer.produce(cluster.topic, b"aborted", partition=1)
    producer.abort_transaction(PATIENCE)


PRODUCER: Final[Mapping[str, Call]] = {
    "cluster_id": lambda producer, _: producer.cluster_id(PATIENCE),
    "list_topics": lambda producer, _: producer.list_topics(timeout=PATIENCE),
    "init_transactions": lambda producer, _: producer.init_transactions(PATIENCE),
    "begin_transaction": lambda producer, _: producer.begin_transaction(),
    "produce": _produce,
    "produce_batch": _produce_batch,
    "flush": lambda producer, _: producer.flush(PATIENCE),
    "poll": lambda producer, _: producer.poll(0),
    "send_offsets_to_transaction": _send_offsets,
    "commit_transaction": lambda producer, _: producer.commit_transaction(PATIENCE),
    "abort_transaction": _abort,
    "close": lambda producer, _: producer.close(),
}


def _poll_until(consumer: Any, _: Cluster) -> None:
    record = consumer.poll(PATIENCE)
    assert record is not None
    assert record.error() is None, record.error()


def _assigned(use: Call) -> Call:
    """Return a call that uses a consumer whose partitions are assigned by hand, not by a group."""

    def call(_: Any, cluster: Cluster) -> None:
        consumer: Any = _kafka.Consumer({"bootstrap.servers": cluster.bootstrap, "group.id": cluster.name("by-hand")})
        consumer.assign([_partition(cluster, _kafka.OFFSET_BEGINNING)])
        _poll_until(consumer, cluster)
        use(consumer, cluster)
        consumer.close()

    return call


def _incremental(consumer: Any, cluster: Cluster) -> None:
    consumer.unassign()
    consumer.incremental_assign([_partition(cluster, _kafka.OFFSET_BEGINNING, 1)])
    _poll_until(consumer, cluster)
    consumer.incremental_unassign([_partition(cluster, partition=1)])


def _seek(consumer: Any, cluster: Cluster) -> None:
    consumer.seek(_partition(cluster, 2))
    _poll_until(consumer, cluster)


CONSUMER: Final[Mapping[str, Call]] = {
    "cluster_id": lambda consumer, _: consumer.cluster_id(PATIENCE),
    "list_topics": lambda consumer, _: consumer.list_topics(timeout=PATIENCE),
    "subscribe": lambda consumer, c: consumer.subscribe([c.topic]),
    "poll": _poll_until,
    "consume": lambda consumer, _: consumer.consume(2, PATIENCE),
    "commit": lambda consumer, c: consumer.commit(offsets=[_partition(c, 2)], asynchronous=False),
    "committed": lambda consumer, c: consumer.committed([_partition(c)], PATIENCE),
    "get_watermark_offsets": lambda consumer, c: consumer.get_watermark_offsets(_partition(c), PATIENCE),
    "offsets_for_times": lambda consumer, c: consumer.offsets_for_times([_partition(c, 0)], PATIENCE),
    "position": _assigned(lambda consumer, c: consumer.position([_partition(c)])),
    "assign": _assigned(_poll_until),
    "incremental_assign": _assigned(_incremental),
    "incremental_unassign": _assigned(_incremental),
    "seek": _assigned(_seek),
    "pause": _assigned(lambda consumer, c: consumer.pause([_partition(c)])),
    "resume": _assigned(lambda consumer, c: consumer.resume([_partition(c)])),
    "unassign": _assigned(lambda consumer, _: consumer.unassign()),
    "unsubscribe": lambda consumer, _: consumer.unsubscribe(),
    "close": lambda consumer, _: consumer.close(),
}

ALL: Final = {
    "AdminClient": ClientCalls(_admin.AdminClient, ADMIN, {"poll": _LOCAL, "set_sasl_credentials": _LOCAL}),
    "Producer": ClientCalls(_kafka.Producer, PRODUCER, {"purge": _LOCAL, "set_sasl_credentials": _LOCAL}),
    "Consumer": ClientCalls(
        _kafka.Consumer,
        CONSUMER,
        {
            "assignment": _LOCAL,
            "consumer_group_metadata": _LOCAL,
            "memberid": _LOCAL,
            "set_sasl_credentials": _LOCAL,
            "store_offsets": _LOCAL,
        },
    ),
}


def client(name: str, cluster: Cluster) -> Any:
    """Return a client of a class in ``ALL``."""
    settings: dict[str, Any] = {"bootstrap.servers": cluster.bootstrap}
    if name == "Producer":
        settings["transactional.id"] = cluster.name("rdkafka")
    if name == "Consumer":
        settings |= {"group.id": cluster.name("reader"), "auto.offset.reset": "earliest"}
    return ALL[name].client(settings)
