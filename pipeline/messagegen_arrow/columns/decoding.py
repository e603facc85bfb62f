"""Decoding of messages in binary Arrow arrays to struct arrays, without Python objects for rows."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Unpack

import pyarrow as pa

from messagegen_arrow.catalog import Catalog, MessageTable, message_table
from messagegen_arrow.columns.model import ColumnOptions, MessageColumns
from messagegen_arrow.engine import native_engine


def decode_arrow(
    values: pa.Array,
    message: str | MessageTable,
    version: int | pa.Array,
    *,
    catalog: Catalog | None = None,
    **options: Unpack[ColumnOptions],
) -> pa.StructArray:
    """Decode each value of an array of ``binary``, ``large_binary`` or ``binary_view`` as one message.

    ``version`` is the version of all messages, or an array of integers with a version for each value. ``ColumnOptions``
    lists the options. The result has the columns of ``arrow_schema`` and a last column ``_error``. That is a struct of
    ``message``, ``path`` and ``offset`` (bytes from the start of the value), null for valid rows. A row is malformed if
    it is not exactly one message, or if its version is null or has no columns. Such a row has only its ``_error``. A
    null value becomes a null struct.

    Raises ``LookupError`` for an unknown message or version. Raises ``ValueError`` for an unknown path in ``fields``,
    arrays of different lengths, and a batch with a column of more than 2 GiB.
    """
    fixed = version if isinstance(version, int) else None
    wanted = MessageColumns.of(message_table(message, catalog), fixed, options)
    return decode_columns(wanted, values, version)


def decode_columns(wanted: MessageColumns, values: pa.Array, version: int | pa.Array, skip: int = 0) -> pa.StructArray:
    """Decode as ``decode_arrow`` does, in workers, with options that have already been checked.

    The first ``skip`` bytes of each value are ignored, and the offsets of errors count from there.
    """
    decoded = pa.array(column_decoder(wanted).decode(values, version, skip))
    if values.null_count:
        return pa.StructArray.from_arrays(decoded.flatten(), fields=list(decoded.type), mask=values.is_null())
    return decoded


@lru_cache(maxsize=256)
def column_decoder(wanted: MessageColumns) -> Any:
    """Return the engine's decoder for these columns, which is compiled once."""
    return native_engine().ColumnDecoder(
        wanted.plan,
        wanted.versions,
        wanted.fields,
        names="kafka" if wanted.names == "kafka" else "attribute",
        unknown_tagged_fields=wanted.unknown_tagged_fields,
        uuid_as=wanted.uuid,
        limits=wanted.limits,
    )
