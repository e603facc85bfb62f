"""The source ``kafka-log`` inside Spark's JVM: a jar with the Java classes and the native library."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import as_file
from typing import TYPE_CHECKING, Any, Final

from messagegen_spark.jvm.jar import jar_in_package
from messagegen_spark.versions import check_pyspark, check_version

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from messagegen_arrow.catalog import MessageClass, MessageTable


_PY4J: Final = "py4j."
"""The start of the names of py4j's classes."""
_THREAD: Final = "java.lang.Thread"


class NoJarError(RuntimeError):
    """Raised if the installed package has no jar."""


def register(spark: SparkSession, *, messages: Iterable[str | MessageTable | MessageClass] | None = None) -> None:
    """Make ``format("kafka-log")`` available in a session, including Spark Connect, and on the executors of a cluster.

    With ``messages``, the session also gets a function catalog ``kafka``. Its functions decode and encode in the JVM:
    ``kafka.OffsetCommitValue(value, version)`` and ``kafka.encode_OffsetCommitValue(struct, version)`` in SQL.
    ``decode_messages`` and ``encode_messages`` use them. The catalog contains all of Kafka's messages and the given
    messages: generated classes, a ``Catalog``, or names.

    A classic session adds the jar by ``ADD JAR``. If Spark was started with the path of the jar in ``--jars`` or
    ``spark.jars``, no call is needed. Raises ``NoJarError`` if this build of the package has no jar, and
    ``UnsupportedSparkError`` if PySpark or the session's Spark is too old. Raises ``LookupError`` for an unknown
    message, and ``ValueError`` if the session has a different catalog with that name. Also raises what Spark raises if
    a session must not load code.
    """
    check_pyspark()
    check_version("Spark", spark.version)
    jar = jar_in_package()
    if not jar.is_file():
        raise NoJarError(
            "this build of messagegen-pipeline has no jar for Spark: in a clone of messagegen, run `make spark-wheel` "
            "and install the wheel again with `pip install --force-reinstall --no-deps`, or run `make jar` for the "
            "clone itself; messagegen_arrow.read_log reads the same logs without Spark"
        )
    with as_file(jar) as path:
        _add(spark, str(path))
    if messages is not None:
        # Import this late, because PySpark has not been checked when this module is imported.
        from messagegen_spark.jvm.catalog import add_catalog  # noqa: PLC0415

        add_catalog(spark, messages)


def _add(spark: Any, path: str) -> None:
    if hasattr(spark, "_jsparkSession"):
        text = path.replace("\\", "\\\\").replace("'", "\\'")
        spark.sql(f"ADD JAR '{text}'")
        _share_class_loader(spark._jvm)  # noqa: SLF001 - PySpark has no other way to Java's threads
    else:
        spark.addArtifacts(path)


def _share_class_loader(jvm: Any) -> None:
    """Let all of py4j's threads find the classes of the jar, which Spark looks up by thread.

    Threads that py4j opens later, for other threads of Python or after Ctrl-C, inherit the class loader from the thread
    that accepts connections.
    """
    threads = jvm.java.lang.Thread
    loader = threads.currentThread().getContextClassLoader()
    for entry in threads.getAllStackTraces().entrySet():
        # The outermost calls are Java's own: one until Java 17, two since Java 21.
        names = (call.getClassName() for call in reversed(entry.getValue()))
        if next((name for name in names if name != _THREAD), "").startswith(_PY4J):
            entry.getKey().setContextClassLoader(loader)
