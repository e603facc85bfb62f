"""Comparison of the results of workers and of the JVM."""

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
    """Return the JSON of a schema with nullable fields only: in the JVM, a nullable struct has no other fields."""
    return schema.json().replace('"nullable":false', '"nullable":true')


def assert_same(ours: DataFrame, theirs: DataFrame) -> None:
    """Check that the frame of the JVM has the rows and the schema of the workers' frame."""
    assert "invoke(" in plans_of(ours)
    assert "Arrow" in plans_of(theirs)
    assert ours.schema.simpleString() == theirs.schema.simpleString()
    # NaN does not equal itself.
    assert repr(ours.toArrow().to_pylist()) == repr(theirs.toArrow().to_pylist())
