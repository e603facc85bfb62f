"""The Arrow types that columns may have for encoding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pyarrow as pa
from pyarrow import types

from messagegen_arrow.columns.model import UNKNOWN_TAGGED_FIELDS
from messagegen_arrow.plans import Plan, read_plan

_Check = Callable[[pa.DataType], bool]


def _is_text(type_: pa.DataType) -> bool:
    return bool(types.is_string(type_) or types.is_large_string(type_) or types.is_string_view(type_))


def _is_bytes(type_: pa.DataType) -> bool:
    variable = types.is_binary(type_) or types.is_large_binary(type_) or types.is_binary_view(type_)
    return bool(variable or types.is_fixed_size_binary(type_))


def _is_list(type_: pa.DataType) -> bool:
    return bool(types.is_list(type_) or types.is_large_list(type_) or types.is_fixed_size_list(type_))


def _is_float(type_: pa.DataType) -> bool:
    return bool(types.is_float32(type_) or types.is_float64(type_))


_INTEGERS: Final[tuple[_Check, str]] = (types.is_integer, "integers")
_BYTES: Final[tuple[_Check, str]] = (_is_bytes, "binary, large_binary, binary_view or fixed_size_binary")
_LEAVES: Final[dict[str, tuple[_Check, str]]] = {
    "bool": (types.is_boolean, "bool"),
    "float64": (_is_float, "float or double"),
    "uuid": (lambda type_: _is_text(type_) or _is_bytes(type_), "binary of 16 bytes, or a string"),
    "string": (_is_text, "string, large_string or string_view"),
    "bytes": _BYTES,
    "records": _BYTES,
}
"""Kafka's type to a test of Arrow types; all other types are integers."""


def check_columns(plan_text: str, type_: pa.DataType) -> None:
    """Raises ``TypeError`` for a column whose type does not fit its field, ``ValueError`` for an unknown column."""
    plan = read_plan(plan_text)
    _check_struct(plan, plan.root.class_name, type_, "")


def _check_struct(plan: Plan, struct: str, type_: pa.DataType, outer: str) -> None:
    if not types.is_struct(type_):
        raise TypeError(f"{outer.removesuffix('.') or 'rows'} needs a struct, not {type_}")
    fields = plan.structs[struct].fields
    for column in type_:
        path = f"{outer}{column.name}"
        if column.name in fields:
            _check_field(plan, fields[column.name].type, column.type, path)
        elif column.name == UNKNOWN_TAGGED_FIELDS:
            _check_tags(column.type, path)
        elif not column.name.startswith("_"):
            raise ValueError(f"unknown column {path}; the fields of {struct} are {', '.join(fields)}")


def _check_field(plan: Plan, field_type: str, type_: pa.DataType, path: str) -> None:
    if types.is_null(type_):
        return
    if field_type.startswith("[]"):
        if not _is_list(type_):
            raise TypeError(f"{path} needs a list, not {type_}")
        _check_field(plan, field_type.removeprefix("[]"), type_.value_type, path)
    elif field_type in plan.structs:
        _check_struct(plan, field_type, type_, f"{path}.")
    else:
        fits, needs = _LEAVES.get(field_type, _INTEGERS)
        if not fits(type_):
            raise TypeError(f"{path} needs {needs}, not {type_}")


def _check_tags(type_: pa.DataType, path: str) -> None:
    if types.is_null(type_):
        return
    if not (types.is_map(type_) and types.is_integer(type_.key_type) and _is_bytes(type_.item_type)):
        raise TypeError(f"{path} needs a map of integers to binary, not {type_}")
