"""Binary Arrow arrays of messages to struct arrays: a column a field, and no Python object for any row or field."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any, Unpack

import pyarrow as pa

from messagegen_arrow.catalog import Catalog, MessageTable, message_table
from messagegen_arrow.columns import decoding_pure
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
    """Decodes each value of an array of ``binary``, ``large_binary`` or ``binary_view`` as one message.

    ``version`` is that of all messages, or an array of integers with one for each value; ``ColumnOptions`` has the options. The
    columns are those of ``arrow_schema`` and, as the last one, ``_error``: a struct of ``message``, ``path`` and ``offset``
    (bytes from the start of the value), null for rows that are right. A row that is not exactly one message has nothing but
    its ``_error``, and so has one whose version is null or not among those of the columns. A null value is a null struct.

    Raises ``LookupError`` for a message or version that there is not, ``ValueError`` for a path in ``fields`` that leads
    nowhere, arrays of unequal lengths, and a batch of which a column would have more than 2 GiB.
    """
    fixed = version if isinstance(version, int) else None
    wanted = MessageColumns.of(message_table(message, catalog), fixed, options)
    return decode_columns(wanted, values, version)


def decode_columns(wanted: MessageColumns, values: pa.Array, version: int | pa.Array) -> pa.StructArray:
    """``decode_arrow`` for options that are checked already, as workers have them."""
    engine = native_engine()
    if engine is None:
        return decoding_pure.decode_columns(wanted, values, version)
    return decode_natively(engine, wanted, values, version)


def decode_natively(
    engine: ModuleType, wanted: MessageColumns, values: pa.Array, version: int | pa.Array
) -> pa.StructArray:
    """``decode_columns`` by the native engine."""
    decoded = pa.array(column_decoder(engine, wanted).decode(values, version))
    if values.null_count:
        return pa.StructArray.from_arrays(decoded.flatten(), fields=list(decoded.type), mask=values.is_null())
    return decoded


@lru_cache(maxsize=256)
def column_decoder(engine: ModuleType, wanted: MessageColumns) -> Any:
    """The engine's compiled program for these columns."""
    return engine.ColumnDecoder(
        wanted.plan,
        wanted.versions,
        wanted.fields,
        names="kafka" if wanted.names == "kafka" else "attribute",
        unknown_tagged_fields=wanted.unknown_tagged_fields,
        uuid_as=wanted.uuid,
        limits=wanted.limits.packed,
    )
