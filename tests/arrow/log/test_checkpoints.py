"""Checkpoints limit the rows: log start offsets always, high watermarks on request."""

from __future__ import annotations

from pathlib import Path

import pytest

from messagegen_arrow.log.errors import LogPathError
from tests.arrow.support.log_data import many_batches, write_segment
from tests.arrow.support.log_reading import numbers, ranges, tasks, values

OTHERS = "payments 0 1\norders 7 2\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "orders-0"
    write_segment(made, 0, many_batches(0, 2))
    write_segment(made, 6, many_batches(6, 2))
    return made


def write(folder: Path, name: str, offset: int) -> Path:
    path = folder.parent / name
    path.write_text(f"0\n3\n{OTHERS}orders 0 {offset}\n")
    return path


@pytest.mark.parametrize(
    ("offset", "is_pruned"), [(0, False), (1, False), (4, False), (6, True), (8, True), (12, True)]
)
def test_deleted_records_are_not_read(folder: Path, offset: int, *, is_pruned: bool) -> None:
    write(folder, "log-start-offset-checkpoint", offset)
    for path in (folder.parent, folder, folder / f"{0:020}.log"):
        expected = numbers(offset, 12 if path.suffix != ".log" else 6)
        assert values(path) == expected
    assert values(folder, fromLogStart="false") == numbers(0, 12)
    assert values(folder, startingOffset="5", endingOffset="7") == numbers(max(offset, 5), 7)
    planned = [part.path for task in tasks(folder) for part in ranges(task)]
    assert (str(folder / f"{0:020}.log") in planned) is not is_pruned


def test_all_records_are_read_if_no_checkpoint_names_the_folder(folder: Path) -> None:
    assert values(folder.parent) == numbers(0, 12)
    for text in ("", f"0\n2\n{OTHERS}"):
        (folder.parent / "log-start-offset-checkpoint").write_text(text)
        assert values(folder.parent) == numbers(0, 12)
    write(folder, "log-start-offset-checkpoint", 12)
    deleted = folder.rename(f"{folder}.0123456789abcdef0123456789abcdef-delete")
    assert values(deleted) == numbers(0, 12)


@pytest.mark.parametrize("text", ["1\n0\n", "0\n2\norders 0 3\n", "0\n1\norders 0\n", "0\n1\norders 0 x\n", "\xff"])
def test_an_invalid_checkpoint_is_an_error(folder: Path, text: str) -> None:
    path = folder.parent / "log-start-offset-checkpoint"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(LogPathError, match=f"{path} is not an offset checkpoint: expected .*fromLogStart=false"):
        values(folder)
    assert values(folder, fromLogStart="false") == numbers(0, 12)


def test_reading_ends_at_the_high_watermark_on_request(folder: Path) -> None:
    with pytest.raises(LogPathError, match=f"{folder} has no replication-offset-checkpoint beside it"):
        values(folder, untilHighWatermark="true")
    write(folder, "replication-offset-checkpoint", 9)
    assert values(folder, untilHighWatermark="true") == numbers(0, 9)
    assert values(folder) == numbers(0, 12)
    (folder.parent / "replication-offset-checkpoint").write_text("0\n0\n")
    assert values(folder, untilHighWatermark="true") == []
