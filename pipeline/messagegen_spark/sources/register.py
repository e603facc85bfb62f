"""Data sources are known to a session once they are registered."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


_LOGGER: Final = logging.getLogger("messagegen_spark")


def register(spark: SparkSession) -> None:
    """Makes ``format("kafka-log")`` known to a session, also one of Spark Connect.

    It runs inside the JVM, from the jar of this package; where there is none, or the server of Spark Connect takes none, it runs in Python.
    With the jar, each thread of Python that uses the session calls this once: Spark looks for classes by thread.

    Executors import this package, so on a cluster it has to be there before a DataFrame is built. The workers of a local session run this
    Python from then on, unless ``PYSPARK_PYTHON`` or ``spark.pyspark.python`` says which one they run: Spark's choice is the ``python3``
    of the PATH, which need not have this package.
    """
    from messagegen_spark.workers import use_this_python  # noqa: PLC0415 - needs PySpark

    use_this_python(spark)
    if not _is_in_jvm(spark):
        # The source needs libraries that the functions of this package do without.
        from messagegen_spark.sources.log.source import KafkaLogDataSource  # noqa: PLC0415

        spark.dataSource.register(KafkaLogDataSource)


def _is_in_jvm(spark: SparkSession) -> bool:
    """Whether the session took the jar; a server of Spark Connect may let nobody add code."""
    from pyspark.errors import PySparkException  # noqa: PLC0415

    from messagegen_spark.jvm import NoJarError, add_source  # noqa: PLC0415
    from messagegen_spark.workers import is_remote  # noqa: PLC0415

    try:
        add_source(spark)
    except NoJarError:
        return False
    except PySparkException as refused:
        if not is_remote(spark):
            raise
        _LOGGER.warning("kafka-log runs in Python, for the server takes no jar: %s", refused)
        return False
    return True
