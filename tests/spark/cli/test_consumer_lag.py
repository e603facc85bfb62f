"""``messagegen-pipeline consumer-lag-history``: what is in the files that it writes, and what ``--ends`` takes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import messagegen_kafka as kafka
from tests.arrow.support.internal_records import OFFSETS, Record, coordinator_record
from tests.arrow.support.log_data import TIME, Batch, Data, marker, write_segment
from tests.spark.support.history_command import Command, Done, command, second, write_log

if TYPE_CHECKING:
    from pyspark.sql import Row, SparkSession

__all__ = ["command"]  # a fixture

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

COLUMNS = [
    ("group", "string"),
    ("groupType", "string"),
    ("topic", "string"),
    ("partition", "int"),
    ("offset", "bigint"),
    ("leaderEpoch", "int"),
    ("metadata", "string"),
    ("commitTimestamp", "timestamp"),
    ("expireTimestamp", "timestamp"),
    ("isTombstone", "boolean"),
    ("previousOffset", "bigint"),
    ("delta", "bigint"),
    ("endOffset", "bigint"),
    ("lag", "bigint"),
    ("topicId", "string"),
    ("logTopic", "string"),
    ("logPartition", "int"),
    ("logOffset", "bigint"),
    ("logTimestamp", "timestamp"),
    ("unit", "int"),
]


def commit(offset: int | None, at: int = 0, topic: str = "orders") -> Record:
    """A commit in a second, or the tombstone of one."""
    key = {"group": "billing", "topic": topic, "partition": 0}
    value = None if offset is None else kafka.OffsetCommitValue(offset=offset, commit_timestamp=TIME + 1000 * at)
    return coordinator_record(OFFSETS, "OffsetCommit", key, value, 3)


def orders(count: int) -> list[Record]:
    return [Record("orders", None, b"an order")] * count


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of a broker: commits with a deletion and one that can't be read, of a topic with a record a second."""
    folder = tmp_path_factory.mktemp("lag") / "logs"
    group = coordinator_record(OFFSETS, "GroupMetadata", {"group": "billing"}, kafka.GroupMetadataValue(), 3)
    cut_off = Record(OFFSETS, commit(1).key, (commit(1).value or b"")[:-1])
    records = [
        group,
        commit(2, at=4),
        cut_off,
        commit(5, at=6),
        commit(None),
        commit(9, at=20),
        commit(1, topic="gone"),
    ]
    write_log(folder / "__consumer_offsets-7", records)
    write_log(folder / "orders-0", orders(10))
    return folder


@pytest.fixture
def history(command: Command, logs: Path, tmp_path: Path) -> Callable[..., Done]:
    """Runs the command on the logs."""
    return lambda *more: command("consumer-lag-history", "--input", logs, "--output", tmp_path / "out", *more)


def rows_of(spark: SparkSession, output: Path) -> list[Row]:
    return spark.read.parquet(str(output)).orderBy("logOffset").collect()


def lags(rows: list[Row]) -> list[tuple[Any, ...]]:
    return [(row.logOffset, row.offset, row.endOffset, row.lag) for row in rows]


LAGS = [(1, 2, 5, 3), (3, 5, 7, 2), (4, None, 5, None), (5, 9, 10, 1), (6, 1, None, None)]
"""A record a second: at the second 4 there are 5. The deletion is of second 4, when it was written."""


def test_the_columns_are_those_of_the_page(spark: SparkSession, history: Callable[..., Done], tmp_path: Path) -> None:
    done = history("--format", "json")
    summary = json.loads(done.out)
    assert (done.code, summary["rows"], summary["malformed"]) == (0, 7, 1)
    schema = spark.read.parquet(str(tmp_path / "out")).schema
    assert [(field.name, field.dataType.simpleString()) for field in schema] == COLUMNS
    rows = rows_of(spark, tmp_path / "out")
    assert [(row.offset, row.previousOffset, row.delta, row.isTombstone) for row in rows] == [
        (2, None, None, False),
        (5, 2, 3, False),
        (None, 5, None, True),
        (9, None, None, False),
        (1, None, None, False),
    ]
    assert {(row.group, row.groupType, row.logTopic, row.logPartition) for row in rows} == {
        ("billing", "classic", OFFSETS, 7)
    }
    assert (rows[0].commitTimestamp, rows[0].logTimestamp) == (second(4), second(1))
    assert (rows[2].commitTimestamp, rows[2].logTimestamp) == (None, second(4))
    assert [(row.endOffset, row.lag) for row in rows] == [(None, None)] * 5


