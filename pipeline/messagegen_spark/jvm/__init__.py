"""The source ``kafka-log`` inside Spark's JVM: a jar with Java's classes and the native library."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any, Final

from messagegen_spark.versions import check_pyspark, check_version

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

JAR: Final = "kafka-log.jar"


class NoJarError(RuntimeError):
    """The installed package has no jar."""


def register(spark: SparkSession) -> None:
    """Makes ``format("kafka-log")`` known to a session, also one of Spark Connect, and to the executors of a cluster.

    A classic session adds the jar by ``ADD JAR`` and looks for its classes by thread, so each Python thread that reads
    logs calls this once. Spark that was started with ``--jars`` or ``spark.jars`` and the path of the jar needs no call
    at all. Raises ``NoJarError`` if this build of the package has no jar, ``UnsupportedSparkError`` if PySpark or the
    Spark of the session is too old, and what Spark raises where a session may not load code.
    """
    check_pyspark()
    check_version("Spark", spark.version)
    jar = files(__name__).joinpath(JAR)
    if not jar.is_file():
        raise NoJarError(
            "this build of messagegen-pipeline has no jar for Spark: install a wheel, or run `make jar` in the "
            "repository; "
            "messagegen_arrow.read_log reads the same logs without Spark"
        )
    with as_file(jar) as path:
        _add(spark, str(path))


def _add(spark: Any, path: str) -> None:
    if hasattr(spark, "_jsparkSession"):
        text = path.replace("\\", "\\\\").replace("'", "\\'")
        spark.sql(f"ADD JAR '{text}'")
    else:
        spark.addArtifacts(path)
