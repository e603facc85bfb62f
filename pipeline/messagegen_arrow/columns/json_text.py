"""Conversion of Arrow columns to JSON text as in Kafka's ``JsonConverter`` classes, a whole column at a time.

Those classes leave out unknown tagged fields. Here, they are an array of objects with ``tag`` and ``data`` (base64), if
their column was requested and is not empty.
"""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import behind, like_list, null_unless
from messagegen_arrow.columns.model import UNKNOWN_TAGGED_FIELDS, Column, MessageColumns
from messagegen_arrow.plans import Field, Layout, nested_layouts, read_plan, root_layouts, tagged_attributes

_NULL: Final = "null"
_TO_ESCAPE: Final = r'[\\"\x00-\x1f]'
_CONTROL: Final = [chr(number) for number in range(0x20)]
_TAGS: Final = pa.list_(pa.struct([("tag", pa.int32()), ("data", pa.binary())]))
"""The type that unknown tagged fields are converted to; their column is a map."""
_NOT_FINITE: Final = {"nan": '"NaN"', "inf": '"Infinity"', "-inf": '"-Infinity"'}


@dataclass(frozen=True, slots=True)
class JsonField:
    """The information for converting a field to JSON, in addition to its Arrow type."""

    plan: Field
    is_tagged: bool
    """Whether the field is tagged. Tagged fields are only in JSON if they differ from their default."""
    fields: Mapping[str, JsonField] = field(default_factory=dict)
    """The fields of the struct, or of the structs in the array, by column name."""


@lru_cache(maxsize=1024)
def json_fields(wanted: MessageColumns) -> Mapping[str, JsonField]:
    """Return the fields of a message in the only version of ``wanted``."""
    plan = read_plan(wanted.plan)
    return _fields(root_layouts(plan, wanted.versions)[0], wanted.columns)


def _fields(layout: Layout, columns: tuple[Column, ...]) -> dict[str, JsonField]:
    found = {}
    tagged = tagged_attributes(layout)
    for column in columns:
        if column.attribute == UNKNOWN_TAGGED_FIELDS:
            continue
        inner = nested_layouts([layout], column.attribute)
        found[column.name] = JsonField(
            plan=layout.fields[column.attribute],
            is_tagged=column.attribute in tagged,
            fields=_fields(inner[0], column.fields) if inner else {},
        )
    return found


def json_column(array: pa.Array, fields: Mapping[str, JsonField]) -> pa.StringArray:
    """Return each row of a struct array as JSON; null stays null.

    ``fields`` are the known fields of the structs.
    """
    text = _struct(array, fields)
    return null_unless(array.is_valid(), text) if array.null_count else text


def json_value(array: pa.Array, fields: Mapping[str, JsonField]) -> pa.StringArray:
    """Return each row of an array of any type as JSON; null becomes ``null``. ``fields`` are as in ``json_column``."""
    type_ = array.type
    if pa.types.is_struct(type_):
        text = _struct(array, fields)
    elif pa.types.is_list(type_):
        # Arrow can only join lists of this type.
        elements = like_list(json_value(array.flatten(), fields), array, nullable=True)
        text = pc.binary_join_element_wise("[", pc.binary_join(elements, ","), "]", "")
    elif pa.types.is_string(type_):
        text = pc.binary_join_element_wise('"', _escaped(array), '"', "")
    elif pa.types.is_binary(type_):
        text = pc.binary_join_element_wise('"', _base64(array), '"', "")
    elif pa.types.is_floating(type_):
        text = _floats(array)
    else:
        text = array.cast(pa.string())
    return pc.if_else(array.is_valid(), text, _NULL) if array.null_count else text


def _struct(array: pa.StructArray, fields: Mapping[str, JsonField]) -> pa.StringArray:
    pieces = []
    for name, column in zip(array.type.names, array.flatten(), strict=True):
        known = fields.get(name)
        key = f",{json.dumps(name)}:"
        if pa.types.is_map(column.type):
            pieces.append(_unknown_tagged_fields(column.cast(_TAGS), key))
            continue
        text = pc.binary_join_element_wise(key, json_value(column, known.fields if known else {}), "")
        if known is not None and known.is_tagged:
            text = pc.if_else(is_default(column, known), "", text)
        pieces.append(text)
    if not pieces:
        return pa.repeat("{}", len(array))
    # Each piece begins with a comma, so that any piece may be empty; the first comma is removed.
    joined = pc.binary_join_element_wise(*pieces, "")
    within = behind(joined.cast(pa.binary()), 1).cast(pa.string())
    return pc.binary_join_element_wise("{", within, "}", "")


def _unknown_tagged_fields(tags: pa.ListArray, key: str) -> pa.StringArray:
    """Return the unknown tagged fields with their key, or an empty string for rows that have none."""
    return pc.if_else(_is_empty(tags), "", pc.binary_join_element_wise(key, json_value(tags, {}), ""))


def _is_empty(array: pa.ListArray) -> pa.BooleanArray:
    return pc.fill_null(pc.equal(pc.list_value_length(array), 0), fill_value=True)


def is_default(array: pa.Array, known: JsonField) -> pa.BooleanArray:
    """Return whether each value of a field equals its default; a tagged field is then not written.

    Null only equals a null default.
    """
    default = known.plan.default_text
    if default == "null":
        return array.is_null()
    if default == "[]":
        return pc.fill_null(pc.equal(pc.list_value_length(array), 0), fill_value=False)
    if default == "{}":
        equal = array.is_valid()
        for name, column in zip(array.type.names, array.flatten(), strict=True):
            is_map = pa.types.is_map(column.type)
            same = _is_empty(column.cast(_TAGS)) if is_map else is_default(column, known.fields[name])
            equal = pc.and_(equal, same)
        return equal
    value = pa.scalar(_default(known.plan), array.type)
    return pc.fill_null(pc.equal(array, value), fill_value=False)


def _default(plan: Field) -> Any:
    value = json.loads(plan.default_text)
    if plan.type == "uuid":
        return urlsafe_b64encode(bytes.fromhex(value))[:22].decode()
    return bytes.fromhex(value) if plan.type in ("bytes", "records") else value


def _base64(array: pa.BinaryArray) -> pa.StringArray:
    """Return the base64 text of each row (RFC 4648); Arrow has no kernel for it."""
    return pa.array([None if data is None else b64encode(data).decode() for data in array.to_pylist()], pa.string())


def _escaped(text: pa.StringArray) -> pa.StringArray:
    if not pc.any(pc.match_substring_regex(text, _TO_ESCAPE)).as_py():
        return text
    text = pc.replace_substring(text, "\\", "\\\\")
    text = pc.replace_substring(text, '"', '\\"')
    if pc.any(pc.match_substring_regex(text, r"[\x00-\x1f]")).as_py():
        for character in _CONTROL:
            text = pc.replace_substring(text, character, json.dumps(character)[1:-1])
    return text


def _floats(array: pa.Array) -> pa.StringArray:
    """Return floats with the decimal point that Kafka requires; NaN and infinities are strings, as upstream."""
    text = array.cast(pa.string())
    text = pc.if_else(pc.match_substring_regex(text, r"^-?\d+$"), pc.binary_join_element_wise(text, ".0", ""), text)
    for word, quoted in _NOT_FINITE.items():
        text = pc.if_else(pc.equal(text, word), quoted, text)
    return text
