"""Bounds spare reading: what lies outside is neither read nor given to a task, and indexes that are wrong change nothing."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messagegen_arrow import task_size
from messagegen_arrow.log import reading
from tests.arrow.support.log_data import TIME, many_batches, write_segment
from tests.arrow.support.log_model import BrokerLog
from tests.spark.support.log_reading import numbers, source, tasks, values

SEGMENTS = 4
BATCHES = 400


@pytest.fixture
def log(tmp_path: Path) -> BrokerLog:
    """Four segments of 0.4 MB; each batch is as many milliseconds late as its offset says."""
    log = BrokerLog(tmp_path / "orders-0")
    for number in range(SEGMENTS * BATCHES):
        if number % BATCHES == 0:
            log.roll()
        log.data(3, size=300)
    log.write()
    return log


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of all that is read."""
    pread, sizes = os.pread, []

    def counted(descriptor: int, size: int, position: int) -> bytes:
        data = pread(descriptor, size, position)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(os, "pread", counted)
    return sizes


def found(log: BrokerLog, **options: str) -> list[int]:
    return [int(value or b"") for value in values(log.folder, **options)]


SIZE = 1010
"""The bytes of a batch, about."""


@pytest.mark.parametrize(
    ("options", "expected", "most"),
    [
        ({"endingOffset": "100"}, range(100), 60 * SIZE),
        ({"startingOffset": "4700"}, range(4700, 4800), 60 * SIZE),
        ({"startingOffset": "1990", "endingOffset": "2010"}, range(1990, 2010), 40 * SIZE),
        ({"startingTimestamp": "2100-01-01"}, range(0), 40 * SIZE),
        ({"startingTimestamp": str(TIME + 4700)}, range(4701, 4800), 150 * SIZE),
        ({"startingTimestamp": str(TIME + 1200), "endingOffset": "1210"}, range(1200, 1210), 60 * SIZE),
    ],
    ids=["end", "start", "middle", "future", "time", "time-end"],
)
def test_bounds_spare_reading(
    log: BrokerLog, read: list[int], options: dict[str, str], expected: range, most: int
) -> None:
    assert found(log, **options) == list(expected)
    assert sum(read) < most


def test_a_stream_passes_over_what_is_too_early(log: BrokerLog, read: list[int]) -> None:
    opened = source(log.folder, startingTimestamp=str(TIME + 4700))
    stream = opened.streamReader(opened.schema())
    end = stream.latestOffset({}, stream.getDefaultReadLimit())
    read.clear()
    rows = [row for task in stream.partitions({}, end) for table in stream.read(task) for row in table.to_pylist()]
    assert [row["offset"] for row in rows] == list(range(4701, 4800))
    assert sum(read) < 150 * SIZE


def test_without_an_index_reading_ends_after_the_last_offset(
    log: BrokerLog, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in log.folder.glob("*index"):
        file.unlink()
    monkeypatch.setattr(reading, "WINDOW_BYTES", 20_000)
    assert found(log, endingOffset="100") == list(range(100))
    assert sum(read) < 60 * SIZE
    assert found(log, endingOffset="100", maxPartitionBytes="30000") == list(range(100))
    assert len(tasks(log.folder, endingOffset="100", maxPartitionBytes="30000")) == 2


@settings(max_examples=30)
@given(st.data())
def test_wrong_indexes_change_nothing(data: st.DataObject) -> None:
    times = data.draw(st.lists(st.integers(0, 50), min_size=1, max_size=60))
    with TemporaryDirectory() as folder:
        log = BrokerLog(Path(folder) / "orders-0", interval=100)
        for number, time in enumerate(times):
            log.data(1, time=TIME + time)
            if data.draw(st.integers(0, 9)) == 0 and number:
                log.roll()
        for file in sorted(log.write().glob("*index")):
            content = bytearray(file.read_bytes())
            what = data.draw(st.sampled_from(["right", "right", "gone", "cut", "zeros", "noise"]))
            if what == "gone":
                file.unlink()
            elif what == "cut":
                file.write_bytes(content[: data.draw(st.integers(0, len(content)))])
            elif what == "zeros":
                file.write_bytes(bytes(len(content)))
            elif what == "noise":
                file.write_bytes(data.draw(st.binary(max_size=200)))
        first, last, early = (data.draw(st.integers(0, 60)) for _ in range(3))
        options = {"startingOffset": str(first), "endingOffset": str(last), "startingTimestamp": str(TIME + early)}
        options["maxPartitionBytes"] = data.draw(st.sampled_from(["100", "1000", "1m"]))
        expected = [
            each.base_offset for each in log.logged if first <= each.base_offset < last and each.time >= TIME + early
        ]
        assert found(log, **options) == expected


def test_logs_below_the_size_of_a_task_are_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_size, "_FEW_BYTES", 1000)
    segment = write_segment(tmp_path / "orders-0", 0, many_batches(0, 500))
    size = segment.stat().st_size
    assert len(tasks(tmp_path)) == 32
    assert len(tasks(tmp_path, maxPartitionBytes=str(size // 3))) == 32
    assert len(tasks(tmp_path, maxPartitionBytes=str(-(-size // 64)))) == 64
    assert values(tmp_path) == numbers(0, 1500)
    monkeypatch.setattr(task_size, "_FEW_BYTES", size)
    assert len(tasks(tmp_path)) == 1
    opened = source(tmp_path)
    stream = opened.streamReader(opened.schema())
    end = stream.latestOffset({}, stream.getDefaultReadLimit())
    assert len(stream.partitions({}, end)) == 1
    monkeypatch.setattr(task_size, "_FEW_BYTES", 1000)
    assert len(stream.partitions({}, end)) == 32


def test_an_error_of_the_disk_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_segment(tmp_path / "orders-0", 0, many_batches(0, 1))

    def failing(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "pread", failing)
    with pytest.raises(OSError, match=f"Input/output error: '{path}'"):
        values(tmp_path)
