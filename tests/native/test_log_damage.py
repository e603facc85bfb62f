"""Lost or inconsistent data in a log is reported, as errors in FAILFAST and as rows in PERMISSIVE."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.native.record_batches import Batch, Record
from tests.native.record_logs import EVERYTHING, native, options_of, rows_of

BASES = (0, 30, 60)
ALL = range(90)


def batches(base: int) -> list[Batch]:
    """Return ten batches of three records with consecutive offsets."""
    return [Batch(tuple(map(Record, range(3))), base_offset=base + 3 * number) for number in range(10)]


def encoded(made: Iterable[Batch]) -> bytes:
    return b"".join(batch.encoded for batch in made)


def segment(log: Path, base: int) -> Path:
    return log / f"{base:020}.log"


def put(log: Path, base: int, made: list[Batch]) -> None:
    """Write a segment with its offset index, which lists all batches except the first."""
    segment(log, base).write_bytes(encoded(made))
    index, position = b"", 0
    for batch in made:
        if position:
            index += struct.pack(">ii", batch.base_offset + batch.last_offset_delta - base, position)
        position += len(batch.encoded)
    segment(log, base).with_suffix(".index").write_bytes(index)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Three segments of ten batches each, 90 records."""
    folder = tmp_path / "orders-0"
    folder.mkdir()
    for base in BASES:
        put(folder, base, batches(base))
    return folder


def read(log: Path, **options: str) -> tuple[list[int], list[str]]:
    """Return the offsets that are read, and the errors."""
    texts = options_of(log, **options)
    tasks = native.LogPlanner(texts, None).plan(EVERYTHING)
    return _offsets_and_errors(row for task, *_ in tasks for row in rows_of(task, texts))


def read_as_stream(log: Path) -> tuple[list[int], list[str]]:
    texts = options_of(log)
    planner = native.LogPlanner(texts, None)
    tasks = planner.between("{}", planner.latest("{}", None, None)[0], EVERYTHING)
    return _offsets_and_errors(row for task, *_ in tasks for row in rows_of(task, texts))


def _offsets_and_errors(rows: Iterable[dict[str, Any]]) -> tuple[list[int], list[str]]:
    offsets, errors = [], []
    for row in rows:
        if row["_error"] is None:
            offsets.append(row["offset"])
        else:
            errors.append(row["_error"]["message"])
    return offsets, errors


def zeros(base: int, start: int, log: Path) -> None:
    data = segment(log, base).read_bytes()
    segment(log, base).write_bytes(data[:start] + bytes(len(data) - start))


def content(base: int, made: list[Batch], log: Path) -> None:
    segment(log, base).write_bytes(encoded(made))


def missing(base: int, log: Path) -> None:
    segment(log, base).unlink()


def broken_link(log: Path) -> None:
    segment(log, 30).unlink()
    segment(log, 30).symlink_to(log / "nothing")


def repeated(log: Path) -> None:
    put(log, 30, [*batches(30)[:4], batches(30)[3], *batches(30)[4:]])


def moved(number: int, base_offset: int, log: Path) -> None:
    """Write a segment, with the base offset of batch ``number`` changed: a field that no checksum covers."""
    made = [batch.encoded for batch in batches(30)]
    made[number] = struct.pack(">q", base_offset) + made[number][8:]
    segment(log, 30).write_bytes(b"".join(made))


HALF = len(encoded(batches(0))) // 2


