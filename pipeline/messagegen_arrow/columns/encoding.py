"""Encoding of Arrow struct arrays to messages in binary arrays: the reverse of ``columns.decoding``."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pyarrow as pa

from messagegen_arrow.catalog import Catalog, MessageTable, message_table
from messagegen_arrow.engine import native_engine
from messagegen_arrow.malformed import ERROR_NAME, VALUE_NAME
from messagegen_arrow.plans import root_layouts


def encode_arrow(
    rows: pa.StructArray, message: str | MessageTable, version: int | pa.Array, *, catalog: Catalog | None = None
) -> tuple[pa.BinaryArray, pa.StructArray]:
    """Encode each row of a struct array as one message, and return the bytes and the errors.

    In each row, either the bytes or the error are null. ``version`` is the version of all messages, or an array of
    integers with a version for each row. An error is a struct of ``message`` and ``path``. A null row becomes null
    without an error. ``encode_messages`` of ``messagegen_spark`` describes how other rows become messages. The result
    of ``decode_arrow`` is encoded to the bytes that it was decoded from.

    Raises ``LookupError`` for an unknown message or version, and ``TypeError`` for a column whose type does not fit its
    field. Raises ``ValueError`` for an unknown column, arrays of different lengths, and more than 2 GiB.
    """
    table = message_table(message, catalog)
    if isinstance(version, int):
        root_layouts(table.parsed_plan, [version])
    return encode_columns(table.plan, rows, version)


def encode_columns(
    plan_text: str, rows: pa.StructArray, version: int | pa.Array
) -> tuple[pa.BinaryArray, pa.StructArray]:
    """Encode as ``encode_arrow`` does, in workers, with columns that have already been checked."""
    encoded = pa.array(_column_encoder(plan_text).encode(rows, version))
    return encoded.field(VALUE_NAME), encoded.field(ERROR_NAME)


@lru_cache(maxsize=256)
def _column_encoder(plan_text: str) -> Any:
    return native_engine().ColumnEncoder(plan_text)
