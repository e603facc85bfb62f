"""The lag of commits to a topic that was deleted, and created again under the same name."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa
import pytest

import messagegen_kafka as kafka
from messagegen_arrow import consumer_lag_history, read_log
from tests.arrow.support.history_data import write_log
from tests.arrow.support.internal_records import OFFSETS, Record, coordinator_record, metadata_record
from tests.arrow.support.log_data import TIME, Batch, Data, write_segment

NO_ID, EARLIER, LATER = (UUID(int=number) for number in range(3))


def commit(offset: int | None, at: int, topic_id: UUID = NO_ID) -> Record:
    key = {"group": "billing", "topic": "orders", "partition": 0}
    value = None
    if offset is not None:
        value = kafka.OffsetCommitValue(offset=offset, commit_timestamp=TIME + 1000 * at, topic_id=topic_id)
    return coordinator_record(OFFSETS, "OffsetCommit", key, value, 4)


def lags(folder: Path, ends: Any = None) -> list[tuple[int | None, ...]]:
    history = consumer_lag_history(folder, folder if ends is None else ends)
    names = ("offset", "endOffset", "lag", "lagMs")
    return [tuple(row[name] for name in names) for row in pa.table(history).to_pylist()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A broker's folder with three records of the later topic ``orders``, from seconds 0 to 2."""
    write_log(tmp_path / "orders-0", [Record("orders", None, b"an order")] * 3)
    return tmp_path


def test_a_deleted_commit_before_the_first_record_has_no_lag(folder: Path) -> None:
    batches = [Batch(number, [Data()], base_timestamp=TIME + 4000).encode() for number in range(3)]
    write_segment(folder / "orders-0", 0, batches)
    write_log(folder / f"{OFFSETS}-0", [commit(7, at=0), commit(8, at=1), commit(None, at=2), commit(2, at=5)])
    assert lags(folder) == [(7, None, None, None), (8, None, None, None), (None, 0, None, None), (2, 3, 1, 1000)]
    # The commit counts as beyond the end if the topic had records at that time, or if no tombstone follows.
    write_log(folder / f"{OFFSETS}-0", [commit(7, at=0), commit(8, at=5), commit(9, at=6), commit(None, at=7)])
    assert [lag for _, _, lag, _ in lags(folder)] == [None, -5, -6, None]
    write_log(folder / f"{OFFSETS}-0", [commit(7, at=0)])
    assert [lag for _, _, lag, _ in lags(folder)] == [-7]


def test_the_last_of_several_tombstones_counts(folder: Path) -> None:
    write_segment(folder / "orders-0", 0, [Batch(0, [Data()], base_timestamp=TIME + 4000).encode()])
    write_log(folder / f"{OFFSETS}-0", [commit(7, at=0), commit(None, at=1), commit(8, at=2), commit(None, at=3)])
    assert [lag for _, _, lag, _ in lags(folder)] == [None] * 4


def test_a_commit_before_the_creation_of_the_topic_has_no_lag(folder: Path) -> None:
    write_log(folder / f"{OFFSETS}-0", [commit(7, at=0), commit(2, at=5)])
    before = lags(folder)
    created = [kafka.TopicRecord(name="orders", topic_id=each) for each in (EARLIER, LATER)]
    write_log(folder / "__cluster_metadata-0", [metadata_record(each) for each in created])
    assert lags(folder) == [(7, None, None, None), before[1]]
    # The commit at the second of the creation counts.
    write_log(folder / f"{OFFSETS}-0", [commit(7, at=1)])
    assert lags(folder)[0][2] == -5


def test_the_creation_of_a_topic_with_a_different_id_is_ignored(folder: Path) -> None:
    write_log(folder / f"{OFFSETS}-0", [commit(7, at=0)])
    (folder / "orders-0" / "partition.metadata").write_text("version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAg")
    record = metadata_record(kafka.TopicRecord(name="orders", topic_id=EARLIER))
    write_log(folder / "__cluster_metadata-0", [record] * 2)
    assert lags(folder)[0][2] == -6


def test_commits_with_an_earlier_topic_id_have_no_lag(folder: Path) -> None:
    write_log(folder / f"{OFFSETS}-0", [commit(7, 1, EARLIER), commit(2, 2, LATER)])
    rows = read_log(folder / "orders-0")
    for ends in (None, rows):
        assert lags(folder, ends) == [(7, None, None, None), (2, 3, 1, 0)]


def test_commits_with_an_earlier_topic_id_have_no_lag_in_time(folder: Path) -> None:
    """The end offset at the time of the commits is unknown, because records are missing before the last one."""
    times = {0: 0, 1: 5000, 9: 9000}
    batches = [Batch(base, [Data()], base_timestamp=TIME + time).encode() for base, time in times.items()]
    write_segment(folder / "orders-0", 0, batches)
    write_log(folder / f"{OFFSETS}-0", [commit(1, 8, EARLIER), commit(1, 8, LATER)])
    assert lags(folder) == [(1, None, None, None), (1, None, None, 3000)]


def test_commits_with_the_topic_id_of_the_logs_have_a_lag_even_if_the_topic_was_created_again(folder: Path) -> None:
    (folder / "orders-0" / "partition.metadata").write_text("version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ")
    write_log(folder / f"{OFFSETS}-0", [commit(2, 2, EARLIER), commit(7, 3, LATER)])
    assert lags(folder) == [(2, 3, 1, 0), (7, None, None, None)]
