"""Fixtures for tests that compare the JVM with workers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.spark.support.in_jvm import SETTING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture
def without_catalog(spark: SparkSession) -> Iterator[None]:
    """Remove the catalog after each test, because other tests check workers without a catalog."""
    yield
    for name in [name for name in spark.conf.getAll if name.startswith(SETTING)]:
        spark.conf.unset(name)
