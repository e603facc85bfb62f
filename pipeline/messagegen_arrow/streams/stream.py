"""A stream of Arrow record batches, which other libraries read through the PyCapsule interface.

https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
"""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.malformed import Mode

Batches = Iterator[pa.RecordBatch]


class StreamReadError(RuntimeError):
    """Raised when a stream is read again although its source can only be read once."""


class ColumnStream:
    """Columns of rows that are read on demand, one batch at a time, and from the beginning each time.

    Polars, DuckDB, pyarrow and other libraries can read it. A stream of an open file or an iterator can only be read
    once; reading it again raises ``StreamReadError``.
    """

    def __init__(self, schema: pa.Schema, start: Callable[[], Batches]) -> None:
        """Create a stream of ``schema``; ``start`` begins to read, and returns batches of this schema."""
        self._schema = schema
        self._start = start

    @property
    def schema(self) -> pa.Schema:
        """The columns, with metadata."""
        return self._schema

    def __iter__(self) -> Batches:
        """Return the batches from the beginning. For exceptions, see the function that created the stream."""
        return self._start()

    def reader(self) -> pa.RecordBatchReader:
        """Return the batches, from the beginning, as pyarrow's reader."""
        return pa.RecordBatchReader.from_batches(self._schema, self._start())

    def __arrow_c_schema__(self) -> object:
        """Return the schema for other libraries; nothing is read."""
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the batches from the beginning, for other libraries."""
        return self.reader().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"ColumnStream({', '.join(self._schema.names)})"


def once(start: Callable[[], Batches], source: str) -> Callable[[], Batches]:
    """Return a function that begins to read when it is first called, and raises ``StreamReadError`` after that."""
    begun = False

    def guarded() -> Batches:
        nonlocal begun
        if begun:
            raise StreamReadError(
                f"{source} can be read only once; keep what was read, for example with pyarrow.table(stream)"
            )
        begun = True
        return start()

    return guarded


def stream_of(rows: Any) -> ColumnStream:
    """Return anything with Arrow columns as a stream: a ``ColumnStream``, a table, a data frame, a reader.

    Raises ``TypeError`` for anything else.
    """
    if isinstance(rows, ColumnStream):
        return rows
    if isinstance(rows, pa.RecordBatchReader):
        return ColumnStream(rows.schema, once(lambda: iter(rows), "a RecordBatchReader"))
    if isinstance(rows, pa.RecordBatch):
        return ColumnStream(rows.schema, lambda: iter([rows]))
    if not hasattr(rows, "__arrow_c_stream__"):
        raise TypeError(
            "expected Arrow columns, such as read_log(...), a pyarrow.Table or a data frame of Polars, "
            f"not {type(rows).__name__}; read_messages takes bytes"
        )
    schema = rows.schema if isinstance(rows, pa.Table) else pa.RecordBatchReader.from_stream(rows).schema
    return ColumnStream(schema, lambda: iter(pa.RecordBatchReader.from_stream(rows)))


def kept_fields(rows: ColumnStream, keep: Sequence[str] | None, replaced: Iterable[str]) -> list[pa.Field]:
    """Return the columns ``keep`` of a stream; ``None`` means all except ``replaced``. Raises ``ValueError``."""
    if keep is None:
        left_out = set(replaced)
        return [field for field in rows.schema if field.name not in left_out]
    require_columns(rows, keep)
    return [rows.schema.field(name) for name in keep]


def require_columns(rows: ColumnStream, names: Iterable[str], advice: str = "") -> None:
    """Raise ``ValueError`` if a stream lacks any of the named columns."""
    missing = [name for name in names if name not in rows.schema.names]
    if missing:
        raise ValueError(f"no column {', '.join(missing)}; the columns are {', '.join(rows.schema.names)}{advice}")


def result_schema(fields: Sequence[pa.Field], advice: str = "leave them out of keep=") -> pa.Schema:
    """Return the schema of a result.

    Raises ``ValueError`` if two columns have the same name; its text ends with ``advice``. Also raises it if there are
    no columns.
    """
    names = [field.name for field in fields]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"the result would have two columns named {' and two named '.join(twice)}; {advice}")
    if not fields:
        raise ValueError("the result would have no columns; name some in keep=")
    return pa.schema(fields)


def as_binary(array: pa.Array) -> pa.BinaryArray:
    """Return the array as ``binary``, because other libraries use ``large_binary`` and ``binary_view``."""
    return array if array.type == pa.binary() else array.cast(pa.binary())


def as_string(array: pa.Array) -> pa.StringArray:
    """Return the array as ``string``."""
    return array if array.type == pa.string() else array.cast(pa.string())


def without_malformed(batch: pa.RecordBatch, malformed: pa.BooleanArray, mode: Mode) -> pa.RecordBatch:
    """Return the batch, without its malformed rows if the mode is DROPMALFORMED."""
    return batch.filter(pc.invert(malformed)) if mode == "DROPMALFORMED" else batch
