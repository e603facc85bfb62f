"""Merges the ``_error`` and ``_raw`` of rows in a log or a capture with the errors and bytes of their messages."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import errors_within, first_error, without_errors
from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME, RAW_NAME

ERROR_COLUMNS: Final = (ERROR_NAME, RAW_NAME)


def is_error_type(names: list[str]) -> bool:
    """Whether a struct with these fields is an ``_error`` of this package, and not a user's column of that name."""
    return names == [field.name for field in ERROR_ARROW_TYPE]


def as_messages(structs: pa.StructArray, errors: pa.StructArray) -> pa.StructArray:
    """Return structs with the errors of their rows; ``encode_columns`` refuses structs with an error.

    A null struct in a row with an error becomes a struct of nulls.
    """
    arrays = [*structs.flatten(), errors]
    fields = [*structs.type, pa.field(ERROR_NAME, errors.type)]
    return pa.StructArray.from_arrays(arrays, fields=fields, mask=pc.and_(structs.is_null(), errors.is_null()))


def with_row_errors(
    decoded: pa.StructArray, path: str, errors: pa.Array | None, raws: pa.Array | None
) -> tuple[pa.StructArray, pa.StructArray, pa.BinaryArray]:
    """Return the messages of a ``MessageDecoder`` without errors, and the merged errors and bytes of rows and messages.

    The mode of the decoder must be PERMISSIVE. ``errors`` and ``raws`` belong to the rows; ``path`` is the path of the
    message in its row. A message with an error is null.
    """
    *columns, raws_of_messages = decoded.flatten()
    mask = decoded.is_null() if decoded.null_count else None
    fields = list(decoded.type)[:-1]
    messages, errors_of_messages = without_errors(pa.StructArray.from_arrays(columns, fields=fields, mask=mask))
    all_errors = errors_within(errors_of_messages, path, 0)
    if errors is not None:
        all_errors = first_error(errors.cast(ERROR_ARROW_TYPE), all_errors)
    all_raws = raws_of_messages if raws is None else pc.coalesce(raws.cast(pa.binary()), raws_of_messages)
    return messages, all_errors, all_raws
