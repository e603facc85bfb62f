"""The lag of commits equals the lag on a real broker at that time, for emptied, compacted and purged topics."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition  # type: ignore[import-untyped]
from aiokafka.admin import AIOKafkaAdminClient, NewTopic, RecordsToDelete  # type: ignore[import-untyped]

from messagegen_arrow import consumer_lag_history, read_log
from messagegen_kafka import OffsetCommitRequest, OffsetCommitResponse
from messagegen_kafka.offset_commit_request import OffsetCommitRequestPartition, OffsetCommitRequestTopic
from tests.broker import java
from tests.broker.cluster import Cluster
from tests.broker.waiting import eventually

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("broker")]

PROPERTIES = {
    "log.retention.check.interval.ms": "200",
    "log.initial.task.delay.ms": "200",
    "log.cleaner.backoff.ms": "200",
}
COMPACTED = {
    "cleanup.policy": "compact",
    "min.cleanable.dirty.ratio": "0.01",
    "segment.ms": "200",
    "delete.retention.ms": "0",
}
TOPICS: dict[str, dict[str, str]] = {
    "whole": {},
    "never": {},
    "emptied": {"retention.ms": "2000"},
    "purged-repartition": {"retention.ms": "-1"},
    "compacted": COMPACTED,
}
GROUP = "billing"
VERSION = 8


@dataclass(frozen=True)
class Committed:
    """An offset, and the end offset that the broker returned right after the commit."""

    topic: str
    offset: int
    end: int


class Client:
    """A client that writes, commits and requests end offsets."""

    def __init__(self, bootstrap: str) -> None:
        self._bootstrap = bootstrap
        self.commits: list[Committed] = []
        self.written: dict[tuple[str, int], int] = {}
        """The timestamps of records, in milliseconds, by topic and offset."""

    async def __aenter__(self) -> Self:
        self._admin = AIOKafkaAdminClient(bootstrap_servers=self._bootstrap)
        self._producer = AIOKafkaProducer(bootstrap_servers=self._bootstrap, linger_ms=0)
        self._consumer = AIOKafkaConsumer(
            bootstrap_servers=self._bootstrap, group_id=GROUP, enable_auto_commit=False, auto_offset_reset="earliest"
        )
        for each in (self._admin, self._producer, self._consumer):
            await each.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._consumer.stop()
        await self._producer.stop()
        await self._admin.close()

    async def create_topics(self) -> None:
        topics = [NewTopic(name, 1, 1, topic_configs=configs) for name, configs in TOPICS.items()]
        await self._admin.create_topics(topics)
        self._consumer.assign([TopicPartition(name, 0) for name in TOPICS])

    async def write(self, topic: str, count: int, *, key: bytes = b"k") -> None:
        for number in range(count):
            sent = await self._producer.send_and_wait(topic, b"%d" % number, key=key)
            self.written[topic, sent.offset] = sent.timestamp
        # Times in logs are whole milliseconds, so wait until the next one.
        await asyncio.sleep(0.005)

    async def commit(self, topic: str, offset: int) -> None:
        partition = TopicPartition(topic, 0)
        if offset >= 0:
            await self._consumer.commit({partition: offset})
        else:
            self._commit_none(topic, offset)
        self.commits.append(Committed(topic, offset, await self.end(topic)))
        await asyncio.sleep(0.005)

    def _commit_none(self, topic: str, offset: int) -> None:
        """Commit a negative offset with a raw request, because the client refuses it, but the broker does not."""
        partition = OffsetCommitRequestPartition(partition_index=0, committed_offset=offset)
        topics = (OffsetCommitRequestTopic(name=topic, partitions=(partition,)),)
        request = OffsetCommitRequest(group_id=GROUP, generation_id_or_member_epoch=-1, topics=topics)
        host, port = self._bootstrap.split(":")
        with socket.create_connection((host, int(port)), timeout=30) as connection:
            connection.sendall(request.encode_frame(version=VERSION, correlation_id=1))
            with connection.makefile("rb") as answers:
                size = answers.read(4)
                frame = size + answers.read(int.from_bytes(size, "big"))
        _, response = OffsetCommitResponse.decode_frame(frame, version=VERSION)
        assert response.topics[0].partitions[0].error_code == 0

    async def end(self, topic: str) -> int:
        (end,) = (await self._consumer.end_offsets([TopicPartition(topic, 0)])).values()
        return int(end)

    async def purge(self, topic: str, before: int) -> None:
        await self._admin.delete_records({TopicPartition(topic, 0): RecordsToDelete(before)})


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A broker that soon empties and compacts its topics."""
    with Cluster(tmp_path_factory.mktemp("cleaning"), properties=PROPERTIES) as cluster:
        yield cluster


