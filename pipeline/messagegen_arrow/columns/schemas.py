"""The columns of a message as an Arrow schema.

Columns may be null, because malformed rows have no values. Within structs and arrays, values may be null only if the plan
says so: Spark omits the null checks then, which saves a fifth of the time of large messages.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Unpack

import pyarrow as pa

from messagegen_arrow.catalog import Catalog, MessageTable, message_table
from messagegen_arrow.columns.model import Column, ColumnOptions, MessageColumns, UuidType
from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME
from messagegen_kafka._runtime.primitives import PRIMITIVES

_ARROW_TYPES: Final = {
    **{row.name: getattr(pa, row.arrow)() for row in PRIMITIVES.values()},
    "tags": pa.map_(pa.int32(), pa.field("value", pa.binary(), nullable=False)),
}
"""Kafka's type to Arrow's."""


def arrow_schema(
    message: str | MessageTable, *, catalog: Catalog | None = None, **options: Unpack[ColumnOptions]
) -> pa.Schema:
    """The columns of a message, merged over ``versions`` (default: all); see ``ColumnOptions`` for the options.

    The metadata of a field are ``comment``, the spec's ``about``, and ``kafka.type``, Kafka's type. Raises ``LookupError``
    for an unknown message or version, ``ValueError`` for an unknown path in ``fields``.
    """
    table = message_table(message, catalog)
    wanted = MessageColumns.of(table, None, options)
    return pa.schema(arrow_struct(wanted.columns, wanted.uuid, table))


def arrow_struct(columns: Iterable[Column], uuid: UuidType, table: MessageTable | None = None) -> pa.StructType:
    """The type of a struct array with these columns, with metadata from ``table``, if given."""
    return pa.struct([_arrow_field(column, uuid, table) for column in columns])


def _arrow_field(column: Column, uuid: UuidType, table: MessageTable | None) -> pa.Field:
    value = arrow_struct(column.fields, uuid, table) if column.is_struct else _value_type(column, uuid)
    type_ = pa.list_(pa.field("item", value, nullable=False)) if column.is_array else value
    return pa.field(column.name, type_, column.nullable, _metadata(column, table))


def _value_type(column: Column, uuid: UuidType) -> pa.DataType:
    if column.type == "uuid":
        return pa.string() if uuid == "string" else pa.binary()
    return _ARROW_TYPES[column.type]


@lru_cache(maxsize=256)
def arrow_message_type(wanted: MessageColumns) -> pa.StructType:
    """The type of decoded messages: their columns, and ``_error``."""
    columns = arrow_struct(wanted.columns, wanted.uuid)
    return pa.struct([*columns, pa.field(ERROR_NAME, ERROR_ARROW_TYPE)])


def _metadata(column: Column, table: MessageTable | None) -> dict[str, str] | None:
    if table is None:
        return None
    if column.type == "tags":
        return {"comment": "Tagged fields that the spec does not know, by tag."}
    metadata = {"kafka.type": f"{'[]' * column.is_array}{column.type}"}
    about = table.abouts.get(f"{column.struct}.{column.attribute}")
    return metadata if about is None else {"comment": about, **metadata}
