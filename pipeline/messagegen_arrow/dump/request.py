"""The request for a dump, and its sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import pyarrow as pa

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.columns.json_text import JsonField
from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME, RAW_NAME
from messagegen_arrow.named_columns import chosen_names
from messagegen_arrow.streams.stream import ColumnStream

OF_ERRORS: Final = ("path", "batchPosition", "streamOffset", ERROR_NAME, RAW_NAME)
"""Columns with the location and the error of malformed rows; all other rows are shown without them."""


@dataclass(frozen=True, kw_only=True)
class DumpRequest:
    """The request for a dump."""

    catalog: Catalog
    messages: tuple[str, ...] = ()
    """For captures, the requests and responses to show (default: all); for logs, the message in the values."""
    version: int | None = None
    """The version of all values in a log."""
    versioned: bool = False
    """Whether each value in a log begins with its version, as an int16."""
    types: tuple[str, ...] = ()
    """The record types of internal topics to show (default: all)."""
    fields: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None
    topics: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    """Options of ``kafka-log``; for captures, only its time options are used."""
    typed: bool = False
    """Whether one message or record type has typed columns instead of JSON."""
    brief: bool = False
    """Whether only the most useful columns are shown by default."""
    include_secrets: bool = False


@dataclass(frozen=True)
class Section:
    """Rows with the same columns."""

    stream: ColumnStream
    texts: frozenset[str] = frozenset()
    """The columns that contain JSON text."""
    structs: Mapping[str, Mapping[str, JsonField]] = field(default_factory=dict)
    """The fields of columns with messages, for the conversion to JSON."""
    left_out: frozenset[str] = frozenset()
    """The columns that are left out of rows in which they are null."""


def errors_of(batch: pa.RecordBatch) -> pa.StructArray:
    """Return the error column, or nulls if the batch has no such column."""
    if ERROR_NAME in batch.schema.names:
        return batch.column(ERROR_NAME)
    return pa.nulls(batch.num_rows, ERROR_ARROW_TYPE)


def selected(stream: ColumnStream, names: Sequence[str] | None, source: str) -> ColumnStream:
    """Return the named columns of a stream (``None``: all), and its error columns.

    Raises ``ValueError`` for unknown names.
    """
    if names is None:
        return stream
    known = stream.schema.names
    wanted = list(dict.fromkeys([*chosen_names(source, known, names), *(name for name in OF_ERRORS if name in known)]))
    return ColumnStream(
        pa.schema([stream.schema.field(name) for name in wanted]), lambda: (batch.select(wanted) for batch in stream)
    )
