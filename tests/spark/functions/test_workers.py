from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

import pyarrow as pa
from pyspark.sql import types

from messagegen_spark.functions.dataframes import converted

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]


def test_workers_exclude_their_imports_from_garbage_collection(spark: SparkSession) -> None:
    def frozen_count(values: pa.Array) -> tuple[Sequence[pa.Array], pa.BooleanArray]:
        return [pa.array([gc.get_freeze_count()] * len(values))], values.is_null()

    frame = spark.createDataFrame([(bytearray(b"x"),)], "value binary")
    schema = types.StructType([types.StructField("frozen", types.LongType())])
    (row,) = converted(frame, [], ["value"], frozen_count, schema, "FAILFAST").collect()
    assert row.frozen > 10_000