@pytest.mark.parametrize(
    ("hurt", "lost", "text"),
    [
        (partial(zeros, 0, HALF), range(15, 30), "zeros where a batch should begin"),
        (partial(zeros, 30, 0), range(30, 60), "zeros where a batch should begin"),
        (partial(content, 0, batches(0)[:5]), range(15, 30), "its index names a batch with offset"),
        (partial(content, 0, []), range(30), "its index names a batch with offset"),
        (partial(missing, 0), range(30), "the segment is missing, but its index is there"),
        (partial(missing, 30), range(30, 60), "the segment is missing, but its index is there"),
        (broken_link, range(30, 60), "it is a link that can't be followed"),
        (repeated, range(0), "repeat earlier ones"),
        (partial(content, 30, batches(0)), range(30, 60), "repeat earlier ones"),
        (partial(content, 30, batches(600)), range(30, 60), "are outside this segment"),
        (partial(moved, 3, 39 + (1 << 41)), range(39, 42), "are outside this segment"),
        (partial(moved, 3, 39 + 8), range(39, 42), "skip others"),
        (partial(moved, 3, 39 - 8), range(39, 42), "repeat earlier ones"),
        (partial(moved, 3, -39), range(39, 42), "the offset -39 is below 0"),
        (partial(moved, 0, 30 + 4), range(30, 33), "skip others"),
        (partial(moved, 9, 57 - 1), range(57, 60), "repeat earlier ones"),
    ],
)
def test_damage_is_reported(log: Path, hurt: Callable[[Path], None], lost: range, text: str) -> None:
    assert read(log) == (list(ALL), [])
    hurt(log)
    left = [offset for offset in ALL if offset not in lost]
    for offsets, errors in (read(log), read(log, maxPartitionBytes="200"), read_as_stream(log)):
        assert offsets == left
        assert errors
        assert all(text in error for error in errors)
    with pytest.raises(ValueError, match=text) as caught:
        read(log, mode="FAILFAST")
    assert caught.value.args[0] == "Malformed"


def test_a_segment_renamed_for_deletion_is_not_reported_as_missing(log: Path) -> None:
    segment(log, 0).rename(f"{segment(log, 0)}.deleted")
    assert read(log) == (list(range(30, 90)), [])


def test_the_index_reveals_a_wrong_base_offset_of_the_last_batch(log: Path) -> None:
    last = batches(60)[-1].encoded
    segment(log, 60).write_bytes(encoded(batches(60)[:-1]) + struct.pack(">q", 87 + (1 << 30)) + last[8:])
    offsets, errors = read(log)
    assert offsets == list(range(87))
    assert "the index of the segment has the offset 89" in errors[0]


@pytest.mark.parametrize("size", ["128m", "100"])
def test_gaps_from_compaction_are_not_damage(log: Path, size: str) -> None:
    put(
        log,
        0,
        [Batch(tuple(map(Record, range(count))), base_offset=base) for base, count in ((5, 2), (11, 1), (20, 3))],
    )
    put(log, 30, [])
    put(log, 60, [Batch(tuple(map(Record, range(2))), base_offset=77)])
    assert read(log, maxPartitionBytes=size) == ([5, 6, 11, 20, 21, 22, 77, 78], [])


def test_a_recreated_topic_is_a_gap_in_a_stream(log: Path) -> None:
    """Without ``partition.metadata``, only the end offset distinguishes a topic from an earlier topic of its name."""
    texts = options_of(log)
    at, _ = native.LogPlanner(texts, None).latest("{}", None, None)
    for base in BASES[1:]:
        segment(log, base).unlink()
        segment(log, base).with_suffix(".index").unlink()
    put(log, 0, [Batch(tuple(map(Record, range(7)))), Batch(tuple(map(Record, range(20))), base_offset=7)])
    with pytest.raises(ValueError, match="now ends at offset 27, but was read up to 90") as caught:
        native.LogPlanner(texts, None).latest(at, None, None)
    assert caught.value.args[0] == "Gap"
    lenient = native.LogPlanner(options_of(log, failOnDataLoss="false"), None)
    assert lenient.latest(at, None, None) == (at, at)
    assert "now ends at offset 27" in lenient.warnings()[0]


class Store:
    """A store of 100 folders with 100 segments each; opening a segment fails the test."""

    def expect(self, _: list[str]) -> None:
        """Do not read ahead."""

    def list(self, folder: str) -> list[tuple[str, int, bool, int]]:
        if folder == "s3://logs":
            return [(f"clicks-{number}", 0, True, 0) for number in range(100)]
        return [(f"{3 * number:020}.log", 85, False, 0) for number in range(100)]

    def entry(self, path: str) -> tuple[str, int, bool, int]:
        return path.rpartition("/")[2], 0, True, 0

    def open(self, path: str) -> None:
        """Raise ``FileNotFoundError``, because the store contains no broker checkpoints."""
        assert not path.endswith(".log")
        raise FileNotFoundError(path)


def test_segments_are_planned_by_name_without_being_opened() -> None:
    tasks = native.LogPlanner(options_of("s3://logs"), Store()).plan(EVERYTHING)
    assert sum(len(json.loads(ranges)) for ranges, _ in tasks) == 10_000
    assert sum(size for _, size in tasks) == 85 * 10_000
