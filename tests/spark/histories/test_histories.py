"""Histories of records that Spark has read equal the histories that a single machine makes."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pyarrow as pa
import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from pyspark.sql import Observation

import messagegen_arrow
import messagegen_kafka as kafka
from messagegen_kafka.share_group_state_partition_metadata_value import TopicPartitionsInfo
from messagegen_spark import metadata_history
from tests.arrow.support.history_data import ORDERS, write_log
from tests.arrow.support.internal_records import OFFSETS, Record, coordinator_record, int16, metadata_record
from tests.arrow.support.log_data import TIME, Batch, Data, write_segment
from tests.spark.support.page import examples

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

Log = Callable[..., "DataFrame"]

EPOCH_OF_LOG = datetime.fromtimestamp(TIME // 1000, UTC)
SECOND = timedelta(seconds=1)
SHARES, METADATA = "__share_group_state", "__cluster_metadata"


def commit(offset: int | None, group: str, topic: str, partition: int, at: int) -> Record:
    key = {"group": group, "topic": topic, "partition": partition}
    value = None if offset is None else kafka.OffsetCommitValue(offset=offset, commit_timestamp=TIME + 1000 * at)
    return coordinator_record(OFFSETS, "OffsetCommit", key, value, 3)


def commits() -> list[Record]:
    """Return commits of busy groups. Other records of the coordinator come before and after them."""
    groups = ("billing", "audits")
    made = [commit(None if at % 11 == 10 else at, groups[at % 2], f"t{at % 7}", at % 3, at % 60) for at in range(200)]
    made.append(commit(5, "billing", "orders", 0, 4))
    consumer = coordinator_record(
        OFFSETS, "ConsumerGroupMetadata", {"group_id": "billing"}, kafka.ConsumerGroupMetadataValue()
    )
    classic = coordinator_record(OFFSETS, "GroupMetadata", {"group": "billing"}, kafka.GroupMetadataValue(), 3)
    named = TopicPartitionsInfo(topic_id=ORDERS, topic_name="orders", partitions=(0,))
    topics = kafka.ShareGroupStatePartitionMetadataValue(initialized_topics=(named,))
    names = coordinator_record(OFFSETS, "ShareGroupStatePartitionMetadata", {"group_id": "workers"}, topics)
    return [classic, *made, consumer, names, Record(OFFSETS, int16(99), int16(0))]


def states_of_shares() -> list[Record]:
    key = {"group_id": "workers", "topic_id": ORDERS, "partition": 0}
    snapshot = kafka.ShareSnapshotValue(start_offset=1, write_timestamp=TIME)
    updates = [kafka.ShareUpdateValue(start_offset=start, delivery_complete_count=2) for start in (-1, 6, -1)]
    return [
        coordinator_record(SHARES, "ShareSnapshot", key, snapshot),
        *(coordinator_record(SHARES, "ShareUpdate", key, update) for update in updates),
        coordinator_record(SHARES, "ShareSnapshot", key),
    ]


def metadata() -> list[Record]:
    partition = kafka.PartitionRecord(partition_id=0, topic_id=ORDERS, replicas=(1, 2), isr=(1, 2), leader=1)
    config = kafka.ConfigRecord(resource_type=2, resource_name="orders", name="retention.ms", value="1")
    messages = [
        kafka.TopicRecord(name="orders", topic_id=ORDERS),
        partition,
        config,
        kafka.BeginTransactionRecord(name="t"),
        kafka.ClientQuotaRecord(key="producer_byte_rate", value=2e9),
        kafka.AbortTransactionRecord(),
        kafka.PartitionChangeRecord(partition_id=0, topic_id=ORDERS, leader=2),
        kafka.RemoveTopicRecord(topic_id=ORDERS),
        kafka.TopicRecord(name="orders", topic_id=UUID(int=2)),
    ]
    return [metadata_record(each) for each in messages]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of a broker with records for each history."""
    folder = tmp_path_factory.mktemp("histories") / "logs"
    write_log(folder / f"{OFFSETS}-7", commits())
    write_log(folder / f"{SHARES}-3", states_of_shares())
    write_log(folder / f"{METADATA}-0", metadata()[3:], first=3)
    write_log(folder / f"{METADATA}-0", metadata()[:3], name="00000000000000000003-0000000001.checkpoint")
    write_log(folder / "orders-0", [Record("orders", None, b"an order")] * 10)
    write_ends(folder / "ends")
    return folder


def write_ends(folder: Path) -> None:
    """Write the logs of the topics of ``commits``.

    Logs are emptied, compacted or whole, or have impossible times, or records below the log start offset.
    """

    def batch(offset: int, at: int | None, count: int = 2) -> bytes:
        time = TIME * 1_000_000 if at is None else TIME + 1000 * at
        return Batch(offset, [Data()] * count, base_timestamp=time).encode()

    for partition in range(3):
        write_segment(folder / f"t0-{partition}", 100 * partition, [])
        write_segment(folder / f"t1-{partition}", 0, [batch(2 * at, at) for at in range(0, 100, 1 + partition)])
        write_segment(folder / f"t2-{partition}", 0, [batch(2 * at, at if at % 9 < 5 else None) for at in range(100)])
        write_segment(folder / f"t3-{partition}", 50, [batch(50 + at, at, count=1) for at in range(40)])
        write_segment(folder / f"t3-{partition}", 90 + partition, [])
        write_segment(folder / f"t3-{partition}", 120, [])
        write_segment(folder / f"t4-{partition}", 0, [batch(2 * at, 100 - at) for at in range(100)])
        write_segment(folder / f"t5-{partition}", 0, [batch(at, None) for at in range(0, 20, 2)])
        write_segment(folder / f"t5-{partition}", 20 * partition, [])
    (folder / "log-start-offset-checkpoint").write_text("0\n1\nt1 0 80\n")


