"""The source and the functions through Spark Connect, whose server has a cluster of its own and none of this project."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import messagegen_arrow
import messagegen_kafka
import messagegen_spark
from tests.spark.support.commit_logs import write_commits

pytest.importorskip("grpc", reason="PySpark is not installed with Connect: `make test` installs it")

from tests.spark.support.cluster import SparkCluster
from tests.spark.support.cluster_fixtures import bare_python, spark_cluster

__all__ = ["bare_python", "spark_cluster"]

pytestmark = [pytest.mark.spark, pytest.mark.exhaustive, pytest.mark.xdist_group("spark_cluster")]

PROGRAM = """\
import sys
from pyspark.sql import SparkSession
from messagegen_spark import decode_messages, from_kafka_message, register

address, package, logs = sys.argv[1:]
spark = SparkSession.builder.remote(address).getOrCreate()
spark.addArtifacts(package, pyfile=True)
register(spark)
log = spark.read.format("kafka-log").load(logs)
function = log.select(from_kafka_message("value", "OffsetCommitValue", 3, "FAILFAST")["offset"].alias("offset"))
print(sorted(row.offset for row in function.collect()) == list(range(2_000)))
whole = decode_messages(log, "value", "OffsetCommitValue", 3, "FAILFAST", keep=["offset"])
print(whole.where("message.offset = offset").count())
spark.stop()
"""


@pytest.fixture(scope="module")
def connect(spark_cluster: SparkCluster, bare_python: str) -> Iterator[str]:
    with spark_cluster.connect_server(PYSPARK_PYTHON=bare_python) as address:
        yield address


def test_the_package_is_sent_as_an_artifact(connect: str, spark_cluster: SparkCluster, tmp_path: Path) -> None:
    for module in (messagegen_arrow, messagegen_kafka, messagegen_spark):
        folder = Path(module.__file__ or "").parent
        shutil.copytree(folder, tmp_path / "package" / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
    package = shutil.make_archive(str(tmp_path / "package"), "zip", tmp_path / "package")
    write_commits(tmp_path / "logs" / "orders-0", 2_000, segment_records=1_000)
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = spark_cluster.run([sys.executable, program, connect, package, tmp_path / "logs"])
    assert done.out.split() == ["True", "2000"], done.err
