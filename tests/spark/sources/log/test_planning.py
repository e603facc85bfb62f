"""Tasks begin and end between batches, and are about equal in size."""

from __future__ import annotations

import struct
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from pyspark.sql.datasource import EqualTo, GreaterThan, GreaterThanOrEqual, In, LessThan

from messagegen_arrow.log import planning
from tests.arrow.support.log_data import TIME, many_batches, write_segment
from tests.spark.support.log_reading import numbers, tasks, values


def write_index(segment: Path, entries: list[tuple[int, int]], *, room: int = 10) -> None:
    """An offset index as a broker has it, with room for more entries."""
    data = b"".join(struct.pack(">ii", *entry) for entry in entries)
    segment.with_suffix(".index").write_bytes(data + bytes(8 * room))


@pytest.fixture
def segment(tmp_path: Path) -> Path:
    return write_segment(tmp_path / "orders-0", 0, many_batches(0, 200))


def cuts(segment: Path, **options: str) -> list[tuple[int, int]]:
    return [(each.start, each.end) for task in tasks(segment, **options) for each in task.ranges]


@pytest.mark.parametrize("parts", [1, 2, 7, 100, 1000])
def test_a_large_segment_is_split_between_batches(segment: Path, parts: int) -> None:
    size = segment.stat().st_size
    ranges = cuts(segment, maxPartitionBytes=str(-(-size // parts)))
    assert ranges[0][0] == 0
    assert ranges[-1][1] == size
    assert all(before[1] == after[0] for before, after in pairwise(ranges))
    assert len(ranges) == min(parts, 200)
    assert values(segment, maxPartitionBytes=str(size // parts)) == numbers(0, 600)


def test_an_index_spares_hopping(segment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = segment.stat().st_size // 200
    sizes = [len(data) for data in many_batches(0, 200)]
    positions = [sum(sizes[:number]) for number in range(0, 200, 10)]
    write_index(segment, [(number * 30 + 2, position) for number, position in enumerate(positions) if number])
    monkeypatch.setattr(planning, "_hop_to", lambda *_: pytest.fail("the index says where batches begin"))
    ranges = cuts(segment, maxPartitionBytes=str(batch * 50))
    assert len(ranges) > 3
    assert {start for start, _ in ranges} <= set(positions)


def test_an_index_of_another_segment_does_no_harm(segment: Path) -> None:
    write_index(segment, [(3, 11), (50, 4000), (500, 1 << 30)])
    size = segment.stat().st_size
    assert values(segment, maxPartitionBytes=str(size // 9)) == numbers(0, 600)
    segment.with_suffix(".index").write_bytes(b"\xff" * 21)
    assert values(segment, maxPartitionBytes=str(size // 9)) == numbers(0, 600)


def test_small_files_share_a_task(tmp_path: Path) -> None:
    for number in range(100):
        write_segment(tmp_path / f"orders-{number}", 0, many_batches(number * 3, 1))
    assert len(tasks(tmp_path)) == 4
    assert len(tasks(tmp_path, minPartitions="10")) == 10
    assert len(tasks(tmp_path, maxPartitionBytes="1")) == 100
    assert values(tmp_path) == numbers(0, 300)


def test_a_segment_beyond_the_offsets_is_not_opened(tmp_path: Path) -> None:
    for base in (0, 30, 60):
        write_segment(tmp_path / "orders-0", base, many_batches(base, 10))
    options = {"startingOffset": "35", "endingOffset": "41"}
    assert [Path(each.path).stem for task in tasks(tmp_path, **options) for each in task.ranges] == [f"{30:020}"]
    assert values(tmp_path, **options) == numbers(35, 41)
    assert values(tmp_path, startingOffset="30", endingOffset="60") == numbers(30, 60)


def test_timestamps_choose_records(tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 10))
    options = {"startingTimestamp": str(TIME + 4), "endingTimestamp": str(TIME + 8)}
    assert values(tmp_path, **options) == numbers(4, 8)


def test_filters_of_spark_leave_out_what_cannot_pass(tmp_path: Path) -> None:
    for partition in (0, 1):
        for base in (0, 30):
            write_segment(tmp_path / f"orders-{partition}", base, many_batches(base, 10))
    write_segment(tmp_path / "other-0", 0, many_batches(900, 1))
    moment = datetime.fromtimestamp(TIME // 1000, UTC)
    filters = [
        EqualTo(("topic",), "orders"),
        In(("partition",), (1, 7)),
        GreaterThanOrEqual(("offset",), 5),
        LessThan(("offset",), 33),
        GreaterThan(("timestamp",), moment + timedelta(microseconds=9500)),
    ]
    # Spark applies them again: the one millisecond too many does no harm, one too few would.
    assert values(tmp_path, filters=filters) == numbers(9, 34)


def test_other_filters_leave_out_nothing(segment: Path) -> None:
    filters = [EqualTo(("codec",), "gzip"), EqualTo(("_error", "offset"), 3), EqualTo(("offset",), None)]
    assert values(segment, filters=filters) == numbers(0, 600)
