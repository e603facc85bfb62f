"""Jobs on a real cluster of several processes: what they need there, and that a worker may die."""

from __future__ import annotations

import json
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest

import messagegen_kafka
import messagegen_spark
from tests.broker.waiting import eventually
from tests.spark.support.job_data import VERSION, read_output, unit_names, write_commits

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from tests.spark.support.cluster import SETTINGS, SparkCluster, conf_arguments, pipeline_command
from tests.spark.support.cluster_fixtures import bare_python, make_environment, spark_cluster
from tests.spark.support.processes import SPARK_HOME

__all__ = ["bare_python", "spark_cluster"]

pytestmark = [pytest.mark.spark, pytest.mark.exhaustive, pytest.mark.xdist_group("spark_cluster")]

RECORDS = 3_000
ONE_EXECUTOR = {**SETTINGS, "spark.cores.max": "1"}
"""For jobs that have nothing to do for more: each executor is a Java of its own."""
DECODE = ("decode", "--message", "OffsetCommitValue", "--version", str(VERSION), "--format", "json")


def decode(
    master: str, logs: Path, output: Path, *more: str, settings: dict[str, str] = ONE_EXECUTOR
) -> list[str | Path]:
    places = ("--input", logs, "--output", output, "--master", master)
    return pipeline_command(*DECODE, *places, *conf_arguments(settings), *more)


def assert_decoded(output: Path, records: int = RECORDS) -> None:
    rows = read_output(output)
    assert [row["offset"] for row in rows] == list(range(records))
    assert all(row["message"]["offset"] == row["offset"] for row in rows)
    assert all(row["message"]["metadata"] == f"m{row['offset']}" for row in rows)


def test_the_package_is_shipped_to_executors_that_lack_it(
    spark_cluster: SparkCluster, bare_python: str, tmp_path: Path
) -> None:
    logs, output = tmp_path / "logs", tmp_path / "out"
    write_commits(logs / "orders-0", RECORDS)
    done = spark_cluster.run(decode(spark_cluster.master, logs, output, "--no-ship"), PYSPARK_PYTHON=bare_python)
    assert done.code == 1
    assert "executors do not have messagegen_spark: ship it" in done.err
    # As on executors without the native engine: no archive can bring it, and the workers say which path ran.
    pure = ("--conf", "spark.executorEnv.MESSAGEGEN_PURE=1")
    done = spark_cluster.run(decode(spark_cluster.master, logs, output, *pure), PYSPARK_PYTHON=bare_python)
    assert done.code == 0, done.err
    summary = json.loads(done.out)
    assert (summary["rows"], summary["malformed"]) == (RECORDS, 0)
    assert summary["executors"]["engines"] == ["python"]
    assert_decoded(output)


def test_spark_submit_runs_a_job(spark_cluster: SparkCluster, bare_python: str, tmp_path: Path) -> None:
    logs, output, archive = tmp_path / "logs", tmp_path / "out", tmp_path / "package.zip"
    write_commits(logs / "orders-0", RECORDS)
    assert spark_cluster.run(pipeline_command("package", archive)).code == 0
    script = tmp_path / "run.py"
    script.write_text("from messagegen_spark.cli.main import main\n\nmain()\n")
    command = [
        SPARK_HOME / "bin" / "spark-submit",
        *("--master", spark_cluster.master, *conf_arguments(ONE_EXECUTOR), "--py-files", archive),
        *(script, *DECODE, "--input", logs, "--output", output),
    ]
    done = spark_cluster.run(
        [str(part) for part in command], PYSPARK_PYTHON=bare_python, PYSPARK_DRIVER_PYTHON=sys.executable
    )
    assert done.code == 0, done.err
    assert json.loads(done.out)["rows"] == RECORDS
    assert_decoded(output)


def test_an_environment_comes_to_executors_as_an_archive(spark_cluster: SparkCluster, tmp_path: Path) -> None:
    """As the page on clusters has it, with an environment that has links to the libraries in place of them."""
    packages = [Path(module.__file__ or "").parents[1] for module in (messagegen_spark, messagegen_kafka)]
    make_environment(tmp_path / "environment", [Path(sysconfig.get_path("purelib")), *packages])
    with tarfile.open(tmp_path / "environment.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "environment", ".")
    logs, output = tmp_path / "logs", tmp_path / "out"
    write_commits(logs / "orders-0", RECORDS)
    archives = ("--no-ship", "--conf", "spark.archives=environment.tar.gz#environment")
    job = decode(spark_cluster.master, logs, output, *archives)
    # The path is that of the driver, too, so the command is started where the environment is.
    done = spark_cluster.run(job, folder=tmp_path, PYSPARK_PYTHON="./environment/bin/python")
    assert done.code == 0, done.err
    assert_decoded(output)


def test_a_worker_that_is_killed_changes_nothing(spark_cluster: SparkCluster, tmp_path: Path) -> None:
    logs, records = tmp_path / "logs", 20_000
    write_commits(logs / "orders-0", records, segment_records=records)
    calm, disturbed = tmp_path / "calm", tmp_path / "disturbed"
    done = spark_cluster.run(decode(spark_cluster.master, logs, calm))
    assert done.code == 0, done.err
    # One unit of many tasks, so that most of them are still to come when the first are done.
    small = ("--option", "maxPartitionBytes=32k")
    driver = spark_cluster.start(decode(spark_cluster.master, logs, disturbed, *small, settings=SETTINGS), "driver")
    try:
        eventually(lambda: len(finished_files(disturbed)) >= 3 or not driver.running, timeout=180)
        assert driver.running, driver.problem("the job ended before a worker could be killed")
        victim = spark_cluster.workers[0]
        assert spark_cluster.kill_worker(victim), "the worker had no executor"
        assert not unit_names(disturbed), "the unit was done before the worker was killed"
        driver.wait_for(r'"seconds"')
        driver.wait_for(r"Lost executor \d+")
    finally:
        driver.close()
        spark_cluster.add_worker()
    assert_decoded(disturbed, records)
    assert read_output(disturbed) == read_output(calm)
    counts = [json.loads((folder / "unit=000000" / "_unit.json").read_text()) for folder in (calm, disturbed)]
    assert counts[0] == counts[1] == {"rows": records, "malformed": 0, "details": {}}


def finished_files(output: Path) -> list[Path]:
    """The files of the unit in progress that are complete, of which each task writes one."""
    files = output.glob("_staging/*/attempts/**/*.parquet")
    return [file for file in files if file.read_bytes().endswith(b"PAR1")]