@pytest.fixture
def read(spark: SparkSession, logs: Path) -> Log:
    """Return a function that reads logs as a frame, in several tasks."""

    def load(*names: str, **options: str) -> DataFrame:
        reader = spark.read.format("kafka-log").option("includeControl", "true").option("minPartitions", "3")
        return reader.options(**options, paths=str([str(logs / name) for name in names]).replace("'", '"')).load()

    return load


def same(frame: DataFrame, stream: messagegen_arrow.ColumnStream) -> int:
    """Check that both have the same rows, and return their number."""
    expected = pa.table(stream)
    found = frame.toArrow()
    assert found.schema.names == expected.schema.names
    ours, theirs = (sorted(map(repr, table.cast(expected.schema).to_pylist())) for table in (found, expected))
    assert ours == theirs
    return len(ours)


def ends_of(consumed: DataFrame) -> pa.Table:
    """Return the ends of partitions, from the query on the page."""
    found = re.search(r'spark\.sql\("""(.*?)"""\)', examples()["Histories"], re.DOTALL)
    assert found
    return consumed.sparkSession.sql(found[1].replace("FROM consumed", "FROM {consumed}"), consumed=consumed).toArrow()


def in_order(log: DataFrame) -> pa.Table:
    return log.orderBy("topic", "partition", "offset").toArrow()


def told(stream: messagegen_arrow.ColumnStream) -> list[dict[str, Any]]:
    return sorted(pa.table(stream).to_pylist(), key=repr)


@pytest.mark.slow
@pytest.mark.parametrize("second", [None, 1, 25, 60])
@pytest.mark.parametrize("ends", ["ends", "orders-0", None])
def test_lag_from_spark_equals_lag_computed_without_spark(
    read: Log, logs: Path, second: int | None, ends: str | None
) -> None:
    at = None if second is None else EPOCH_OF_LOG + second * SECOND
    options = {"isolationLevel": "read_committed", "untilLastStableOffset": "false"}
    offsets = in_order(read(f"{OFFSETS}-7", f"{SHARES}-3", **options))
    consumed = None if ends is None else ends_of(read(ends, includeSegments="true", fromLogStart="false"))
    paths = [logs / f"{OFFSETS}-7", logs / f"{SHARES}-3"]
    expected = told(messagegen_arrow.consumer_lag_history(paths, None if ends is None else logs / ends, at=at))
    assert told(messagegen_arrow.consumer_lag_history(offsets, consumed, at=at)) == expected
    assert len(expected) == 206 if at is None else expected
    if ends == "ends" and at is None:
        assert {row["topic"] for row in expected if row["lag"] is not None} >= {"t0", "t1", "t2", "t3", "t4"}
        assert {row["topic"] for row in expected if (row["lagMs"] or 0) > 0} >= {"t1", "t2", "t3"}


def test_metadata_history_from_spark_equals_the_history_without_spark(read: Log, logs: Path) -> None:
    folder = f"{METADATA}-0"
    history = metadata_history(read(f"{folder}/{3:020}.log", f"{folder}/{3:020}-0000000001.checkpoint"))
    assert same(history, messagegen_arrow.metadata_history(logs)) == 12


@pytest.mark.slow
def test_snapshots_without_a_log_have_the_same_history_in_spark(read: Log, logs: Path) -> None:
    names = [f"{METADATA}-0/{3:020}-0000000001.checkpoint", "bootstrap.checkpoint"]
    write_log(logs, metadata()[:2], name="bootstrap.checkpoint")
    found = metadata_history(read(*names))
    assert same(found, messagegen_arrow.metadata_history([logs / name for name in names])) == 9


def test_permissive_mode_and_dataframes_without_offsets_are_refused(read: Log) -> None:
    frame = read("orders-0")
    with pytest.raises(ValueError, match="expected mode DROPMALFORMED or FAILFAST, not 'permissive'"):
        metadata_history(frame, mode="permissive")
    with pytest.raises(ValueError, match=r"the log has no column offset: read it with .*format\('kafka-log'\)"):
        metadata_history(frame.drop("offset"))


@pytest.mark.slow
def test_failfast_ends_a_history_at_a_malformed_record(spark: SparkSession, tmp_path: Path) -> None:
    record = metadata()[0]
    write_log(tmp_path / f"{METADATA}-0", [record, Record(METADATA, None, (record.value or b"")[:-1])])
    log = spark.read.format("kafka-log").load(str(tmp_path))
    with pytest.raises(Exception, match="the bytes end early"):
        metadata_history(log, mode="FAILFAST").collect()
    seen = Observation()
    assert metadata_history(log, observe=seen).count() == 1
    assert seen.get == {"rows": 2, "malformed": 1}
