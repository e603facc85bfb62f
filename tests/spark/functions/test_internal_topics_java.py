"""Internal topics as a real broker wrote them in this run, record by record beside what Apache's own tools say of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pytest

from messagegen_arrow.internal_topics.contents import Contents
from messagegen_arrow.internal_topics.reading import RecordBatch, RecordReader
from messagegen_arrow.records import record_reader
from messagegen_spark.histories import consumer_lag_history, end_offsets, metadata_history
from tests.broker.cluster import Cluster
from tests.broker.fixtures import BusyBroker
from tests.broker.tools import JavaTools

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("broker")]

_DUMPED: Final = re.compile(r"\| offset: (?P<offset>\d+) .*? headerKeys: \[[^]]*\] ?(?P<rest>.*)")
_COORDINATED: Final = re.compile(r"key: (?P<key>.*?) payload: (?P<value>.*)")
_SECRETS: Final = ("salt", "storedKey", "serverKey")
_DECODERS: Final = {
    "__consumer_offsets": "--offsets-decoder",
    "__transaction_state": "--transaction-log-decoder",
    "__share_group_state": "--share-group-state-decoder",
    "__cluster_metadata": "--cluster-metadata-decoder",
}


@pytest.fixture(scope="module")
def cluster(busy_broker: BusyBroker) -> Cluster:
    """A broker after traffic of all kinds, running, with snapshots of its metadata."""
    busy_broker.cluster.start_all()
    return busy_broker.cluster


def read_file(path: Path, topic: str) -> dict[int, dict[str, Any]]:
    """What we make of a segment or snapshot, by offset; content as JSON that was parsed."""
    reader = record_reader(path.read_bytes(), columns=["key", "value", "offset", "is_control"])
    internal = RecordReader(Contents.of(None))
    found: dict[int, dict[str, Any]] = {}
    while (table := reader.read(10_000)) is not None:
        batch = RecordBatch(
            keys=table.column("key"),
            values=table.column("value"),
            topics=pa.repeat(pa.scalar(topic), table.num_rows),
            is_control=table.column("is_control"),
        )
        decoded, malformed = internal.read(batch)
        assert not any(malformed.to_pylist()), decoded.to_pylist()
        for offset, row in zip(table.column("offset").to_pylist(), decoded.to_pylist(), strict=True):
            found[offset] = row | {part: row[part] and json.loads(row[part]) for part in ("key", "value")}
    return found


def dumped(tools: JavaTools, path: Path, topic: str) -> dict[int, str]:
    """What ``kafka-dump-log`` says of each record of a file, behind what it says of all."""
    result = tools.run("kafka-dump-log", "--files", str(path), _DECODERS[topic])
    assert result.exit == 0, result.err
    matches = map(_DUMPED.match, result.out.splitlines())
    return {int(match["offset"]): match["rest"] for match in matches if match}


def internal_files(cluster: Cluster) -> Iterator[tuple[str, Path]]:
    for folder in sorted(cluster.log_dir().glob("__*")):
        topic = folder.name.rsplit("-", 1)[0]
        for path in sorted([*folder.glob("*.log"), *folder.glob("*.checkpoint")]):
            yield topic, path


def test_dump_log_says_the_same_of_each_record(cluster: Cluster, java_tools: JavaTools) -> None:
    seen: dict[str, set[str]] = {topic: set() for topic in _DECODERS}
    snapshots = 0
    for topic, path in internal_files(cluster):
        theirs = dumped(java_tools, path, topic)
        # The broker writes on; what it wrote in between is only in ours.
        ours = read_file(path, topic)
        snapshots += path.suffix == ".checkpoint"
        assert set(theirs) <= set(ours)
        for offset, text in theirs.items():
            seen[topic].add(ours[offset]["recordType"])
            compare(ours[offset], text, topic)
    assert snapshots
    assert {topic: len(types) for topic, types in seen.items() if topic != "__consumer_offsets"} == {
        "__transaction_state": 1,
        "__share_group_state": 2,
        "__cluster_metadata": len(seen["__cluster_metadata"]),
    }
    assert {"TopicRecord", "PartitionRecord", "ClientQuotaRecord", "RemoveAccessControlEntryRecord"} < seen[
        "__cluster_metadata"
    ]
    assert {"LEADER_CHANGE", "SNAPSHOT_HEADER", "SNAPSHOT_FOOTER"} < seen["__cluster_metadata"]
    assert {"OffsetCommit", "GroupMetadata", "ConsumerGroupMetadata", "COMMIT"} < seen["__consumer_offsets"]
    assert {"ShareGroupMetadata", "StreamsGroupMetadata", "StreamsGroupTopology"} < seen["__consumer_offsets"]


def compare(row: dict[str, Any], text: str, topic: str) -> None:
    if text.startswith("endTxnMarker: "):
        epoch = row["value"]["coordinatorEpoch"]
        assert text == f"endTxnMarker: {row['recordType']} coordinatorEpoch: {epoch}"
    elif match := re.match(r"(LeaderChange|SnapshotHeader|SnapshotFooter|KRaftVersion|KRaftVoters):? (\{.*)", text):
        assert row["recordType"].replace("_", "").lower() == match[1].lower()
        assert row["value"] == json.loads(match[2])
    elif topic == "__cluster_metadata":
        said = json.loads(text.removeprefix("payload: "))
        assert said["type"] == re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[a-z])(?=[0-9])", "_", row["recordType"]).upper()
        assert said["version"] == row["valueVersion"]
        assert {name: each for name, each in said["data"].items() if name not in _SECRETS} == row["value"]
    else:
        compare_coordinated(row, text)


def compare_coordinated(row: dict[str, Any], text: str) -> None:
    match = _COORDINATED.match(text)
    assert match, text
    assert json.loads(match["key"]) == {"type": str(row["keyVersion"]), "data": row["key"]}
    if match["value"] == "<DELETE>":
        assert row["isTombstone"]
        return
    said = json.loads(match["value"])
    assert said["version"] == str(row["valueVersion"])
    assert said["data"] == as_upstream(row)


def as_upstream(row: dict[str, Any]) -> Any:
    """Upstream puts what a subscription means in place of its bytes; we put it beside them."""
    value = row["value"]
    if row["recordType"] != "GroupMetadata" or value["protocolType"] != "consumer":
        return value
    return value | {"members": [_member(each) for each in value["members"]]}


def _member(member: dict[str, Any]) -> dict[str, Any]:
    plain = {name: each for name, each in member.items() if name not in ("consumerSubscription", "consumerAssignment")}
    for name, message in (("subscription", "consumerSubscription"), ("assignment", "consumerAssignment")):
        found = member[message]
        assert found["_error"] is None
        # Fields that the version lacks are null here and absent there.
        lacking = {"ownedPartitions": 1, "generationId": 2, "rackId": 3} if name == "subscription" else {}
        plain[name] = {
            field: each
            for field, each in found.items()
            if field not in ("version", "_error") and found["version"] >= lacking.get(field, 0)
        }
    return plain


def kafka_log(spark: SparkSession, folder: Path, **options: str) -> DataFrame:
    # It needs PySpark, as the fixture does.
    from messagegen_spark.sources.log.source import KafkaLogDataSource  # noqa: PLC0415

    spark.dataSource.register(KafkaLogDataSource)
    return spark.read.format("kafka-log").options(includeControl="true", **options).load(str(folder))


@pytest.mark.spark
@pytest.mark.exhaustive
def test_the_last_lag_is_that_of_consumer_groups(cluster: Cluster, java_tools: JavaTools, spark: SparkSession) -> None:
    folder = cluster.log_dir()
    data = end_offsets(kafka_log(spark, folder, topicsPattern="[^_].*"))
    log = kafka_log(spark, folder, topics="__consumer_offsets,__share_group_state", isolationLevel="read_committed")
    history = consumer_lag_history(log, data.drop("timestamp"))
    rows = sorted(history.collect(), key=lambda row: row.logOffset)
    last = {(row.group, row.topic, row.partition): row for row in rows}
    found = {key: (row.offset, row.endOffset, row.lag) for key, row in last.items() if not row.isTombstone}
    described = java_tools.run(
        "kafka-consumer-groups", "--bootstrap-server", cluster.bootstrap(), "--describe", "--all-groups"
    )
    theirs = {}
    for line in described.out.splitlines():
        match line.split():
            case [group, topic, partition, offset, end, lag, *_] if offset.isdigit():
                theirs[group, topic, int(partition)] = (int(offset), int(end), int(lag))
    assert len(theirs) >= 8
    share = {key: found.pop(key) for key in [*found] if last[key].groupType == "share"}
    assert found == theirs
    assert [(key[0], key[1]) for key in share] == [("workers", "audit")]
    assert {row.groupType for row in rows} == {"classic", "consumer", "share"}


@pytest.mark.spark
def test_the_last_metadata_is_that_of_the_cluster(cluster: Cluster, java_tools: JavaTools, spark: SparkSession) -> None:
    history = metadata_history(kafka_log(spark, cluster.log_dir(), topics="__cluster_metadata"))
    rows = sorted(history.collect(), key=lambda row: (row.offset, row.place))
    state = {(row.subject, row.name, row.property): row.value for row in rows}
    now = {key: value for key, value in state.items() if value is not None}
    listed = java_tools.run("kafka-topics", "--bootstrap-server", cluster.bootstrap(), "--list").out.split()
    assert sorted(name for subject, name, _ in now if subject == "topic") == sorted(listed)
    described = java_tools.run("kafka-topics", "--bootstrap-server", cluster.bootstrap(), "--describe").out
    theirs = dict(re.findall(r"Topic: (\S+\tPartition: \d+)\tLeader: (\d+)", described))
    leaders = {
        name: value
        for (subject, name, property_), value in now.items()
        if (subject, property_) == ("partition", "leader")
    }
    assert leaders == {name.replace("\tPartition: ", "-"): leader for name, leader in theirs.items()}
    quotas = {(name, property_): value for (subject, name, property_), value in now.items() if subject == "quota"}
    assert quotas["client-id=reports,user=ann", "producer_byte_rate"] == "12345.0"
    assert ("client-id=reports,user=ann", "consumer_byte_rate") not in quotas
    assert [row.action for row in rows if row.name == "topic codec-none"] == ["created", "created", "removed"]
    assert [row.action for row in rows if (row.subject, row.name) == ("scram", "dave")] == ["created", "removed"]
    assert {row.value for row in rows if row.subject == "acl" and row.value} == {
        "User:ann ALLOW READ on TOPIC PREFIXED codec- from *",
        "User:bob DENY ALL on GROUP LITERAL billing from 192.0.2.7",
    }
    assert sorted(row.action for row in rows if row.subject == "acl") == ["created", "created", "removed"]
    # What upstream prints of the same log has the keys of these users.
    (path,) = (cluster.log_dir() / "__cluster_metadata-0").glob("*.log")
    printed = "".join(dumped(java_tools, path, "__cluster_metadata").values())
    secrets = re.findall(r'"(?:salt|storedKey|serverKey)":"([^"]+)"', printed)
    assert len(secrets) >= 6
    shown = " ".join(str(row) for row in rows)
    assert not [secret for secret in secrets if secret in shown]
