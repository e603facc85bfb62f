"""``messagegen-pipeline metadata-history``: what is in the files that it writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

import messagegen_kafka as kafka
from messagegen_kafka.client_quota_record import EntityData
from tests.arrow.support.internal_records import Record, metadata_record
from tests.spark.support.history_command import Command, command, second, write_log

if TYPE_CHECKING:
    from pyspark.sql import Row, SparkSession

__all__ = ["command"]  # a fixture

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

ORDERS, AGAIN = UUID(int=1), UUID(int=2)
ID, OTHER_ID = "AAAAAAAAAAAAAAAAAAAAAQ", "AAAAAAAAAAAAAAAAAAAAAg"
FOLDER = "__cluster_metadata-0"


def topic(topic_id: UUID = ORDERS) -> Record:
    return metadata_record(kafka.TopicRecord(name="orders", topic_id=topic_id))


def config(value: str | None) -> Record:
    return metadata_record(
        kafka.ConfigRecord(resource_type=2, resource_name="orders", name="retention.ms", value=value)
    )


def quota(value: float, *, remove: bool = False) -> Record:
    ann = (EntityData(entity_type="user", entity_name="ann"),)
    return metadata_record(kafka.ClientQuotaRecord(entity=ann, key="producer_byte_rate", value=value, remove=remove))


PARTITION = metadata_record(kafka.PartitionRecord(partition_id=0, topic_id=ORDERS, replicas=(1,), isr=(1,), leader=1))
LEADER = metadata_record(kafka.PartitionChangeRecord(partition_id=0, topic_id=ORDERS, leader=2))
REMOVAL = metadata_record(kafka.RemoveTopicRecord(topic_id=ORDERS))
TOMBSTONE = Record("__cluster_metadata", b"key", None)
LIFE = [
    *(topic(), PARTITION, config("1"), config(None), config("2"), quota(1.5), quota(0.0, remove=True)),
    *(LEADER, TOMBSTONE, REMOVAL, topic(AGAIN), config("3")),
]


@pytest.fixture(scope="module")
def output(command: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The history of the life of a topic, a config and a quota."""
    folder = tmp_path_factory.mktemp("metadata")
    write_log(folder / "logs" / FOLDER, LIFE)
    done = command("metadata-history", "--input", folder / "logs", "--output", folder / "out", "--format", "json")
    assert done.code == 0, done.err
    summary = json.loads(done.out)
    assert (summary["job"], summary["units"], summary["rows"], summary["malformed"]) == ("metadata-history", 1, 12, 1)
    return folder / "out"


def rows_of(spark: SparkSession, output: Path, where: str = "true") -> list[Row]:
    frame = spark.read.parquet(str(output)).where(where)
    return frame.orderBy("offset", "place", "name", "property").collect()


def changes(rows: list[Row]) -> list[tuple[Any, ...]]:
    return [(row.offset, row.name, row.action, row.property, row.value, row.previous) for row in rows]


def test_the_columns_are_those_of_the_page(spark: SparkSession, output: Path) -> None:
    schema = spark.read.parquet(str(output)).schema
    assert [(field.name, field.dataType.simpleString()) for field in schema] == [
        ("offset", "bigint"),
        ("timestamp", "timestamp"),
        ("subject", "string"),
        ("name", "string"),
        ("action", "string"),
        ("property", "string"),
        ("value", "string"),
        ("previous", "string"),
        ("place", "struct<row:bigint,within:int>"),
        ("unit", "int"),
    ]


def test_what_a_deleted_topic_had_ends_with_it(spark: SparkSession, output: Path) -> None:
    assert changes(rows_of(spark, output, "subject in ('topic', 'partition')")) == [
        (0, "orders", "created", "topicId", ID, None),
        (1, "orders-0", "created", "leader", "1", None),
        (1, "orders-0", "created", "replicas", "[1]", None),
        (1, "orders-0", "created", "isr", "[1]", None),
        (7, "orders-0", "changed", "leader", "2", "1"),
        (9, "orders", "removed", "topicId", None, ID),
        (9, "orders-0", "removed", "isr", None, "[1]"),
        (9, "orders-0", "removed", "leader", None, "2"),
        (9, "orders-0", "removed", "replicas", None, "[1]"),
        (10, "orders", "created", "topicId", OTHER_ID, None),
    ]
    removed = rows_of(spark, output, "offset = 9")
    assert {row.timestamp for row in removed} == {second(9)}


