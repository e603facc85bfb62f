"""The columns of a message as an Arrow schema.

Top-level columns are nullable, because malformed rows have no values. Values within structs and arrays are only
nullable if the plan allows null. For other values, Spark omits the null checks, which saves a fifth of the time for
large messages.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Unpack

import pyarrow as pa

from messagegen_arrow.catalog import Catalog, MessageTable, message_table
from messagegen_arrow.columns.model import Column, ColumnOptions, MessageColumns, UuidType
from messagegen_arrow.columns.types import ARROW_TYPES, UNKNOWN_TAGGED_FIELDS_TYPE, UUID_AS_BINARY
from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME


def arrow_schema(
    message: str | MessageTable, *, catalog: Catalog | None = None, **options: Unpack[ColumnOptions]
) -> pa.Schema:
    """Return the columns of a message, merged over ``versions`` (default: all); see ``ColumnOptions`` for the options.

    A field has the metadata ``comment``, which is the spec's ``about``, and ``kafka.type``, which is Kafka's type.
    Raises ``LookupError`` for an unknown message or version, and ``ValueError`` for an unknown path in ``fields``.
    """
    table = message_table(message, catalog)
    wanted = MessageColumns.of(table, None, options)
    return pa.schema(arrow_struct(wanted.columns, wanted.uuid, table))


def arrow_struct(columns: Iterable[Column], uuid: UuidType, table: MessageTable | None = None) -> pa.StructType:
    """Return the type of a struct array with these columns, and with metadata from ``table``, if given."""
    return pa.struct([_arrow_field(column, uuid, table) for column in columns])


def _arrow_field(column: Column, uuid: UuidType, table: MessageTable | None) -> pa.Field:
    value = arrow_struct(column.fields, uuid, table) if column.is_struct else _value_type(column, uuid)
    type_ = pa.list_(pa.field("item", value, nullable=False)) if column.is_array else value
    return pa.field(column.name, type_, column.nullable, _metadata(column, table))


def _value_type(column: Column, uuid: UuidType) -> pa.DataType:
    if column.type == "tags":
        return UNKNOWN_TAGGED_FIELDS_TYPE
    if column.type == "uuid" and uuid == "binary":
        return UUID_AS_BINARY
    return ARROW_TYPES[column.type]


@lru_cache(maxsize=256)
def arrow_message_type(wanted: MessageColumns) -> pa.StructType:
    """Return the type of decoded messages: their columns, and ``_error``."""
    columns = arrow_struct(wanted.columns, wanted.uuid)
    return pa.struct([*columns, pa.field(ERROR_NAME, ERROR_ARROW_TYPE)])


def _metadata(column: Column, table: MessageTable | None) -> dict[str, str] | None:
    if table is None:
        return None
    if column.type == "tags":
        return {"comment": "Tagged fields that the spec does not know, by tag."}
    type_ = f"[]{column.type}" if column.is_array else column.type
    about = table.abouts.get(f"{column.struct}.{column.attribute}")
    if about is None:
        return {"kafka.type": type_}
    return {"comment": about, "kafka.type": type_}
