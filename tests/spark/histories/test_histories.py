"""Histories over DataFrames: Spark gives the rows that one machine gives."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import pyarrow as pa
import pytest

import messagegen_arrow
import messagegen_kafka as kafka
from messagegen_kafka.share_group_state_partition_metadata_value import TopicPartitionsInfo
from messagegen_spark.histories import consumer_lag_history, end_offsets, metadata_history
from tests.arrow.support.history_data import ORDERS, write_log
from tests.arrow.support.internal_records import OFFSETS, Record, coordinator_record, int16, metadata_record
from tests.arrow.support.log_data import TIME, Batch, Data, write_segment
from tests.spark.support.in_jvm import plans_of

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
    """Commits of busy groups, whose work several tasks share; what is said about the groups stands behind and before
    them.
    """
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
    """The logs of a broker with something for each history."""
    folder = tmp_path_factory.mktemp("histories") / "logs"
    write_log(folder / f"{OFFSETS}-7", commits())
    write_log(folder / f"{SHARES}-3", states_of_shares())
    write_log(folder / f"{METADATA}-0", metadata()[3:], first=3)
    write_log(folder / f"{METADATA}-0", metadata()[:3], name="00000000000000000003-0000000001.checkpoint")
    write_log(folder / "orders-0", [Record("orders", None, b"an order")] * 10)
    write_ends(folder / "ends")
    return folder


def write_ends(folder: Path) -> None:
    """The logs of topics that ``commits`` are of: emptied, compacted, below the log start, with impossible times, and
    whole.
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
    """A frame of logs, in several tasks."""

    def load(*names: str, **options: str) -> DataFrame:
        reader = spark.read.format("kafka-log").option("includeControl", "true").option("minPartitions", "3")
        return reader.options(**options, paths=str([str(logs / name) for name in names]).replace("'", '"')).load()

    return load


def same(frame: DataFrame, stream: messagegen_arrow.ColumnStream) -> int:
    """The number of rows, after a check that both have the same ones."""
    expected = pa.table(stream)
    found = frame.toArrow()
    assert found.schema.names == expected.schema.names
    ours, theirs = (sorted(map(repr, table.cast(expected.schema).to_pylist())) for table in (found, expected))
    assert ours == theirs
    return len(ours)


def test_lag_is_that_of_one_machine(read: Log, logs: Path) -> None:
    from pyspark.sql import Observation  # noqa: PLC0415 - PySpark is loaded by the fixture

    seen, counts = Observation(), messagegen_arrow.HistoryCounts()
    history = consumer_lag_history(read(f"{OFFSETS}-7", f"{SHARES}-3"), end_offsets(read("orders-0")), observe=seen)
    assert same(history, messagegen_arrow.consumer_lag_history(logs, logs / "orders-0", counts=counts)) == 206
    assert (seen.get["rows"], seen.get["malformed"]) == (counts.rows, counts.malformed) == (210, 1)


def test_ends_are_those_of_one_machine(read: Log, logs: Path) -> None:
    ends = end_offsets(read("ends", includeSegments="true", fromLogStart="false"))
    history = consumer_lag_history(read(f"{OFFSETS}-7", f"{SHARES}-3"), ends)
    expected = messagegen_arrow.consumer_lag_history(logs, logs / "ends")
    assert same(history, expected) == 206
    assert same(history, messagegen_arrow.consumer_lag_history(logs, ends.toArrow())) == 206
    told = pa.table(expected).to_pylist()
    known = {
        topic: [row for row in told if row["topic"] == topic and row["lag"] is not None]
        for topic in ("t0", "t1", "t2", "t3", "t4")
    }
    assert all(known.values())
    assert any(row["lag"] < 0 for row in known["t0"])
    waiting = {row["topic"] for row in told if (row["lagMs"] or 0) > 0}
    assert waiting >= {"t1", "t2", "t3"}


def test_lag_in_time_from_rows_of_ends_is_that_of_one_machine(spark: SparkSession, read: Log, logs: Path) -> None:
    # The end of each partition in every fifth second, which three seconds in a row may share.
    rows = [
        {
            "topic": f"t{topic}",
            "partition": partition,
            "endOffset": at // 15 * 40,
            "timestamp": EPOCH_OF_LOG + at * SECOND,
        }
        for topic in range(7)
        for partition in range(3)
        for at in range(0, 60, 5)
    ]
    ends = pa.Table.from_pylist(rows)
    history = consumer_lag_history(read(f"{OFFSETS}-7", f"{SHARES}-3"), spark.createDataFrame(ends))
    expected = messagegen_arrow.consumer_lag_history(logs, ends)
    assert same(history, expected) == 206
    assert any(pa.table(expected)["lagMs"].to_pylist())


TRANSACTIONAL = f"{OFFSETS}-8"


def write_transactions(folder: Path) -> None:
    """Commits of two transactions, one of which is aborted, and of one that has no end; a record a second."""
    committed, aborted, open_ = 7, 8, 9
    records = [
        (commit(1, "ledgers", "t1", 0, 0), -1),
        (commit(2, "ledgers", "t1", 0, 1), committed),
        (commit(3, "audits", "t1", 0, 2), aborted),
        (commit(4, "books", "t1", 0, 3), open_),
        (end_of_transaction(is_commit=True), committed),
        (end_of_transaction(is_commit=False), aborted),
        (commit(6, "ledgers", "t1", 0, 6), committed),
        (commit(None, "books", "t1", 0, 7), -1),
        (end_of_transaction(is_commit=True), committed),
    ]
    batches = []
    for offset, (record, producer) in enumerate(records):
        batch = Batch(
            offset,
            [Data(record.value, record.key)],
            base_timestamp=TIME + 1000 * offset,
            producer_id=producer,
            transactional=producer >= 0,
            control=record.is_control,
        )
        batches.append(batch.encode())
    write_segment(folder, 0, batches)


