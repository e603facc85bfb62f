"""Rows of ``kafka-log``: columns, modes, ends of files, markers, aborted transactions."""

from __future__ import annotations

import logging
import os
from bisect import bisect_left
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from messagegen_arrow.log.errors import DataLossError
from messagegen_arrow.malformed import MalformedMessageError
from tests.arrow.support.log_changes import damaged, in_transaction
from tests.arrow.support.log_data import BATCH, Batch, Data, many_batches, marker, write_segment
from tests.arrow.support.log_reading import Source, numbers, rows, values


def test_an_unreadable_batch_is_kept_with_its_position_and_bytes(tmp_path: Path) -> None:
    first, second, third = many_batches(0, 3)
    path = write_segment(tmp_path / "orders-0", 0, [first, damaged(second), third])
    found = rows(tmp_path)
    assert [row["offset"] for row in found] == [0, 1, 2, None, 6, 7, 8]
    wrong = {name: value for name, value in found[3].items() if value is not None}
    assert wrong == {
        "topic": "orders",
        "partition": 0,
        "path": str(path),
        "batchOffset": 3,
        "batchPosition": BATCH,
        "_error": {
            "message": "the checksum is wrong: the batch was damaged",
            "path": "crc",
            "offset": BATCH + 17,
        },
        "_raw": damaged(second),
    }


def test_damage_is_an_error_unless_the_error_column_is_selected(tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, [damaged(many_batches(0, 1)[0])])
    with pytest.raises(MalformedMessageError):
        rows(tmp_path, columns="value")
    assert rows(tmp_path, columns="value,_error")[0]["_error"]["path"] == "crc"


def test_dropmalformed_omits_and_logs_damage(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    first, second, third = many_batches(0, 3)
    write_segment(tmp_path / "orders-0", 0, [first, damaged(second), third])
    with caplog.at_level(logging.WARNING):
        assert values(tmp_path, mode="DROPMALFORMED") == [*numbers(0, 3), *numbers(6, 9)]
    assert f"left out: {tmp_path}" in caplog.text
    assert f"byte {BATCH} (base offset 3)" in caplog.text


def test_a_task_logs_the_numbers_of_rows_and_bytes_and_damaged_batches(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    batches = [in_transaction(0, 1), marker(2, 1, commit=False), damaged(many_batches(3, 1)[0]), *many_batches(6, 2)]
    path = write_segment(tmp_path / "orders-0", 0, batches)
    with caplog.at_level(logging.INFO, "messagegen_arrow"):
        assert len(rows(tmp_path, isolationLevel="read_committed")) == 7
    told = f"7 rows from 1 file ranges ({path.stat().st_size} bytes); 1 damaged batches; 3 rows left out (control"
    assert told in caplog.text


@pytest.mark.parametrize("tail", [bytes(500), many_batches(6, 1)[0][:-1], many_batches(6, 1)[0][:9], bytes(3)])
def test_the_last_segment_can_end_with_an_incomplete_batch(tmp_path: Path, tail: bytes) -> None:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 2), tail=tail)
    assert values(tmp_path) == numbers(0, 6)


@pytest.mark.parametrize(
    ("tail", "message"),
    [
        (many_batches(6, 1)[0][:-1], "the bytes of the last batch are not all there"),
        (bytes(100) + b"x", "there are zeros where a batch should begin, and other bytes after them"),
    ],
)
def test_bytes_after_the_last_batch_are_an_error_except_in_the_last_segment(
    tmp_path: Path, tail: bytes, message: str
) -> None:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 2), tail=tail)
    write_segment(tmp_path / "orders-0", 9, many_batches(9, 1))
    found = rows(tmp_path)
    assert [row["value"] for row in found] == [*numbers(0, 6), None, *numbers(9, 12)]
    assert found[6]["_error"] == {"message": message, "path": "length", "offset": 2 * BATCH}
    assert (found[6]["_raw"], found[6]["batchPosition"]) == (tail, 2 * BATCH)


