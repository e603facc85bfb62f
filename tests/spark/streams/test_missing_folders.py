"""A stream in Spark begins before there are folders of partitions, and reports that a folder is gone."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.arrow.support.log_data import many_batches, write_segment
from tests.spark.support.log_lines import log_lines

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]


def run(spark: SparkSession, folder: Path, **options: str) -> None:
    """Read all records of the folder ``logs`` that the checkpoint does not contain yet."""
    stream = spark.readStream.format("kafka-log").options(columns="offset", **options).load(str(folder / "logs"))
    writer = stream.writeStream.format("noop").option("checkpointLocation", str(folder / "checkpoint"))
    writer.trigger(availableNow=True).start().awaitTermination()


def test_a_missing_folder_is_an_error_or_a_warning(spark: SparkSession, tmp_path: Path) -> None:
    from pyspark.errors import StreamingQueryException  # noqa: PLC0415 - only with PySpark

    for number in range(2):
        write_segment(tmp_path / "logs" / f"orders-{number}", 0, many_batches(0, 2))
    run(spark, tmp_path)
    shutil.rmtree(tmp_path / "logs" / "orders-1")
    with pytest.raises(StreamingQueryException, match="orders-1 is gone, and its records from offset 6 on"):
        run(spark, tmp_path)
    for _ in range(2):
        with log_lines(spark, "messagegen.spark.LogPartition", "WARN") as lines:
            run(spark, tmp_path, failOnDataLoss="false")
        (line,) = lines()
        assert "orders-1 is gone, and its records from offset 6 on may be unread" in line


def test_a_stream_begins_before_the_broker_has_written_anything(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    offsets = list[int]()

    def collect(frame: DataFrame, _: int) -> None:
        offsets.extend(row.offset for row in frame.select("offset").collect())

    for expected in ([], list(range(6))):
        stream = spark.readStream.format("kafka-log").options(topics="orders").load(str(tmp_path / "logs"))
        writer = stream.writeStream.foreachBatch(collect).option("checkpointLocation", str(tmp_path / "checkpoint"))
        writer.trigger(availableNow=True).start().awaitTermination()
        assert offsets == expected
        write_segment(tmp_path / "logs" / "orders-0", 0, many_batches(0, 2))
