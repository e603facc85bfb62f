"""Sessions of jobs: their own, or beside one that is there; and the Python of workers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.arrow.support.log_data import many_batches, write_segment
from tests.spark.support.processes import spark_environment

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from messagegen_spark.jobs.sessions import is_local, job_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Settings:
    """A session of which only the master is known."""

    def __init__(self, master: str | None) -> None:
        self.master = master

    @property
    def conf(self) -> Settings:
        return self

    def get(self, _: str, default: str) -> str:
        return self.master or default


@pytest.mark.parametrize(
    ("master", "local"), [("local[2]", True), ("yarn", False), ("spark://host:7077", False), (None, False)]
)
def test_the_session_says_whether_it_is_local(master: str | None, *, local: bool) -> None:
    """Not the option: without it ``spark-defaults.conf`` may say yarn."""
    session: Any = Settings(master)
    assert is_local(session) == local


@pytest.mark.spark
@pytest.mark.xdist_group("spark")
def test_a_session_that_is_there_stays_as_it_is(spark: SparkSession) -> None:
    before = dict(spark.conf.getAll)
    with job_session("tests", conf={"spark.sql.shuffle.partitions": "7"}) as own:
        assert own is not spark
        assert own.conf.get("spark.sql.shuffle.partitions") == "7"
        own.createDataFrame([(1,)], "id int").createTempView("only_here")
        assert own.range(3).count() == 3
    assert dict(spark.conf.getAll) == before
    assert not spark.catalog.tableExists("only_here")
    assert spark.range(3).count() == 3, "it was not stopped"
    with (
        pytest.raises(ValueError, match="has a session with another master already: stop it"),
        job_session("tests", "yarn"),
    ):
        pass


_SCRIPT = """
import sys
from pyspark.sql import SparkSession
import messagegen_spark
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
messagegen_spark.register(spark)
print(spark.read.format("kafka-log").load(sys.argv[1]).count(), "records")
"""


@pytest.mark.spark
@pytest.mark.exhaustive
def test_a_script_needs_no_variable_on_this_machine(tmp_path: Path) -> None:
    """The python3 of the PATH need not have this package, nor be one."""
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 2))
    other = tmp_path / "bin" / "python3"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\necho no python >&2\nexit 1\n")
    other.chmod(0o755)
    environment = spark_environment(PATH=f"{other.parent}:{os.environ['PATH']}")
    for name in ("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON"):
        del environment[name]
    command = [sys.executable, "-c", _SCRIPT, str(tmp_path / "orders-0")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[-1] == "6 records"
