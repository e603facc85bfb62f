"""Every call of aiokafka."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import aiokafka  # type: ignore[import-untyped]
import aiokafka.admin  # type: ignore[import-untyped]
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType  # type: ignore[import-untyped]

from tests.e2e.calls.calls import PATIENCE, AsyncCall, ClientCalls, Cluster

_kafka: Any = aiokafka
_admin: Any = aiokafka.admin
_LOCAL: Final = "changes or returns what the client has in memory"


def _partition(cluster: Cluster, number: int = 0) -> Any:
    return _kafka.TopicPartition(cluster.topic, number)


def _resource(cluster: Cluster, **configs: str) -> Any:
    return ConfigResource(ConfigResourceType.TOPIC, cluster.topic, configs=configs or None)


def _new_topic(cluster: Cluster) -> Any:
    return _admin.NewTopic(name=cluster.name("new"), num_partitions=1, replication_factor=1)


ADMIN: Final[Mapping[str, AsyncCall]] = {
    "start": lambda admin, _: admin.start(),
    "describe_cluster": lambda admin, _: admin.describe_cluster(),
    "create_topics": lambda admin, c: admin.create_topics([_new_topic(c)]),
    "create_partitions": lambda admin, c: admin.create_partitions({c.name("new"): _admin.NewPartitions(2)}),
    "list_topics": lambda admin, _: admin.list_topics(),
    "describe_topics": lambda admin, c: admin.describe_topics([c.topic]),
    "delete_topics": lambda admin, c: admin.delete_topics([c.name("new")]),
    "describe_configs": lambda admin, c: admin.describe_configs([_resource(c)]),
    "alter_configs": lambda admin, c: admin.alter_configs([_resource(c, **{"retention.ms": "90000000"})]),
    "delete_records": lambda admin, c: admin.delete_records({_partition(c): _admin.RecordsToDelete(before_offset=1)}),
    "find_coordinator": lambda admin, c: admin.find_coordinator(c.name("group")),
    "list_consumer_groups": lambda admin, _: admin.list_consumer_groups(),
    "describe_consumer_groups": lambda admin, c: admin.describe_consumer_groups([c.name("group")]),
    "list_consumer_group_offsets": lambda admin, c: admin.list_consumer_group_offsets(c.name("group")),
    "close": lambda admin, _: admin.close(),
}


async def _send(producer: Any, cluster: Cluster) -> None:
    await (await producer.send(cluster.topic, b"value", partition=0))


async def _send_batch(producer: Any, cluster: Cluster) -> None:
    batch = producer.create_batch()
    batch.append(value=b"value", timestamp=None, key=None)
    await (await producer.send_batch(batch, cluster.topic, partition=1))


async def _transaction(producer: Any, cluster: Cluster) -> None:
    async with producer.transaction():
        await producer.send_and_wait(cluster.topic, b"value")


async def _abort(producer: Any, cluster: Cluster) -> None:
    await producer.begin_transaction()
    await producer.send_and_wait(cluster.topic, b"aborted")
    await producer.abort_transaction()


PRODUCER: Final[Mapping[str, AsyncCall]] = {
    "start": lambda producer, _: producer.start(),
    "partitions_for": lambda producer, c: producer.partitions_for(c.topic),
    "begin_transaction": lambda producer, _: producer.begin_transaction(),
    "send": _send,
    "send_and_wait": lambda producer, c: producer.send_and_wait(c.topic, b"value"),
    "create_batch": _send_batch,
    "send_batch": _send_batch,
    "flush": lambda producer, _: producer.flush(),
    "send_offsets_to_transaction": lambda producer, c: producer.send_offsets_to_transaction(
        {_partition(c): 1}, c.name("transactional")
    ),
    "commit_transaction": lambda producer, _: producer.commit_transaction(),
    "transaction": _transaction,
    "abort_transaction": _abort,
    "stop": lambda producer, _: producer.stop(),
}


async def _subscribe(consumer: Any, cluster: Cluster) -> None:
    consumer.subscribe([cluster.topic])
    await consumer.getone()


async def _assign(consumer: Any, cluster: Cluster) -> None:
    consumer.unsubscribe()
    consumer.assign([_partition(cluster)])
    await consumer.seek_to_beginning(_partition(cluster))


async def _seek(consumer: Any, cluster: Cluster) -> None:
    consumer.seek(_partition(cluster), 2)
    await consumer.getone()


CONSUMER: Final[Mapping[str, AsyncCall]] = {
    "start": lambda consumer, _: consumer.start(),
    "topics": lambda consumer, _: consumer.topics(),
    "subscribe": _subscribe,
    "getone": lambda consumer, _: consumer.getone(),
    "getmany": lambda consumer, _: consumer.getmany(timeout_ms=1000),
    "commit": lambda consumer, _: consumer.commit(),
    "unsubscribe": _assign,
    "assign": _assign,
    "committed": lambda consumer, c: consumer.committed(_partition(c)),
    "position": lambda consumer, c: consumer.position(_partition(c)),
    "beginning_offsets": lambda consumer, c: consumer.beginning_offsets([_partition(c)]),
    "end_offsets": lambda consumer, c: consumer.end_offsets([_partition(c)]),
    "offsets_for_times": lambda consumer, c: consumer.offsets_for_times({_partition(c): 0}),
    "seek": _seek,
    "seek_to_beginning": lambda consumer, c: consumer.seek_to_beginning(_partition(c)),
    "seek_to_committed": lambda consumer, c: consumer.seek_to_committed(_partition(c)),
    "seek_to_end": lambda consumer, c: consumer.seek_to_end(_partition(c)),
    "stop": lambda consumer, _: consumer.stop(),
}

_LOCAL_OF_CONSUMER: Final = (
    "assignment",
    "highwater",
    "last_poll_timestamp",
    "last_stable_offset",
    "partitions_for_topic",
    "pause",
    "paused",
    "resume",
    "subscription",
)

ALL: Final = {
    "AIOKafkaAdminClient": ClientCalls(_admin.AIOKafkaAdminClient, ADMIN, {}),
    "AIOKafkaProducer": ClientCalls(_kafka.AIOKafkaProducer, PRODUCER, {}),
    "AIOKafkaConsumer": ClientCalls(_kafka.AIOKafkaConsumer, CONSUMER, dict.fromkeys(_LOCAL_OF_CONSUMER, _LOCAL)),
}


def client(name: str, cluster: Cluster) -> Any:
    """Return a client of a class in ``ALL``. Call it inside an event loop."""
    settings: dict[str, Any] = {"bootstrap_servers": cluster.bootstrap}
    if name == "AIOKafkaAdminClient":
        settings["request_timeout_ms"] = int(1000 * PATIENCE)
    if name == "AIOKafkaProducer":
        settings["transactional_id"] = cluster.name("aiokafka")
    if name == "AIOKafkaConsumer":
        settings |= {"group_id": cluster.name("reader"), "auto_offset_reset": "earliest", "enable_auto_commit": False}
    return ALL[name].client(**settings)
