"""Decodes the same columns as the native engine in Python: row by row and slow. Tests compare the engine with it.

There is one difference: if unknown tagged fields are requested for some structs only, a tag above int32 is rejected here in all
structs, but by the engine only in the requested ones.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any, Final
from uuid import UUID

import pyarrow as pa

from messagegen_arrow.columns.model import UNKNOWN_TAGGED_FIELDS, Column, MessageColumns
from messagegen_arrow.columns.schemas import arrow_message_type
from messagegen_arrow.malformed import ERROR_NAME
from messagegen_kafka import DecodeError
from tests.arrow.support.reference.plan_walk import LARGEST_TAG, Codec, Layout, codecs_of, table_of, walk_decode

_REFUSED_TAG: Final = re.compile(r"tag (\d+) is not valid in this version")


def decode_columns(wanted: MessageColumns, values: pa.Array, version: int | pa.Array) -> pa.StructArray:
    """See ``messagegen_arrow.columns.decoding.decode_columns``."""
    if not isinstance(version, int) and len(version) != len(values):
        raise ValueError(f"there are {len(version)} versions for {len(values)} values; each needs one")
    versions: Iterable[int | None] = repeat(version) if isinstance(version, int) else version.to_pylist()
    rows = [_row(wanted, data, known) for data, known in zip(values.to_pylist(), versions, strict=False)]
    return pa.array(rows, arrow_message_type(wanted))


def _row(wanted: MessageColumns, data: bytes | None, version: int | None) -> dict[str, Any] | None:
    if data is None:
        return None
    table = table_of(wanted.plan, small_tags=wanted.unknown_tagged_fields)
    if version not in wanted.versions:
        return _error(unsupported(wanted.versions, version), "", 0)
    try:
        message, end = walk_decode(table, data, 0, version, limits=wanted.limits)
    except DecodeError as error:
        return _error(_reason(error), error.path, error.offset)
    if end != len(data):
        return _error(f"{len(data) - end} bytes are left after the message", "", end)
    return _struct(wanted, wanted.columns, table.roots[version], message)


def _error(message: str, path: str, offset: int) -> dict[str, Any]:
    return {ERROR_NAME: {"message": message, "path": path, "offset": offset}}


def _reason(error: DecodeError) -> str:
    large = _REFUSED_TAG.fullmatch(error.reason)
    return f"tag {large[1]} does not fit in int32" if large and int(large[1]) > LARGEST_TAG else error.reason


def unsupported(expected: Sequence[int], version: int | None) -> str:
    """The error for a version that is not among the expected ones, which are sorted."""
    if version is None:
        return "the version is null"
    return f"version {version} is none of those that were expected: {', '.join(_ranges(expected))}"


def _ranges(versions: Sequence[int]) -> Iterator[str]:
    first = versions[0]
    for version, after in zip(versions, [*versions[1:], None], strict=True):
        if after != version + 1:
            yield f"{first}" if first == version else f"{first} to {version}"
            first = version if after is None else after


def _struct(wanted: MessageColumns, columns: Sequence[Column], layout: Layout, message: Any) -> dict[str, Any]:
    """A row of a struct column; fields that are not in the layout are left out and become null."""
    codecs = _codecs(layout)
    row: dict[str, Any] = {}
    for column in columns:
        if column.attribute == UNKNOWN_TAGGED_FIELDS:
            if layout.flexible:
                row[column.name] = message.unknown_tagged_fields
        elif column.attribute in codecs:
            row[column.name] = _value(wanted, column, codecs[column.attribute], getattr(message, column.attribute))
    return row


def _value(wanted: MessageColumns, column: Column, codec: Codec, value: Any) -> Any:
    if value is None:
        return None
    if codec.element is not None:
        return [_value(wanted, column, codec.element, item) for item in value]
    if codec.layout is not None:
        return _struct(wanted, column.fields, codec.layout, value)
    if isinstance(value, UUID):
        return urlsafe_b64encode(value.bytes)[:22].decode() if wanted.uuid == "string" else value.bytes
    return value


_codecs = lru_cache(maxsize=4096)(codecs_of)
