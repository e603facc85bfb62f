from __future__ import annotations

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from pyspark.sql import types as spark

from messagegen_spark.functions.dataframes import MALFORMED, mark_fields, result_schema


def fields(*names: str) -> list[spark.StructField]:
    return [spark.StructField(name, spark.IntegerType()) for name in names]


def test_a_schema_has_its_fields_in_their_order() -> None:
    assert result_schema(fields("b", "a", "A")) == spark.StructType(fields("b", "a", "A"))
    assert result_schema([]) == spark.StructType([])


def test_each_name_is_refused_the_second_time() -> None:
    with pytest.raises(ValueError, match=r"^the result would have two columns named a; leave them out with keep=$"):
        result_schema(fields("a", "b", "a"))
    with pytest.raises(ValueError, match=r"^the result would have two columns named a and two named b; rename them$"):
        result_schema(fields("b", "a", "b", "a", "c"), "rename them")


def test_only_workers_that_drop_rows_mark_them() -> None:
    assert [field.name for field in mark_fields("DROPMALFORMED")] == [MALFORMED]
    assert mark_fields("PERMISSIVE") == mark_fields("FAILFAST") == []
