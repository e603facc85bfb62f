"""Commits by group and time, and their lag, without Spark."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import messagegen_kafka as kafka
from messagegen_arrow import (
    ColumnStream,
    HistoryCounts,
    MalformedMessageError,
    consumer_lag_history,
    metadata_history,
)
from messagegen_arrow.log.errors import LogPathError
from messagegen_kafka.share_group_state_partition_metadata_value import TopicPartitionsInfo
from tests.arrow.support.history_data import EPOCH, ORDERS, ORDERS_ID, at_second, log_rows, write_log
from tests.arrow.support.internal_records import OFFSETS, Record, coordinator_record, int16
from tests.arrow.support.log_data import TIME, Batch, Data, marker, write_segment

SHARES = "__share_group_state"
COLUMNS = {
    "group": pa.string(),
    "groupType": pa.string(),
    "topic": pa.string(),
    "partition": pa.int32(),
    "offset": pa.int64(),
    "leaderEpoch": pa.int32(),
    "metadata": pa.string(),
    "commitTimestamp": pa.timestamp("us", "UTC"),
    "expireTimestamp": pa.timestamp("us", "UTC"),
    "isTombstone": pa.bool_(),
    "previousOffset": pa.int64(),
    "delta": pa.int64(),
    "endOffset": pa.int64(),
    "lag": pa.int64(),
    "lagMs": pa.int64(),
    "topicId": pa.string(),
    "logTopic": pa.string(),
    "logPartition": pa.int32(),
    "logOffset": pa.int64(),
    "logTimestamp": pa.timestamp("us", "UTC"),
}


def commit(offset: int | None, group: str = "billing", second: int = 0, version: int = 3, **more: Any) -> Record:
    """Return a commit, or the tombstone of a commit, at a second since 1970."""
    key = {"group": group, "topic": more.pop("topic", "orders"), "partition": 0}
    value = None
    if offset is not None:
        value = kafka.OffsetCommitValue(offset=offset, commit_timestamp=second * 1000, **more)
    return coordinator_record(OFFSETS, "OffsetCommit", key, value, version)


def cut_off(record: Record) -> Record:
    return Record(record.topic, record.key, (record.value or b"")[:-1])


def share(name: str, value: Any) -> Record:
    key = {"group_id": "workers", "topic_id": ORDERS, "partition": 0}
    return coordinator_record(SHARES, name, key, value)


def rows_of(*arguments: Any, **options: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pa.table(consumer_lag_history(*arguments, **options)).to_pylist()
    return rows


def ends_of(*ends: int, topic: str = "orders") -> pa.Table:
    """Return an end offset for each second."""
    rows = [
        {"topic": topic, "partition": 0, "endOffset": end, "timestamp": at_second(at)} for at, end in enumerate(ends)
    ]
    return pa.Table.from_pylist(rows)


def test_each_commit_has_the_offset_of_the_previous_commit() -> None:
    expiring = commit(10, second=1, version=1, expire_timestamp=9000)
    records = [expiring, commit(3, "audits"), commit(25, metadata="m", leader_epoch=4), commit(None), commit(30)]
    history = rows_of(log_rows(records))
    names = ("group", "offset", "previousOffset", "delta", "isTombstone")
    assert [tuple(row[name] for name in names) for row in history] == [
        ("billing", 10, None, None, False),
        ("audits", 3, None, None, False),
        ("billing", 25, 10, 15, False),
        ("billing", None, 25, None, True),
        ("billing", 30, None, None, False),
    ]
    first, _, third, fourth, _ = history
    assert (first["expireTimestamp"], first["commitTimestamp"]) == (at_second(9), at_second(1))
    assert (third["metadata"], third["leaderEpoch"], third["expireTimestamp"]) == ("m", 4, None)
    assert (first["leaderEpoch"], fourth["metadata"], fourth["commitTimestamp"]) == (None, None, None)
    assert {(row["topic"], row["partition"], row["lag"], row["endOffset"], row["groupType"]) for row in history} == {
        ("orders", 0, None, None, None)
    }
    assert fourth["logTimestamp"] == EPOCH + timedelta(seconds=3)


def test_legacy_offset_commits_are_included() -> None:
    key = {"group": "old", "topic": "orders", "partition": 0}
    value = kafka.LegacyOffsetCommitValue(offset=5, metadata="long ago", commit_timestamp=1000)
    (row,) = rows_of(log_rows([coordinator_record(OFFSETS, "LegacyOffsetCommit", key, value)]))
    assert (row["group"], row["offset"], row["metadata"], row["leaderEpoch"]) == ("old", 5, "long ago", None)


def test_the_last_record_decides_the_group_type() -> None:
    classic = coordinator_record(OFFSETS, "GroupMetadata", {"group": "billing"}, kafka.GroupMetadataValue(), 3)
    no_classic = coordinator_record(OFFSETS, "GroupMetadata", {"group": "billing"})
    value = kafka.ConsumerGroupMetadataValue()
    consumer = coordinator_record(OFFSETS, "ConsumerGroupMetadata", {"group_id": "billing"}, value)
    streams = coordinator_record(OFFSETS, "StreamsGroupMetadata", {"group_id": "totals"})
    commits = [commit(1), commit(1, "totals"), commit(1, "plain")]
    # Records after the commits count, too.
    rows = rows_of(log_rows([classic, *commits, consumer, no_classic, streams]))
    assert {row["group"]: row["groupType"] for row in rows} == {
        "billing": "consumer",
        "totals": "streams",
        "plain": None,
    }


def test_share_groups_have_start_offsets() -> None:
    topics = kafka.ShareGroupStatePartitionMetadataValue(
        initialized_topics=(TopicPartitionsInfo(topic_id=ORDERS, topic_name="orders", partitions=(0,)),)
    )
    name = coordinator_record(OFFSETS, "ShareGroupStatePartitionMetadata", {"group_id": "workers"}, topics)
    states = [
        share("ShareSnapshot", kafka.ShareSnapshotValue(start_offset=-1, write_timestamp=1000)),
        share("ShareUpdate", kafka.ShareUpdateValue(start_offset=4, delivery_complete_count=0)),
        share("ShareUpdate", kafka.ShareUpdateValue(start_offset=-1, delivery_complete_count=3)),
        # Brokers before 4.2 do not count finished records, so kafka-share-groups shows no lag.
        share("ShareUpdate", kafka.ShareUpdateValue(start_offset=5)),
        share("ShareSnapshot", None),
        share("ShareUpdate", kafka.ShareUpdateValue(start_offset=-1)),
    ]
    ends = ends_of(10).drop_columns("timestamp")
    history = rows_of(pa.concat_tables([log_rows(states), log_rows([name])]), ends)
    names = ("topic", "offset", "previousOffset", "lag", "isTombstone", "groupType")
    assert [tuple(row[name] for name in names) for row in history] == [
        ("orders", 4, None, 6, False, "share"),
        ("orders", 4, 4, 3, False, "share"),
        ("orders", 5, 4, None, False, "share"),
        ("orders", None, 5, None, True, "share"),
    ]
    assert {(row["group"], row["logTopic"], row["topicId"]) for row in history} == {("workers", SHARES, ORDERS_ID)}


def test_lag_is_measured_at_the_time_of_the_commit() -> None:
    commits = [commit(0, second=0), commit(2, second=4), commit(20, second=5), commit(8, second=100), commit(None)]
    history = rows_of(log_rows([*commits, commit(1, "later", second=-1)]), ends_of(*range(1, 11)))
    # In second n, the end offset is n + 1. A commit without a time has the time of its record.
    assert [(row["offset"], row["endOffset"], row["lag"]) for row in history] == [
        (0, 1, 1),
        (2, 5, 3),
        (20, 6, -14),
        (8, 10, 2),
        (None, 5, None),
        (1, 6, 5),
    ]


def test_the_highest_earlier_end_offset_is_used_in_any_row_order() -> None:
    ends = ends_of(3, 9, 4, 12).take([3, 1, 0, 2])
    at = [0, 1, 2, 3]
    history = rows_of(log_rows([commit(1, second=each) for each in at]), ends)
    assert [row["endOffset"] for row in history] == [3, 9, 9, 12]


def test_lag_is_null_if_the_end_offset_is_unknown() -> None:
    ends = ends_of(5, topic="payments")
    (row,) = rows_of(log_rows([commit(1)]), ends)
    assert (row["endOffset"], row["lag"]) == (None, None)
    (row,) = rows_of(log_rows([commit(1, second=1)]), ends_of(5).slice(0, 0))
    assert row["lag"] is None
    with pytest.raises(ValueError, match="no column endOffset; the columns are topic, partition, timestamp"):
        consumer_lag_history(log_rows([commit(1)]), ends.drop_columns("endOffset"))


def test_rows_that_cannot_be_read_are_counted() -> None:
    counts = HistoryCounts()
    history = consumer_lag_history(
        log_rows([commit(1), Record(OFFSETS, int16(99), int16(0)), commit(2)]), counts=counts
    )
    for _ in range(2):  # A second reading counts anew.
        assert len(pa.table(history)) == 2
        assert (counts.rows, counts.malformed) == (3, 1)


@pytest.mark.parametrize("history", [consumer_lag_history, metadata_history])
def test_unreadable_records_are_left_out_of_a_history(history: Callable[..., ColumnStream]) -> None:
    rows = log_rows([commit(1)])
    with pytest.raises(
        ValueError, match="expected mode DROPMALFORMED or FAILFAST, not 'permissive'; rows of a history have no _error"
    ):
        history(rows, mode="permissive")
    assert history(rows, mode="failfast").schema == history(rows).schema
    with pytest.raises(ValueError, match="the log has no column offset: read it with read_log"):
        history(rows.drop_columns("offset"))


def test_failfast_errors_of_histories_recommend_dropmalformed() -> None:
    with pytest.raises(
        MalformedMessageError, match=r"mode DROPMALFORMED leaves such records out; .*messagegen-data dump shows them"
    ):
        list(consumer_lag_history(log_rows([cut_off(commit(2))]), mode="FAILFAST"))


def test_truncated_records_are_not_deletions() -> None:
    commits = rows_of(log_rows([commit(1), cut_off(commit(2)), commit(3)]))
    assert [(row["offset"], row["previousOffset"]) for row in commits] == [(1, None), (3, 1)]


# Folders.


def orders(count: int) -> list[Record]:
    return [Record("orders", None, b"an order")] * count


def of_second(offset: int | None, at: int = 0, topic: str = "orders") -> Record:
    """Return a commit that was made ``at`` seconds after the start of the log."""
    return commit(offset, second=TIME // 1000 + at, topic=topic)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A broker's logs: a topic with a record every second, and commits with a deletion and an unreadable record."""
    folder = tmp_path / "logs"
    group = coordinator_record(OFFSETS, "GroupMetadata", {"group": "billing"}, kafka.GroupMetadataValue(), 3)
    commits = [of_second(2, at=4), cut_off(of_second(1)), of_second(5, at=6), of_second(None), of_second(9, at=20)]
    write_log(folder / "__consumer_offsets-7", [group, *commits, of_second(1, topic="gone")])
    write_log(folder / "orders-0", orders(10))
    return folder


