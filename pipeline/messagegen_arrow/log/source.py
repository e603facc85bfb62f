"""What ``kafka-log`` gives under its options: which columns there are, and a reader of some of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import pyarrow as pa

from messagegen_arrow.log.columns import LOG_COLUMNS
from messagegen_arrow.log.decoded_rows import DecodedRowReader, LogContent
from messagegen_arrow.log.message_content import MessageContent
from messagegen_arrow.log.options import Bounds, LogOptions
from messagegen_arrow.log.planning import LogTask
from messagegen_arrow.log.rows import RowReader
from messagegen_arrow.log.types_content import TypesContent
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME
from messagegen_arrow.named_columns import NamedColumn, chosen_names

NAME: Final = "kafka-log"
_LAST: Final = (ERROR_NAME, RAW_NAME)


class Reader(Protocol):
    """Reads tasks; it pickles."""

    def read(self, task: LogTask) -> Iterator[pa.RecordBatch]:
        """The rows of a task; raises what ``RowReader.read`` raises."""
        ...


@dataclass(frozen=True)
class LogSource:
    """Columns of records, or of what their keys and values are decoded to."""

    options: LogOptions
    content: LogContent | None

    @classmethod
    def of(cls, options: LogOptions) -> LogSource:
        """The source with these options. Raises ``LookupError`` and ``ValueError`` for messages, types and fields that do not exist."""
        if options.content is None:
            return cls(options, None)
        content = (MessageContent if options.content.types is None else TypesContent).of(options.content)
        return cls(content.limited(options), content)

    @property
    def columns(self) -> dict[str, NamedColumn]:
        """All columns by name, in their order."""
        if self.content is None:
            return dict(LOG_COLUMNS)
        kept = [column for name, column in LOG_COLUMNS.items() if name not in self.content.replaced]
        first = [column for column in kept if column.name not in _LAST]
        last = [column for column in kept if column.name in _LAST]
        columns: list[NamedColumn] = [*first, *self.content.columns, *last]
        return {column.name: column for column in columns}

    @property
    def default_names(self) -> tuple[str, ...]:
        """The columns of a query that names none."""
        left_out = () if self.options.include_headers else ("headers",)
        return self.options.columns or tuple(name for name in self.columns if name not in left_out)

    def with_fields(self, paths: Mapping[str, Sequence[str]]) -> LogSource:
        """The source with these fields alone of columns of decoded structs, by the names of the columns."""
        content = self.options.content
        decoded = {name: each for name, each in paths.items() if name not in _LAST}
        if content is None or not decoded:
            return self
        return LogSource.of(replace(self.options, content=content.with_fields(decoded)))

    def reader(self, names: Sequence[str], bounds: Bounds) -> Reader:
        """A reader of the named columns within bounds. Raises ``ValueError`` for a column that does not exist."""
        chosen = tuple(chosen_names(NAME, self.columns, names))
        if self.content is None:
            return RowReader(chosen, self.options, bounds)
        return DecodedRowReader(chosen, tuple(names), self.content, self.options, bounds)
