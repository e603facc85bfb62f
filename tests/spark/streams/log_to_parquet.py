"""A driver that streams a log folder to Parquet with a checkpoint. It is a program, so that it can be killed.

Its arguments are the topic's folders, the output folder, and the mode: ``follow`` runs until it is killed, ``finish``
reads the records that exist now. ``finish`` then writes all rows of the output to ``rows.parquet``, because only Spark
can list the committed files.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow.parquet
from pyspark.sql import SparkSession

from messagegen_spark import register

MOST_OFFSETS = 100
"""The maximum number of offsets in a micro-batch, so small that a run has many micro-batches."""


def main(logs: str, place: str, how: str) -> None:
    """Run the stream."""
    folder = Path(place)
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    spark = builder.config("spark.local.dir", str(folder / "local")).config("spark.log.level", "ERROR").getOrCreate()
    register(spark)
    log = spark.readStream.format("kafka-log").option("maxOffsetsPerTrigger", MOST_OFFSETS).load(logs)
    writer = log.select("partition", "offset", "key", "value").writeStream.format("parquet")
    writer = writer.option("checkpointLocation", str(folder / "checkpoint"))
    once = how == "finish"
    writer = writer.trigger(availableNow=True) if once else writer.trigger(processingTime="0 seconds")
    writer.start(str(folder / "out")).awaitTermination()
    pyarrow.parquet.write_table(spark.read.parquet(str(folder / "out")).toArrow(), folder / "rows.parquet")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
