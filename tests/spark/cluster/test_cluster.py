"""``kafka-log`` on a real cluster of several processes: the jar comes to executors by itself, Python packages in an archive."""

from __future__ import annotations

import json
import sys
import sysconfig
import tarfile
from pathlib import Path

import pyarrow.dataset as ds
import pytest

import messagegen_kafka
import messagegen_spark
from tests.spark.support.commit_logs import write_commits

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from tests.spark.support.cluster import SETTINGS, SparkCluster
from tests.spark.support.cluster_fixtures import bare_python, make_environment, spark_cluster

__all__ = ["bare_python", "spark_cluster"]

pytestmark = [pytest.mark.spark, pytest.mark.exhaustive, pytest.mark.xdist_group("spark_cluster")]

PROGRAM = """\
import json, sys
from pyspark.sql import SparkSession
from messagegen_spark import from_kafka_message, register

master, settings, logs, output, how = sys.argv[1:]
builder = SparkSession.builder.master(master)
for name, value in json.loads(settings).items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
register(spark)
log = spark.read.format("kafka-log")
if how == "source":
    rows = log.option("message", "OffsetCommitValue").option("version", "3").load(logs)
else:
    rows = log.load(logs).select("offset", from_kafka_message("value", "OffsetCommitValue", 3).alias("message"))
rows.select("offset", "message.metadata").write.parquet(output)
spark.stop()
"""


def command(cluster: SparkCluster, folder: Path, how: str, **settings: str) -> list[str | Path]:
    """A driver that decodes ``logs`` into ``out``."""
    program = folder / "program.py"
    program.write_text(PROGRAM)
    return [
        sys.executable,
        program,
        cluster.master,
        json.dumps({**SETTINGS, **settings}),
        folder / "logs",
        folder / "out",
        how,
    ]


def assert_decoded(output: Path, records: int) -> None:
    rows = ds.dataset(sorted(output.glob("*.parquet"))).to_table().sort_by("offset").to_pylist()
    assert rows == [{"offset": number, "metadata": f"m{number}"} for number in range(records)]


def test_the_source_needs_nothing_on_executors(spark_cluster: SparkCluster, bare_python: str, tmp_path: Path) -> None:
    write_commits(tmp_path / "logs" / "orders-0", 3_000)
    driver = command(spark_cluster, tmp_path, "source", **{"spark.cores.max": "1"})
    done = spark_cluster.run(driver, folder=tmp_path, PYSPARK_PYTHON=bare_python)
    assert done.code == 0, done.err
    assert_decoded(tmp_path / "out", 3_000)


def test_an_environment_comes_to_executors_as_an_archive(spark_cluster: SparkCluster, tmp_path: Path) -> None:
    """As the page says, with an environment that has links to the libraries in place of them."""
    packages = [Path(module.__file__ or "").parents[1] for module in (messagegen_spark, messagegen_kafka)]
    make_environment(tmp_path / "environment", [Path(sysconfig.get_path("purelib")), *packages])
    with tarfile.open(tmp_path / "environment.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "environment", ".")
    write_commits(tmp_path / "logs" / "orders-0", 3_000)
    settings = {"spark.archives": "environment.tar.gz#environment", "spark.cores.max": "1"}
    # The path is that of the driver, too, so it is started where the environment is.
    driver = command(spark_cluster, tmp_path, "function", **settings)
    done = spark_cluster.run(driver, folder=tmp_path, PYSPARK_PYTHON="./environment/bin/python")
    assert done.code == 0, done.err
    assert_decoded(tmp_path / "out", 3_000)
