"""The stream of ``kafka-log``, without Spark: micro-batches of logs that grow, are cleaned, and are deleted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_arrow.log.errors import CheckpointError, LogGapError
from messagegen_arrow.options import OptionError
from tests.arrow.support.log_changes import append, damaged, in_transaction
from tests.arrow.support.log_data import BATCH, Batch, Data, many_batches, marker, write_segment
from tests.arrow.support.log_reading import Stream, numbers


@pytest.mark.parametrize("where", ["topics", "orders-0"])
@pytest.mark.parametrize("change", [{"offset": None}, {"offset": "3"}, {"leaderEpoch": 1}, {"topicId": 7}])
def test_checkpoints_of_other_versions_are_refused(tmp_path: Path, where: str, change: dict[str, Any]) -> None:
    """This includes missing folders: otherwise, they would later be read again from their beginning."""
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 1))
    stream = Stream(tmp_path)
    end = stream.plan()
    (place,) = end.values()
    stream.offsets = {str(tmp_path / where): {**place, **change}}
    with pytest.raises(
        CheckpointError, match=r"another version of messagegen wrote it; start with a new checkpoint folder"
    ):
        stream.plan()
    with pytest.raises(CheckpointError, match=r"the checkpoint has .* as the place in a log"):
        stream.rows(end)


def test_new_segments_and_new_folders_are_found(tmp_path: Path) -> None:
    (tmp_path / "meta.properties").write_text("")
    stream = Stream(tmp_path)
    assert stream.next() == []
    segment = write_segment(tmp_path / "orders-0", 0, many_batches(0, 1))
    assert stream.next() == numbers(0, 3)
    append(segment, *many_batches(3, 1))
    write_segment(tmp_path / "orders-0", 6, many_batches(6, 1))
    write_segment(tmp_path / "orders-1", 0, many_batches(100, 1))
    assert stream.next() == [*numbers(3, 9), *numbers(100, 103)]


@pytest.mark.parametrize("tail", [many_batches(3, 1)[0][:50], bytes(400), many_batches(3, 1)[0][:5]])
def test_a_batch_is_read_only_when_it_is_complete(tmp_path: Path, tail: bytes) -> None:
    segment = write_segment(tmp_path / "orders-0", 0, many_batches(0, 1), tail=tail)
    stream = Stream(tmp_path)
    assert stream.next() == numbers(0, 3)
    assert stream.next() == []
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 2), tail=bytes(400 - BATCH) if tail == bytes(400) else b"")
    assert stream.next() == numbers(3, 6)
    assert segment.exists()


def test_the_byte_limit_is_shared_among_all_partitions(tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 3))
    write_segment(tmp_path / "orders-0", 9, many_batches(9, 1, size=1))
    write_segment(tmp_path / "orders-1", 0, many_batches(100, 1))
    stream = Stream(tmp_path)
    assert stream.next(300) == [*numbers(0, 6), *numbers(100, 103)]
    assert stream.next(1) == numbers(6, 9)
    assert stream.next(1) == numbers(9, 10)
    assert stream.next(1) == []


def test_a_stream_begins_at_the_log_start_offset(tmp_path: Path) -> None:
    segment = write_segment(tmp_path / "orders-0", 0, many_batches(0, 2))
    checkpoint = tmp_path / "log-start-offset-checkpoint"
    checkpoint.write_text("0\n1\norders 0 4\n")
    strict, lenient = Stream(tmp_path), Stream(tmp_path, failOnDataLoss="false")
    assert strict.next() == lenient.next() == numbers(4, 6)
    append(segment, *many_batches(6, 2))
    checkpoint.write_text("0\n1\norders 0 8\n")
    with pytest.raises(LogGapError, match="now begins at offset 8, but was read only up to 6"):
        strict.next()
    assert lenient.next() == numbers(8, 12)
    append(segment, *many_batches(12, 1))
    assert lenient.next() == numbers(12, 15)


def test_a_stream_waits_for_the_high_watermark(tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 3))
    checkpoint = tmp_path / "replication-offset-checkpoint"
    checkpoint.write_text("0\n1\norders 0 3\n")
    stream = Stream(tmp_path, untilHighWatermark="true")
    assert stream.next() == numbers(0, 3)
    assert stream.next() == []
    checkpoint.write_text("0\n1\norders 0 9\n")
    assert stream.next() == numbers(3, 9)


def test_available_now_ends_at_the_last_offset_when_the_stream_started(tmp_path: Path) -> None:
    segment = write_segment(tmp_path / "orders-0", 0, many_batches(0, 2))
    stream = Stream(tmp_path)
    stream.source.stop_at_what_is_there()
    append(segment, *many_batches(6, 1))
    write_segment(tmp_path / "orders-1", 0, many_batches(100, 1))
    assert stream.next(BATCH) == numbers(0, 3)
    assert stream.next(BATCH) == numbers(3, 6)
    assert stream.plan(BATCH) == stream.offsets


def test_available_now_fails_if_a_folder_disappears_before_it_was_read(tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 2))
    segment = write_segment(tmp_path / "orders-1", 0, many_batches(100, 1))
    stream = Stream(tmp_path)
    stream.source.stop_at_what_is_there()
    assert stream.next(BATCH) == numbers(0, 3)
    segment.parent.rename(tmp_path / "away")
    with pytest.raises(LogGapError, match="orders-1 is gone, and its records from offset 0 on may be unread"):
        stream.next(BATCH)


def test_latest_begins_after_existing_records(tmp_path: Path) -> None:
    segment = write_segment(tmp_path / "orders-0", 0, many_batches(0, 2))
    stream = Stream(tmp_path, startingOffsets="latest")
    assert stream.next() == []
    append(segment, *many_batches(6, 1))
    assert stream.next() == numbers(6, 9)


def test_segments_can_be_deleted_after_they_were_read(tmp_path: Path) -> None:
    old = write_segment(tmp_path / "orders-0", 0, many_batches(0, 1))
    stream = Stream(tmp_path)
    write_segment(tmp_path / "orders-0", 3, many_batches(3, 1))
    assert stream.next() == numbers(0, 6)
    old.unlink()
    write_segment(tmp_path / "orders-0", 6, many_batches(6, 1))
    (tmp_path / "orders-0" / f"{3:020}.log").unlink()
    assert stream.next() == numbers(6, 9)


def test_unread_records_that_were_deleted_are_an_error_or_a_gap(tmp_path: Path) -> None:
    old = write_segment(tmp_path / "orders-0", 0, many_batches(0, 2))
    strict, lenient = Stream(tmp_path), Stream(tmp_path, failOnDataLoss="false")
    assert strict.next(1) == lenient.next(1) == numbers(0, 3)
    write_segment(tmp_path / "orders-0", 6, many_batches(6, 1))
    old.unlink()
    with pytest.raises(
        LogGapError, match="now begins at offset 6, but was read only up to 3; option failOnDataLoss=false"
    ):
        strict.next()
    assert lenient.next() == numbers(6, 9)


def test_a_missing_folder_is_an_error_or_a_gap_and_is_continued_when_it_comes_back(tmp_path: Path) -> None:
    other = write_segment(tmp_path / "orders-0", 0, many_batches(0, 1))
    segment = write_segment(tmp_path / "orders-1", 0, many_batches(100, 1))
    strict, lenient = Stream(tmp_path), Stream(tmp_path, failOnDataLoss="false")
    assert strict.next() == lenient.next() == [*numbers(0, 3), *numbers(100, 103)]
    away = segment.parent.rename(tmp_path / "away")
    append(other, *many_batches(3, 1))
    with pytest.raises(
        LogGapError, match=r"orders-1 is gone, and its records from offset 103 on may be unread; option failOnDataLoss"
    ):
        strict.next()
    assert lenient.next() == numbers(3, 6)
    lenient.restart()
    assert lenient.next() == []
    away.rename(segment.parent)
    append(segment, *many_batches(103, 1))
    strict.restart()
    assert strict.next() == [*numbers(3, 6), *numbers(103, 106)]
    assert lenient.next() == numbers(103, 106)


def test_a_missing_folder_is_noted_once(tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 1))
    segment = write_segment(tmp_path / "orders-1", 0, many_batches(100, 1))
    stream = Stream(tmp_path, failOnDataLoss="false")
    stream.next()
    segment.parent.rename(tmp_path / "away")
    stream.next()
    (note,) = stream.source.warnings()
    assert "orders-1 is gone" in note
    stream.next()
    assert stream.source.warnings() == []


def test_folders_that_the_options_no_longer_select_are_not_missing(tmp_path: Path) -> None:
    orders = write_segment(tmp_path / "orders-0", 0, many_batches(0, 1))
    write_segment(tmp_path / "payments-0", 0, many_batches(100, 1))
    stream = Stream(tmp_path)
    stream.next()
    narrow = Stream(tmp_path, topics="orders")
    narrow.offsets = stream.offsets
    append(orders, *many_batches(3, 1))
    assert narrow.next() == numbers(3, 6)


def test_a_folder_that_disappears_after_planning_is_an_error_or_a_gap(tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 1))
    segment = write_segment(tmp_path / "orders-1", 0, many_batches(100, 1))
    strict, lenient = Stream(tmp_path), Stream(tmp_path, failOnDataLoss="false")
    end = strict.plan()
    away = segment.parent.rename(tmp_path / "away")
    strict.restart()
    with pytest.raises(LogGapError, match=r"orders-1 is gone, .* failOnDataLoss=false"):
        strict.rows(end)
    assert [row["value"] for row in lenient.rows(end)] == numbers(0, 3)
    away.rename(segment.parent)
    assert [row["value"] for row in strict.rows(end)] == [*numbers(0, 3), *numbers(100, 103)]


@pytest.mark.parametrize("missing", [FileNotFoundError(2, "No such file"), OSError(5, "Input/output error")])
def test_a_temporarily_unreadable_topic_id_does_not_look_like_a_new_topic(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: OSError
) -> None:
    segment = write_segment(tmp_path / "orders-0", 0, many_batches(0, 1))
    (segment.parent / "partition.metadata").write_text("version: 0\ntopic_id: first")
    stream = Stream(tmp_path)
    assert stream.next() == numbers(0, 3)

    read_text = Path.read_text

    def fail(path: Path, **options: Any) -> str:
        if path.name == "partition.metadata":
            raise missing
        return read_text(path, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_text", fail)
        append(segment, *many_batches(3, 1))
        assert stream.next() == numbers(3, 6)
    stream.restart()
    append(segment, *many_batches(6, 1))
    assert stream.next() == numbers(6, 9)
    (segment.parent / "partition.metadata").write_text("version: 0\ntopic_id: second")
    with pytest.raises(LogGapError, match="belongs to another topic"):
        stream.next()


def test_a_topic_that_is_replaced_after_planning_is_an_error_or_a_gap(tmp_path: Path) -> None:
    segment = write_segment(tmp_path / "orders-0", 0, many_batches(0, 2))
    metadata = segment.parent / "partition.metadata"
    metadata.write_text("version: 0\ntopic_id: first")
    strict, lenient = Stream(tmp_path), Stream(tmp_path, failOnDataLoss="false")
    end = strict.plan()
    metadata.write_text("version: 0\ntopic_id: second")
    with pytest.raises(LogGapError, match="another topic of the same name since"):
        strict.rows(end)
    assert lenient.rows(end) == []
    lenient.offsets = end
    assert lenient.next() == numbers(0, 6)


def test_a_log_that_is_restored_in_parts_is_not_read_again(tmp_path: Path) -> None:
    folder = tmp_path / "orders-0"
    parts = {base: many_batches(base, 2) for base in (0, 6, 12)}
    for base, batches in parts.items():
        write_segment(folder, base, batches)
    strict, stream = Stream(tmp_path), Stream(tmp_path, failOnDataLoss="false")
    assert strict.next() == stream.next() == numbers(0, 18)
    for base in (6, 12):
        (folder / f"{base:020}.log").unlink()
    with pytest.raises(LogGapError, match="orders-0 now ends at offset 6, but was read up to 18"):
        strict.next()
    assert stream.next() == []
    for base, batches in parts.items():
        write_segment(folder, base, batches[:1])
        assert stream.next() == []
        write_segment(folder, base, batches)
        assert stream.next() == []
    append(folder / f"{12:020}.log", *many_batches(18, 1))
    assert strict.next() == stream.next() == numbers(18, 21)


def test_a_new_topic_of_the_same_name_is_an_error_or_is_read_from_its_beginning(tmp_path: Path) -> None:
    folder = tmp_path / "orders-0"
    write_segment(folder, 0, many_batches(0, 2))
    (folder / "partition.metadata").write_text("version: 0\ntopic_id: first")
    strict, lenient = Stream(tmp_path), Stream(tmp_path, failOnDataLoss="false")
    assert strict.next(1) == lenient.next(1) == numbers(0, 3)
    write_segment(folder, 0, many_batches(0, 1))
    (folder / "partition.metadata").write_text("version: 0\ntopic_id: second")
    with pytest.raises(
        LogGapError, match="another topic of the same name now, and records of the earlier topic from offset 3 on may"
    ):
        strict.next()
    assert lenient.next() == numbers(0, 3)
    strict.offsets = lenient.offsets
    append(folder / f"{0:020}.log", *many_batches(3, 1))
    assert strict.next() == numbers(3, 6)


def test_zeros_between_batches_do_not_stop_a_stream(tmp_path: Path) -> None:
    batches = [*many_batches(0, 1), bytes(512), *many_batches(3, 2)]
    segment = write_segment(tmp_path / "orders-0", 0, batches, tail=bytes(300))
    stream = Stream(tmp_path)
    assert stream.next(BATCH) == [*numbers(0, 3), None]
    assert stream.next() == numbers(3, 9)
    write_segment(tmp_path / "orders-0", 0, [*batches, *many_batches(9, 1)], tail=bytes(100))
    assert stream.next() == numbers(9, 12)
    assert segment.exists()


def test_a_damaged_marker_does_not_stop_a_stream(tmp_path: Path) -> None:
    batches = [in_transaction(0, 1), damaged(marker(2, 1, commit=True)), *many_batches(3, 1)]
    write_segment(tmp_path / "orders-0", 0, batches)
    assert Stream(tmp_path, isolationLevel="read_committed").next() == [None, *numbers(3, 6)]


def test_streams_refuse_to_continue_past_open_transactions(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="streams end at the last stable offset"):
        Stream(tmp_path, isolationLevel="read_committed", untilLastStableOffset="false")


def test_read_committed_waits_for_the_end_of_transactions(tmp_path: Path) -> None:
    segment = write_segment(
        tmp_path / "orders-0", 0, [many_batches(0, 1)[0], in_transaction(3, 1), in_transaction(5, 2)]
    )
    stream = Stream(tmp_path, isolationLevel="read_committed")
    assert stream.next() == numbers(0, 3)
    append(segment, marker(7, 1, commit=True), many_batches(8, 1)[0])
    assert stream.next() == numbers(3, 5)
    assert stream.next() == []
    append(segment, marker(11, 2, commit=False), in_transaction(12, 1))
    stream.restart()
    assert stream.next() == numbers(8, 11)
    append(segment, marker(14, 1, commit=True))
    assert stream.next() == numbers(12, 14)


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.integers(1, 600)), max_size=12))
def test_micro_batches_of_any_size_add_up_to_the_whole_log(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, bool, int]]
) -> None:
    folder = tmp_path_factory.mktemp("logs") / "orders-0"
    segment = write_segment(folder, 0, [])
    stream = Stream(folder)
    offset, found = 0, []
    for batches, is_rolled, most in steps:
        if is_rolled and segment.stat().st_size:
            segment = write_segment(folder, offset, [])
        append(segment, *many_batches(offset, batches))
        offset += 3 * batches
        found += stream.next(most)
        stream.restart()
    found += stream.next()
    assert found == numbers(0, offset)


def test_a_batch_larger_than_the_limit_is_read_alone(tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, [Batch(0, [Data(bytes(100_000))]).encode(), *many_batches(1, 1)])
    stream = Stream(tmp_path)
    assert stream.next(10) == [bytes(100_000)]
    assert stream.next(10) == numbers(1, 4)
