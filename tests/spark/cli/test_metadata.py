"""``messagegen-pipeline metadata-history``: its files, and when it refuses. The rows are tested without Spark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import messagegen_kafka as kafka
from tests.arrow.support.history_data import ORDERS, write_log
from tests.arrow.support.internal_records import Record, metadata_record
from tests.spark.support.history_command import Command, command

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["command"]  # a fixture

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

FOLDER = "__cluster_metadata-0"
TOPIC = metadata_record(kafka.TopicRecord(name="orders", topic_id=ORDERS))
REMOVAL = metadata_record(kafka.RemoveTopicRecord(topic_id=ORDERS))


def config(value: str) -> Record:
    record = kafka.ConfigRecord(resource_type=2, resource_name="orders", name="retention.ms", value=value)
    return metadata_record(record)


def test_files_of_a_log_with_snapshots(spark: SparkSession, command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "logs" / FOLDER
    write_log(folder, [config("old")], name="00000000000000000002-0000000001.checkpoint")
    write_log(folder, [TOPIC, config("base")], name="00000000000000000005-0000000001.checkpoint")
    tombstone = Record("__cluster_metadata", b"key", None)
    write_log(folder, [config("new"), tombstone, REMOVAL], first=5)
    arguments = ("metadata-history", "--input", tmp_path / "logs", "--output", tmp_path / "out")
    done = command(*arguments, "--partition-by", "subject", "--format", "json")
    assert done.code == 0, done.err
    summary = json.loads(done.out)
    assert (summary["job"], summary["units"], summary["rows"], summary["malformed"]) == ("metadata-history", 1, 6, 1)
    folders = {path.name for path in (tmp_path / "out" / "unit=000000").glob("subject=*")}
    assert folders == {"subject=topic", "subject=config"}
    frame = spark.read.parquet(str(tmp_path / "out"))
    types = {field.name: field.dataType.simpleString() for field in frame.schema}
    texts = ("subject", "name", "action", "property", "value", "previous")
    assert types == {
        "offset": "bigint",
        "timestamp": "timestamp",
        **dict.fromkeys(texts, "string"),
        "place": "struct<row:bigint,within:int>",
        "unit": "int",
    }
    rows = frame.where("subject = 'config'").orderBy("offset").collect()
    assert [(row.offset, row.action, row.value, row.previous) for row in rows] == [
        (4, "present", "base", None),
        (5, "changed", "new", "base"),
        (7, "removed", None, "new"),
    ]
    # A second run adds nothing.
    again = command(*arguments, "--partition-by", "subject", "--format", "json")
    assert json.loads(again.out)["units_done_before"] == 1


def test_records_that_cannot_be_read_are_counted_or_end_it(command: Command, tmp_path: Path) -> None:
    cut_off = Record("__cluster_metadata", None, (TOPIC.value or b"")[:-1])
    write_log(tmp_path / "logs" / FOLDER, [TOPIC, cut_off, config("1")])
    arguments = ("metadata-history", "--input", tmp_path / "logs")
    counted = command(*arguments, "--output", tmp_path / "out", "--max-malformed", "0")
    assert counted.code == 1
    assert "3 rows read, 1 of them malformed" in counted.out
    assert "1 row malformed; --max-malformed allows 0" in counted.err
    failed = command(*arguments, "--output", tmp_path / "failed", "--mode", "failfast")
    assert failed.code == 1
    assert "(TopicRecord version 0, byte" in failed.err


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["orders-0"], "no __cluster_metadata in "),
        ([f"a/{FOLDER}", f"b/{FOLDER}"], "give the logs of one broker"),
    ],
)
def test_other_logs_are_refused(names: list[str], reason: str, command: Command, tmp_path: Path) -> None:
    inputs = [part for name in names for part in ("--input", write_log(tmp_path / name, [TOPIC]).parent)]
    done = command("metadata-history", *inputs, "--output", tmp_path / "out")
    assert done.code == 1
    assert reason in done.err
    assert list((tmp_path / "out").iterdir()) == []
