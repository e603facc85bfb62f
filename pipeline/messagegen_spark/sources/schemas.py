"""What the sources' columns are in Spark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from inspect import signature
from typing import Any

import pyarrow as pa
from pyspark.sql import types as spark
from pyspark.sql.pandas.types import to_arrow_schema

from messagegen_arrow.named_columns import NamedColumn, chosen_columns
from messagegen_spark.schemas import spark_struct, spark_type


def check_schema(source: str, columns: Mapping[str, NamedColumn], schema: spark.StructType) -> tuple[str, ...]:
    """The names of the columns that a schema asks for. Raises ``ValueError`` for a column that has another type here.

    What may be null does not count: schemas in SQL say it of everything.
    """
    for field, column in zip(schema.fields, chosen_columns(source, columns, schema.fieldNames()), strict=True):
        expected = spark_type(column.arrow_type)
        if _plain(field.dataType) != _plain(expected):
            found, has = field.dataType.simpleString(), expected.simpleString()
            raise ValueError(f"column {column.name} has the type {has}, not {found}; cast it after reading")
    return tuple(schema.fieldNames())


def source_schema(source: str, columns: Mapping[str, NamedColumn], names: Sequence[str] | None) -> spark.StructType:
    """The schema of the named columns (``None``: all), in that order. Raises ``ValueError`` for a name that the source does not have."""
    return spark_struct(column.field for column in chosen_columns(source, columns, names or tuple(columns)))


def wanted_fields(source: str, columns: Mapping[str, NamedColumn], schema: spark.StructType) -> dict[str, list[str]]:
    """The paths of the fields that a schema has of structs, where these are not all of a column's, by column."""
    found = {}
    for field, column in zip(schema.fields, chosen_columns(source, columns, schema.fieldNames()), strict=True):
        asked, there = _plain(field.dataType), _plain(spark_type(column.arrow_type))
        if isinstance(asked, spark.StructType) and isinstance(there, spark.StructType) and asked != there:
            found[column.name] = list(_paths(asked, ""))
    return found


def arrow_types(schema: spark.StructType) -> pa.Schema:
    """The columns as Spark takes them from Python: by types, and by what may be null."""
    # Before PySpark 4.2, Spark takes timestamps in UTC whatever the session's time zone is.
    options: dict[str, Any] = {"timezone": "UTC"} if "timezone" in signature(to_arrow_schema).parameters else {}
    return to_arrow_schema(schema, **options)


def conformed(batches: Iterator[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The batches with exactly these types. What may be null can differ, and then becomes what the schema says."""
    for batch in batches:
        if batch.schema.equals(schema):
            yield batch
        else:
            arrays = [array.cast(field.type) for array, field in zip(batch.columns, schema, strict=True)]
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _paths(struct: spark.StructType, outer: str) -> Iterator[str]:
    for field in struct.fields:
        inner = field.dataType.elementType if isinstance(field.dataType, spark.ArrayType) else field.dataType
        if isinstance(inner, spark.StructType):
            yield from _paths(inner, f"{outer}{field.name}.")
        else:
            yield f"{outer}{field.name}"


def _plain(type_: spark.DataType) -> spark.DataType:
    """The type without comments, in which everything may be null."""
    if isinstance(type_, spark.StructType):
        return spark.StructType([spark.StructField(field.name, _plain(field.dataType)) for field in type_.fields])
    if isinstance(type_, spark.ArrayType):
        return spark.ArrayType(_plain(type_.elementType))
    if isinstance(type_, spark.MapType):
        return spark.MapType(_plain(type_.keyType), _plain(type_.valueType))
    return type_
