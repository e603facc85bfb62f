"""Data sources are known to a session once they are registered."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def register(spark: SparkSession) -> None:
    """Makes ``format("kafka-log")`` known to a session, also one of Spark Connect.

    Executors import this package, so on a cluster it has to be there before a DataFrame is built. The workers of a local session run this
    Python from then on, unless ``PYSPARK_PYTHON`` or ``spark.pyspark.python`` says which one they run: Spark's choice is the ``python3``
    of the PATH, which need not have this package.
    """
    # The source needs libraries that the functions of this package do without.
    from messagegen_spark.sources.log.source import KafkaLogDataSource  # noqa: PLC0415
    from messagegen_spark.workers import use_this_python  # noqa: PLC0415 - needs PySpark

    use_this_python(spark)
    spark.dataSource.register(KafkaLogDataSource)
