"""Snapshots of cluster metadata, with and without a log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import messagegen_kafka as kafka
from messagegen_arrow import metadata_history
from messagegen_arrow.log.errors import LogPathError
from tests.arrow.histories.metadata.records import FOLDER, changes, config, topic
from tests.arrow.support.history_data import ORDERS, log_rows, second, write_log
from tests.arrow.support.internal_records import metadata_record


def test_a_snapshot_replaces_deleted_records() -> None:
    folder = "/data/__cluster_metadata-0"
    old = log_rows([config("old")], f"{folder}/00000000000000000003-0000000001.checkpoint")
    base = log_rows([topic(), config("base")], f"{folder}/00000000000000000010-0000000001.checkpoint")
    newer = log_rows([config("newer")], f"{folder}/00000000000000000013-0000000001.checkpoint")
    first = log_rows([config("bootstrap")], "/data/bootstrap.checkpoint")
    tail = log_rows([config("10"), config("11")], f"{folder}/00000000000000000010.log", start=10)
    both = pa.concat_tables([old, base, newer, first, tail])
    assert changes(both, "config") == [
        (9, "topic orders", "present", "retention.ms", "base", None),
        (10, "topic orders", "changed", "retention.ms", "10", "base"),
        (11, "topic orders", "changed", "retention.ms", "11", "10"),
    ]
    whole = log_rows([config("0"), config("1")], f"{folder}/00000000000000000000.log")
    assert [each[4] for each in changes(pa.concat_tables([old, base, newer, first, whole]), "config")] == [
        "0",
        "1",
    ]
    alone = [each[:5] for each in changes(base, "config")]
    assert alone == [(9, "topic orders", "present", "retention.ms", "base")]


def snapshot_name(end: int, epoch: int = 1) -> str:
    return f"{end:020}-{epoch:010}.checkpoint"


@pytest.fixture
def snapshots(tmp_path: Path) -> Path:
    """A folder of cluster metadata that contains only snapshots."""
    folder = tmp_path / "data" / FOLDER
    write_log(folder, [topic(), config("old"), config("x", "cleanup.policy")], name=snapshot_name(3))
    write_log(folder, [topic(), config("new")], name=snapshot_name(8))
    return folder


OLD = [(2, "x"), (2, "old")]
NEW = [(7, "new")]


def values(*paths: Path) -> list[tuple[Any, ...]]:
    """Return the offset and value of each config, and check that each is present and has no previous value."""
    found = changes(list(paths), "config")
    assert {(each[2], each[5]) for each in found} <= {("present", None)}
    return sorted((each[0], each[4]) for each in found)


def test_a_snapshot_can_be_read_by_its_path(snapshots: Path) -> None:
    old, new = snapshots / snapshot_name(3), snapshots / snapshot_name(8)
    write_log(snapshots, [config("later")], first=8)
    assert values(old) == sorted(OLD)
    assert values(new) == NEW
    assert values(old, new) == sorted(OLD + NEW)
    assert [each[4] for each in changes(snapshots, "config")] == ["new", "later"]


def test_the_snapshot_with_the_later_epoch_wins_at_the_same_end_offset(snapshots: Path) -> None:
    write_log(snapshots, [topic(), config("epoch 2")], name=snapshot_name(8, 2))
    write_log(snapshots, [config("later")], first=8)
    assert [each[4] for each in changes(snapshots, "config")] == ["epoch 2", "later"]


def test_all_snapshots_are_read_from_a_folder_without_a_log(snapshots: Path) -> None:
    assert values(snapshots) == values(snapshots.parent) == sorted(OLD + NEW)


@pytest.mark.parametrize("name", ["bootstrap.checkpoint", "a copy.checkpoint", "0003-1.checkpoint"])
def test_rows_of_a_snapshot_with_an_unusual_name_have_no_offset(name: str, tmp_path: Path) -> None:
    path = write_log(tmp_path / "data", [topic(), config("1")], name=name)
    assert values(path) == [(None, "1")]
    if name != "bootstrap.checkpoint":
        assert values(path.parent) == [(None, "1")]
        return
    # Each folder of a broker has it, also folders without metadata.
    with pytest.raises(LogPathError, match="holds no Kafka logs"):
        metadata_history(path.parent)


def test_a_snapshot_from_a_different_folder_than_the_log_is_refused(snapshots: Path) -> None:
    other = write_log(snapshots.parent / "x" / FOLDER, [topic()])
    with pytest.raises(LogPathError, match="are replicas of the same partition"):
        metadata_history([snapshots / snapshot_name(3), other.parent])


def test_a_history_begins_with_the_snapshot_before_the_log(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    write_log(folder, [config("old")], name="00000000000000000002-0000000001.checkpoint")
    write_log(folder, [topic(), config("base")], name="00000000000000000005-0000000001.checkpoint")
    write_log(folder, [config("new"), metadata_record(kafka.RemoveTopicRecord(topic_id=ORDERS))], first=5)
    history = metadata_history(tmp_path)
    assert changes(tmp_path, "config") == [
        (4, "topic orders", "present", "retention.ms", "base", None),
        (5, "topic orders", "changed", "retention.ms", "new", "base"),
        (6, "topic orders", "removed", "retention.ms", None, "new"),
    ]
    # Each call of the reader finds the files that exist at that time.
    write_log(folder, [config("later")], first=7)
    last = pa.table(history).to_pylist()[-1]
    assert (last["offset"], last["timestamp"], last["value"]) == (7, second(7), "later")
