"""Spark's types for Arrow's types: the columns are defined once, as an Arrow schema."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

import pyarrow as pa
from pyspark.sql import types as spark
from pyspark.sql.pandas.types import from_arrow_type

from messagegen_arrow.catalog import Catalog, MessageTable
from messagegen_arrow.columns.model import ColumnOptions
from messagegen_arrow.columns.schemas import arrow_schema


def spark_schema(
    message: str | MessageTable, *, catalog: Catalog | None = None, **options: Unpack[ColumnOptions]
) -> spark.StructType:
    """Return the columns of ``arrow_schema`` as Spark's type, with the same comments and errors."""
    return spark_struct(arrow_schema(message, catalog=catalog, **options))


def spark_struct(fields: Iterable[pa.Field], *, is_nullable: bool = False) -> spark.StructType:
    """Return the fields of an Arrow schema or struct type as Spark's type. Metadata, such as ``comment``, is kept.

    All fields of a nullable struct are nullable, because PySpark's ``toArrow`` rejects others in a null struct.
    """
    return spark.StructType([spark_field(field, is_in_nullable=is_nullable) for field in fields])


def spark_field(field: pa.Field, *, is_in_nullable: bool = False) -> spark.StructField:
    """Return a column, with its metadata."""
    metadata = {key.decode(): value.decode() for key, value in (field.metadata or {}).items()}
    is_nullable = is_in_nullable or field.nullable
    return spark.StructField(field.name, spark_type(field.type, is_nullable=is_nullable), is_nullable, metadata)


def spark_type(type_: pa.DataType, *, is_nullable: bool = False) -> spark.DataType:
    """Return Spark's type for the Arrow type of a column, which may also come from other files.

    Raises ``PySparkTypeError`` for types that Spark lacks.
    """
    if pa.types.is_struct(type_):
        return spark_struct(type_, is_nullable=is_nullable)
    if pa.types.is_map(type_):
        return spark.MapType(spark_type(type_.key_type), spark_type(type_.item_type), type_.item_field.nullable)
    if pa.types.is_list(type_):
        return spark.ArrayType(
            spark_type(type_.value_type, is_nullable=type_.value_field.nullable), type_.value_field.nullable
        )
    return from_arrow_type(type_, prefer_timestamp_ntz=True)