def test_a_tombstone_starts_anew_and_types_become_folders(
    spark: SparkSession, history: Callable[..., Done], tmp_path: Path
) -> None:
    assert history("--partition-by", "groupType").code == 0
    assert [path.name for path in (tmp_path / "out" / "unit=000000").glob("group*")] == ["groupType=classic"]
    rows = rows_of(spark, tmp_path / "out")
    assert [row.logOffset for row in rows if row.isTombstone] == [4]
    assert [row.previousOffset for row in rows if row.logOffset == 5] == [None]


@pytest.mark.parametrize("name", ["{}/orders-0/00000000000000000000.log", "{}/ord*", "file://{}"])
def test_ends_are_folders_files_and_globs(
    name: str, spark: SparkSession, history: Callable[..., Done], logs: Path, tmp_path: Path
) -> None:
    done = history("--ends", name.format(logs))
    assert done.code == 0, done.err
    assert lags(rows_of(spark, tmp_path / "out")) == LAGS


def test_ends_may_be_several(spark: SparkSession, history: Callable[..., Done], logs: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    write_log(other / "gone-0", orders(4))
    # Marks of transactions take offsets too.
    write_segment(other / "gone-0", 4, [marker(4, 5, commit=True)])
    done = history("--ends", logs, "--ends", other)
    assert done.code == 0, done.err
    assert lags(rows_of(spark, tmp_path / "out")) == [*LAGS[:4], (6, 1, 5, 4)]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nowhere", "nowhere does not exist here"),
        ("rows.parquet", "rows.parquet is not a log: segments are named *.log, snapshots *.checkpoint"),
        ("empty", "empty holds no Kafka logs: neither folders such as orders-0 nor files such as"),
        ("hdfs://host/logs", "hdfs://host/logs is not a local path; mount it where"),
    ],
)
def test_ends_that_are_no_logs_are_told_before_anything_is_written(
    name: str, reason: str, history: Callable[..., Done], tmp_path: Path
) -> None:
    (tmp_path / "rows.parquet").write_bytes(b"PAR1")
    (tmp_path / "empty").mkdir()
    done = history("--ends", name if ":" in name else tmp_path / name)
    assert done.code == 1
    assert done.err.startswith("Error: ")
    assert reason in done.err
    assert "LogPathError" not in done.err
    assert list((tmp_path / "out").iterdir()) == []


def test_other_ends_are_another_job(
    spark: SparkSession, history: Callable[..., Done], logs: Path, tmp_path: Path
) -> None:
    # A slip in the path costs nothing: the same output takes the right one.
    assert history("--ends", tmp_path / "nowhere").code == 1
    assert history("--ends", logs).code == 0
    assert lags(rows_of(spark, tmp_path / "out")) == LAGS
    done = history()
    assert done.code == 1
    assert "other arguments (ends)" in done.err


def test_damage_in_the_logs_of_ends(
    spark: SparkSession, history: Callable[..., Done], logs: Path, tmp_path: Path
) -> None:
    shutil.copytree(logs / "orders-0", tmp_path / "ends" / "orders-0")
    segment = tmp_path / "ends" / "orders-0" / "00000000000000000000.log"
    damaged = bytearray(Batch(10, [Data(b"an order")], base_timestamp=TIME + 10_000).encode())
    damaged[-3] ^= 1
    last = Batch(11, [Data(b"an order")], base_timestamp=TIME + 11_000).encode()
    segment.write_bytes(segment.read_bytes() + damaged + last)
    failed = history("--ends", tmp_path / "ends", "--mode", "failfast", "--output", tmp_path / "failed")
    assert failed.code == 1
    assert "; mode DROPMALFORMED leaves such batches out; " in failed.err
    done = history("--ends", tmp_path / "ends")
    assert done.code == 0, done.err
    assert lags(rows_of(spark, tmp_path / "out")) == [*LAGS[:3], (5, 9, 12, 3), LAGS[4]]


def test_records_that_cannot_be_read_end_it_or_are_left_out(history: Callable[..., Done]) -> None:
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


def test_an_open_transaction_holds_back_its_own_commits_alone(
    spark: SparkSession, command: Command, tmp_path: Path
) -> None:
    def batch(at: int, record: Record, producer: int = -1) -> bytes:
        data = [Data(record.value, record.key)]
        return Batch(at, data, producer_id=producer, transactional=producer >= 0).encode()

    batches = [batch(0, commit(1)), batch(1, commit(2), 5), batch(2, commit(3)), batch(3, commit(4), 6)]
    segment = write_segment(tmp_path / "logs" / "__consumer_offsets-7", 0, [*batches, marker(4, 6, commit=True)])
    done = command("consumer-lag-history", "--input", segment, "--output", tmp_path / "out")
    assert done.code == 0, done.err
    assert [(row.logOffset, row.offset) for row in rows_of(spark, tmp_path / "out")] == [(0, 1), (2, 3), (3, 4)]