def lags(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(row["logOffset"], row["offset"], row["endOffset"], row["lag"]) for row in rows]


LAGS = [(1, 2, 5, 3), (3, 5, 7, 2), (4, None, 5, None), (5, 9, 10, 1), (6, 1, None, None)]
"""The expected lag. A record is written every second, so five exist at second 4. The deletion is from second 4."""


@pytest.mark.parametrize("name", ["{}/orders-0/00000000000000000000.log", "{}/ord*", "file://{}", "{}"])
def test_end_offsets_are_read_from_folders_and_files_and_patterns(name: str, logs: Path) -> None:
    assert lags(rows_of(logs, name.format(logs))) == LAGS


def test_all_records_of_a_batch_have_the_same_end_offset(logs: Path, tmp_path: Path) -> None:
    records = [Data(b"an order", timestamp_delta=1000 * at) for at in range(10)]
    write_segment(tmp_path / "ends" / "orders-0", 0, [Batch(0, records).encode()])
    found = rows_of(logs, tmp_path / "ends")
    # The last record of the batch is from second 9, so the batch was written then. The first commits exceed the end at
    # their time, which is impossible, so their ends are unknown.
    assert [row["endOffset"] for row in found] == [None, None, 0, 10, None]


def test_end_offsets_are_read_despite_damaged_batches(logs: Path, tmp_path: Path) -> None:
    shutil.copytree(logs / "orders-0", tmp_path / "ends" / "orders-0")
    segment = tmp_path / "ends" / "orders-0" / "00000000000000000000.log"
    damaged = bytearray(Batch(10, [Data(b"an order")], base_timestamp=TIME + 10_000).encode())
    damaged[-3] ^= 1
    last = Batch(11, [Data(b"an order")], base_timestamp=TIME + 11_000).encode()
    segment.write_bytes(segment.read_bytes() + damaged + last)
    assert lags(rows_of(logs, tmp_path / "ends")) == [*LAGS[:3], (5, 9, 12, 3), LAGS[4]]
    write_log(tmp_path / "good" / "__consumer_offsets-0", [of_second(1)])
    with pytest.raises(MalformedMessageError, match="mode DROPMALFORMED leaves such batches out"):
        list(consumer_lag_history(tmp_path / "good", tmp_path / "ends", "failfast"))


def test_an_open_transaction_hides_only_its_own_commits(tmp_path: Path) -> None:
    def batch(at: int, record: Record, producer: int = -1) -> bytes:
        data = [Data(record.value, record.key)]
        return Batch(at, data, producer_id=producer, transactional=producer >= 0).encode()

    batches = [batch(0, commit(1)), batch(1, commit(2), 5), batch(2, commit(3)), batch(3, commit(4), 6)]
    segment = write_segment(tmp_path / "__consumer_offsets-7", 0, [*batches, marker(4, 6, commit=True)])
    assert [(row["logOffset"], row["offset"]) for row in rows_of(segment)] == [(0, 1), (2, 3), (3, 4)]


def test_other_topics_and_several_replicas_of_a_partition_are_refused(logs: Path, tmp_path: Path) -> None:
    with pytest.raises(LogPathError, match="no __consumer_offsets in"):
        consumer_lag_history(logs / "orders-0")
    copy = tmp_path / "other broker" / "__consumer_offsets-7"
    shutil.copytree(logs / "__consumer_offsets-7", copy)
    with pytest.raises(LogPathError, match="are replicas of the same partition: pass the logs of one broker only"):
        consumer_lag_history([logs, copy.parent])
