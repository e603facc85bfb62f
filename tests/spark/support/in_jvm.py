"""Compares the results of workers with the results of the JVM."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

SETTING: Final = "spark.sql.catalog.kafka"
NAME: Final = "OffsetCommitValue"
MODES: Final = ("PERMISSIVE", "FAILFAST", "DROPMALFORMED")


def plans_of(frame: DataFrame) -> str:
    """Return Spark's plan of a query as text."""
    of_java: Any = vars(frame)["_jdf"]
    return str(of_java.queryExecution().executedPlan().toString())


def without_nulls(schema: StructType) -> str:
    """Return a schema's JSON with all fields nullable, because in the JVM all fields of a nullable struct are."""
    return schema.json().replace('"nullable":false', '"nullable":true')


def assert_same(ours: DataFrame, theirs: DataFrame) -> None:
    """Check that the JVM's frame has the same rows and schema as the workers' frame."""
    assert "invoke(" in plans_of(ours)
    assert "Arrow" in plans_of(theirs)
    assert ours.schema.simpleString() == theirs.schema.simpleString()
    # NaN does not equal itself.
    assert repr(ours.toArrow().to_pylist()) == repr(theirs.toArrow().to_pylist())
