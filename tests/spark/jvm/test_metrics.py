"""Spark's UI shows metrics of ``kafka-log`` on the SQL page, or accumulators on the stage pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.arrow.support.log_changes import damaged, in_transaction
from tests.arrow.support.log_data import many_batches, marker, write_segment
from tests.spark.support.cluster import MASTER, run_driver
from tests.spark.support.metrics import input_of_stage, on_sql_page, on_stage_page

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

Load = Callable[..., "DataFrame"]
ROOT = Path(__file__).resolve().parents[3]
JAR = ROOT / "pipeline" / "messagegen_spark" / "jvm" / "kafka-log.jar"

PROGRAM = """\
import json, sys
sys.path.insert(0, sys.argv[4])
from pyspark.sql import SparkSession
from tests.spark.support.metrics import on_sql_page, on_stage_page

settings, master, logs, _ = sys.argv[1:]
spark = SparkSession.builder.config(map=json.loads(settings)).master(master).getOrCreate()
frame = spark.read.format("kafka-log").option("mode", "PERMISSIVE").load(logs)
rows = frame.where("partition = 0 AND offset >= 30").select("offset", "_error").collect()
print(json.dumps([on_sql_page(spark), on_stage_page(spark)]))
spark.stop()
"""


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Two partitions of three segments; the last segment of each has damage and a marker."""
    folder = tmp_path / "logs"
    for partition in range(2):
        for first in (0, 30):
            write_segment(folder / f"orders-{partition}", first, many_batches(first, 10))
        last = many_batches(60, 10)
        last[4] = damaged(last[4])
        write_segment(folder / f"orders-{partition}", 60, [*last, marker(90, 5, commit=True)])
    return folder


def size(folder: Path, *names: str) -> int:
    return sum((folder / f"{int(name):020}.log").stat().st_size for name in names)


def test_stages_show_accumulators_in_a_session_that_added_the_jar(spark: SparkSession, load: Load, logs: Path) -> None:
    frame = load(logs, mode="PERMISSIVE")
    assert len(frame.where("partition = 0 AND offset >= 30").select("offset").collect()) == 57
    read = size(logs / "orders-0", "30", "60")
    assert on_stage_page(spark) == {
        "kafka-log: bytes of segments read": str(read),
        "kafka-log: damaged batches": "1",
        "kafka-log: control records left out": "1",
        "kafka-log: records left out as aborted or undecided": "0",
        "kafka-log: damaged batches and values left out": "0",
    }
    # The scan also counts the row of the damaged batch, which has no offset.
    assert input_of_stage(spark) == (read, 58)
    assert "damaged batches" not in on_sql_page(spark)


def test_records_that_are_left_out_are_counted(spark: SparkSession, load: Load, tmp_path: Path) -> None:
    batches = [in_transaction(0, 7), marker(2, 7, commit=False), damaged(in_transaction(3, 8))]
    write_segment(tmp_path / "orders-0", 0, batches)
    frame = load(tmp_path, mode="DROPMALFORMED", isolationLevel="read_committed", untilLastStableOffset="false")
    assert frame.select("offset").collect() == []
    shown = on_stage_page(spark)
    assert shown["kafka-log: control records left out"] == "1"
    assert shown["kafka-log: records left out as aborted or undecided"] == "2"
    assert shown["kafka-log: damaged batches and values left out"] == "1"


@pytest.mark.slow
def test_the_progress_of_a_stream_contains_its_lag(spark: SparkSession, logs: Path, tmp_path: Path) -> None:
    stream = spark.readStream.format("kafka-log").option("maxOffsetsPerTrigger", "60").option("mode", "DROPMALFORMED")
    writer = stream.load(str(logs)).writeStream.format("noop").trigger(availableNow=True)
    query = writer.option("checkpointLocation", str(tmp_path / "checkpoint")).start()
    query.awaitTermination()
    seen = [progress["sources"][0]["metrics"] for progress in query.recentProgress]
    assert [metrics["partitions"] for metrics in seen] == ["2"] * len(seen)
    behind = [int(metrics["bytesBehindLatest"]) for metrics in seen]
    assert behind[0] > 0
    assert behind == sorted(behind, reverse=True)
    assert seen[-1] == {"partitions": "2", "partitionsBehindLatest": "0", "bytesBehindLatest": "0"}


@pytest.mark.slow
@pytest.mark.parametrize("master", ["local[2]", pytest.param(MASTER, marks=pytest.mark.slow)])
def test_the_sql_page_shows_metrics_if_spark_started_with_the_jar(logs: Path, tmp_path: Path, master: str) -> None:
    output = run_driver(PROGRAM, tmp_path, master, logs, ROOT, python="python3", **{"spark.jars": str(JAR)})
    sql, stage = json.loads(output)
    shown = {
        "number of output rows": "58",
        "segments to read": "2",
        "segments skipped by filters": "1",
        "partitions skipped by filters": "1",
        "bytes of segments read": f"{size(logs / 'orders-0', '30', '60'):,}",
        "damaged batches": "1",
        "control records left out": "1",
    }
    assert {name: sql.get(name) for name in shown} == shown
    assert stage == {}
