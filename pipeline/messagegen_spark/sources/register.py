"""Data sources are known to a session once they are registered."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def register(spark: SparkSession) -> None:
    """Makes ``format("kafka-log")`` and ``format("kafka-capture")`` known to a session, a Spark Connect one too.

    Executors import this package, so on a cluster it has to be there before a DataFrame is built.
    """
    # Each source needs libraries that the other functions of this package do without.
    from messagegen_spark.sources.capture_source import KafkaCaptureDataSource  # noqa: PLC0415
    from messagegen_spark.sources.log_source import KafkaLogDataSource  # noqa: PLC0415

    spark.dataSource.register(KafkaLogDataSource)
    spark.dataSource.register(KafkaCaptureDataSource)
