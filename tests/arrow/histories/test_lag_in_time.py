"""``lagMs`` is how long the first record after a commit had been waiting for its reader."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka as kafka
from messagegen_arrow import consumer_lag_history
from messagegen_arrow.histories.consumer_lag.write_times import WriteTimes
from tests.arrow.support.history_data import ORDERS, at_second, log_rows
from tests.arrow.support.internal_records import OFFSETS, Record, coordinator_record
from tests.arrow.support.log_data import TIME, Batch, Data, write_segment

START = TIME // 1000
"""The second that the logs of these tests begin in."""
NANOSECONDS = TIME * 1_000_000


def commit(offset: int | None, at: int) -> Record:
    """Return a commit at a second after ``START``."""
    key = {"group": "billing", "topic": "orders", "partition": 0}
    value = None
    if offset is not None:
        value = kafka.OffsetCommitValue(offset=offset, commit_timestamp=(START + at) * 1000)
    return coordinator_record(OFFSETS, "OffsetCommit", key, value, 3)


def batch(offset: int, *seconds: int, time: int | None = None) -> bytes:
    """Return a batch with a record for each second after ``START``, or with a record from ``time`` in milliseconds."""
    base = TIME + 1000 * seconds[0] if time is None else time
    records = [Data(timestamp_delta=1000 * (each - seconds[0])) for each in seconds]
    return Batch(offset, records, base_timestamp=base).encode()


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    return tmp_path / "data" / "orders-0"


def lags(ends: Path | pa.Table | None, *commits: Record) -> list[tuple[int | None, int | None]]:
    """Return the lag of each commit, in records and in milliseconds."""
    rows = pa.table(consumer_lag_history(log_rows(commits), ends)).to_pylist()
    return [(row["lag"], row["lagMs"]) for row in rows]


def test_lag_in_time_is_measured_from_the_batch_after_the_commit(orders: Path) -> None:
    write_segment(orders, 0, [batch(0, 0), batch(1, 2, 5), batch(3, 8)])
    # The batch with records 1 and 2 has the timestamp of its last record.
    assert lags(orders, commit(0, 1), commit(1, 6), commit(2, 9), commit(3, 30)) == [
        (1, 1000),
        (2, 1000),
        (2, 4000),
        (1, 22_000),
    ]


def test_lag_in_time_is_zero_after_the_last_record(orders: Path) -> None:
    write_segment(orders, 0, [batch(0, 0), batch(1, 20)])
    assert lags(orders, commit(1, 10), commit(2, 30)) == [(0, 0), (0, 0)]


def test_a_commit_without_a_known_end_has_no_lag_in_time(orders: Path) -> None:
    write_segment(orders, 0, [batch(0, 0)])
    assert lags(None, commit(0, 1)) == [(None, None)]
    assert lags(orders, commit(None, 1), commit(-1, 1), commit(5, 1)) == [(None, None), (None, None), (-4, None)]


def test_an_older_timestamp_after_a_newer_record_is_ignored(orders: Path) -> None:
    a_day_ago = -24 * 3600
    write_segment(orders, 0, [batch(0, 0), batch(1, 10), batch(2, a_day_ago), batch(3, 12)])
    # Record 2 was created a day ago, but written after record 1.
    assert lags(orders, commit(2, 20)) == [(2, 10_000)]
    assert lags(orders, commit(1, 20)) == [(3, 10_000)]


def test_timestamps_later_than_the_commit_do_not_count(orders: Path) -> None:
    tomorrow = 24 * 3600
    write_segment(orders, 0, [batch(0, 0), batch(1, tomorrow), batch(2, 12), batch(3, 14)])
    # Record 1 existed at second 20, with a timestamp of tomorrow: its real time is unknown.
    assert lags(orders, commit(1, 20), commit(2, 20), commit(3, 20)) == [(3, None), (2, 8000), (1, 6000)]


def test_lag_in_time_is_null_without_a_possible_timestamp(orders: Path) -> None:
    write_segment(orders, 0, [batch(0, 0), batch(1, 0, time=NANOSECONDS), batch(2, 0, time=-1), batch(3, 9)])
    assert lags(orders, commit(1, 20), commit(2, 20), commit(3, 20)) == [(3, None), (2, None), (1, 11_000)]


def test_lag_in_time_is_null_if_the_next_record_is_gone(orders: Path) -> None:
    write_segment(orders, 4, [batch(4, 4), batch(8, 8)])
    write_segment(orders, 15, [])
    asked = [commit(offset, 20) for offset in (2, 4, 5, 8, 9, 15)]
    assert lags(orders, *asked) == [(13, None), (11, 16_000), (10, None), (7, 12_000), (6, None), (0, 0)]


def test_lag_in_time_is_null_before_the_end_of_an_emptied_partition(orders: Path) -> None:
    write_segment(orders, 9, [])
    assert lags(orders, commit(9, 1), commit(4, 2)) == [(0, 0), (5, None)]


def test_lag_in_time_is_known_before_the_end_of_a_rolled_segment(orders: Path) -> None:
    write_segment(orders, 0, [batch(0, 0), batch(1, 5)])
    write_segment(orders, 2, [])
    assert lags(orders, commit(1, 8)) == [(1, 3000)]


def test_lag_in_time_is_known_even_if_the_end_offset_is_unknown(orders: Path) -> None:
    write_segment(orders, 0, [batch(0, 0), batch(1, 5), batch(9, 9)])
    assert lags(orders, commit(1, 8)) == [(None, 3000)]


def test_lag_in_time_can_be_computed_from_rows_of_end_offsets() -> None:
    rows = [(10, 0), (10, 5), (20, 10), (20, 15), (30, 20)]
    columns = {"topic": "orders", "partition": 0}
    ends = pa.Table.from_pylist(
        [{**columns, "endOffset": end, "timestamp": at_second(START + at)} for end, at in reversed(rows)]
    )
    # Before the first row, the times of records are unknown.
    assert lags(ends, commit(4, 12), commit(10, 12), commit(10, 21), commit(25, 21), commit(10, 6)) == [
        (16, None),
        (10, 2000),
        (20, 11_000),
        (5, 1000),
        (0, 0),
    ]
    assert lags(ends.drop_columns("timestamp"), commit(10, 12), commit(30, 12)) == [(20, None), (0, 0)]


def test_lag_of_share_groups_is_measured_from_their_start_offset(orders: Path) -> None:
    write_segment(orders, 0, [batch(0, 0), batch(1, 2), batch(2, 4)])
    topics = kafka.ShareGroupStatePartitionMetadataValue(
        initialized_topics=(
            kafka.share_group_state_partition_metadata_value.TopicPartitionsInfo(
                topic_id=ORDERS, topic_name="orders", partitions=(0,)
            ),
        )
    )
    name = coordinator_record(OFFSETS, "ShareGroupStatePartitionMetadata", {"group_id": "workers"}, topics)
    key = {"group_id": "workers", "topic_id": ORDERS, "partition": 0}
    # Before Kafka 4.2, finished records after the start were not counted.
    snapshots = [
        kafka.ShareSnapshotValue(start_offset=1, delivery_complete_count=done, write_timestamp=TIME + 9000)
        for done in (0, 2, -1)
    ]
    states = [coordinator_record("__share_group_state", "ShareSnapshot", key, each) for each in snapshots]
    log = pa.concat_tables([log_rows(states), log_rows([name])])
    rows = pa.table(consumer_lag_history(log, orders)).to_pylist()
    assert [(row["lag"], row["lagMs"]) for row in rows] == [(2, 7000), (0, 0), (None, 7000)]


@dataclass
class Written:
    """The time of writing and the timestamp of a batch with one record."""

    time: int
    timestamp: int


@st.composite
def batches(draw: st.DrawFn) -> list[Written]:
    """Return batches whose timestamps equal their time of writing, or are older."""
    times = sorted(draw(st.lists(st.integers(0, 50), min_size=1, max_size=10)))
    return [Written(time, time - draw(st.sampled_from([0, 0, 7, 100]))) for time in times]


@given(batches(), st.integers(0, 10), st.integers(0, 60))
def test_the_time_of_a_record_is_the_highest_timestamp_up_to_it(log: list[Written], offset: int, time: int) -> None:
    times = WriteTimes()
    latest = -1000
    for index, each in enumerate(log):
        times.add(index + 1, each.timestamp, latest)
        latest = max(latest, each.timestamp)
    found = times.at(time, offset)
    if offset >= len(log):
        assert found is None
    elif log[offset].time <= time:
        assert found is not None
        assert found == max(each.timestamp for each in log[: offset + 1]) <= log[offset].time
