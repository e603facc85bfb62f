"""Makes a topic with everything that makes offsets hard to map, and groups that have read parts of the topic."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import confluent_kafka
import confluent_kafka.admin
import pyarrow as pa

from messagegen_arrow import read_log
from tests.broker.offsets_script import commit
from tests.broker.records import create_topics
from tests.broker.waiting import eventually

TOPIC: Final = "orders"
PARTITIONS: Final = 3
COMPACTED: Final = {
    "cleanup_policy": "compact",
    "min_cleanable_dirty_ratio": "0.01",
    "segment_ms": "200",
    "retention_ms": "-1",
}
QUICK_CLEANER: Final = {"log.initial.task.delay.ms": "200", "log.cleaner.backoff.ms": "200"}
"""Properties of the broker that make the log cleaner run often."""
METADATA: Final = "AgAAAYvP5Rpo"
"""The metadata that Kafka Streams commits with its offsets: a version and a time, in base64."""
LONG_AGO: Final = 1_600_000_000_000
"""A time in milliseconds since 1970."""
HEADERS: Final = [("number", b"\x00\x01"), ("number", b""), ("käse", None)]
_REPEATED: Final = 20
"""The number of records whose keys are repeated."""
_KEYS: Final = 3
_OTHER_KEYS: Final = 2
_SEGMENT_SECONDS: Final = 0.3
_TRANSACTION_MS: Final = 600_000

# The module has no type annotations for this part.
_ADMIN: Any = confluent_kafka.admin


@dataclass
class Traffic:
    """Writes records, and commits offsets for groups."""

    bootstrap: str
    folder: Path
    """The log folder of the broker."""
    open_producers: list[Any] = field(default_factory=list)
    """Producers in the middle of a transaction. Without a reference, they would be closed."""

    def __post_init__(self) -> None:
        self._admin = _ADMIN.AdminClient({"bootstrap.servers": self.bootstrap})

    def run(self) -> None:
        """Write all records and commits."""
        create_topics(self.bootstrap, {TOPIC: PARTITIONS}, **COMPACTED)
        self._gaps_of_compaction()
        self._transactions()
        self._plain_records()
        self._open_transaction()
        self._groups()

    def _gaps_of_compaction(self) -> None:
        """Write partition 0, which keeps its first record and loses most later records."""
        producer = self._producer()
        self._send(producer, 0, key=b"first", value=b"first")
        for number in range(_REPEATED):
            self._send(producer, 0, key=b"k%d" % (number % _KEYS), value=b"%d" % number)
        producer.flush()
        # A segment is cleaned once a newer segment exists.
        time.sleep(_SEGMENT_SECONDS)
        self._send(producer, 0, key=b"last", value=b"last")
        producer.flush()
        eventually(lambda: self._records_left() == _KEYS + _OTHER_KEYS)
        policy = _ADMIN.ConfigEntry("cleanup.policy", "delete", incremental_operation=_ADMIN.AlterConfigOpType.SET)
        resource = _ADMIN.ConfigResource(_ADMIN.ResourceType.TOPIC, TOPIC, incremental_configs=[policy])
        self._admin.incremental_alter_configs([resource])[resource].result()

    def _records_left(self) -> int:
        log = read_log(self.folder, topics=TOPIC, partitions="0", columns=["offset"], mode="DROPMALFORMED")
        return int(pa.table(log).num_rows)

    def _transactions(self) -> None:
        """Write partition 1: offsets 0 to 2 and 9 to 11 are committed, 4 to 7 aborted, and 3, 8 and 12 are markers."""
        producer = self._producer(transactional_id="orders-writer")
        producer.init_transactions()
        for name, count, is_committed in (("first", 3, True), ("aborted", 4, False), ("second", 3, True)):
            producer.begin_transaction()
            for number in range(count):
                self._send(producer, 1, key=b"%d" % number, value=name.encode())
            producer.flush()
            if is_committed:
                producer.commit_transaction()
            else:
                producer.abort_transaction()

    def _plain_records(self) -> None:
        producer = self._producer(compression_type="lz4")
        for partition in range(PARTITIONS):
            self._send(producer, partition, key=None, value=b"no key", timestamp=LONG_AGO)
            self._send(producer, partition, key=b"tombstone", value=None, headers=HEADERS)
            self._send(producer, partition, key=b"", value=b"", headers=[("number", b"%d" % partition)])
        producer.flush()

    def _open_transaction(self) -> None:
        """Write partition 2: records of a producer that died, followed by records of other producers."""
        producer = self._producer(transactional_id="orders-crashed", transaction_timeout_ms=str(_TRANSACTION_MS))
        producer.init_transactions()
        producer.begin_transaction()
        self._send(producer, 2, key=b"open", value=b"open")
        producer.flush()
        self.open_producers.append(producer)
        others = self._producer()
        self._send(others, 2, key=b"behind", value=b"an open transaction")
        others.flush()

    def _groups(self) -> None:
        """Commit offsets at the edges of gaps, inside gaps, and at ends."""
        ends = self._ends()
        self._commit_with_metadata("billing", {0: 5, 1: 5, 2: 1})
        self._commit("shipping", {0: 0, 1: ends[1]})
        # The later commit of a group counts.
        self._commit("returns", {0: ends[0], 1: 13})
        self._commit("returns", {0: ends[0] - 1, 1: 9, 2: 0})
        self._commit("deleted", {0: 3})
        self._admin.delete_consumer_groups(["deleted"])["deleted"].result()
        self._commit_in_transactions("streaming", committed={1: 3, 2: 2}, aborted={1: 14})

    def _commit(self, group: str, offsets: Mapping[int, int]) -> None:
        consumer: Any = confluent_kafka.Consumer({"bootstrap.servers": self.bootstrap, "group.id": group})
        consumer.commit(offsets=_places(offsets), asynchronous=False)
        consumer.close()

    def _commit_with_metadata(self, group: str, offsets: Mapping[int, int]) -> None:
        # Metadata of confluent-kafka would end with a zero byte.
        commit(self.bootstrap, group, {(TOPIC, partition): (offset, METADATA) for partition, offset in offsets.items()})

    def _commit_in_transactions(self, group: str, *, committed: Mapping[int, int], aborted: Mapping[int, int]) -> None:
        consumer: Any = confluent_kafka.Consumer({"bootstrap.servers": self.bootstrap, "group.id": group})
        producer = self._producer(transactional_id="streaming-writer")
        producer.init_transactions()
        member = consumer.consumer_group_metadata()
        producer.begin_transaction()
        producer.send_offsets_to_transaction(_places(committed), member)
        producer.commit_transaction()
        producer.begin_transaction()
        producer.send_offsets_to_transaction(_places(aborted), member)
        producer.abort_transaction()
        consumer.close()

    def _ends(self) -> dict[int, int]:
        consumer: Any = confluent_kafka.Consumer({"bootstrap.servers": self.bootstrap, "group.id": "nobody"})
        ends = {
            partition: consumer.get_watermark_offsets(confluent_kafka.TopicPartition(TOPIC, partition))[1]
            for partition in range(PARTITIONS)
        }
        consumer.close()
        return ends

    def _producer(self, **settings: str) -> Any:
        given = {name.replace("_", "."): value for name, value in settings.items()}
        return confluent_kafka.Producer({"bootstrap.servers": self.bootstrap, "linger.ms": 0, **given})

    def _send(self, producer: Any, partition: int, **record: Any) -> None:
        producer.produce(TOPIC, partition=partition, **record)


def _places(offsets: Mapping[int, int]) -> list[Any]:
    return [confluent_kafka.TopicPartition(TOPIC, partition, offset) for partition, offset in offsets.items()]


def next_records(bootstrap: str, group: str, topic: str) -> dict[int, Any]:
    """Return the record after the group's commit in each partition; ``None`` at the end.

    A record is its key, value and headers.
    """
    settings = {
        "bootstrap.servers": bootstrap,
        "group.id": group,
        "isolation.level": "read_committed",
        "enable.auto.commit": False,
        "enable.partition.eof": True,
        # If a commit is out of range, raise an error instead of reading the first or last record.
        "auto.offset.reset": "error",
    }
    consumer: Any = confluent_kafka.Consumer(settings)
    places = [confluent_kafka.TopicPartition(topic, partition) for partition in range(PARTITIONS)]
    committed = [place for place in consumer.committed(places, timeout=30) if place.offset >= 0]
    consumer.assign([confluent_kafka.TopicPartition(topic, place.partition) for place in committed])
    found: dict[int, Any] = {}

    def has_all() -> bool:
        message = consumer.poll(0.1)
        if message is not None and message.partition() not in found:
            found[message.partition()] = _content(message)
        return len(found) == len(committed)

    eventually(has_all)
    consumer.close()
    return found


def _content(message: Any) -> Any:
    error = message.error()
    if error is None:
        return message.key(), message.value(), message.headers() or []
    assert error.code() == confluent_kafka.KafkaError._PARTITION_EOF, error  # noqa: SLF001 - its public name
    return None
