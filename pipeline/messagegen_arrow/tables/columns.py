"""Columns of rows and of tables: which ones a table has to get, and what is in files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

from messagegen_arrow.tables.table import TableError

_Leaf = Callable[[pa.DataType], pa.DataType]


@dataclass(frozen=True)
class Fitted:
    """What becomes of the columns of a table and of files that are added to it."""

    table: pa.Schema
    """The columns that the table has, and behind them the new ones."""
    files: pa.Schema
    """The columns of the rows, with the types of the table."""


def plain_schema(schema: pa.Schema, leaf: _Leaf = lambda type_: type_) -> pa.Schema:
    """The columns without metadata, nullable at any depth; ``leaf`` changes the types of values that have no parts.

    A field that a later release adds is missing in older rows, and one that it no longer sends in newer ones.
    """
    return pa.schema([_plain_field(field, leaf) for field in schema])


def _plain_field(field: pa.Field, leaf: _Leaf) -> pa.Field:
    return pa.field(field.name, _plain_type(field.type, leaf))


def _plain_type(type_: pa.DataType, leaf: _Leaf) -> pa.DataType:
    if pa.types.is_struct(type_):
        return pa.struct([_plain_field(field, leaf) for field in type_])
    if pa.types.is_list(type_) or pa.types.is_large_list(type_):
        return pa.list_(pa.field("element", _plain_type(type_.value_type, leaf)))
    if pa.types.is_map(type_):
        return pa.map_(_plain_type(type_.key_type, leaf), _plain_type(type_.item_type, leaf))
    return leaf(_usual(type_))


def _usual(type_: pa.DataType) -> pa.DataType:
    """Libraries give the same column with 32 and 64 bit offsets, and with views."""
    if pa.types.is_large_string(type_) or pa.types.is_string_view(type_):
        return pa.string()
    if pa.types.is_large_binary(type_) or pa.types.is_binary_view(type_):
        return pa.binary()
    return pa.timestamp("us", tz="UTC") if pa.types.is_timestamp(type_) and type_.tz is not None else type_


def fit(table: pa.Schema, rows: pa.Schema, name: str) -> Fitted:
    """How rows with these columns go into a table; both as ``plain_schema`` gives them.

    Raises ``TableError`` for a column whose type the table can't take.
    """
    type_, in_files = _fit_struct(pa.struct(list(table)), pa.struct(list(rows)), "", name)
    return Fitted(pa.schema(list(type_)), pa.schema(list(in_files)))


def _fit_type(there: pa.DataType, wanted: pa.DataType, path: str, name: str) -> tuple[pa.DataType, pa.DataType]:
    """The type that the table gets, and that in files."""
    if pa.types.is_struct(there) and pa.types.is_struct(wanted):
        return _fit_struct(there, wanted, f"{path}.", name)
    if pa.types.is_list(there) and pa.types.is_list(wanted):
        table, files = _fit_type(there.value_type, wanted.value_type, f"{path}.element", name)
        return pa.list_(pa.field("element", table)), pa.list_(pa.field("element", files))
    if pa.types.is_map(there) and pa.types.is_map(wanted):
        key, _ = _fit_type(there.key_type, wanted.key_type, f"{path}.key", name)
        table, files = _fit_type(there.item_type, wanted.item_type, f"{path}.value", name)
        return pa.map_(key, table), pa.map_(key, files)
    if there != wanted and not _is_wider(there, wanted):
        raise TableError(
            f"the column {path} of {name} is {there}, but the rows have {wanted}: change the type of the column in the table if its "
            "format can (ALTER TABLE ... ALTER COLUMN), or write to another table"
        )
    return there, there


def _fit_struct(there: pa.StructType, wanted: pa.StructType, prefix: str, name: str) -> tuple[pa.DataType, pa.DataType]:
    table = {field.name: field.type for field in there}
    files: dict[str, pa.DataType] = {}
    for field in wanted:
        old = table.get(field.name)
        pair = (field.type, field.type) if old is None else _fit_type(old, field.type, f"{prefix}{field.name}", name)
        table[field.name], files[field.name] = pair
    return pa.struct(list(table.items())), pa.struct(list(files.items()))


def _is_wider(there: pa.DataType, wanted: pa.DataType) -> bool:
    """Whether the table's type has room for all values of the other one."""
    for is_kind in (pa.types.is_signed_integer, pa.types.is_floating):
        if is_kind(there) and is_kind(wanted):
            return bool(there.bit_width > wanted.bit_width)
    return False
