"""Tagged fields with their default, which are not written."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from pyarrow import compute

from messagegen_arrow.plans import Field, Plan

pc: Any = compute
"""Typed as ``Any``, because Arrow creates most of its functions at import and type checkers do not find them."""


def differs_from_default(plan: Plan, column: pa.Array, field: Field) -> pa.BooleanArray:
    """Which values of a column differ from the default of its field; null only equals a null default."""
    if field.default_text == "null":
        return column.is_valid()
    if field.default_text == "[]":
        found = pc.not_equal(pc.list_value_length(column), 0)
    elif field.default_text == "{}":
        found = pa.array([False] * len(column), pa.bool_())
        for inner, values in _fields(plan, column, field):
            found = pc.or_(found, differs_from_default(plan, values, inner))
        found = pc.or_(found, column.is_null())
    else:
        found = pc.not_equal(column, pa.scalar(_default(column.type, field), column.type))
    return pc.fill_null(found, fill_value=True)


def _fields(plan: Plan, column: pa.StructArray, field: Field) -> Iterator[tuple[Field, pa.Array]]:
    columns = dict(zip((inner.name for inner in column.type), column.flatten(), strict=True))
    for inner in plan.structs[field.element_type].fields.values():
        values = columns.get(inner.attribute, columns.get(inner.key))
        if values is not None:
            yield inner, values


def _default(type_: pa.DataType, field: Field) -> Any:
    value = json.loads(field.default_text)
    if field.type == "uuid":
        raw = bytes.fromhex(value)
        return urlsafe_b64encode(raw)[:22].decode() if pa.types.is_string(type_) else raw
    return bytes.fromhex(value) if field.type in {"bytes", "records"} else value