@pytest.mark.parametrize("follows", [[], many_batches(200, 1)], ids=["last", "complete"])
@pytest.mark.parametrize("zeros", [61, 85, 300, 512])
def test_reading_continues_with_the_next_batch_after_zeros(tmp_path: Path, zeros: int, follows: list[bytes]) -> None:
    batches = many_batches(0, 20)
    path = write_segment(tmp_path / "orders-0", 0, batches)
    begins = list(accumulate(map(len, batches), initial=0))
    at = begins[5]
    intact = bisect_left(begins, at + zeros)
    content = bytearray(path.read_bytes())
    content[at : at + zeros] = bytes(zeros)
    path.write_bytes(content + bytes(600 * (not follows)))
    if follows:
        write_segment(tmp_path / "orders-0", 200, follows)
    for options in ({}, {"maxPartitionBytes": "300"}):
        found = rows(tmp_path, **options)
        good = [row["value"] for row in found if row["_error"] is None]
        assert good == [*numbers(0, 15), *numbers(3 * intact, 60), *numbers(200, 200 + 3 * len(follows))]
        (bad,) = (row for row in found if row["_error"] is not None)
        assert bad["batchPosition"] == at
        assert "zeros where a batch should begin" in bad["_error"]["message"]
    with pytest.raises(MalformedMessageError, match=f"{path}: the batch at byte {at} .*zeros where a batch should"):
        rows(tmp_path, mode="FAILFAST")


def test_a_hole_of_a_preallocated_file_is_not_read(tmp_path: Path) -> None:
    """Reading a terabyte of zeros would take minutes."""
    path = write_segment(tmp_path / "orders-0", 0, many_batches(0, 2))
    os.truncate(path, 1 << 40)
    assert values(tmp_path, maxPartitionBytes="2t") == numbers(0, 6)


@pytest.mark.parametrize("length", [-5, 3, 20, BATCH - 11, 2 * BATCH - 12, 2 * BATCH + 5, 1_000_000, (1 << 31) - 1])
def test_reading_continues_with_the_next_batch_after_a_wrong_length(tmp_path: Path, length: int) -> None:
    wrong = many_batches(3, 1)[0]
    batches = [
        many_batches(0, 1)[0],
        wrong[:8] + length.to_bytes(4, "big", signed=True) + wrong[12:],
        *many_batches(6, 40),
    ]
    write_segment(tmp_path / "orders-0", 0, batches)
    for options in ({}, {"maxPartitionBytes": "300"}):
        found = rows(tmp_path, **options)
        assert [row["value"] for row in found if row["_error"] is None] == [*numbers(0, 3), *numbers(6, 126)]
        assert next(row["batchPosition"] for row in found if row["_error"] is not None) == BATCH


def test_batches_inside_the_value_of_a_damaged_batch_are_not_read(tmp_path: Path) -> None:
    inner = many_batches(50, 2)
    outer = Batch(3, [Data(b"".join(inner)), Data()]).encode()
    write_segment(tmp_path / "orders-0", 0, [many_batches(0, 1)[0], damaged(outer), many_batches(5, 1)[0]])
    assert values(tmp_path) == [*numbers(0, 3), None, *numbers(5, 8)]


@pytest.mark.parametrize("timestamp", [(1 << 63) - 1, -(1 << 63)])
def test_a_time_outside_the_range_of_spark_is_clamped(tmp_path: Path, timestamp: int) -> None:
    batch = Batch(0, [Data()], base_timestamp=timestamp)
    write_segment(tmp_path / "orders-0", 0, [batch.encode()])
    made = Source(tmp_path, columns="timestamp")
    (table,) = made.read(made.tasks()[0])
    limit = ((1 << 63) - 1) // 1000 * 1000
    assert table.column(0).view("int64").to_pylist() == [limit if timestamp > 0 else -limit]


def test_markers_are_left_out_by_default(tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, [*many_batches(0, 1), marker(3, 7, commit=True), *many_batches(4, 1)])
    assert values(tmp_path) == [*numbers(0, 3), *numbers(4, 7)]
    assert [row["isControl"] for row in rows(tmp_path, includeControl="true")] == [False] * 3 + [True] + [False] * 3


def test_read_committed_leaves_out_aborted_records(tmp_path: Path) -> None:
    batches = [
        in_transaction(0, producer=1),
        in_transaction(2, producer=2),
        many_batches(4, 1, size=2)[0],
        marker(6, 1, commit=False),
        in_transaction(7, producer=1),
        marker(9, 2, commit=True),
        marker(10, 1, commit=True),
        in_transaction(11, producer=1),
        marker(13, 1, commit=False),
    ]
    write_segment(tmp_path / "orders-0", 0, batches)
    committed = [*numbers(2, 6), *numbers(7, 9)]
    assert values(tmp_path) == [*numbers(0, 6), *numbers(7, 9), *numbers(11, 13)]
    assert values(tmp_path, isolationLevel="read_committed") == committed
    assert values(tmp_path, isolationLevel="read_committed", startingOffset="3") == committed[1:]
    assert values(tmp_path, isolationLevel="read_committed", endingOffset="2") == []
    with_columns = rows(tmp_path, isolationLevel="read_committed", columns="value")
    assert with_columns == [{"value": value} for value in committed]


