"""Fixtures to read with the jar's source, and to call its classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_CATALOG: Final = "spark.sql.catalog.kafka"


@pytest.fixture
def load(spark: SparkSession) -> Callable[..., DataFrame]:
    """Return a function that reads a folder with options."""

    def load(path: Path, **options: Any) -> DataFrame:
        return spark.read.format("kafka-log").options(**options).load(str(path))

    return load


@pytest.fixture
def kafka_catalog(spark: SparkSession) -> Iterator[None]:
    """The catalog ``kafka``.

    Its settings and views are removed after each test, because all tests share the session.
    """
    spark.conf.set(_CATALOG, "messagegen.spark.Functions")
    yield
    for table in spark.catalog.listTables():
        if table.isTemporary:
            spark.catalog.dropTempView(table.name)
    for name in [name for name in spark.conf.getAll if name.startswith(_CATALOG)]:
        spark.conf.unset(name)


@pytest.fixture
def loaded(spark: SparkSession) -> Callable[[str], Any]:
    """Return a function that loads a class from the jar, even if the class is not public."""

    def load(name: str) -> Any:
        session: Any = spark._jsparkSession  # noqa: SLF001 - PySpark has no other way to Java's classes
        return session.sharedState().jarClassLoader().loadClass(f"messagegen.spark.{name}")

    return load


@pytest.fixture
def array(spark: SparkSession) -> Callable[..., Any]:
    """Return a function that makes a Java array, for calls by reflection."""
    gateway: Any = spark.sparkContext._gateway  # noqa: SLF001 - PySpark has no other way to Java's classes

    def make(*arguments: Any) -> Any:
        made = gateway.new_array(gateway.jvm.java.lang.Object, len(arguments))
        for number, argument in enumerate(arguments):
            made[number] = argument
        return made

    return make


@pytest.fixture
def static(loaded: Callable[[str], Any], array: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls a static method of a class in the jar."""

    def call(name: str, method: str, *arguments: Any) -> Any:
        (found,) = (each for each in loaded(name).getDeclaredMethods() if each.getName() == method)
        found.setAccessible(True)
        return found.invoke(None, array(*arguments))

    return call


@pytest.fixture
def held(static: Callable[..., Any]) -> Callable[[], int]:
    """Return a function that returns the bytes of native memory that batches hold."""
    return lambda: int(static("HeldMemory", "allocator").getAllocatedMemory())
