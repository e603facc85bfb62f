"""Tables on an object store, written on a cluster of several processes of which workers die."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import messagegen_arrow
from messagegen_arrow.tables.opening import open_table
from tests.arrow.tables.reading import FORMATS, files_of, rows_of, table_on
from tests.broker.waiting import eventually
from tests.spark.support.job_data import VERSION, write_commits
from tests.support.object_store import Bucket

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from tests.spark.support.cluster import SETTINGS, WORKERS, SparkCluster
from tests.spark.support.cluster_fixtures import spark_cluster
from tests.spark.support.processes import SparkProcess

__all__ = ["spark_cluster"]

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.xdist_group("spark_cluster")]

RECORDS = 20_000

# One session for both tables: each driver is a Java of its own.
DRIVER = """
import json
import sys
from pathlib import Path

from messagegen_arrow.tables.opening import open_table
from messagegen_spark.jobs.decode import DecodeMessages
from messagegen_spark.jobs.inputs import Input
from messagegen_spark.jobs.runner import run_job
from messagegen_spark.jobs.sessions import job_session
from messagegen_spark.jobs.table_commits import committed_target

work = json.loads(sys.argv[1])
# One unit of many tasks, so that most of them are still to come when the first are done.
source = Input((work["logs"],), options={"maxPartitionBytes": "32k"})
job = DecodeMessages(input=source, message="OffsetCommitValue", version=work["version"]).job()
with job_session("tables", work["master"], work["settings"]) as spark:
    source.register(spark)
    for format_, (name, options) in work["tables"].items():
        print("begins with", format_, flush=True)
        target = committed_target(open_table(name, options), ["topic", "partition"])
        summary = run_job(spark, job, Path(work["state"], format_), target)
        print("wrote", format_, summary.rows, flush=True)
"""


def test_workers_that_are_killed_change_nothing(spark_cluster: SparkCluster, bucket: Bucket, tmp_path: Path) -> None:
    """Each worker in turn: one while the first table is written, the other one during the second."""
    logs = tmp_path / "logs"
    write_commits(logs / "orders-0", RECORDS, segment_records=RECORDS)
    tables = {format_: table_on(bucket, tmp_path, format_) for format_ in FORMATS}
    work = {
        "logs": str(logs),
        "version": VERSION,
        "master": spark_cluster.master,
        "settings": SETTINGS,
        "state": str(tmp_path / "state"),
        "tables": tables,
    }
    victims = spark_cluster.workers
    driver = spark_cluster.start([sys.executable, "-c", DRIVER, json.dumps(work)], "driver-of-tables")
    try:
        for victim, format_ in zip(victims, FORMATS, strict=True):
            kill_while_it_writes(spark_cluster, victim, driver, bucket, format_)
        # Now there is none, and the job waits.
        spark_cluster.add_worker()
        for format_ in FORMATS:
            driver.wait_for(f"wrote {format_} {RECORDS}")
        driver.wait_for(r"Lost executor \d+")
    finally:
        driver.close()
        for _ in range(WORKERS - len(spark_cluster.workers)):
            spark_cluster.add_worker()
    expected = undisturbed(logs)
    for name, options in tables.values():
        table = open_table(name, options)
        assert [comparable(row) for row in rows_of(table)] == expected
        # What attempts left that were lost is gone.
        assert len(files_of(table)) == len(finished_files(bucket, name.partition(":")[0]))


def kill_while_it_writes(
    cluster: SparkCluster, victim: SparkProcess, driver: SparkProcess, bucket: Bucket, format_: str
) -> None:
    driver.wait_for(f"begins with {format_}")

    def has_begun_or_ended() -> bool:
        time.sleep(0.2)  # lists the bucket, which this process serves itself
        return len(finished_files(bucket, format_)) >= 3 or not driver.running

    eventually(has_begun_or_ended, timeout=180)
    assert driver.running, driver.problem("the job ended before a worker could be killed")
    assert cluster.kill_worker(victim), "the worker had no executor"
    assert not driver.said(f"wrote {format_}"), "the table was written before the worker was killed"


def finished_files(bucket: Bucket, format_: str) -> list[str]:
    """The data files of a table that are there: a store has no others."""
    folder = {"iceberg": "warehouse/", "delta": "delta/messagegen-"}[format_]
    keys = bucket.keys()
    return [key for key in keys if key.startswith(folder) and key.endswith(".parquet")]


def undisturbed(logs: Path) -> list[dict[str, Any]]:
    """The rows that one process gives without Spark."""
    stream = messagegen_arrow.read_log(logs, message="OffsetCommitValue", version=str(VERSION))
    return sorted((comparable(row) for batch in stream for row in batch.to_pylist()), key=lambda row: row["offset"])


def comparable(row: dict[str, Any]) -> dict[str, Any]:
    """What jobs and streams both have of a row; the errors of messages are in another place."""
    message = {name: value for name, value in row["message"].items() if not name.startswith("_")}
    names = ("topic", "partition", "offset", "timestamp", "path", "batchPosition")
    return {**{name: row[name] for name in names}, "message": message}
