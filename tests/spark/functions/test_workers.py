from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

import pyarrow as pa
from pyspark.sql import functions

from messagegen_kafka import OffsetCommitValue
from messagegen_spark import from_kafka_message

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]


def test_imports_of_workers_are_left_out_of_garbage_collection(spark: SparkSession) -> None:
    def frozen_count(values: pa.Array) -> pa.Array:
        return pa.array([gc.get_freeze_count()] * len(values))

    # Spark gives functions of one kind in one `select` to one worker, in this order.
    frozen: Any = vars(functions)["arrow_udf"](frozen_count, "long")
    value = bytearray(OffsetCommitValue(offset=4).encode(version=3))
    commits = spark.createDataFrame([(value,)], "value binary")
    row = commits.select(from_kafka_message("value", "OffsetCommitValue", 3), frozen("value").alias("frozen")).first()
    assert row is not None
    assert row["frozen"] > 10_000
