"""The session with the source of the jar; its long name, because tests of other sources may take the short one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from messagegen_spark import register
from tests.support import tools

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SOURCE = "messagegen.spark.KafkaLogSource"


@pytest.fixture
def jvm(spark: SparkSession) -> Iterator[SparkSession]:
    """The session with the jar. Other tests of this process find the source in Python by the short name, so the jar's classes go again."""
    if not tools.JAR.is_there():
        pytest.skip(tools.skip_reason(tools.JAR))
    gateway: Any = spark.sparkContext._gateway  # noqa: SLF001 - PySpark has no other way to Java's classes
    thread = gateway.jvm.java.lang.Thread.currentThread()
    before = thread.getContextClassLoader()
    register(spark, jvm=True)
    yield spark
    thread.setContextClassLoader(before)


@pytest.fixture
def load(jvm: SparkSession) -> Callable[..., DataFrame]:
    """Reads a folder with options."""

    def load(path: Path, **options: Any) -> DataFrame:
        return jvm.read.format(SOURCE).options(**options).load(str(path))

    return load


@pytest.fixture
def static(jvm: SparkSession) -> Callable[..., Any]:
    """Calls a static method of a class of the jar, which is no public one."""

    def call(name: str, method: str, *arguments: Any) -> Any:
        gateway: Any = jvm.sparkContext._gateway  # noqa: SLF001 - PySpark has no other way to Java's classes
        session: Any = jvm._jsparkSession  # noqa: SLF001 - likewise
        loaded = session.sharedState().jarClassLoader().loadClass(f"messagegen.spark.{name}")
        (found,) = (each for each in loaded.getDeclaredMethods() if each.getName() == method)
        found.setAccessible(True)
        passed = gateway.new_array(gateway.jvm.java.lang.Object, len(arguments))
        for number, argument in enumerate(arguments):
            passed[number] = argument
        return found.invoke(None, passed)

    return call


@pytest.fixture
def held(static: Callable[..., Any]) -> Callable[[], int]:
    """The bytes of native memory that batches hold."""
    return lambda: int(static("HeldMemory", "total"))
