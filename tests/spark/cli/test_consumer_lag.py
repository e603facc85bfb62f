"""``messagegen-pipeline consumer-lag-history``: its files, its options, and when it refuses. The rows are tested without Spark."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import messagegen_arrow
import messagegen_kafka as kafka
from tests.arrow.support.history_data import write_log
from tests.arrow.support.internal_records import OFFSETS, Record, coordinator_record
from tests.arrow.support.log_data import TIME
from tests.spark.support.history_command import Command, Done, command

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["command"]  # a fixture

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

TYPES = {
    "bigint": ("offset", "previousOffset", "delta", "endOffset", "lag", "logOffset"),
    "int": ("partition", "leaderEpoch", "logPartition", "unit"),
    "timestamp": ("commitTimestamp", "expireTimestamp", "logTimestamp"),
    "boolean": ("isTombstone",),
}
"""The types of columns that are not text."""


def commit(offset: int | None, at: int = 0) -> Record:
    """A commit in a second, or the tombstone of one."""
    key = {"group": "billing", "topic": "orders", "partition": 0}
    value = None if offset is None else kafka.OffsetCommitValue(offset=offset, commit_timestamp=TIME + 1000 * at)
    return coordinator_record(OFFSETS, "OffsetCommit", key, value, 3)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of a broker: commits with a deletion and one that can't be read, of a topic with a record a second."""
    folder = tmp_path_factory.mktemp("lag") / "logs"
    group = coordinator_record(OFFSETS, "GroupMetadata", {"group": "billing"}, kafka.GroupMetadataValue(), 3)
    cut_off = Record(OFFSETS, commit(1).key, (commit(1).value or b"")[:-1])
    write_log(folder / f"{OFFSETS}-7", [group, commit(2, at=4), cut_off, commit(5, at=6), commit(None), commit(9)])
    write_log(folder / "orders-0", [Record("orders", None, b"an order")] * 10)
    return folder


@pytest.fixture
def history(command: Command, logs: Path, tmp_path: Path) -> Callable[..., Done]:
    """Runs the command on the logs."""
    return lambda *more: command("consumer-lag-history", "--input", logs, "--output", tmp_path / "out", *more)


def rows_of(spark: SparkSession, output: Path) -> list[tuple[Any, ...]]:
    rows = spark.read.parquet(str(output)).orderBy("logOffset").collect()
    return [(row.logOffset, row.groupType, row.offset, row.previousOffset, row.endOffset, row.lag) for row in rows]


def test_the_files_have_what_one_machine_gives(
    spark: SparkSession, history: Callable[..., Done], logs: Path, tmp_path: Path
) -> None:
    done = history("--format", "json", "--ends", logs, "--partition-by", "groupType")
    summary = json.loads(done.out)
    assert (done.code, summary["rows"], summary["malformed"]) == (0, 6, 1)
    assert [path.name for path in (tmp_path / "out" / "unit=000000").glob("group*")] == ["groupType=classic"]
    schema = spark.read.parquet(str(tmp_path / "out")).schema
    alone = messagegen_arrow.consumer_lag_history(logs, logs)
    assert {field.name for field in schema} == {*alone.schema.names, "unit"}
    types = {name: type_ for type_, names in TYPES.items() for name in names}
    assert all(field.dataType.simpleString() == types.get(field.name, "string") for field in schema)
    names = ("logOffset", "groupType", "offset", "previousOffset", "endOffset", "lag")
    expected = [tuple(row[name] for name in names) for batch in alone for row in batch.to_pylist()]
    assert rows_of(spark, tmp_path / "out") == expected
    assert [row[-1] for row in expected] == [3, 2, None, 0]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nowhere", "nowhere does not exist here"),
        ("ftp://host/logs", "ftp:// can't be read"),
    ],
)
def test_ends_that_are_no_logs_are_told_before_anything_is_written(
    name: str, reason: str, history: Callable[..., Done], tmp_path: Path
) -> None:
    done = history("--ends", name if ":" in name else tmp_path / name)
    assert done.code == 1
    assert done.err.startswith("Error: ")
    assert reason in done.err
    assert "LogPathError" not in done.err
    assert list((tmp_path / "out").iterdir()) == []


def test_other_ends_are_another_job(history: Callable[..., Done], logs: Path, tmp_path: Path) -> None:
    # A slip in the path costs nothing: the same output takes the right one.
    assert history("--ends", tmp_path / "nowhere").code == 1
    assert history("--ends", logs).code == 0
    done = history()
    assert done.code == 1
    assert "other arguments (ends)" in done.err


def test_records_that_cannot_be_read_end_it_if_that_is_asked(history: Callable[..., Done]) -> None:
    failed = history("--mode", "failfast")
    assert failed.code == 1
    assert "(OffsetCommit version 3, byte" in failed.err
    assert failed.err.endswith(
        "leaves such records out; decode_internal_topics, or messagegen-pipeline decode, shows them with what is wrong\n"
    )
    # There is no column that could say what is wrong.
    refused = history("--mode", "permissive")
    assert refused.code == 2
    assert "'permissive' is not one of 'dropmalformed', 'failfast'" in refused.err
