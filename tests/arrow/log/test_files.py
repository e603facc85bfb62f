"""Log files are detected, with their topic and partition."""

from __future__ import annotations

from pathlib import Path

import pytest

from messagegen_arrow.log.errors import LogPathError
from tests.arrow.support.log_data import many_batches, write_segment
from tests.arrow.support.log_reading import numbers, rows, values

ID = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def broker_folder(tmp_path: Path) -> Path:
    """A folder like a broker's: two topics, unused folders, and files that are not logs."""
    folder = tmp_path / "data"
    write_segment(folder / "orders-0", 0, many_batches(0, 2))
    write_segment(folder / "orders-0", 6, many_batches(6, 1))
    write_segment(folder / "orders-1", 0, many_batches(100, 1))
    write_segment(folder / "a-b.c_d-12", 0, many_batches(200, 1))
    for state in ("delete", "stray", "future"):
        write_segment(folder / f"gone-0.{ID}-{state}", 0, many_batches(900, 1))
    (folder / "orders-0" / "00000000000000000000.log.deleted").write_bytes(b"old")
    (folder / "orders-0" / "00000000000000000000.index").write_bytes(b"")
    (folder / "orders-0" / "leader-epoch-checkpoint").write_text("0\n")
    (folder / "orders-0" / f"{6:020}-0000000001.checkpoint").write_bytes(many_batches(300, 1)[0])
    (folder / "recovery-point-offset-checkpoint").write_text("0\n")
    (folder / "meta.properties").write_text("version=1\n")
    return folder


def test_all_partitions_in_use_of_a_broker_folder_are_read(broker_folder: Path) -> None:
    found = [(row["topic"], row["partition"], row["value"]) for row in rows(broker_folder)]
    assert found == [
        *[("a-b.c_d", 12, value) for value in numbers(200, 203)],
        *[("orders", 0, value) for value in numbers(0, 9)],
        *[("orders", 1, value) for value in numbers(100, 103)],
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("orders-1", numbers(100, 103)),
        ("orders-*", [*numbers(0, 9), *numbers(100, 103)]),
        ("*", [*numbers(200, 203), *numbers(0, 9), *numbers(100, 103)]),
        (f"orders-0/{6:020}.log", numbers(6, 9)),
        ("orders-0/*.checkpoint", numbers(300, 303)),
        (f"gone-0.{ID}-delete", numbers(900, 903)),
        ("*-stray", numbers(900, 903)),
    ],
)
def test_paths_can_be_folders_or_files_or_patterns(broker_folder: Path, path: str, expected: list[bytes]) -> None:
    assert values(broker_folder / path) == expected


def test_bootstrap_checkpoint_belongs_to_the_cluster_metadata(tmp_path: Path) -> None:
    (tmp_path / "bootstrap.checkpoint").write_bytes(many_batches(0, 1)[0])
    assert {(row["topic"], row["partition"]) for row in rows(tmp_path / "*.checkpoint")} == {("__cluster_metadata", 0)}


def test_a_segment_outside_a_partition_folder_has_no_topic(tmp_path: Path) -> None:
    file = write_segment(tmp_path / "somewhere", 0, many_batches(0, 1))
    assert {(row["topic"], row["partition"], row["path"]) for row in rows(file)} == {(None, None, str(file))}


def test_a_segment_with_the_suffix_swap_is_read(tmp_path: Path) -> None:
    file = write_segment(tmp_path / "orders-0", 0, many_batches(0, 1))
    file.rename(f"{file}.swap")
    assert values(tmp_path) == numbers(0, 3)


def test_a_path_without_logs_is_an_error_but_an_empty_broker_folder_is_not(tmp_path: Path) -> None:
    with pytest.raises(LogPathError, match="does not exist"):
        rows(tmp_path / "nowhere")
    with pytest.raises(LogPathError, match="holds no Kafka logs: neither folders such as orders-0"):
        rows(tmp_path)
    with pytest.raises(LogPathError, match="holds no Kafka logs"):
        rows(tmp_path / "*.log")
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(LogPathError, match="is not a log: segments are named"):
        rows(tmp_path / "notes.txt")
    (tmp_path / "meta.properties").write_text("version=1\n")
    assert rows(tmp_path) == []
