"""Batches as lines of JSON, one a row, in Kafka's JSON form: bytes are base64, UUIDs as Kafka writes them."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

import json
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.columns.json_text import json_column, json_value
from messagegen_arrow.dump.request import Section, errors_of

_NULL: Final = pa.scalar("null")
_NAMES: Final = {"bodyJson": "body"}
"""Names in JSON of columns with JSON text."""


def json_lines(batch: pa.RecordBatch, section: Section) -> pa.StringArray:
    """An object for each row. Columns about errors are left out of rows without one."""
    errors = errors_of(batch).is_valid()
    has_errors = pc.any(errors).as_py()
    parts: list[pa.Array | str] = []
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if name in section.of_errors and not has_errors:
            continue
        text = pc.binary_join_element_wise(
            f",{json.dumps(_NAMES.get(name, name))}:", cell_texts(name, column, section), ""
        )
        parts.append(pc.if_else(errors, text, "") if name in section.of_errors else text)
    joined = pc.binary_join_element_wise(*parts, "")
    # Each part begins with a comma; the first one is removed.
    return pc.binary_join_element_wise("{", pc.utf8_slice_codeunits(joined, 1), "}", "")


def cell_texts(name: str, column: pa.Array, section: Section) -> pa.StringArray:
    """The JSON of each row of a column; null is the word."""
    if name in section.texts:
        return pc.coalesce(column, _NULL)
    if name in section.structs:
        return pc.coalesce(json_column(column, section.structs[name]), _NULL)
    if pa.types.is_timestamp(column.type):
        return _times(column.cast(pa.timestamp(section.time_unit, "UTC"), safe=False))
    return json_value(column, {})


def _times(column: pa.Array) -> pa.StringArray:
    """Times in UTC, in ISO 8601."""
    text = pc.strftime(column, format="%Y-%m-%dT%H:%M:%S")
    return pc.coalesce(pc.binary_join_element_wise('"', text, 'Z"', ""), _NULL)
