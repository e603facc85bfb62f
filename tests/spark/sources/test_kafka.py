"""Frames of Spark's own ``kafka`` source, in batches and as streams: commits that a real broker wrote, and copies of them."""

from __future__ import annotations

import base64
import json
import struct
import subprocess
import sys
import time
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from tests.broker import Cluster
from tests.broker.tools import JavaTools
from tests.oracle.jars import maven_jars

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from tests.spark.support.kafka_source_queries import CUT, OFFSETS, OLD_VERSION, Task
from tests.spark.support.processes import START_SECONDS, spark_environment

pytestmark = [pytest.mark.spark]

TESTS: Final = Path(__file__).parents[2]
COMMITTED: Final = {0: 4, 1: 0, 2: 3}
"""The offsets of a topic's partitions that each group commits."""
ERRORS: Final = {"_error", "_raw"}

Row = dict[str, Any]
Pair = tuple[str | None, str | None]


@dataclass(frozen=True)
class Found:
    """What was committed, what Java's consumer reads of it, and what Spark does; bytes are hex."""

    group: str
    topic_id: str
    milliseconds: range
    """When it was committed, since 1970."""
    records: dict[tuple[int, int], Pair]
    """Keys and values of the commits by partition and offset, as Java's consumer reads them."""
    copies: list[Pair]
    batch: list[Row]
    stream: list[Row]
    topics_by_default: list[str]

    @property
    def commits(self) -> list[Row]:
        """The rows that brokers wrote."""
        return [row for row in self.batch if row["topic"] == OFFSETS]

    @property
    def messages(self) -> list[Row]:
        """All rows that have a message which can be read."""
        return [row for row in self.batch if row["value"] is not None and row["message"]["_error"] is None]

    @property
    def damaged(self) -> list[Row]:
        """The rows with a message that cannot be read."""
        return [row for row in self.batch if row["value"] is not None and row["message"]["_error"] is not None]


@pytest.fixture(scope="module")
def found(broker: Cluster, java_tools: JavaTools, tmp_path_factory: pytest.TempPathFactory) -> Found:
    group = f"kafka-source-{uuid.uuid4().hex[:8]}"
    copies = f"{group}-copies"
    folder = tmp_path_factory.mktemp("kafka-source")
    began = time.time_ns() // 1_000_000
    commit(broker, java_tools, group, folder / "offsets.csv")
    ended = time.time_ns() // 1_000_000
    java_tools.call("createTopics", broker, topics=[{"name": copies}])
    described = java_tools.call("describeTopics", broker, topics=[group, OFFSETS, copies])
    task = Task(
        bootstrap_servers=broker.bootstrap(),
        jars=str(maven_jars("spark-kafka", TESTS / "spark" / "support" / "spark_kafka.pom.xml")),
        folder=str(folder),
        group=group,
        copies=copies,
        partitions={
            topic: [each["partition"] for each in described[topic]["partitions"]] for topic in (OFFSETS, copies)
        },
    )
    by_spark = run(task)
    records = {
        (record["partition"], record["offset"]): pair(record)
        for record in java_tools.call("consume", broker, topics=[OFFSETS])
        if is_commit_of(group, base64.b64decode(record["key"] or ""))
    }
    copied = [pair(record) for record in java_tools.call("consume", broker, topics=[copies])]
    return Found(group, described[group]["id"], range(began, ended + 1), records, copied, **by_spark)


def commit(broker: Cluster, java_tools: JavaTools, group: str, offsets: Path) -> None:
    """Lets two groups commit offsets of a topic that has the name of the first one, and deletes the second one."""
    java_tools.call("createTopics", broker, topics=[{"name": group, "partitions": len(COMMITTED)}])
    records = [{"topic": group, "partition": partition} for partition in COMMITTED for _ in range(5)]
    java_tools.call("produce", broker, records=records)
    offsets.write_text("".join(f"{group},{partition},{offset}\n" for partition, offset in COMMITTED.items()))
    for arguments in (
        ["--group", group, "--reset-offsets", "--from-file", str(offsets), "--execute"],
        ["--group", f"{group}-deleted", "--reset-offsets", "--from-file", str(offsets), "--execute"],
        ["--group", f"{group}-deleted", "--delete"],
    ):
        done = java_tools.run("kafka-consumer-groups", "--bootstrap-server", broker.bootstrap(), *arguments)
        assert (done.exit, done.err) == (0, "")


