"""How large a cluster is."""

from __future__ import annotations

from typing import Final

from pyspark.sql import SparkSession

from messagegen_spark.workers import is_remote

_MOST_EXECUTORS: Final = 100_000
"""More is no size of a cluster, but the way to say that there is no limit."""


def cores(spark: SparkSession) -> int:
    """How many tasks run at once: now, or when all executors are there that settings ask for or allow.

    Of a Spark Connect server only settings are known. 1 where nothing is.
    """

    def number(name: str) -> int:
        text = spark.conf.get(name, None) or ""
        return int(text) if text.isdecimal() else 0

    executors = number("spark.executor.instances")
    if spark.conf.get("spark.dynamicAllocation.enabled", None) == "true":
        allowed = number("spark.dynamicAllocation.maxExecutors")
        executors = max(executors, allowed if allowed <= _MOST_EXECUTORS else 0)
    said = max(executors * max(1, number("spark.executor.cores")), number("spark.cores.max"))
    there = 0 if is_remote(spark) else spark.sparkContext.defaultParallelism
    return max(1, said, there)
