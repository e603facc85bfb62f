"""Decoding of messages, given as bytes, to streams of typed columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Unpack

import pyarrow as pa

from messagegen_arrow.catalog import Catalog, MessageClass, MessageTable, message_table
from messagegen_arrow.columns.message_decoder import MessageDecoder, decoded_fields
from messagegen_arrow.columns.model import ColumnOptions
from messagegen_arrow.columns.pieces import pieces
from messagegen_arrow.columns.row_errors import ERROR_COLUMNS, is_error_type, with_row_errors
from messagegen_arrow.malformed import ERROR_NAME, check_mode
from messagegen_arrow.streams.stream import (
    Batches,
    ColumnStream,
    as_binary,
    kept_fields,
    once,
    require_columns,
    result_schema,
    stream_of,
    without_malformed,
)

_VALUE: Final = "value"
_VERSION: Final = "version"
_MOST_ROWS: Final = 8192
_MOST_BYTES: Final = 1 << 22
_BYTES: Final = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view)


def read_messages(
    values: Any,
    message: str | MessageTable | MessageClass,
    version: int | Iterable[int],
    mode: str = "PERMISSIVE",
    *,
    catalog: Catalog | None = None,
    include_secrets: bool = False,
    **options: Unpack[ColumnOptions],
) -> ColumnStream:
    """Decode messages from bytes without a header or frame; the fields of the message become columns.

    ``values`` are an Arrow array or column, or an iterable of bytes and ``None``. ``message`` is a generated class, or
    the name of a message in ``catalog``. ``version`` is the version of all messages, or an iterable with a version for
    each value. Everything else is as for ``decode_messages``. If an argument is an iterator, the result can only be
    read once.
    """
    fixed = version if isinstance(version, int) else None
    rows = _rows_of(values, None if isinstance(version, int) else version)
    chosen: int | str = _VERSION if fixed is None else fixed
    return decode_messages(
        rows,
        _VALUE,
        message,
        chosen,
        mode,
        into=None,
        keep=(),
        catalog=catalog,
        include_secrets=include_secrets,
        **options,
    )


def decode_messages(  # noqa: PLR0913 - keyword arguments of a public function
    rows: Any,
    column: str,
    message: str | MessageTable | MessageClass,
    version: int | str,
    mode: str = "PERMISSIVE",
    *,
    into: str | None = "message",
    keep: Sequence[str] | None = None,
    catalog: Catalog | None = None,
    include_secrets: bool = False,
    **options: Unpack[ColumnOptions],
) -> ColumnStream:
    """Decode a byte column of anything with Arrow columns: ``read_log(...)``, a table, a data frame.

    ``version`` is the version of all messages, or the name of a column of integers. In the latter case, the columns are
    the fields of all versions, and fields that the version of a row lacks are null. ``ColumnOptions`` lists the
    options. The result has the columns ``keep`` (default: all except ``column``) and a struct column ``into``; with
    ``into=None``, the message's fields are columns themselves.

    PERMISSIVE adds ``_error`` (``message``, ``path``, ``offset``), null for valid rows, and ``_raw``, the bytes of
    malformed rows. If the kept columns already include ``_error`` or ``_raw``, as in ``read_log``, these columns also
    get the errors of messages. The message of a row with an error is then null. Otherwise, the two are fields of the
    struct. A row has only one ``_error``.

    FAILFAST raises ``MalformedMessageError`` at the first malformed row, and DROPMALFORMED leaves such rows out. Null
    stays null.

    Unless ``include_secrets`` is set, secret fields get no column. Config values that are passwords are ``<redacted>``,
    and so is ``_raw`` of a message that may contain secrets.

    Raises ``LookupError`` for an unknown message or version, and ``ValueError`` for other invalid arguments.
    """
    source = stream_of(rows)
    table = message_table(message, catalog)
    fixed = version if isinstance(version, int) else None
    decoder = MessageDecoder.of(table, fixed, check_mode(mode), options, include_secrets=include_secrets)

    arguments = [column] if fixed is not None else [column, str(version)]
    require_columns(source, arguments)
    kept = kept_fields(source, keep, replaced=[column])
    errors_of_rows = _errors_of_rows(kept) if decoder.mode == "PERMISSIVE" else []
    kept = [field for field in kept if field.name not in errors_of_rows]
    message_fields = decoded_fields(decoder.wanted, decoder.mode, table)
    decoding = _Decoding(
        decoder=decoder,
        arguments=arguments,
        kept=[field.name for field in kept],
        errors_of_rows=errors_of_rows,
        into=into,
        schema=_schema(kept, message_fields, into, has_errors_of_rows=bool(errors_of_rows)),
    )
    # A source that has already been read fails here, before any row.
    return ColumnStream(decoding.schema, lambda: decoding.batches(iter(source)))


def _schema(
    kept: Sequence[pa.Field], message_fields: Sequence[pa.Field], into: str | None, *, has_errors_of_rows: bool
) -> pa.Schema:
    """Return the kept columns, the message, and, if rows have errors, the merged error columns.

    Raises ``ValueError``.
    """
    own = list(message_fields)
    errors: list[pa.Field] = []
    if has_errors_of_rows:
        # These two fields of the message become columns.
        *own, error, raw = own
        errors = [error, raw]
    message = own if into is None else [pa.field(into, pa.struct(own))]
    return result_schema([*kept, *message, *errors], "leave them out of keep=, or choose a different name in into=")


@dataclass(frozen=True, slots=True)
class _Decoding:
    """Decodes the messages in batches of rows."""

    decoder: MessageDecoder
    arguments: Sequence[str]
    """The column of bytes and, if each row has its own version, the column of versions."""
    kept: Sequence[str]
    errors_of_rows: Sequence[str]
    """The error columns of rows that also get the errors of messages."""
    into: str | None
    schema: pa.Schema

    def batches(self, rows: Iterable[pa.RecordBatch]) -> Batches:
        """Yield the decoded rows, in batches that are small enough for the processor caches."""
        for batch in rows:
            for piece in pieces(batch):
                yield self._decoded(piece)

    def _decoded(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        found, malformed = self.decoder.decode(*map(batch.column, self.arguments))
        errors: list[pa.Array] = []
        if self.errors_of_rows:
            given = [batch.column(name) if name in self.errors_of_rows else None for name in ERROR_COLUMNS]
            found, *errors = with_row_errors(found, self.into or "", *given)
        kept = [batch.column(name) for name in self.kept]
        message = found.flatten() if self.into is None else [found]
        result = pa.RecordBatch.from_arrays([*kept, *message, *errors], schema=self.schema)
        return without_malformed(result, malformed, self.decoder.mode)


def _errors_of_rows(kept: Sequence[pa.Field]) -> list[str]:
    """Return the error columns of a log or a capture that also get the errors of messages."""
    types = {field.name: field.type for field in kept if field.name in ERROR_COLUMNS}
    error = types.get(ERROR_NAME)
    if error is not None and not (pa.types.is_struct(error) and is_error_type([field.name for field in error])):
        return []
    return list(types)


def _rows_of(values: Any, versions: Iterable[int] | None) -> ColumnStream:
    """Return a column of values and, if each value has its own version, a column of versions."""
    schema = pa.schema([(_VALUE, pa.binary())])
    if versions is not None:
        schema = schema.append(pa.field(_VERSION, pa.int32()))
    of_rows: Any = versions
    if isinstance(versions, pa.Array | pa.ChunkedArray):
        of_rows = of_rows.to_pylist()
    column = _arrow_column(values)

    def start() -> Batches:
        arrays = _of_iterable(values) if column is None else _of_column(column)
        return _batches(arrays, of_rows, schema)

    is_iterator = isinstance(values, Iterator) or isinstance(of_rows, Iterator)
    return ColumnStream(schema, once(start, "an iterator") if is_iterator else start)


def _arrow_column(values: Any) -> pa.ChunkedArray | None:
    """Return the values as a column of bytes, if they are Arrow data."""
    if hasattr(values, "__arrow_c_stream__"):
        column = pa.chunked_array(values)
    elif hasattr(values, "__arrow_c_array__"):
        column = pa.chunked_array([pa.array(values)])
    else:
        return None
    if not any(is_type(column.type) for is_type in _BYTES):
        raise TypeError(f"expected a column of bytes, not of {column.type}; decode_messages takes data frames")
    return column


def _of_column(column: pa.ChunkedArray) -> Iterator[pa.Array]:
    for chunk in column.chunks:
        for start in range(0, len(chunk), _MOST_ROWS):
            yield as_binary(chunk.slice(start, _MOST_ROWS))


def _of_iterable(values: Iterable[bytes | None]) -> Iterator[pa.Array]:
    some: list[bytes | None] = []
    size = 0
    for value in values:
        some.append(value)
        size += len(value or b"")
        if len(some) == _MOST_ROWS or size >= _MOST_BYTES:
            yield pa.array(some, pa.binary())
            some = []
            size = 0
    if some:
        yield pa.array(some, pa.binary())


def _batches(arrays: Iterable[pa.Array], versions: Iterable[int] | None, schema: pa.Schema) -> Batches:
    left = None if versions is None else iter(versions)
    for array in arrays:
        columns = [array]
        if left is not None:
            columns.append(pa.array(list(islice(left, len(array))), pa.int32()))
            if len(columns[1]) < len(array):
                raise ValueError("there are fewer versions than values")
        yield pa.RecordBatch.from_arrays(columns, schema=schema)
    if left is not None and next(left, None) is not None:
        raise ValueError("there are more versions than values")
