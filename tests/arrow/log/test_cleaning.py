"""The stream of ``kafka-log``, without Spark, while the log cleaner drops records and merges segments."""

from __future__ import annotations

from itertools import accumulate, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.arrow.support.log_data import BATCH, many_batches, write_index, write_segment
from tests.arrow.support.log_reading import Stream, numbers
from tests.support.profiles import examples


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    """The folder of a partition with two complete segments of two batches, and an empty active segment."""
    folder = tmp_path / "orders-0"
    write_segment(folder, 0, many_batches(0, 2))
    write_segment(folder, 6, many_batches(6, 2))
    write_segment(folder, 12, [])
    return folder


@given(st.data())
def test_available_now_reads_all_records_while_segments_are_rolled_and_merged(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("logs") / "orders-0"
    bases = [0, *(3 * number for number in range(1, 12) if data.draw(st.booleans()))]

    def write(end: int) -> None:
        for path in folder.glob("*.log"):
            path.unlink()
        for base, next_base in pairwise([*bases, end]):
            write_segment(folder, base, many_batches(base, (next_base - base) // 3))

    end = 36
    write(end)
    stream = Stream(folder)
    stream.source.stop_at_what_is_there()
    found = []
    while rows := stream.next(data.draw(st.integers(1, 600))):
        found += rows
        # The active segment is rolled, and the cleaner merges earlier segments.
        bases = [0, *(base for base in bases[1:] if data.draw(st.booleans())), end]
        end += 3
        write(end)
    assert found == numbers(0, 36)


def test_a_stream_continues_by_offset_in_cleaned_and_merged_segments(orders: Path) -> None:
    stream = Stream(orders.parent)
    assert stream.next(4 * BATCH - 1) == numbers(0, 9)
    # The cleaner merges both segments, and drops records that have a later value.
    kept = [many_batches(3, 1, size=1)[0], many_batches(7, 1, size=1)[0], many_batches(10, 1, size=2)[0]]
    write_segment(orders, 0, kept)
    (orders / f"{6:020}.log").unlink()
    write_segment(orders, 12, many_batches(12, 1))
    assert stream.next() == numbers(10, 15)


def test_a_repeated_micro_batch_has_the_same_rows_after_cleaning(orders: Path) -> None:
    stream = Stream(orders.parent)
    end = stream.plan(3 * BATCH)
    assert [row["value"] for row in stream.rows(end)] == numbers(0, 9)
    stream.restart()
    write_segment(orders, 0, many_batches(0, 4))
    (orders / f"{6:020}.log").unlink()
    assert [row["value"] for row in stream.rows(end)] == numbers(0, 9)


class CompactedLog:
    """A log whose segments are cleaned and merged at random. Most batches have equal sizes, so they take each other's
    places."""

    def __init__(self, folder: Path, data: st.DataObject) -> None:
        self.folder, self._draw = folder, data.draw
        self.kept = list(range(100, 140))
        self._active = 134
        self._bases = [100, *(base for base in range(101, self._active) if self._draw(st.integers(0, 9)) == 0)]
        self._codecs = {number: self._draw(st.sampled_from(["none", "none", "none", "gzip"])) for number in self.kept}
        self._write()

    def clean(self) -> None:
        """Drop records of complete segments, and merge some segments."""
        self.kept = [number for number in self.kept if number >= self._active or self._draw(st.booleans())]
        self._bases = [100, *(base for base in self._bases[1:] if self._draw(st.booleans()))]
        self._write()

    def _write(self) -> None:
        for file in self.folder.glob("*.*"):
            file.unlink()
        for base, next_base in pairwise([*self._bases, self._active, 140]):
            numbers_in = [number for number in self.kept if base <= number < next_base]
            batches = [many_batches(number, 1, size=1, codec=self._codecs[number])[0] for number in numbers_in]
            segment = write_segment(self.folder, base, batches)
            positions = accumulate([0, *map(len, batches)])
            entries = [(number - base, at) for number, at in zip(numbers_in, positions, strict=False)]
            named = [entry for entry in entries if entry[1] and self._draw(st.integers(0, 3)) == 0]
            if named:
                write_index(segment, named)


@pytest.mark.slow
@examples(300)
@given(st.data())
def test_each_remaining_record_is_read_once_while_segments_are_cleaned(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    log = CompactedLog(tmp_path_factory.mktemp("logs") / "orders-0", data)
    stream, found = Stream(log.folder), list[int]()
    while True:
        end = stream.plan(data.draw(st.integers(1, 900)))
        if end == stream.offsets:
            break
        if data.draw(st.booleans()):
            # The query is killed after it has planned the micro-batch, and repeats it later.
            log.clean()
            stream.restart()
        values = [row["value"] for row in stream.rows(end)]
        found += [int(value) for value in values]
        stream.offsets = end
        if data.draw(st.booleans()):
            log.clean()
    assert found == sorted(set(found))
    assert set(log.kept) <= set(found)
