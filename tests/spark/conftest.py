"""The only Spark session of the test process, because starting a session takes longer than most tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from messagegen_spark import register
from tests.spark.support import java
from tests.spark.support.sessions import classic_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Every process that a test starts inherits these variables.
for _name, _options in java.ENVIRONMENT.items():
    os.environ.setdefault(_name, _options)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A Spark session with two threads and the source ``kafka-log``."""
    pytest.importorskip("pyspark.sql", reason="PySpark is not installed: `make test` installs it")
    session = classic_session(tmp_path_factory.mktemp("spark"))
    register(session)
    yield session
    session.stop()
