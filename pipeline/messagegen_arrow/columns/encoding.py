"""Encodes Arrow struct arrays to binary arrays of messages: the reverse of ``messagegen_arrow.columns.decoding``."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pyarrow as pa

from messagegen_arrow.catalog import Catalog, MessageTable, message_table
from messagegen_arrow.columns.model import KAFKA_UNKNOWN_TAGGED_FIELDS, UNKNOWN_TAGGED_FIELDS
from messagegen_arrow.engine import native_engine
from messagegen_arrow.malformed import ERROR_NAME, VALUE_NAME
from messagegen_arrow.plans import Plan, read_plan, root_layouts


def encode_arrow(
    rows: pa.StructArray, message: str | MessageTable, version: int | pa.Array, *, catalog: Catalog | None = None
) -> tuple[pa.BinaryArray, pa.StructArray]:
    """Encodes each row of a struct array as one message; returns bytes and errors, one of which is null in each row.

    ``version`` is one for all messages, or an array of integers with one for each row. An error is a struct of
    ``message`` and ``path``. ``to_kafka_message`` describes how rows become messages. A null row becomes null without
    an error. The result of ``decode_arrow`` is encoded to the same bytes.

    Raises ``LookupError`` for an unknown message or version, ``TypeError`` for a column whose type does not fit its
    field, ``ValueError`` for an unknown column, arrays of different lengths, and more than 2 GiB.
    """
    table = message_table(message, catalog)
    if isinstance(version, int):
        root_layouts(table.parsed_plan, [version])
    return encode_columns(table.plan, rows, version)


def encode_columns(
    plan_text: str, rows: pa.StructArray, version: int | pa.Array
) -> tuple[pa.BinaryArray, pa.StructArray]:
    """``encode_arrow`` in workers, for columns that are already checked."""
    named = pa.array(Renamed(rows, attribute_type(plan_text, rows.type)))
    encoded = pa.array(_column_encoder(plan_text).encode(named, version))
    return encoded.field(VALUE_NAME), encoded.field(ERROR_NAME)


@lru_cache(maxsize=256)
def _column_encoder(plan_text: str) -> Any:
    return native_engine().ColumnEncoder(plan_text)


class Renamed:
    """An Arrow array with another type that differs only in names. Only the schema is replaced; nothing is copied.

    Arrow's casts match fields by name, so they cannot rename nested fields.
    """

    def __init__(self, array: pa.Array, type_: pa.DataType) -> None:
        self._array = array
        self._type = type_

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """The capsules of the Arrow PyCapsule interface."""
        _, array = self._array.__arrow_c_array__()
        return self._type.__arrow_c_schema__(), array


@lru_cache(maxsize=256)
def attribute_type(plan_text: str, type_: pa.StructType) -> pa.StructType:
    """The type with attributes instead of Kafka's names.

    Raises ``ValueError`` where two columns of one struct are the same field.
    """
    plan = read_plan(plan_text)
    return _attribute_struct(plan, plan.root.class_name, type_)


def _attribute_struct(plan: Plan, struct: str, type_: Any) -> pa.StructType:
    fields = plan.structs[struct].fields
    attributes = {field.key: field.attribute for field in fields.values()}
    attributes[KAFKA_UNKNOWN_TAGGED_FIELDS] = UNKNOWN_TAGGED_FIELDS
    renamed: dict[str, pa.Field] = {}
    for column in type_.fields:
        name: str = column.name
        if name not in fields and name in attributes:
            name = attributes[name]
        if name in renamed:
            raise ValueError(f"{struct} has two columns for the field {name}, under Kafka's name and in snake case")
        inner = fields[name].element_type if name in fields else ""
        renamed[name] = pa.field(name, _attribute_value(plan, inner, column.type))
    return pa.struct(list(renamed.values()))


def _attribute_value(plan: Plan, struct: str, type_: pa.DataType) -> pa.DataType:
    """The type of a field whose (element) type is ``struct``, if it is one."""
    if struct not in plan.structs:
        return type_
    if pa.types.is_struct(type_):
        return _attribute_struct(plan, struct, type_)
    if pa.types.is_list(type_):
        return pa.list_(_attribute_value(plan, struct, type_.value_type))
    if pa.types.is_large_list(type_):
        return pa.large_list(_attribute_value(plan, struct, type_.value_type))
    if pa.types.is_fixed_size_list(type_):
        return pa.list_(_attribute_value(plan, struct, type_.value_type), type_.list_size)
    return type_
