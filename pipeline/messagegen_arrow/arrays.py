"""Helpers for Arrow arrays: error columns, lists, and columns merged from parts that were decoded separately."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.malformed import ERROR_ARROW_TYPE

_LONGEST: Final = (1 << 31) - 1
Rows = npt.NDArray[np.intp]
"""The numbers of some rows of a batch."""


def take_rows(array: pa.Array, rows: Rows) -> pa.Array:
    """Return the rows with these ascending numbers, without a copy if these are all rows."""
    return array if len(rows) == len(array) else array.take(pa.array(rows))


def behind(data: pa.BinaryArray, count: int) -> pa.BinaryArray:
    """Return the bytes of each row without the first ``count``."""
    # Without an end, or with an end far above all lengths, Arrow 26 overflows and raises an error.
    return pc.binary_slice(data, count, _LONGEST) if count else data


def repeated(value: str | bytes | int | bool, type_: pa.DataType, count: int) -> pa.Array:
    """Return a column with the same value in all rows."""
    return pa.repeat(pa.scalar(value, type_), count)


def null_unless(condition: pa.BooleanArray, values: pa.Array) -> pa.Array:
    """Return the values, with null where the condition is false."""
    return pc.if_else(condition, values, pa.scalar(None, values.type))


def scattered(parts: Sequence[tuple[Rows, pa.Array]], type_: pa.DataType, count: int) -> pa.Array:
    """Return a column of ``count`` rows, merged from arrays that each have some of the rows; other rows are null."""
    if not parts:
        return pa.nulls(count, type_)
    if len(parts) == 1 and len(parts[0][0]) == count:
        return parts[0][1]
    position: Any = np.full(count, -1, np.int64)
    position[np.concatenate([rows for rows, _ in parts])] = np.arange(sum(len(rows) for rows, _ in parts))
    return pa.concat_arrays([array for _, array in parts]).take(pa.array(position, mask=position < 0))


def error_array(
    message: pa.Array | str, path: pa.Array | str, offset: pa.Array | int, is_error: pa.BooleanArray
) -> pa.StructArray:
    """Return a struct of ``message``, ``path`` and ``offset`` in rows with an error, and null in all other rows."""
    values = [message, path, offset]
    arrays = [
        value if isinstance(value, pa.Array) else pa.repeat(pa.scalar(value, field.type), len(is_error))
        for value, field in zip(values, ERROR_ARROW_TYPE, strict=True)
    ]
    return pa.StructArray.from_arrays(arrays, fields=list(ERROR_ARROW_TYPE), mask=pc.invert(is_error))


def errors_everywhere(message: pa.Array | str, path: str, count: int) -> pa.StructArray:
    """Return an error in each of ``count`` rows, at byte 0."""
    return error_array(message, path, 0, repeated(True, pa.bool_(), count))  # noqa: FBT003 - a value among others


def errors_within(errors: pa.StructArray, path: str, skipped: int | pa.Array) -> pa.StructArray:
    """Return errors of a nested message at ``path``, after ``skipped`` bytes, which may differ by row."""
    if errors.null_count == len(errors):
        return errors
    message, inner, offset = errors.flatten()
    if path:
        inner = pc.if_else(pc.equal(inner, ""), path, pc.binary_join_element_wise(path, inner, "."))
    return error_array(message, inner, pc.add(offset, skipped), errors.is_valid())


def first_error(*columns: pa.StructArray) -> pa.StructArray:
    """Return, for each row, the first error among these columns."""
    errors, *others = columns
    for other in others:
        if other.null_count < len(other):
            errors = pc.if_else(errors.is_valid(), errors, other)
    return errors


def with_fields(struct: pa.StructArray, added: Sequence[tuple[str, pa.Array]]) -> pa.StructArray:
    """Return the struct with these fields added. They replace fields of the same name, and are otherwise appended."""
    columns = dict(zip(struct.type.names, struct.flatten(), strict=True)) | dict(added)
    known = {field.name: field.nullable for field in struct.type}
    fields = [pa.field(name, column.type, known.get(name, True)) for name, column in columns.items()]
    mask = struct.is_null() if struct.null_count else None
    return pa.StructArray.from_arrays(list(columns.values()), fields=fields, mask=mask)


def without_errors(decoded: pa.StructArray) -> tuple[pa.StructArray, pa.StructArray]:
    """Split a result of ``decode_columns`` into messages and errors. In rows with an error, the message is null."""
    *columns, errors = decoded.flatten()
    rest = pa.struct(list(decoded.type)[:-1])
    if columns and not decoded.null_count and errors.null_count == len(errors):
        return pa.StructArray.from_arrays(columns, fields=list(rest)), errors
    if not columns:
        mask = pc.or_(decoded.is_null(), errors.is_valid())
        return pa.array([None if none else {} for none in mask.to_pylist()], rest), errors
    mask = pc.or_(decoded.is_null(), errors.is_valid())
    return pa.StructArray.from_arrays(columns, fields=list(rest), mask=mask), errors


def like_list(values: pa.Array, lists: pa.ListArray, *, nullable: bool | None = None) -> pa.ListArray:
    """Return lists with the lengths of ``lists`` and new elements, one for each element of ``lists.flatten()``.

    ``nullable`` is whether the type allows null elements; default: as in ``lists``.
    """
    lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False)
    offsets = pa.array(np.concatenate([[0], np.cumsum(lengths)]), pa.int32())
    mask = lists.is_null() if lists.null_count else None
    known = lists.type.value_field.nullable if nullable is None else nullable
    type_ = pa.list_(pa.field("item", values.type, known))
    return pa.ListArray.from_arrays(offsets, values, type=type_, mask=mask)
