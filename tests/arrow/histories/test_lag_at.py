"""The lag at a time: the commits of the groups and the ends of the partitions at that time."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka as kafka
from messagegen_arrow import consumer_lag_history
from tests.arrow.support.history_data import log_rows, second
from tests.arrow.support.internal_records import OFFSETS, Record, coordinator_record
from tests.arrow.support.log_data import TIME, Batch, Data, write_segment


def commit(offset: int | None, at: int, group: str = "billing", partition: int = 0) -> Record:
    """Return a commit at a second of the log of ``orders``; an offset of ``None`` means a deletion."""
    key = {"group": group, "topic": "orders", "partition": partition}
    value = None
    if offset is not None:
        value = kafka.OffsetCommitValue(offset=offset, commit_timestamp=TIME + 1000 * at)
    return coordinator_record(OFFSETS, "OffsetCommit", key, value, 3)


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    """A partition that got a record every second for ten seconds."""
    batches = [Batch(offset, [Data()], base_timestamp=TIME + 1000 * offset).encode() for offset in range(10)]
    write_segment(tmp_path / "orders-0", 0, batches)
    return tmp_path / "orders-0"


def lag_at(at: datetime | int | str, ends: Path | None, *commits: Record) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pa.table(consumer_lag_history(log_rows(commits), ends, at=at)).to_pylist()
    return found


def test_the_lag_of_a_stopped_group_grows(orders: Path) -> None:
    commits = [commit(2, 1), commit(3, 2), commit(8, 9)]
    names = ("offset", "endOffset", "lag", "lagMs")
    found = {at: [tuple(row[name] for name in names) for row in lag_at(second(at), orders, *commits)] for at in (2, 8)}
    # The first record after the commit is from second 3.
    assert found == {2: [(3, 3, 0, 0)], 8: [(3, 9, 6, 5000)]}


def test_commits_to_a_deleted_topic_get_no_end_offsets_of_the_recreated_topic(orders: Path) -> None:
    def of_topic(topic_id: UUID, offset: int, at: int) -> Record:
        key = {"group": "billing", "topic": "orders", "partition": 0}
        value = kafka.OffsetCommitValue(offset=offset, commit_timestamp=TIME + 1000 * at, topic_id=topic_id)
        return coordinator_record(OFFSETS, "OffsetCommit", key, value, 4)

    earlier, later = UUID(int=1), UUID(int=2)
    (orders / "partition.metadata").write_text("version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAg")
    records = [of_topic(earlier, 60, at=1), of_topic(later, 3, at=5), commit(4, 6)]
    history = pa.table(consumer_lag_history(log_rows(records), orders)).to_pylist()
    assert [(row["endOffset"], row["lag"]) for row in history] == [(None, None), (6, 3), (7, 3)]
    (row,) = lag_at(second(2), orders, *records)
    assert (row["offset"], row["endOffset"], row["lag"], row["lagMs"]) == (60, None, None, None)

    (orders / "partition.metadata").write_text("version: 0\ntopic_id: " + "A" * 4000)
    (no_id,) = lag_at(second(2), orders, *records)
    (orders / "partition.metadata").unlink()
    (row,) = lag_at(second(2), orders, *records)
    assert row == no_id
    assert (row["offset"], row["endOffset"], row["lag"]) == (60, None, None)  # by the ids in the commits
    os.mkfifo(orders / "partition.metadata")
    assert lag_at(second(2), orders, *records) == [row]


def test_rows_are_sorted_by_group_and_topic_and_partition(orders: Path) -> None:
    commits = [commit(1, 1, "shipping"), commit(1, 1, partition=1), commit(1, 1), commit(2, 2, partition=1)]
    found = [(row["group"], row["partition"], row["offset"]) for row in lag_at(second(3), orders, *commits)]
    assert found == [("billing", 0, 1), ("billing", 1, 2), ("shipping", 0, 1)]


def test_deleted_and_later_commits_are_ignored() -> None:
    # A deletion has the time of its record, which is in 1970.
    commits = [commit(1, 1, "gone"), commit(1, 5, "later"), commit(None, 1, "gone")]
    assert lag_at(second(4), None, *commits) == []


def test_topics_of_share_groups_are_distinguished_by_id() -> None:
    def start(offset: int, topic: UUID) -> Record:
        key = {"group_id": "workers", "topic_id": topic, "partition": 0}
        return coordinator_record(
            "__share_group_state", "ShareUpdate", key, kafka.ShareUpdateValue(start_offset=offset)
        )

    first, second_ = UUID(int=1), UUID(int=2)
    found = lag_at(TIME, None, start(1, first), start(5, second_), start(3, first))
    assert sorted(row["offset"] for row in found) == [3, 5]


@pytest.mark.parametrize("at", [second(2), TIME + 2000, "2023-11-14T22:13:22Z"])
def test_times_can_be_datetimes_or_milliseconds_or_texts(at: datetime | int | str) -> None:
    assert [row["offset"] for row in lag_at(at, None, commit(1, 2), commit(2, 3))] == [1]


def test_a_time_needs_a_zone() -> None:
    with pytest.raises(ValueError, match="missing time zone in '2023-11-14T22:13'"):
        lag_at("2023-11-14T22:13", None, commit(1, 2))
    naive = datetime(2023, 11, 14)  # noqa: DTZ001 - that is what is refused
    advice = r"missing time zone in datetime.datetime(2023, 11, 14, 0, 0): write datetime(..., tzinfo=UTC), or use"
    with pytest.raises(ValueError, match=re.escape(advice)):
        lag_at(naive, None, commit(1, 2))


def test_transactional_offsets_are_ignored_until_the_transaction_ends(tmp_path: Path) -> None:
    records = [commit(1, 0), commit(2, 1)]
    batches = [
        Batch(
            offset,
            [Data(record.value, record.key)],
            base_timestamp=TIME + 1000 * offset,
            producer_id=7 if offset else -1,
            transactional=offset > 0,
        ).encode()
        for offset, record in enumerate(records)
    ]
    end = Data(bytes(6), b"\0\0\0\1")
    last = Batch(2, [end], base_timestamp=TIME + 5000, producer_id=7, transactional=True, control=True).encode()
    write_segment(tmp_path / f"{OFFSETS}-0", 0, [*batches, last])
    found = [pa.table(consumer_lag_history(tmp_path, at=second(at))).column("offset").to_pylist() for at in (0, 4, 5)]
    assert found == [[1], [1], [2]]


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 1), st.none() | st.integers(0, 9)), max_size=12),
    st.integers(0, 13),
)
def test_the_lag_at_a_time_equals_the_last_history_row_until_that_time(
    written: list[tuple[str, int, int | None]], at: int
) -> None:
    start = datetime(1970, 1, 1, tzinfo=UTC)
    commits = []
    for number, (group, partition, offset) in enumerate(written):
        key = {"group": group, "topic": "orders", "partition": partition}
        value = None if offset is None else kafka.OffsetCommitValue(offset=offset, commit_timestamp=1000 * number)
        commits.append(coordinator_record(OFFSETS, "OffsetCommit", key, value, 3))
    last: dict[tuple[str, int], int | None] = {}
    for group, partition, offset in written[: at + 1]:
        last[group, partition] = offset

    found = lag_at(start + timedelta(seconds=at), None, *commits)
    assert {(row["group"], row["partition"]): row["offset"] for row in found} == {
        key: offset for key, offset in last.items() if offset is not None
    }
