"""Data sources are known to a session once they are registered."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def register(spark: SparkSession, *, jvm: bool = False) -> None:
    """Makes ``format("kafka-log")`` known to a session, also one of Spark Connect.

    With ``jvm``, the source runs inside the JVM, from the jar of this package: it also reads Hadoop's file systems, and has no options
    ``types``, ``versions``, ``keyTypes`` and ``specs``. Each thread of Python that uses the session calls this once then, since Spark
    looks for classes by thread. Raises ``NoJarError`` if this build of the package has no jar, and what Spark raises where a session may
    not load code.

    Executors import this package, so on a cluster it has to be there before a DataFrame is built. The workers of a local session run this
    Python from then on, unless ``PYSPARK_PYTHON`` or ``spark.pyspark.python`` says which one they run: Spark's choice is the ``python3``
    of the PATH, which need not have this package.
    """
    from messagegen_spark.workers import use_this_python  # noqa: PLC0415 - needs PySpark

    use_this_python(spark)
    if jvm:
        from messagegen_spark.jvm import add_source  # noqa: PLC0415

        add_source(spark)
    else:
        # The source needs libraries that the functions of this package do without.
        from messagegen_spark.sources.log.source import KafkaLogDataSource  # noqa: PLC0415

        spark.dataSource.register(KafkaLogDataSource)
