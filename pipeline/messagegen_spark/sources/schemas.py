"""What the sources' columns are in Spark."""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql.types import StructType

from messagegen_arrow.named_columns import NamedColumn, chosen_columns
from messagegen_spark.schemas import spark_struct, spark_type


def check_schema(source: str, columns: Mapping[str, NamedColumn], schema: StructType) -> tuple[str, ...]:
    """The names of the columns that a schema asks for. Raises ``ValueError`` for a column that has another type here."""
    for field, column in zip(schema.fields, chosen_columns(source, columns, schema.fieldNames()), strict=True):
        expected = spark_type(column.arrow_type)
        if field.dataType != expected:
            found, has = field.dataType.simpleString(), expected.simpleString()
            raise ValueError(f"column {column.name} has the type {has}, not {found}; cast it after reading")
    return tuple(schema.fieldNames())


def source_schema(source: str, columns: Mapping[str, NamedColumn], names: tuple[str, ...] | None) -> StructType:
    """The schema of the named columns (``None``: all), in that order. Raises ``ValueError`` for a name that the source does not have."""
    return spark_struct(column.field for column in chosen_columns(source, columns, names or columns))
