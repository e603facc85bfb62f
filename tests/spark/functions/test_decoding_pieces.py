"""Batches that are larger than the pieces in which they are decoded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

import pyarrow as pa

from messagegen_kafka import OffsetCommitValue
from messagegen_spark import decode_messages

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]


def test_large_batches_keep_their_rows_and_their_order(spark: SparkSession) -> None:
    sizes = [30_000 if number % 2 else number for number in range(400)]
    values = [
        OffsetCommitValue(offset=number, metadata="m" * size).encode(version=4) for number, size in enumerate(sizes)
    ]
    values[300] = b"no message"
    assert sum(map(len, values)) > 5_000_000
    rows = pa.table({"id": list(range(400)), "value": pa.array(values, pa.binary())})
    frame = spark.createDataFrame(rows).coalesce(1)
    found = decode_messages(frame, "value", "OffsetCommitValue", 4).collect()
    assert [row["id"] for row in found] == list(range(400))
    wrong = found.pop(300)
    assert wrong["message"]["_raw"] == b"no message"
    assert all(row["message"]["offset"] == row["id"] for row in found)
    assert all(len(row["message"]["metadata"]) == sizes[row["id"]] for row in found)
