"""The source ``kafka-log`` inside the JVM: a jar with Java's classes and the native library."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

JAR: Final = "kafka-log.jar"


class NoJarError(RuntimeError):
    """The installed package has no jar."""


def add_source(spark: SparkSession) -> None:
    """Makes ``format("kafka-log")`` known to a session, on a cluster to its executors too.

    Raises ``NoJarError`` if the package was built without the jar, and what Spark raises where a session may not load code.
    """
    jar = files(__name__).joinpath(JAR)
    if not jar.is_file():
        raise NoJarError("this build of messagegen-pipeline has no jar for Spark; install a wheel, or run `make jar`")
    with as_file(jar) as path:
        _add(spark, path)


def _add(spark: Any, path: Path) -> None:
    if hasattr(spark, "_jsparkSession"):
        # Classic sessions take a jar into the class loader of the session by this statement only.
        text = str(path).replace("\\", "\\\\").replace("'", "\\'")
        spark.sql(f"ADD JAR '{text}'")
    else:
        spark.addArtifacts(str(path))