def run(task: Task) -> dict[str, Any]:
    """What the program of queries prints."""
    command = [sys.executable, "-m", "tests.spark.support.kafka_source_queries", json.dumps(asdict(task))]
    done = subprocess.run(
        command,
        cwd=TESTS.parent,
        env=spark_environment(),
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


def is_commit_of(group: str, key: bytes) -> bool:
    return key.startswith(b"\0\1") and group.encode() in key


def pair(record: Row) -> Pair:
    """Key and value of what Java's consumer gives."""
    key, value = (None if data is None else base64.b64decode(data).hex() for data in (record["key"], record["value"]))
    return key, value


def without_errors(message: Row) -> Row:
    """A decoded message, which has to be without errors, without the columns for them."""
    assert (message["_error"], message["_raw"]) == (None, None)
    return {name: value for name, value in message.items() if name not in ERRORS}


def test_the_frame_has_the_records_that_a_consumer_reads(found: Found) -> None:
    assert {(row["partition"], row["offset"]): (row["key"], row["value"]) for row in found.commits} == found.records
    assert len(found.records) == 3 * len(COMMITTED)


def test_a_stream_writes_the_rows_of_a_batch(found: Found) -> None:
    assert found.stream == found.batch
    assert {row["topic"] for row in found.stream} == {OFFSETS, f"{found.group}-copies"}


def test_from_internal_topic_tells_what_was_committed(found: Found) -> None:
    values: dict[tuple[str, int], int] = {}
    tombstones: set[tuple[str, int]] = set()
    for row in found.commits:
        record = row["record"]
        assert (record["recordType"], record["keyVersion"], record["_error"]) == ("OffsetCommit", 1, None)
        key, value = record["OffsetCommit"]["key"], record["OffsetCommit"]["value"]
        place = (key["group"], key["partition"])
        assert key["topic"] == found.group
        assert record["isTombstone"] == (value is None)
        if value is None:
            tombstones.add(place)
            continue
        assert value["commitTimestamp"] in found.milliseconds
        values[place] = value["offset"]
        rest = {"leaderEpoch": -1, "metadata": "", "expireTimestamp": None, "topicId": found.topic_id}
        assert value == rest | {name: value[name] for name in ("offset", "commitTimestamp")}
    deleted = f"{found.group}-deleted"
    assert values == {(group, at): offset for group in (found.group, deleted) for at, offset in COMMITTED.items()}
    assert tombstones == {(deleted, partition) for partition in COMMITTED}


def test_messages_are_the_same_by_each_function(found: Found) -> None:
    assert found.commits
    for row in found.commits:
        value = row["record"]["OffsetCommit"]["value"]
        if value is None:
            assert (row["version"], row["message"], row["ofColumn"]) == (None, None, None)
        else:
            assert without_errors(row["message"]) == value
            assert without_errors(row["ofColumn"]) == value
    assert all(row["ofColumn"] == row["message"] for row in found.batch)


def test_versions_are_those_of_the_column(found: Found) -> None:
    messages = {(row["key"], row["version"]): without_errors(row["ofColumn"]) for row in found.messages}
    (newest,) = {version for _, version in messages if version != OLD_VERSION}
    for key in {key for key, _ in messages}:
        assert messages[key, OLD_VERSION] == messages[key, newest] | {"topicId": None}
    assert len(messages) == 2 * 2 * len(COMMITTED)


def test_damaged_records_say_where_and_stop_nothing(found: Found) -> None:
    assert len(found.damaged) == 2 * len(COMMITTED)
    for row in found.damaged:
        # The id of the topic is what a value ends with.
        offset = len(row["body"]) // 2 + CUT - 16
        error = {"message": f"16 bytes are needed, but only {16 - CUT} are left", "path": "topic_id", "offset": offset}
        for decoded in (row["message"], row["ofColumn"]):
            assert (decoded["_error"], decoded["_raw"]) == (error, row["body"])
            assert {value for name, value in decoded.items() if name not in ERRORS} == {None}
        assert row["encoded"]["value"] is None
        assert "_error" in row["encoded"]["_error"]["message"]


def test_messages_are_encoded_to_the_bytes_that_they_came_from(found: Found) -> None:
    assert found.messages
    for row in found.batch:
        if row["message"] is None or row["message"]["_error"] is None:
            assert row["encoded"] == {"value": row["body"], "_error": None}


def test_frames_of_encoded_messages_can_be_written_to_kafka(found: Found) -> None:
    same = list(found.records.values())
    old: list[Pair] = []
    damaged: list[Pair] = []
    for row in found.commits:
        if row["message"] is not None:
            offset, milliseconds = row["message"]["offset"], row["message"]["commitTimestamp"]
            old.append((row["key"], struct.pack(">hqihq", OLD_VERSION, offset, -1, 0, milliseconds).hex()))
            damaged.append((row["key"], row["value"][: -2 * CUT]))
    assert sorted(map(str, found.copies)) == sorted(map(str, [*same, *old, *damaged]))


def test_records_of_other_topics_are_none_of_an_internal_one(found: Found) -> None:
    copies = [row["record"] for row in found.batch if row["topic"] != OFFSETS]
    assert {record["_error"]["path"] for record in copies} == {"topic"}


def test_the_source_passes_over_internal_topics_unless_told_otherwise(found: Found) -> None:
    assert found.topics_by_default == [f"{found.group}-copies"], "docs/internal-topics.md says that it takes a setting"
