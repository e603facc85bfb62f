"""The columns of a message as an Arrow schema and as a Spark schema.

Columns themselves may be null, for a row that cannot be read has nothing in them. What lies within structs and arrays may be null
only where the plan says so: Spark spares the question then, which makes a fifth of the time of large messages.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Unpack

import pyarrow as pa
from pyspark.sql import types as spark

from messagegen_spark.catalog import Catalog, MessageTable, message_table
from messagegen_spark.message_columns import Column, ColumnOptions, MessageColumns, UuidType

ERROR_NAME: Final = "_error"
"""What is wrong with a row: ``message``, ``path`` of the field, ``offset`` in bytes from the start of the value."""
RAW_NAME: Final = "_raw"
"""The bytes of a row that could not be read. No field of a spec can begin with an underscore, so names never collide."""

ERROR_ARROW_TYPE: Final = pa.struct([("message", pa.string()), ("path", pa.string()), ("offset", pa.int64())])
ERROR_SPARK_TYPE: Final = spark.StructType(
    [
        spark.StructField("message", spark.StringType()),
        spark.StructField("path", spark.StringType()),
        spark.StructField("offset", spark.LongType()),
    ]
)
VALUE_NAME: Final = "value"
"""The bytes of a row that was encoded."""
ENCODE_ERROR_ARROW_TYPE: Final = pa.struct(list(ERROR_ARROW_TYPE)[:2])
ENCODE_ERROR_SPARK_TYPE: Final = spark.StructType(ERROR_SPARK_TYPE.fields[:2])
"""What is wrong with a row that could not be encoded; there is no offset."""

_ARROW_TYPES: Final = {
    "bool": pa.bool_(),
    "int8": pa.int8(),
    "int16": pa.int16(),
    "uint16": pa.int32(),
    "int32": pa.int32(),
    "uint32": pa.int64(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "string": pa.string(),
    "bytes": pa.binary(),
    "records": pa.binary(),
    "tags": pa.map_(pa.int32(), pa.field("value", pa.binary(), nullable=False)),
}
"""Kafka's type to Arrow's; unsigned integers become the next wider signed ones, for Spark knows no others."""

_SPARK_TYPES: Final[dict[str, spark.DataType]] = {
    "bool": spark.BooleanType(),
    "int8": spark.ByteType(),
    "int16": spark.ShortType(),
    "uint16": spark.IntegerType(),
    "int32": spark.IntegerType(),
    "uint32": spark.LongType(),
    "int64": spark.LongType(),
    "float64": spark.DoubleType(),
    "string": spark.StringType(),
    "bytes": spark.BinaryType(),
    "records": spark.BinaryType(),
    "tags": spark.MapType(spark.IntegerType(), spark.BinaryType(), valueContainsNull=False),
}


def arrow_schema(
    message: str | MessageTable, *, catalog: Catalog | None = None, **options: Unpack[ColumnOptions]
) -> pa.Schema:
    """The columns of a message, merged over ``versions`` (default: all); see ``ColumnOptions`` for the options.

    The metadata of a field are ``comment``, the spec's ``about``, and ``kafka.type``, Kafka's type. Raises ``LookupError``
    for a message and a version that there are not, ``ValueError`` for a path in ``fields`` that leads nowhere.
    """
    table = message_table(message, catalog)
    return pa.schema(_arrow_field(column, options, table) for column in _columns(table, options))


def spark_schema(
    message: str | MessageTable, *, catalog: Catalog | None = None, **options: Unpack[ColumnOptions]
) -> spark.StructType:
    """The same columns as ``arrow_schema``, as Spark's type, with the same comments; it raises the same."""
    table = message_table(message, catalog)
    return spark_struct(_columns(table, options), options.get("uuid", "string"), table)


def _columns(table: MessageTable, options: ColumnOptions) -> tuple[Column, ...]:
    return MessageColumns.of(table, None, options).columns


def _arrow_field(column: Column, options: ColumnOptions, table: MessageTable) -> pa.Field:
    uuid = options.get("uuid", "string")
    if column.is_struct:
        value: pa.DataType = pa.struct([_arrow_field(inner, options, table) for inner in column.fields])
    else:
        value = _arrow_value_type(column, uuid)
    type_ = _list_of(value) if column.is_array else value
    return pa.field(column.name, type_, column.nullable, _metadata(column, table))


def arrow_struct(columns: Iterable[Column], uuid: UuidType) -> pa.StructType:
    """The type of a struct array with these columns, without metadata."""
    return pa.struct([pa.field(column.name, _arrow_type(column, uuid), column.nullable) for column in columns])


def _arrow_type(column: Column, uuid: UuidType) -> pa.DataType:
    value = arrow_struct(column.fields, uuid) if column.is_struct else _arrow_value_type(column, uuid)
    return _list_of(value) if column.is_array else value


def _list_of(value: pa.DataType) -> pa.DataType:
    return pa.list_(pa.field("item", value, nullable=False))


def _arrow_value_type(column: Column, uuid: UuidType) -> pa.DataType:
    if column.type == "uuid":
        return pa.string() if uuid == "string" else pa.binary()
    return _ARROW_TYPES[column.type]


@lru_cache(maxsize=256)
def arrow_message_type(wanted: MessageColumns) -> pa.StructType:
    """The type of what is decoded: the columns of a message, and ``_error``."""
    columns = arrow_struct(wanted.columns, wanted.uuid)
    return pa.struct([*columns, pa.field(ERROR_NAME, ERROR_ARROW_TYPE)])


def spark_struct(columns: Iterable[Column], uuid: UuidType, table: MessageTable | None) -> spark.StructType:
    """The Spark type of a struct with these columns; metadata are what ``table`` knows of them, or none."""
    return spark.StructType(
        [
            spark.StructField(column.name, _spark_type(column, uuid, table), column.nullable, _metadata(column, table))
            for column in columns
        ]
    )


def _spark_type(column: Column, uuid: UuidType, table: MessageTable | None) -> spark.DataType:
    if column.is_struct:
        value: spark.DataType = spark_struct(column.fields, uuid, table)
    elif column.type == "uuid":
        value = spark.StringType() if uuid == "string" else spark.BinaryType()
    else:
        value = _SPARK_TYPES[column.type]
    return spark.ArrayType(value, containsNull=False) if column.is_array else value


def _metadata(column: Column, table: MessageTable | None) -> dict[str, str]:
    if table is None:
        return {}
    if column.type == "tags":
        return {"comment": "Tagged fields that the spec does not know, by tag."}
    metadata = {"kafka.type": f"{'[]' * column.is_array}{column.type}"}
    about = table.abouts.get(f"{column.struct}.{column.attribute}")
    return metadata if about is None else {"comment": about, **metadata}
