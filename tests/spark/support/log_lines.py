"""Captures the lines that a Java class of our jar writes to the driver's log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@contextmanager
def log_lines(spark: SparkSession, logger: str, level: str) -> Iterator[Callable[[], list[str]]]:
    """Collect lines of a logger of the JVM at ``level`` or above; the yielded function returns all collected lines."""
    jvm: Any = spark.sparkContext._jvm  # noqa: SLF001 - PySpark has no other way to the JVM
    log4j = jvm.org.apache.logging.log4j
    text = jvm.java.io.StringWriter()
    layout = log4j.core.layout.PatternLayout.newBuilder().withPattern("%m%n").build()
    appender = log4j.core.appender.WriterAppender.createAppender(layout, None, text, logger, False, True)
    appender.start()
    context = log4j.core.LoggerContext.getContext(False)
    configuration = context.getConfiguration()
    made = log4j.core.config.LoggerConfig(logger, log4j.Level.toLevel(level), False)
    made.addAppender(appender, log4j.Level.toLevel(level), None)
    configuration.addLogger(logger, made)
    context.updateLoggers()
    try:
        yield lambda: str(text.toString()).splitlines()
    finally:
        configuration.removeLogger(logger)
        context.updateLoggers()
