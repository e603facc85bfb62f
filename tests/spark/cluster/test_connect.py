"""Jobs through Spark Connect, whose server has a cluster of its own and none of this project."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.spark.support.job_data import VERSION, group_record, read_output, write_commits

pytest.importorskip("grpc", reason="PySpark is not installed with Connect: `make test` installs it")

from tests.arrow.support.log_data import Batch, write_segment
from tests.spark.support.cluster import SparkCluster, pipeline_command
from tests.spark.support.cluster_fixtures import bare_python, spark_cluster

__all__ = ["bare_python", "spark_cluster"]

pytestmark = [pytest.mark.spark, pytest.mark.exhaustive, pytest.mark.xdist_group("spark_cluster")]


@pytest.fixture(scope="module")
def connect(spark_cluster: SparkCluster, bare_python: str) -> Iterator[str]:
    with spark_cluster.connect_server(PYSPARK_PYTHON=bare_python) as address:
        yield address


def test_decode_counts_and_goes_on(connect: str, spark_cluster: SparkCluster, tmp_path: Path) -> None:
    logs, output = tmp_path / "logs", tmp_path / "out"
    write_commits(logs / "orders-0", 2_000, segment_records=1_000, bad=[7, 1_500])
    command = pipeline_command(
        *("decode", "--message", "OffsetCommitValue", "--version", str(VERSION), "--format", "json"),
        *("--input", logs, "--output", output, "--master", connect, "--unit-bytes", "1k"),
    )
    done = spark_cluster.run(command)
    assert done.code == 0, done.err
    summary = json.loads(done.out)
    assert (summary["units"], summary["units_done_before"]) == (2, 0)
    assert (summary["rows"], summary["malformed"]) == (2_000, 2)
    rows = read_output(output)
    assert [row["offset"] for row in rows] == list(range(2_000))
    assert [row["offset"] for row in rows if row["message"]["_error"]] == [7, 1_500]
    again = spark_cluster.run(command)
    assert json.loads(again.out)["units_done_before"] == 2
    assert read_output(output) == rows


def test_a_history_and_conformance(connect: str, spark_cluster: SparkCluster, tmp_path: Path) -> None:
    logs, output = tmp_path / "logs", tmp_path / "out"
    records = [group_record("g", "orders", 0, offset) for offset in (3, 7, 12)]
    write_segment(logs / "__consumer_offsets-4", 0, [Batch(0, records).encode()])
    places = ("--input", logs, "--master", connect, "--format", "json")
    done = spark_cluster.run(pipeline_command("consumer-lag-history", *places, "--output", output))
    assert done.code == 0, done.err
    rows = sorted(read_history(output), key=lambda row: row[0])
    assert rows == [(3, None, None), (7, 3, 4), (12, 7, 5)]
    done = spark_cluster.run(pipeline_command("conformance", *places))
    assert done.code == 0, done.err
    found = {row["message"]: (row["messages"], row["different"]) for row in json.loads(done.out)["messages"]}
    assert found == {"OffsetCommitKey": (3, 0), "OffsetCommitValue": (3, 0)}


def read_history(output: Path) -> list[tuple[int, int | None, int | None]]:
    return [(row["offset"], row["previousOffset"], row["delta"]) for row in read_output(output)]


def test_functions_work_in_a_session_of_ones_own(connect: str, spark_cluster: SparkCluster, tmp_path: Path) -> None:
    archive, script = tmp_path / "package.zip", tmp_path / "session.py"
    assert spark_cluster.run(pipeline_command("package", archive)).code == 0
    script.write_text(f"""
from pyspark.sql import SparkSession
from messagegen_kafka import OffsetCommitValue
from messagegen_spark import from_kafka_message

spark = SparkSession.builder.remote({connect!r}).getOrCreate()
spark.addArtifacts({str(archive)!r}, pyfile=True)
rows = [(OffsetCommitValue(offset=number).encode(version=3),) for number in range(5)]
frame = spark.createDataFrame(rows, "value binary")
found = frame.select(from_kafka_message("value", "OffsetCommitValue", 3)["offset"].alias("offset")).collect()
print(sorted(row.offset for row in found))
spark.stop()
""")
    done = spark_cluster.run([sys.executable, script])
    assert done.out.strip() == "[0, 1, 2, 3, 4]", done.err
