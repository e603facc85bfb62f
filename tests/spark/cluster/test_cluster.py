"""``kafka-log`` and the functions work on executors in several processes: Spark ships the jar, users ship packages."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
import tarfile
from pathlib import Path

import pyarrow.dataset as ds
import pytest

import messagegen_arrow
import messagegen_kafka
import messagegen_spark
from tests.spark.support.commit_logs import write_commits

pytest.importorskip("grpc", reason="PySpark is not installed with Connect: `make test` installs it")

from tests.spark.support.cluster import MASTER, make_environment, run_driver

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.xdist_group("spark_cluster")]

PROGRAM = """\
import json, sys
from pyspark.sql import SparkSession
from messagegen_spark import decode_messages, register

settings, master, logs, output, *ways = sys.argv[1:]
builder = SparkSession.builder.config(map=json.loads(settings))
spark = (builder.remote if ways == ["connect"] else builder.master)(master).getOrCreate()
for way in ways:
    if way == "connect":
        spark.addArtifacts("package.zip", pyfile=True)
    register(spark, messages=[] if way == "jvm" else None)
    log = spark.read.format("kafka-log")
    if way == "source":
        rows = log.option("message", "OffsetCommitValue").option("version", "3").load(logs)
    else:
        rows = decode_messages(log.load(logs), "value", "OffsetCommitValue", 3, keep=["offset"])
    rows.select("offset", "message.metadata").write.parquet(f"{output}/{way}")
spark.stop()
"""
RECORDS = 3_000


def decode(folder: Path, python: str, *ways: str, **settings: str) -> None:
    """Decode the messages of a log in these ways, one after the other, on executors with this interpreter."""
    write_commits(folder / "logs" / "orders-0", RECORDS, segment_records=1_000)
    run_driver(PROGRAM, folder, MASTER, folder / "logs", folder / "out", *ways, python=python, **settings)


def assert_decoded(folder: Path, way: str) -> None:
    rows = ds.dataset(sorted((folder / "out" / way).glob("*.parquet"))).to_table().sort_by("offset").to_pylist()
    assert rows == [{"offset": number, "metadata": f"m{number}"} for number in range(RECORDS)]


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An interpreter like an executor's before anything is shipped."""
    folder = tmp_path_factory.mktemp("bare") / "venv"
    # Python ignores `.pth` files in folders that a `.pth` file adds, so editable packages are missing.
    python = make_environment(folder, [Path(sysconfig.get_path("purelib"))])
    found = subprocess.run(
        [python, "-c", "import pyarrow, pyspark; import messagegen_spark"], check=False, capture_output=True, text=True
    )
    assert "No module named 'messagegen_spark'" in found.stderr, found.stderr
    return str(python)


@pytest.fixture(scope="module")
def on_bare_executors(bare_python: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder after bare executors decoded in both ways that need no Python.

    One cluster suffices: other tests show that ``register`` ships the jar without ``messages``, as ``source`` calls it.
    """
    folder = tmp_path_factory.mktemp("decoded")
    decode(folder, bare_python, "jvm", "source")
    return folder


def test_the_source_needs_no_packages_on_executors(on_bare_executors: Path) -> None:
    assert_decoded(on_bare_executors, "source")


def test_functions_in_the_jvm_need_no_packages_on_executors(on_bare_executors: Path) -> None:
    assert_decoded(on_bare_executors, "jvm")


def test_executors_get_a_python_environment_from_an_archive(tmp_path: Path) -> None:
    """This follows the page, but the environment contains links to the libraries instead of the libraries."""
    packages = [Path(module.__file__ or "").parents[1] for module in (messagegen_spark, messagegen_kafka)]
    make_environment(tmp_path / "environment", [Path(sysconfig.get_path("purelib")), *packages])
    with tarfile.open(tmp_path / "environment.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "environment", ".")
    # The driver uses the same relative path, so it is started in the folder of the environment.
    archives = {"spark.archives": "environment.tar.gz#environment"}
    decode(tmp_path, "./environment/bin/python", "workers", **archives)
    assert_decoded(tmp_path, "workers")


def test_spark_connect_sends_the_package_as_an_artifact(bare_python: str, tmp_path: Path) -> None:
    for module in (messagegen_arrow, messagegen_kafka, messagegen_spark):
        folder = Path(module.__file__ or "").parent
        shutil.copytree(folder, tmp_path / "package" / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.make_archive(str(tmp_path / "package"), "zip", tmp_path / "package")
    decode(tmp_path, bare_python, "connect")
    assert_decoded(tmp_path, "connect")
