"""The end offsets that a history compares with commits: ends that logs contain, and ends that are unknown."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka as kafka
from messagegen_arrow import consumer_lag_history, read_log
from messagegen_arrow.histories.consumer_lag.end_offsets import EndOffsets
from tests.arrow.support.history_data import log_rows, write_log
from tests.arrow.support.internal_records import OFFSETS, Record, coordinator_record
from tests.arrow.support.log_data import TIME, Batch, Data, marker, write_segment

NANOSECONDS = TIME * 1_000_000
MICROSECONDS = TIME * 1_000


def commit(offset: int, at: int) -> Record:
    """Return a commit that was made ``at`` seconds after ``TIME``."""
    key = {"group": "billing", "topic": "orders", "partition": 0}
    value = kafka.OffsetCommitValue(offset=offset, commit_timestamp=TIME + 1000 * at)
    return coordinator_record(OFFSETS, "OffsetCommit", key, value, 3)


def batch(offset: int, at: int, *, count: int = 1, time: int | None = None) -> bytes:
    """Return records written ``at`` seconds after ``TIME``, or at ``time`` in milliseconds."""
    return Batch(offset, [Data()] * count, base_timestamp=TIME + 1000 * at if time is None else time).encode()


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    return tmp_path / "data" / "orders-0"


def lags(ends: Path | pa.Table, *commits: Record) -> list[tuple[Any, ...]]:
    """Return offset, end and lag of each commit."""
    rows = pa.table(consumer_lag_history(log_rows(commits), ends)).to_pylist()
    return [(row["offset"], row["endOffset"], row["lag"]) for row in rows]


@pytest.mark.parametrize("name", ["data", "data/orders-0", "data/orders-0/00000000000000000009.log", "data/orders-*"])
def test_an_emptied_partition_ends_at_the_offset_in_the_segment_name(orders: Path, name: str, tmp_path: Path) -> None:
    write_segment(orders, 9, [])
    assert lags(tmp_path / name, commit(9, 1), commit(4, 2)) == [(9, 9, 0), (4, 9, 5)]


def rows_of(folder: Path, **options: Any) -> pa.Table:
    """Return the rows of a log, including the rows of its segments."""
    log = read_log(folder, include_control=True, include_segments=True, from_log_start=False, **options)
    return pa.table(log)


@pytest.mark.slow
@pytest.mark.parametrize(
    "segments",
    [
        {9: []},
        {0: []},
        {0: [batch(0, 10), batch(1, 12, count=3)], 4: []},
        {4: [batch(4, 4), batch(8, 8)], 15: []},
        {0: [batch(0, 0), batch(5, 5, time=NANOSECONDS), batch(6, 6)]},
    ],
)
def test_end_offsets_from_rows_equal_end_offsets_from_the_path(orders: Path, segments: dict[int, list[bytes]]) -> None:
    for base, batches in segments.items():
        write_segment(orders, base, batches)
    asked = [commit(offset, at) for offset in (0, 4, 9, 15) for at in (3, 6, 11, 20)]
    rows = rows_of(orders)
    of_batches = rows.group_by(["topic", "partition", "batchOffset"], use_threads=False).aggregate(
        [("offset", "max"), ("timestamp", "max")]
    )
    of_batches = of_batches.rename_columns({"offset_max": "offset", "timestamp_max": "timestamp"})
    assert lags(rows, *asked) == lags(of_batches, *asked) == lags(orders, *asked)


def test_rows_of_damaged_batches_are_ignored(orders: Path) -> None:
    damaged = batch(5, 5)[:-1] + b"\xff"
    write_segment(orders, 0, [batch(0, 0), damaged, batch(9, 9)])
    asked = [commit(offset, at) for offset in (0, 5, 9) for at in (3, 6, 11)]
    rows = rows_of(orders, mode="PERMISSIVE")
    assert rows["_error"].null_count < len(rows)
    left_out = rows_of(orders, mode="DROPMALFORMED")
    assert lags(rows, *asked) == lags(left_out, *asked)


def test_rows_out_of_log_order_are_refused(orders: Path) -> None:
    write_segment(orders, 0, [batch(0, 0), batch(1, 1)])
    backwards = rows_of(orders).sort_by([("offset", "descending")])
    with pytest.raises(ValueError, match="the records of orders-0 are not in the order of their offsets"):
        lags(backwards, commit(0, 1))


def test_a_partition_that_never_had_records_ends_at_0(orders: Path) -> None:
    write_segment(orders, 0, [])
    assert lags(orders, commit(0, 1)) == [(0, 0, 0)]


def test_a_partition_ends_at_0_before_its_first_record(orders: Path) -> None:
    write_segment(orders, 0, [batch(0, at=10)])
    assert lags(orders, commit(0, 5), commit(-1, 6), commit(1, 7), commit(9, 8)) == [
        (0, 0, 0),
        (None, 0, None),
        (1, None, None),
        (9, 0, -9),
    ]


def test_an_empty_last_segment_sets_the_end_offset_after_the_last_record(orders: Path) -> None:
    write_segment(orders, 0, [batch(0, at=10, count=3)])
    write_segment(orders, 9, [])
    assert lags(orders, commit(0, 5), commit(3, 10), commit(9, 11)) == [(0, 0, 0), (3, 9, 6), (9, 9, 0)]


@pytest.mark.parametrize("has_checkpoint", [False, True])
def test_records_before_the_log_start_still_determine_earlier_end_offsets(
    orders: Path, *, has_checkpoint: bool
) -> None:
    write_segment(orders, 0, [batch(offset, at=offset) for offset in range(10)])
    if has_checkpoint:
        (orders.parent / "log-start-offset-checkpoint").write_text("0\n1\norders 0 10\n")
    assert lags(orders, commit(3, 4), commit(10, 20)) == [(3, 5, 2), (10, 10, 0)]


@pytest.mark.slow
def test_every_batch_sets_a_new_end_offset(orders: Path) -> None:
    write_segment(orders, 0, [batch(2 * at, at=at, count=2) for at in range(200)])
    asked = [commit(2 * at, at) for at in range(200)]
    assert lags(orders, *asked) == [(2 * at, 2 * at + 2, 2) for at in range(200)]


def test_transaction_markers_count_toward_the_end_offset(orders: Path) -> None:
    write_segment(orders, 0, [batch(0, at=0), marker(1, 7, commit=True)])
    assert lags(orders, commit(1, 5)) == [(1, 2, 1)]


def test_a_commit_without_an_offset_has_no_lag(orders: Path) -> None:
    write_segment(orders, 0, [batch(0, at=0, count=10)])
    assert lags(orders, commit(-1, 5), commit(4, 6)) == [(None, 10, None), (4, 10, 6)]
    rows = pa.table(consumer_lag_history(log_rows([commit(3, 1), commit(-1, 2), commit(4, 3)]))).to_pylist()
    assert [(row["previousOffset"], row["delta"], row["isTombstone"]) for row in rows] == [
        (None, None, False),
        (3, None, False),
        (None, None, False),
    ]


def test_a_commit_beyond_the_end_has_a_negative_lag(orders: Path) -> None:
    write_segment(orders, 0, [batch(0, at=0, count=10)])
    assert lags(orders, commit(25, 5)) == [(25, 10, -15)]


@pytest.mark.parametrize("time", [NANOSECONDS, MICROSECONDS, -1])
def test_records_with_impossible_times_leave_the_end_unknown(orders: Path, time: int) -> None:
    write_segment(orders, 0, [batch(0, at=0, count=5), batch(5, at=0, count=5, time=time), batch(10, at=20)])
    assert lags(orders, commit(5, 10), commit(7, 10), commit(10, 15), commit(11, 30)) == [
        (5, None, None),
        (7, None, None),
        # The group that committed 10 had read all records before it, so they existed.
        (10, 10, 0),
        (11, 11, 0),
    ]


def test_the_end_is_unknown_if_all_timestamps_are_impossible(orders: Path) -> None:
    write_segment(orders, 0, [batch(0, at=0, count=10, time=NANOSECONDS)])
    assert lags(orders, commit(0, 10), commit(4, 10)) == [(0, None, None), (4, None, None)]


def test_records_with_timestamps_after_their_commit_leave_the_end_unknown(orders: Path) -> None:
    write_segment(orders, 0, [batch(0, at=0), batch(1, at=60), batch(2, at=60)])
    assert lags(orders, commit(2, 30)) == [(2, None, None)]


def test_compacted_records_leave_the_end_unknown(orders: Path) -> None:
    write_segment(orders, 0, [batch(4, at=4), batch(8, at=8)])
    write_segment(orders, 12, [batch(15, at=15), batch(16, at=16)])
    asked = [commit(2, 3), commit(4, 3), commit(5, 4), commit(6, 6), commit(8, 6), commit(9, 9), commit(17, 20)]
    assert lags(orders, *asked) == [
        (2, None, None),
        # Records 0 to 3 were compacted, and record 4 was not written yet.
        (4, 4, 0),
        (5, None, None),
        (6, None, None),
        (8, 8, 0),
        (9, None, None),
        (17, 17, 0),
    ]


def test_replicas_of_a_partition_have_the_same_end(orders: Path, tmp_path: Path) -> None:
    for folder in (orders, tmp_path / "data" / "other" / "orders-0"):
        write_log(folder, [Record("orders", None, b"an order")] * 5)
    ends = [orders.parent, tmp_path / "data" / "other"]
    (row,) = pa.table(consumer_lag_history(log_rows([commit(1, 2)]), ends)).to_pylist()
    assert (row["endOffset"], row["lag"]) == (3, 2)


# Any log.


@dataclass
class Written:
    """The history of a partition, with a batch or a commit every microsecond, and the part that remains later."""

    end: int = 0
    now: int = 0
    rows: list[dict[str, Any]] = field(default_factory=list)
    commits: list[tuple[int, int, int]] = field(default_factory=list)
    """Time, offset, and the end at that time."""
    last_base: int = 0

    def row(self, base: int, offset: int | None, timestamp: int | None) -> None:
        self.rows.append({"topic": "t", "partition": 0, "offset": offset, "timestamp": timestamp, "batchOffset": base})

    def end_of_rows(self) -> int:
        """Return the offset after the last remaining record."""
        return max((row["offset"] + 1 for row in self.rows if row["offset"] is not None), default=0)


WRONG_TIMES = (-1000, NANOSECONDS, (1 << 63) - 1)


@st.composite
def written_logs(draw: st.DrawFn) -> Written:
    log = Written()
    log.row(0, None, None)
    for _ in range(draw(st.integers(0, 12))):
        log.now += 1
        kind = draw(st.sampled_from(["batch", "batch", "commit", "roll"]))
        if kind == "commit":
            log.commits.append((log.now, draw(st.integers(0, log.end)), log.end))
        elif kind == "roll":
            log.last_base = log.end
            log.row(log.end, None, None)
        else:
            base, count, is_kept = log.end, draw(st.integers(1, 3)), draw(st.booleans())
            log.end += count
            time = draw(st.sampled_from([log.now, log.now, *WRONG_TIMES]))
            for offset in range(base, log.end):
                if is_kept or draw(st.booleans()):
                    log.row(base, offset, time)
    if max(log.last_base, log.end_of_rows()) < log.end:
        # Only segments before the last one lose records.
        log.row(log.end, None, None)
    return log


@given(written_logs(), st.data())
def test_end_offsets_are_correct_whenever_they_are_known(log: Written, data: st.DataObject) -> None:
    types = {"topic": pa.string(), "partition": pa.int32(), "offset": pa.int64()}
    schema = pa.schema([*types.items(), ("timestamp", pa.timestamp("us", "UTC")), ("batchOffset", pa.int64())])
    batches = pa.Table.from_pylist(log.rows, schema).to_batches(max_chunksize=data.draw(st.integers(1, 5)))
    ends = EndOffsets()
    for each in batches:
        ends.add_log(each)
    told = [ends.at("t", 0, time, offset) for time, offset, _ in log.commits]
    for found, (_, _, end) in zip(told, log.commits, strict=True):
        # After the last remaining record, the end is the current end.
        assert found in (None, end) or (log.end_of_rows() < log.end == found)