def test_read_committed_ends_at_an_open_transaction(tmp_path: Path) -> None:
    folder = tmp_path / "orders-0"
    write_segment(folder, 0, [in_transaction(0, 1), marker(2, 1, commit=True), many_batches(3, 1)[0]])
    write_segment(folder, 6, [in_transaction(6, 1), many_batches(8, 1)[0], marker(11, 2, commit=True)])
    assert values(tmp_path, isolationLevel="read_committed") == [*numbers(0, 2), *numbers(3, 6)]
    write_segment(folder, 12, [marker(12, 1, commit=True)])
    assert values(tmp_path, isolationLevel="read_committed") == [*numbers(0, 2), *numbers(3, 8), *numbers(8, 11)]


def test_read_committed_can_continue_past_open_transactions(tmp_path: Path) -> None:
    batches = [in_transaction(0, 1), in_transaction(2, 2), many_batches(4, 1)[0], marker(7, 1, commit=True)]
    more = [in_transaction(8, 1), in_transaction(10, 3), marker(12, 3, commit=False), many_batches(13, 1)[0]]
    write_segment(tmp_path / "orders-0", 0, [*batches, *more])
    found = values(tmp_path, isolationLevel="read_committed", untilLastStableOffset="false")
    assert found == [*numbers(0, 2), *numbers(4, 7), *numbers(13, 16)]
    assert values(tmp_path, isolationLevel="read_committed") == numbers(0, 2)


def test_a_damaged_batch_opens_no_transaction(tmp_path: Path) -> None:
    batches = [many_batches(0, 1)[0], damaged(in_transaction(3, 5)), many_batches(5, 1)[0]]
    write_segment(tmp_path / "orders-0", 0, batches)
    assert values(tmp_path, isolationLevel="read_committed") == [*numbers(0, 3), None, *numbers(5, 8)]


def test_a_damaged_marker_hides_only_its_own_transaction(tmp_path: Path) -> None:
    batches = [
        in_transaction(0, 1),
        marker(2, 1, commit=True),
        in_transaction(3, 1),
        damaged(marker(5, 1, commit=True)),
        *many_batches(6, 2),
        in_transaction(12, 1),
        marker(14, 1, commit=True),
    ]
    path = write_segment(tmp_path / "orders-0", 0, batches)
    found = rows(tmp_path, isolationLevel="read_committed")
    assert [row["value"] for row in found] == [*numbers(0, 2), None, *numbers(6, 14)]
    assert found[2]["batchOffset"] == 5
    with pytest.raises(MalformedMessageError, match=rf"{path}: .*\(base offset 5\)"):
        rows(tmp_path, isolationLevel="read_committed", mode="FAILFAST")
    assert None in values(tmp_path)


def test_transaction_markers_after_damaged_bytes_are_found(tmp_path: Path) -> None:
    junk = b"\1" * 8 + b"\xff" * 90
    batches = [in_transaction(0, 1), junk, marker(2, 1, commit=True), bytes(100), in_transaction(3, 1)]
    write_segment(tmp_path / "orders-0", 0, [*batches, bytes(100), marker(5, 1, commit=False), *many_batches(6, 1)])
    found = values(tmp_path, isolationLevel="read_committed")
    assert [value for value in found if value is not None] == [*numbers(0, 2), *numbers(6, 9)]
    assert found.count(None) == 3


@pytest.mark.parametrize("change", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_a_file_changed_after_planning_is_an_error_or_a_gap(tmp_path: Path, change: Callable[[Path], Any]) -> None:
    path = write_segment(tmp_path / "orders-0", 0, many_batches(0, 2))
    write_segment(tmp_path / "orders-0", 6, many_batches(6, 1))
    for fail in ("true", "false"):
        made = Source(tmp_path, failOnDataLoss=fail)
        planned = made.tasks()
        content = path.read_bytes()
        change(path)
        if fail == "true" and not path.exists():
            with pytest.raises(DataLossError, match=f"{path} is gone.*failOnDataLoss=false continues"):
                list(made.read(planned[0]))
        else:
            found = [row for table in made.read(planned[0]) for row in table.to_pylist()]
            assert [row["value"] for row in found if row["_error"] is None] == numbers(6, 9)
            assert [row["_error"] is None for row in found].count(False) == path.exists()
        path.write_bytes(content)


def test_column_names_are_case_insensitive() -> None:
    with pytest.raises(ValueError, match="read_log has no column valeu; did you mean value"):
        Source("/", columns="valeu").options.names  # noqa: B018 - a property that raises
    assert Source("/", columns="OFFSET,value").options.names == ("offset", "value")