def end_of_transaction(*, is_commit: bool) -> Record:
    return Record(OFFSETS, int16(0) + int16(int(is_commit)), int16(0) + bytes(4), is_control=True)


@pytest.mark.parametrize("second", [1, 25, 60])
@pytest.mark.parametrize("ends", ["ends", "orders-0", None])
def test_lag_at_a_time_is_that_of_one_machine(read: Log, logs: Path, second: int, ends: str | None) -> None:
    at = EPOCH_OF_LOG + second * SECOND
    data = None if ends is None else end_offsets(read(ends, includeSegments="true", fromLogStart="false"))
    history = consumer_lag_history(read(f"{OFFSETS}-7", f"{SHARES}-3"), data, at=at)
    expected = messagegen_arrow.consumer_lag_history(
        [logs / f"{OFFSETS}-7", logs / f"{SHARES}-3"], None if ends is None else logs / ends, at=at
    )
    count = same(history, expected)
    held = {(row.group, row.topic, row.partition) for row in history.collect()}
    assert count == len(held) > 0


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (TIME - 1000, {}),
        (TIME + 1000, {"ledgers": 1}),
        ("2023-11-14T22:13:24Z", {"ledgers": 2}),
        (TIME + 7000, {"ledgers": 2}),
        (TIME + 60_000, {"ledgers": 6}),
    ],
)
def test_offsets_of_a_transaction_hold_from_its_end_on(
    spark: SparkSession, tmp_path: Path, at: int | str, expected: dict[str, int]
) -> None:
    write_transactions(tmp_path / TRANSACTIONAL)
    options = {"isolationLevel": "read_committed", "untilLastStableOffset": "false", "includeControl": "true"}
    log = spark.read.format("kafka-log").options(**options).load(str(tmp_path / TRANSACTIONAL))
    history = consumer_lag_history(log, at=at)
    assert same(history, messagegen_arrow.consumer_lag_history(tmp_path / TRANSACTIONAL, at=at)) == len(expected)
    assert {row.group: row.offset for row in history.collect()} == expected


def test_a_log_without_the_columns_of_transactions_has_none(read: Log, logs: Path) -> None:
    log = read(f"{OFFSETS}-7").drop("producerId", "isTransactional", "isControl")
    at = EPOCH_OF_LOG + 25 * SECOND
    assert same(consumer_lag_history(log, at=at), messagegen_arrow.consumer_lag_history(logs / f"{OFFSETS}-7", at=at))


def test_a_time_of_another_form_is_refused(read: Log) -> None:
    with pytest.raises(ValueError, match="missing time zone in '2023-11-14T22:13'"):
        consumer_lag_history(read(f"{OFFSETS}-7"), at="2023-11-14T22:13")


def test_the_log_is_read_and_shuffled_once(read: Log, logs: Path) -> None:
    history = consumer_lag_history(read(f"{OFFSETS}-7", f"{SHARES}-3"))
    assert same(history, messagegen_arrow.consumer_lag_history(logs)) == 206
    final = plans_of(history).partition("== Initial Plan ==")[0]
    assert (final.count("MapInArrow"), final.count(" Exchange "), final.count(" Window ")) == (1, 1, 3)


def test_metadata_is_that_of_one_machine(read: Log, logs: Path) -> None:
    folder = f"{METADATA}-0"
    history = metadata_history(read(f"{folder}/{3:020}.log", f"{folder}/{3:020}-0000000001.checkpoint"))
    assert same(history, messagegen_arrow.metadata_history(logs)) == 12


def test_snapshots_alone_are_those_of_one_machine(read: Log, logs: Path) -> None:
    names = [f"{METADATA}-0/{3:020}-0000000001.checkpoint", "bootstrap.checkpoint"]
    write_log(logs, metadata()[:2], name="bootstrap.checkpoint")
    found = metadata_history(read(*names))
    assert same(found, messagegen_arrow.metadata_history([logs / name for name in names])) == 9


@pytest.mark.parametrize("history", [consumer_lag_history, metadata_history])
def test_what_is_no_log_or_no_mode_is_refused(history: Callable[..., DataFrame], read: Log) -> None:
    frame = read("orders-0")
    with pytest.raises(ValueError, match="expected mode DROPMALFORMED or FAILFAST, not 'permissive'"):
        history(frame, mode="permissive")
    with pytest.raises(ValueError, match=r"the log has no column offset: read it with .*format\('kafka-log'\)"):
        history(frame.drop("offset"))
    ends = end_offsets(frame).drop("endOffset")
    with pytest.raises(ValueError, match="ends has no column endOffset; end_offsets makes them"):
        consumer_lag_history(frame, ends)


def test_the_first_record_that_cannot_be_read_ends_a_history(read: Log) -> None:
    with pytest.raises(Exception, match=r"unknown type|has no type 99"):
        consumer_lag_history(read(f"{OFFSETS}-7"), mode="FAILFAST").collect()
