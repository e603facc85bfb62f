"""Micro-batches stay within the limit or read one larger batch; large backlogs get more, and no partition waits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.arrow.support.log_changes import append, in_transaction
from tests.arrow.support.log_data import Batch, Data, many_batches, marker, write_segment
from tests.arrow.support.log_reading import Source, numbers

LIMIT = "max_offsets"


class Reader:
    """A stream that restarts before each micro-batch: only the JSON of its offsets survives."""

    def __init__(self, folder: Path, **options: str) -> None:
        self.folder, self.options = folder, options
        self.offsets: Any = {}

    def next(self, limit: int, unit: str = LIMIT) -> list[dict[str, Any]]:
        """Return the rows of the next micro-batch."""
        source = Source(self.folder, **self.options)
        end = json.loads(json.dumps(source.latest(self.offsets, **{unit: limit})))
        rows = source.rows(source.tasks_between(self.offsets, end)) if end != self.offsets else []
        self.offsets = end
        return rows


def batch(offset: int, size: int, bytes_of_value: int) -> bytes:
    return Batch(offset, [Data(bytes(bytes_of_value)) for _ in range(size)]).encode()


def sizes(rows: list[dict[str, Any]], unit: str) -> dict[tuple[str, int], int]:
    """Return the size of each batch of rows, in the unit of the limit."""
    found: dict[tuple[str, int], int] = {}
    for row in rows:
        place = row["path"], row["batchPosition"]
        if unit == LIMIT:
            found[place] = found.get(place, 0) + 1
        else:
            header = Path(row["path"]).read_bytes()[row["batchPosition"] :][8:12]
            found[place] = 12 + int.from_bytes(header)
    return found


@given(data=st.data(), unit=st.sampled_from(["max_offsets", "max_bytes"]))
def test_each_micro_batch_is_within_the_limit_and_no_partition_waits(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, unit: str
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    count = data.draw(st.integers(1, 5))
    ends = [0] * count
    segments = [write_segment(folder / f"orders-{number}", 0, []) for number in range(count)]
    reader, limit = Reader(folder), data.draw(st.integers(1, 60 if unit == LIMIT else 3000))
    read: list[tuple[int, int]] = []
    waits = [0] * count
    arrivals = st.lists(
        st.tuples(st.integers(0, count - 1), st.integers(1, 30), st.integers(0, 40), st.booleans()), max_size=6
    )
    for arrived in [*data.draw(st.lists(arrivals, max_size=6)), *[[] for _ in range(200)]]:
        for number, size, value, is_rolled in arrived:
            if is_rolled and segments[number].stat().st_size:
                segments[number] = write_segment(folder / f"orders-{number}", ends[number], [])
            append(segments[number], batch(ends[number], size, value))
            ends[number] += size
        has_unread = [ends[number] > sum(one == number for one, _ in read) for number in range(count)]
        rows = reader.next(limit, unit)
        batches = sizes(rows, unit)
        assert sum(batches.values()) <= limit or len(batches) == 1
        read += [(row["partition"], row["offset"]) for row in rows]
        there = {row["partition"] for row in rows}
        waits = [waits[number] + 1 if has_unread[number] and number not in there else 0 for number in range(count)]
        assert max(waits) < count
        if not arrived and not any(has_unread):
            break
    assert sorted(read) == [(number, offset) for number in range(count) for offset in range(ends[number])]
    assert len(read) == len(set(read))


@pytest.mark.parametrize("unit", ["max_offsets", "max_bytes"])
def test_a_partition_with_a_backlog_gets_most_of_the_limit(tmp_path: Path, unit: str) -> None:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 1000, size=10))
    segments = [write_segment(tmp_path / f"orders-{number}", 0, []) for number in range(1, 20)]
    reader, one = Reader(tmp_path), 1 if unit == LIMIT else len(many_batches(5000, 1, size=10)[0]) // 10
    of_backlog, oldest = [], 0
    for trigger in range(10):
        for segment in segments:
            append(segment, *many_batches(trigger, 1, size=1))
        rows = reader.next(1000 * one, unit)
        of_backlog.append(sum(row["partition"] == 0 for row in rows))
        oldest = max([oldest, *(trigger - row["offset"] for row in rows if row["partition"] > 0)])
    assert min(of_backlog[:9]) >= 800
    assert oldest < 5


def test_batches_larger_than_the_limit_are_read_one_at_a_time(tmp_path: Path) -> None:
    for number in range(50):
        write_segment(tmp_path / f"orders-{number}", 0, [batch(0, 1, 10_000)])
    reader = Reader(tmp_path)
    assert [[row["partition"] for row in reader.next(10, "max_bytes")] for _ in range(3)] == [[0], [1], [10]]
    assert reader.offsets["next"] == str(tmp_path / "orders-11")


def test_small_batches_of_many_partitions_take_turns(tmp_path: Path) -> None:
    size = len(batch(0, 1, 100))
    for number in range(50):
        write_segment(tmp_path / f"orders-{number:02}", 0, [batch(offset, 1, 100) for offset in range(3)])
    reader = Reader(tmp_path)
    turns = [[row["partition"] for row in reader.next(20 * size, "max_bytes")] for _ in range(5)]
    assert turns == [[*range(20)], [*range(20, 40)], [*range(10), *range(40, 50)], [*range(10, 30)], [*range(30, 50)]]


def test_a_partition_with_an_open_transaction_is_skipped_in_its_turn(tmp_path: Path) -> None:
    for number in range(4):
        write_segment(tmp_path / f"orders-{number}", 0, many_batches(0, 2))
    waiting = write_segment(tmp_path / "orders-1", 0, [in_transaction(0, 7)])
    reader = Reader(tmp_path, isolationLevel="read_committed")
    turns = [{row["partition"] for row in reader.next(1)} for _ in range(7)]
    assert turns == [{0}, {2}, {3}, {0}, {2}, {3}, set()]
    append(waiting, marker(2, 7, commit=True))
    assert {row["partition"] for row in reader.next(1)} == {1}


def test_turns_continue_after_partitions_are_added_and_removed(tmp_path: Path) -> None:
    for number in (1, 3, 5):
        write_segment(tmp_path / f"orders-{number}", 0, many_batches(0, 3))
    reader = Reader(tmp_path, failOnDataLoss="false")
    assert [row["partition"] for row in reader.next(3)] == [1, 1, 1]
    assert reader.offsets["next"] == str(tmp_path / "orders-3")
    (tmp_path / "orders-3").rename(tmp_path / "orders-3.gone-delete")
    write_segment(tmp_path / "orders-4", 0, many_batches(0, 1))
    assert [row["partition"] for row in reader.next(3)] == [4, 4, 4]
    assert [row["partition"] for row in reader.next(3)] == [5, 5, 5]


def test_offsets_name_no_next_partition_once_everything_is_read(tmp_path: Path) -> None:
    """Spark begins a micro-batch whenever offsets change, so they may only change if something is read."""
    for number in range(2):
        write_segment(tmp_path / f"orders-{number}", 0, many_batches(0, 1))
    reader = Reader(tmp_path)
    reader.next(3)
    assert "next" in reader.offsets
    reader.next(3)
    assert "next" not in reader.offsets
    append(tmp_path / "orders-0" / f"{0:020}.log", many_batches(3, 1)[0][:40])
    before = reader.offsets
    assert reader.next(3) == []
    assert reader.offsets == before


@pytest.mark.parametrize("damage", [b"\xff" * 500, b"\x01" * 500, bytes(500)])
@pytest.mark.parametrize("unit", ["max_offsets", "max_bytes"])
def test_damaged_bytes_are_read_together_with_the_preceding_batch(tmp_path: Path, damage: bytes, unit: str) -> None:
    first, second, third = many_batches(0, 3)
    write_segment(tmp_path / "orders-0", 0, [first, damage, second, damage])
    write_segment(tmp_path / "orders-0", 6, [third])
    write_segment(tmp_path / "orders-1", 0, many_batches(0, 1))
    reader, limit = Reader(tmp_path), 3 if unit == LIMIT else len(first)
    turns = [[(row["partition"], row["value"]) for row in reader.next(limit, unit)] for _ in range(5)]
    values = [[(0, value) for value in numbers(start, start + 3)] for start in (0, 3, 6)]
    others = [(1, value) for value in numbers(0, 3)]
    assert turns == [[*values[0], (0, None)], others, [*values[1], (0, None)], values[2], []]


def test_a_stream_reports_the_ends_of_its_logs(tmp_path: Path) -> None:
    for number in range(2):
        write_segment(tmp_path / f"orders-{number}", 0, many_batches(0, 4), tail=many_batches(12, 1)[0][:40])
    source = Source(tmp_path)
    everything = source.latest({})
    assert {place["offset"] for place in everything.values()} == {12}
    start = source.latest({}, max_offsets=3)
    ends = source.ends(start)
    assert {folder: place for folder, place in ends.items() if folder != "next"} == everything
    assert source.ends(everything) == everything
