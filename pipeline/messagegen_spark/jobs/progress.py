"""What Spark's UI says about the jobs of a unit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pyspark.sql import SparkSession

from messagegen_spark.workers import is_remote


@contextmanager
def shown_as(spark: SparkSession, description: str) -> Iterator[None]:
    """Describes the queries of this thread in Spark's UI. Servers of Spark Connect have descriptions of their own."""
    if is_remote(spark):
        yield
        return
    # PySpark's types say that a property has a value; None takes it away.
    context: Any = spark.sparkContext
    before = context.getLocalProperty("spark.job.description")
    context.setJobDescription(description)
    try:
        yield
    finally:
        context.setLocalProperty("spark.job.description", before)
