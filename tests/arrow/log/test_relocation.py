"""If the cleaner rewrites a log between planning and reading, each remaining record is read once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.arrow.support.log_data import many_batches, write_segment
from tests.arrow.support.log_reading import Stream, numbers


def rewrite(path: Path, batches: list[bytes]) -> None:
    """Write a segment like the cleaner: a new file replaces the old file."""
    made = write_segment(path.parent / "cleaned", 0, batches)
    made.rename(path)
    made.parent.rmdir()


def clean(folder: Path) -> None:
    rewrite(folder / f"{0:020}.log", [many_batches(0, 1, size=1)[0], *many_batches(9, 7)])
    rewrite(folder / f"{30:020}.log", many_batches(36, 8))


def merge(folder: Path) -> None:
    rewrite(folder / f"{0:020}.log", [many_batches(0, 1, size=1)[0], *many_batches(9, 7), *many_batches(36, 8)])
    (folder / f"{30:020}.log").unlink()


LEFT = [*numbers(0, 1), *numbers(9, 30), *numbers(36, 60), *numbers(60, 66)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "orders-0"
    for base, batches in ((0, 10), (30, 10), (60, 2)):
        write_segment(made, base, many_batches(base, batches))
    return made


@pytest.mark.parametrize("change", [clean, merge])
def test_a_stream_reads_each_remaining_record_exactly_once(folder: Path, change: Callable[[Path], None]) -> None:
    stream = Stream(folder, maxPartitionBytes="200")
    assert stream.next(500) == numbers(0, 15)
    end = stream.plan()
    tasks = stream.source.tasks_between(stream.offsets, end)
    change(folder)
    rows = [row for task in tasks for table in stream.source.read(task) for row in table.to_pylist()]
    assert [row["value"] for row in rows] == [value for value in LEFT if int(value or b"") >= 15]
    stream.offsets = end
    assert stream.next() == []
