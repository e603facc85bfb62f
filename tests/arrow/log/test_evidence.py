"""Files next to a segment reveal batches that are missing in its middle, and segments of other partitions."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messagegen_arrow.malformed import MalformedMessageError
from tests.arrow.support.log_changes import cut_out, log_of, positions
from tests.arrow.support.log_data import Batch, Data, write_index, write_segment
from tests.arrow.support.log_model import BrokerLog
from tests.arrow.support.log_reading import Stream, rows

Read = tuple[list[int], list[str]]


def read(path: Path, **options: str) -> Read:
    """Return the offsets that are read, and the errors."""
    return outcome(rows(path, **options))


def read_as_stream(path: Path) -> Read:
    stream = Stream(path)
    return outcome(stream.rows(stream.plan()))


def outcome(found: list[dict[str, Any]]) -> Read:
    offsets, errors = [], []
    for row in found:
        if row["_error"] is None:
            offsets.append(row["offset"])
        else:
            errors.append(row["_error"]["message"])
    return offsets, errors


@pytest.mark.slow
@settings(max_examples=60)
@given(st.data())
def test_batches_that_are_cut_out_of_a_segment_are_reported(data: st.DataObject) -> None:
    """Some index entries are before or after the missing batches."""
    counts = data.draw(st.lists(st.integers(1, 4), min_size=8, max_size=30))
    sizes = data.draw(st.lists(st.integers(0, 90), min_size=len(counts), max_size=len(counts)))
    with TemporaryDirectory() as folder:
        log = BrokerLog(Path(folder) / "orders-0", interval=60)
        for count, size in zip(counts, sizes, strict=True):
            log.data(count, size=size)
            if data.draw(st.integers(0, 9)) == 0:  # as compaction leaves a log
                log.next_offset += 2
        log.roll()
        log.data(1)
        path = log.write() / f"{0:020}.log"
        places = positions(log, path)
        bases = list(places)
        first = data.draw(st.integers(1, len(bases) - 5))
        last = first + data.draw(st.integers(0, 1))
        expected = read(log.folder)
        assert expected[1] == []
        kept = [each for each in expected[0] if not bases[first] <= each < bases[last + 1]]
        which = data.draw(st.sampled_from(["both", ".index", ".timeindex"]))
        if which != "both":
            path.with_suffix({".index": ".timeindex", ".timeindex": ".index"}[which]).unlink()
        cut_out(path, places[bases[first]], places[bases[last + 1]])
        with pytest.raises(MalformedMessageError, match=r"are missing: the (time )?index of the segment names"):
            read(log.folder, mode="FAILFAST")
        for most in ("128m", "300"):
            offsets, errors = read(log.folder, maxPartitionBytes=most)
            assert offsets == kept
            assert len(errors) == 1
        assert read_as_stream(log.folder)[0] == kept


@pytest.mark.parametrize("size", ["128m", "1000"])
def test_the_time_index_proves_that_the_last_batch_is_missing(tmp_path: Path, size: str) -> None:
    log = log_of(tmp_path / "orders-0", 3, 10)
    path = log.folder / f"{0:020}.log"
    cut_out(path, positions(log, path)[117], path.stat().st_size)
    index = path.with_suffix(".index")
    index.write_bytes(index.read_bytes()[:-16])
    offsets, errors = read(log.folder, maxPartitionBytes=size)
    assert offsets == [*range(117), 120]
    assert errors == ["the segment ends before the offset 117, but its time index names the offset 119"]


@pytest.mark.slow
@settings(max_examples=60)
@given(st.data())
def test_records_that_compaction_removed_are_not_reported(data: st.DataObject) -> None:
    """An index entry may be about several batches that were appended together."""
    offset, position, last = 0, 0, 0
    entries: list[tuple[int, int]] = []
    batches: list[bytes] = []
    expected: list[int] = []
    for _ in range(data.draw(st.integers(1, 20))):
        start = position
        for _ in range(data.draw(st.integers(1, 4))):
            count = data.draw(st.integers(1, 3))
            batch = Batch(offset, [Data(b"v" * data.draw(st.integers(0, 60))) for _ in range(count)]).encode()
            batches.append(batch)
            expected += range(offset, offset + count)
            position += len(batch)
            last = offset + count - 1
            offset += count + data.draw(st.sampled_from([0, 0, 1, 50]))
        if data.draw(st.booleans()) and start:
            entries.append((last, start))
    with TemporaryDirectory() as folder:
        segment = write_segment(Path(folder) / "orders-0", 0, batches)
        write_index(segment, entries)
        write_segment(segment.parent, offset + 9, [])
        for size in ("128m", "300"):
            assert read(segment.parent, maxPartitionBytes=size) == (expected, [])


def test_a_segment_of_another_partition_is_detected_by_its_indexes(tmp_path: Path) -> None:
    own = log_of(tmp_path / "orders-0", 3, 10)
    other = log_of(tmp_path / "other" / "orders-1", 2, 30)
    shutil.copyfile(other.folder / f"{0:020}.log", own.folder / f"{0:020}.log")
    for options in ({}, {"maxPartitionBytes": "1000"}):
        offsets, errors = read(own.folder, **options)
        assert offsets == [120]
        assert set(errors) == {
            "the segment is of another partition, or its indexes are: neither its offset index nor its time index fits"
        }
    with pytest.raises(MalformedMessageError):
        read(own.folder, mode="FAILFAST")


@pytest.mark.parametrize("suffix", [".index", ".timeindex"])
def test_a_single_index_of_another_partition_is_ignored(tmp_path: Path, suffix: str) -> None:
    own = log_of(tmp_path / "orders-0", 3, 10)
    other = log_of(tmp_path / "other" / "orders-1", 2, 30)
    shutil.copyfile(other.folder / f"{0:020}{suffix}", own.folder / f"{0:020}{suffix}")
    assert read(own.folder) == (list(range(121)), [])


EPOCHS = "leader-epoch-checkpoint"


def test_offsets_and_epochs_of_snapshots_are_not_checked_against_the_log(tmp_path: Path) -> None:
    segment = write_segment(tmp_path / "__cluster_metadata-0", 0, [Batch(leader_epoch=4).encode()])
    snapshot = segment.with_name(f"{9:020}-{1:010}.checkpoint")
    snapshot.write_bytes(Batch(leader_epoch=0).encode())
    (segment.parent / EPOCHS).write_text("0\n1\n4 0\n")
    assert read(segment) == read(snapshot) == ([0], [])


@pytest.mark.parametrize(
    ("epochs", "wrong"),
    [
        ({3: 0}, []),
        ({3: 10}, []),
        ({1: 0, 3: 4}, [0, 1, 2, 3]),
        ({1: 0, 3: 0, 4: 6}, [6, 7, 8, 9]),
        ({2: 0}, []),
        ({4: 0}, range(10)),
        ({1: 0, 2: 4, 5: 6}, range(10)),
        ({4: 20, 5: 40}, []),
        ({2: 20}, range(10)),
    ],
)
def test_leader_epochs_reveal_batches_of_other_partitions(
    tmp_path: Path, epochs: dict[int, int], wrong: list[int]
) -> None:
    batches = [Batch(offset, [Data()], leader_epoch=3).encode() for offset in range(10)]
    segment = write_segment(tmp_path / "orders-0", 0, batches)
    lines = "".join(f"{epoch} {start}\n" for epoch, start in epochs.items())
    (segment.parent / EPOCHS).write_text(f"0\n{len(epochs)}\n{lines}")
    offsets, errors = read(segment.parent)
    assert offsets == [offset for offset in range(10) if offset not in wrong]
    assert len(errors) == len(wrong)
    assert all("belongs to another partition: by leader-epoch-checkpoint, epoch" in error for error in errors)


@pytest.mark.parametrize("text", ["", "1\n0\n", "0\n2\n4 0\n", "0\n2\n4 0\n3 5\n", "0\n1\nx 0\n", "0\n1\n4\n", "\xff"])
def test_a_damaged_leader_epoch_checkpoint_is_ignored(tmp_path: Path, text: str) -> None:
    segment = write_segment(tmp_path / "orders-0", 0, [Batch(leader_epoch=3).encode()])
    (segment.parent / EPOCHS).write_bytes(text.encode("latin-1"))
    assert read(segment.parent) == ([0], [])


def test_producer_snapshots_reveal_batches_of_other_partitions(tmp_path: Path) -> None:
    own = log_of(tmp_path / "orders-0", 2, 10, producer=7)
    other = log_of(tmp_path / "other" / "orders-1", 3, 10, producer=7)
    assert read(own.folder) == ([*range(80), 81], [])
    for file in other.folder.glob(f"{0:020}.*"):
        shutil.copyfile(file, own.folder / file.name)
    # The next segment begins at offset 81, which is also the last offset.
    offsets, errors = read(own.folder)
    assert [error for error in errors if "by the producer snapshot of the next segment" in error]
    assert offsets == [*range(78), 81]
    assert read(own.folder, isolationLevel="read_committed")[1]


def put_id(folder: Path, topic_id: str) -> None:
    (folder / "partition.metadata").write_text(f"version: 0\ntopic_id: {topic_id}")


def test_topic_ids_that_are_too_long_are_ignored(tmp_path: Path) -> None:
    # The error of each segment in a contradicting log contains the id.
    for name, size in {"a-0": 23, "a-1": 10**6, "b-0": 10**6}.items():
        write_segment(tmp_path / name, 0, [Batch().encode()])
        put_id(tmp_path / name, "A" * size)
    assert [row["_error"] for row in rows(tmp_path)] == [None] * 3


def test_an_error_names_a_few_of_the_topics_with_the_same_id(tmp_path: Path) -> None:
    # Each segment of each topic has the error.
    for number in range(50):
        folder = tmp_path / f"{'x' * 200}{number:02}-0"
        write_segment(folder, 0, [Batch().encode()])
        put_id(folder, "A")
    found = rows(tmp_path)
    assert len(found) == 50
    assert max(len(row["_error"]["message"]) for row in found) < 1000
    assert all("and 46 others" in row["_error"]["message"] for row in found)


@pytest.mark.parametrize(
    ("ids", "wrong"),
    [
        ({"a-0": "A", "a-1": "A", "b-0": "B"}, []),
        ({"a-0": "A", "a-1": "A", "a-2": "B", "b-0": "B", "b-1": "B"}, ["a-2"]),
        ({"a-0": "A", "a-1": "A", "b-0": "A"}, ["b-0"]),
        ({"a-0": "A", "b-0": "A"}, ["a-0", "b-0"]),
        ({"a-0": "A", "a-1": "B"}, ["a-0", "a-1"]),
        ({"a-0": "A", "a-1": None, "b-0": "B"}, []),
    ],
)
def test_topic_ids_reveal_folders_of_other_topics(tmp_path: Path, ids: dict[str, str | None], wrong: list[str]) -> None:
    for name, topic_id in ids.items():
        write_segment(tmp_path / name, 0, [Batch().encode()])
        if topic_id is not None:
            put_id(tmp_path / name, topic_id)
    found = rows(tmp_path)
    assert [Path(row["path"]).parent.name for row in found if row["_error"] is not None] == wrong
    if wrong:
        with pytest.raises(MalformedMessageError, match=r"the folder is of another topic: its partition\.metadata has"):
            rows(tmp_path, mode="FAILFAST")
    # Each folder can be read alone.
    assert all(read(tmp_path / name) == ([0], []) for name in ids)


@pytest.mark.parametrize("hurt", [lambda path: path.unlink(), lambda path: path.write_bytes(b"")])
def test_missing_batches_go_unnoticed_without_indexes(tmp_path: Path, hurt: Callable[[Path], None]) -> None:
    """A missing batch looks like a compacted batch."""
    log = log_of(tmp_path / "orders-0", 3, 10)
    path = log.folder / f"{0:020}.log"
    places = positions(log, path)
    for suffix in (".index", ".timeindex"):
        hurt(path.with_suffix(suffix))
    cut_out(path, places[30], places[33])
    assert read(log.folder) == ([*range(30), *range(33, 121)], [])
