"""Tasks begin and end between batches, and have about equal sizes."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.arrow.support.log_data import TIME, many_batches, write_index, write_segment
from tests.arrow.support.log_reading import numbers, ranges, tasks, values


@pytest.fixture
def segment(tmp_path: Path) -> Path:
    return write_segment(tmp_path / "orders-0", 0, many_batches(0, 200))


def cuts(segment: Path, **options: str) -> list[tuple[int, int]]:
    return [(each.start, each.end) for task in tasks(segment, **options) for each in ranges(task)]


@pytest.mark.parametrize("parts", [1, 2, 7, 100, 1000])
def test_a_large_segment_is_split_between_batches(segment: Path, parts: int) -> None:
    size = segment.stat().st_size
    found = cuts(segment, maxPartitionBytes=str(-(-size // parts)))
    assert found[0][0] == 0
    assert found[-1][1] == size
    assert all(before[1] == after[0] for before, after in pairwise(found))
    assert len(found) == min(parts, 200)
    assert values(segment, maxPartitionBytes=str(size // parts)) == numbers(0, 600)


@pytest.mark.parametrize("minimum", [1, 2, 7, 16, 40, 150])
def test_small_files_beside_a_large_one_do_not_lower_the_number_of_tasks(segment: Path, minimum: int) -> None:
    for partition in range(1, 8):
        write_segment(segment.parents[1] / f"orders-{partition}", 0, many_batches(0, 1))
    assert minimum <= len(tasks(segment.parents[1], minPartitions=str(minimum))) <= minimum + 8


def test_segments_are_split_at_positions_in_the_index(segment: Path) -> None:
    batch = segment.stat().st_size // 200
    sizes = [len(data) for data in many_batches(0, 200)]
    positions = [sum(sizes[:number]) for number in range(0, 200, 10)]
    write_index(segment, [(number * 30 + 2, position) for number, position in enumerate(positions) if number])
    found = cuts(segment, maxPartitionBytes=str(batch * 50))
    assert len(found) > 3
    assert {start for start, _ in found} <= set(positions)


def test_an_index_of_a_different_segment_does_not_change_the_rows(segment: Path) -> None:
    write_index(segment, [(3, 11), (50, 4000), (500, 1 << 30)])
    size = segment.stat().st_size
    assert values(segment, maxPartitionBytes=str(size // 9)) == numbers(0, 600)
    segment.with_suffix(".index").write_bytes(b"\xff" * 21)
    assert values(segment, maxPartitionBytes=str(size // 9)) == numbers(0, 600)


def test_segments_outside_the_offsets_are_not_opened(tmp_path: Path) -> None:
    for base in (0, 30, 60):
        write_segment(tmp_path / "orders-0", base, many_batches(base, 10))
    options = {"startingOffset": "35", "endingOffset": "41"}
    assert [Path(each.path).stem for task in tasks(tmp_path, **options) for each in ranges(task)] == [f"{30:020}"]
    assert values(tmp_path, **options) == numbers(35, 41)
    assert values(tmp_path, startingOffset="30", endingOffset="60") == numbers(30, 60)


def test_timestamps_choose_records(tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 10))
    options = {"startingTimestamp": str(TIME + 4), "endingTimestamp": str(TIME + 8)}
    assert values(tmp_path, **options) == numbers(4, 8)
