"""The one Spark session of the test process: starting one takes longer than most tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from messagegen_spark import register
from tests.spark.support import java

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Every process that a test starts inherits them.
for _name, _options in java.ENVIRONMENT.items():
    os.environ.setdefault(_name, _options)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Spark on two threads, with the source ``kafka-log``; workers run this interpreter, for Spark would take the ``python3`` of the PATH."""
    sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed: `make test` installs it")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    folder = tmp_path_factory.mktemp("spark")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.default.parallelism": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "local"),
        "spark.log.level": "ERROR",
        # A task that does not give back the memory which it counted fails.
        "spark.unsafe.exceptionOnMemoryLeak": "true",
    }
    session = sql.SparkSession.builder.master("local[2]").appName("tests").config(map=settings).getOrCreate()
    register(session)
    yield session
    session.stop()
