"""The request of a dump, and its sections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import pyarrow as pa

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.columns.json_text import JsonField
from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME
from messagegen_arrow.named_columns import chosen_names
from messagegen_arrow.streams.stream import ColumnStream


@dataclass(frozen=True, kw_only=True)
class DumpRequest:
    """The request of a dump."""

    catalog: Catalog
    messages: tuple[str, ...] = ()
    """For captures, the requests and responses to show (default: all); for logs, the message of the values."""
    version: int | None = None
    types: tuple[str, ...] = ()
    """The record types of internal topics to show (default: all)."""
    fields: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None
    topics: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    """Options of the source, by Spark's names."""
    since: str | None = None
    until: str | None = None
    """Times for the options of ``kafka-log``; the second one is exclusive."""
    typed: bool = False
    """Whether one message or record type has typed columns, not JSON."""
    brief: bool = False
    """Whether the default columns are only the most useful ones."""
    include_secrets: bool = False

    @property
    def times(self) -> dict[str, str]:
        """The options of ``kafka-log`` for the time range."""
        given = {"startingTimestamp": self.since, "endingTimestamp": self.until}
        return {name: text for name, text in given.items() if text is not None}


@dataclass(frozen=True)
class Section:
    """Rows with the same columns."""

    stream: ColumnStream
    texts: frozenset[str] = frozenset()
    """Columns with JSON text."""
    structs: Mapping[str, Mapping[str, JsonField]] = field(default_factory=dict)
    """Information for JSON about columns with messages."""
    time_unit: Literal["ms", "us"] = "us"
    """The unit of times."""
    is_internal: bool = False
    """Whether these are records of internal topics."""
    of_errors: frozenset[str] = frozenset()
    """Columns with the location of malformed rows; left out for others."""
    why_empty: Callable[[], str] | None = None
    """Says why there are no rows, if there are none."""


def errors_of(batch: pa.RecordBatch) -> pa.StructArray:
    """The errors of rows; null if there is no such column."""
    if ERROR_NAME in batch.schema.names:
        return batch.column(ERROR_NAME)
    return pa.nulls(batch.num_rows, ERROR_ARROW_TYPE)


def selected(
    section_stream: ColumnStream, names: tuple[str, ...] | None, source: str, always: tuple[str, ...]
) -> ColumnStream:
    """The named columns of a stream (``None``: all) and the required ones. Raises ``ValueError`` for unknown ones."""
    if names is None:
        return section_stream
    schema = section_stream.schema
    wanted = dict.fromkeys(
        [*chosen_names(source, schema.names, names), *(name for name in always if name in schema.names)]
    )
    fields = pa.schema([schema.field(name) for name in wanted])
    return ColumnStream(fields, lambda: (batch.select(list(wanted)) for batch in section_stream))