async def traffic(bootstrap: str, folder: Path) -> Client:
    """Write to each topic, commit in between, and wait until the broker has deleted the expected records."""
    async with Client(bootstrap) as client:
        await client.create_topics()
        await client.commit("never", 0)
        await client.commit("emptied", 0)
        await client.write("emptied", 4)
        await client.commit("emptied", 2)
        await client.commit("whole", -1)
        for topic in ("whole", "purged-repartition", "compacted"):
            for step in range(4):
                await client.write(topic, 3)
                await client.commit(topic, 3 * step + 1)
            await client.commit(topic, 12)
        await client.purge("purged-repartition", 12)
        await client.write("purged-repartition", 1)
        await client.commit("purged-repartition", 13)
        await client.purge("purged-repartition", 13)
        # A segment is cleaned once a newer segment exists.
        await asyncio.sleep(0.3)
        await client.write("compacted", 1, key=b"other")
        await client.commit("compacted", 13)
        await client.commit("whole", 25)
    eventually(lambda: first_offset(folder / "compacted-0") > 0)
    eventually(lambda: [each.stat().st_size for each in (folder / "emptied-0").glob("*.log")] == [0])
    return client


def first_offset(folder: Path) -> int:
    """Return the offset of the first remaining record."""
    rows = pa.table(read_log(folder, columns=["offset"], mode="DROPMALFORMED"))
    return int(rows.column("offset")[0].as_py()) if rows.num_rows else 0


def test_end_offsets_equal_the_offsets_of_the_broker(cluster: Cluster) -> None:
    folder = cluster.log_dir()
    client = asyncio.run(traffic(cluster.bootstrap(), folder))
    commits = client.commits
    rows = pa.table(consumer_lag_history(folder, folder)).to_pylist()
    assert len(rows) == len(commits)
    # All commits of a group are in the same partition of __consumer_offsets, so their order is kept.
    for row, commit in zip(rows, commits, strict=True):
        found = (row["topic"], row["offset"], row["endOffset"], row["lag"])
        offset = None if commit.offset < 0 else commit.offset
        assert found[:2] == (commit.topic, offset)
        if commit.topic == "compacted" and row["endOffset"] is None:
            assert row["lag"] is None
        elif commit.topic == "emptied" and commit.offset == 0:
            # The end is the current end, because the log contains nothing from the time of this commit.
            assert found[2:] == (4, 4)
        else:
            assert found[2:] == (commit.end, None if offset is None else commit.end - offset)
    assert [row["lag"] for row in rows if row["topic"] == "whole"] == [None, 2, 2, 2, 2, 0, -13]
    assert [row["lag"] for row in rows if row["topic"] == "purged-repartition"] == [2, 2, 2, 2, 0, 0]
    assert [row["lag"] for row in rows if row["topic"] == "emptied"] == [4, 2]
    assert [row["lagMs"] for row in rows if row["topic"] == "emptied"] == [None, None]
    for row in rows:
        if row["topic"] in ("whole", "purged-repartition"):
            assert row["lagMs"] == expected_lag_in_time(row, client.written)


def expected_lag_in_time(row: dict[str, Any], written: dict[tuple[str, int], int]) -> int | None:
    """Return the age of the first record after the commit, from the producer's own notes."""
    if row["lag"] == 0:
        return 0
    timestamp = written.get((row["topic"], row["offset"]))
    if timestamp is None:
        return None
    committed: float = row["commitTimestamp"].timestamp()
    return round(committed * 1000) - timestamp


def test_the_last_lag_equals_the_output_of_kafka_consumer_groups(cluster: Cluster) -> None:
    folder = cluster.log_dir()
    last = {row["topic"]: row for row in pa.table(consumer_lag_history(folder, folder)).to_pylist()}
    printed = java.tool(
        "kafka-consumer-groups", "--bootstrap-server", cluster.bootstrap(), "--describe", "--group", GROUP
    )
    theirs = {}
    for line in printed.splitlines():
        match line.split():
            case [group, topic, "0", offset, end, lag, *_] if group == GROUP:
                theirs[topic] = (offset, end, lag)
    assert sorted(theirs) == sorted(TOPICS)
    ours = {topic: (str(row["offset"]), str(row["endOffset"]), str(row["lag"])) for topic, row in last.items()}
    assert ours == theirs