def test_a_config_is_removed_by_a_record_or_with_its_topic(spark: SparkSession, output: Path) -> None:
    assert changes(rows_of(spark, output, "subject = 'config'")) == [
        (2, "topic orders", "created", "retention.ms", "1", None),
        (3, "topic orders", "removed", "retention.ms", None, "1"),
        (4, "topic orders", "created", "retention.ms", "2", None),
        (9, "topic orders", "removed", "retention.ms", None, "2"),
        (11, "topic orders", "created", "retention.ms", "3", None),
    ]


def test_a_quota_is_removed(spark: SparkSession, output: Path) -> None:
    assert changes(rows_of(spark, output, "subject = 'quota'")) == [
        (5, "user=ann", "created", "producer_byte_rate", "1.5", None),
        (6, "user=ann", "removed", "producer_byte_rate", None, "1.5"),
    ]


def test_subjects_become_folders_and_a_second_run_adds_nothing(
    spark: SparkSession, command: Command, tmp_path: Path
) -> None:
    write_log(tmp_path / "logs" / FOLDER, LIFE)
    arguments = ("metadata-history", "--input", tmp_path / "logs", "--output", tmp_path / "out")
    assert command(*arguments, "--partition-by", "subject").code == 0
    folders = {path.name for path in (tmp_path / "out" / "unit=000000").glob("subject=*")}
    assert folders == {f"subject={name}" for name in ("topic", "partition", "config", "quota")}
    before = spark.read.parquet(str(tmp_path / "out")).count()
    assert before == 17
    again = command(*arguments, "--partition-by", "subject", "--format", "json")
    assert json.loads(again.out)["units_done_before"] == 1
    assert spark.read.parquet(str(tmp_path / "out")).count() == before


def test_snapshots_beside_the_segments_are_read(spark: SparkSession, command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "logs" / FOLDER
    write_log(folder, [config("old")], name="00000000000000000002-0000000001.checkpoint")
    write_log(folder, [topic(), config("base")], name="00000000000000000005-0000000001.checkpoint")
    write_log(folder, [config("new"), REMOVAL], first=5)
    done = command("metadata-history", "--input", tmp_path / "logs", "--output", tmp_path / "out")
    assert done.code == 0, done.err
    assert changes(rows_of(spark, tmp_path / "out", "subject = 'config'")) == [
        (4, "topic orders", "present", "retention.ms", "base", None),
        (5, "topic orders", "changed", "retention.ms", "new", "base"),
        (6, "topic orders", "removed", "retention.ms", None, "new"),
    ]


def test_records_that_cannot_be_read_are_counted_or_end_it(
    spark: SparkSession, command: Command, tmp_path: Path
) -> None:
    cut_off = Record("__cluster_metadata", None, (topic(AGAIN).value or b"")[:-1])
    write_log(tmp_path / "logs" / FOLDER, [topic(), cut_off, config("1")])
    arguments = ("metadata-history", "--input", tmp_path / "logs")
    counted = command(*arguments, "--output", tmp_path / "out", "--max-malformed", "0")
    assert counted.code == 1
    assert "3 rows read, 1 of them malformed" in counted.out
    assert "1 row malformed; --max-malformed allows 0" in counted.err
    assert [row.action for row in rows_of(spark, tmp_path / "out")] == ["created", "created"]
    failed = command(*arguments, "--output", tmp_path / "failed", "--mode", "failfast")
    assert failed.code == 1
    assert "(TopicRecord version 0, byte" in failed.err
    # There is no column that could say what is wrong.
    refused = command(*arguments, "--output", tmp_path / "kept", "--mode", "permissive")
    assert refused.code == 2
    assert "'permissive' is not one of 'dropmalformed', 'failfast'" in refused.err


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["orders-0"], "no __cluster_metadata in "),
        ([f"a/{FOLDER}", f"b/{FOLDER}"], "give the logs of one broker"),
    ],
)
def test_other_logs_are_refused(names: list[str], reason: str, command: Command, tmp_path: Path) -> None:
    inputs = [part for name in names for part in ("--input", write_log(tmp_path / name, [topic()]).parent)]
    done = command("metadata-history", *inputs, "--output", tmp_path / "out")
    assert done.code == 1
    assert reason in done.err
    assert list((tmp_path / "out").iterdir()) == []
