"""Rows of ``kafka-messages``: what a task makes of its parts of files."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.files import shown
from messagegen_arrow.log.message_content import MessageContent
from messagegen_arrow.log.types_content import TypesContent
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, judged, judged_batches
from messagegen_arrow.message_files.inputs import Inputs, check_names
from messagegen_arrow.message_files.options import NAME, MessageFileOptions
from messagegen_arrow.message_files.parquet import FilePart, MessageFileError, OpenParquet, opened_parquet, plain

_LOG: Final = logging.getLogger(__name__)
_ROW: Final = "file.row"
"""The number of a row in its file."""
_KEPT: Final = "kept."
"""Before the names of columns that are kept, which may be any."""


@dataclass(frozen=True)
class PartReader:
    """Reads parts of files into the columns that a query asks for; it pickles."""

    names: tuple[str, ...]
    """The columns as the source calls them."""
    titles: tuple[str, ...]
    """The same as the query calls them."""
    content: MessageContent | TypesContent
    inputs: Inputs
    kept: pa.Schema
    """The columns of files that are asked for, with the types that they get."""
    options: MessageFileOptions
    wanted: pc.Expression | None = None
    """What rows must be like; only whole row groups are left out by that."""

    def read(self, parts: Iterable[FilePart]) -> Iterator[pa.RecordBatch]:
        """The rows of parts, one after the other.

        Raises ``MalformedMessageError`` for a message that can't be read, unless the mode keeps or drops those, ``MessageFileError``
        for a file that can't be read or has other columns, and ``OSError``.
        """
        places = ((part, rows) for part in parts for rows in self._read_part(part))
        for rows in judged_batches(places, self.content.decode, self._judged, _LOG, NAME):
            yield pa.RecordBatch.from_arrays([rows.column(self._own(name)) for name in self.names], self.titles)

    def _read_part(self, part: FilePart) -> Iterator[pa.RecordBatch]:
        with opened_parquet(part.path) as file:
            self.inputs.check(file.columns, shown(part.path))
            check_names(file.columns, shown(part.path), self.kept.names)
            there = file.columns.names
            read = [name for name in dict.fromkeys([*self.inputs.names, *self.kept.names]) if name in there]
            for number, first in file.row_groups(part, self.wanted):
                yield from self._rows(file, part, number, first, read)

    def _rows(
        self, file: OpenParquet, part: FilePart, number: int, first: int, read: Sequence[str]
    ) -> Iterator[pa.RecordBatch]:
        for batch in file.batches(number, read, self.options.max_records_per_batch):
            columns = self.inputs.arrays(batch)
            columns |= {f"{_KEPT}{field.name}": _kept(batch, field, part) for field in self.kept}
            columns[_ROW] = pa.array(np.arange(first, first + batch.num_rows))
            if RAW_NAME in self.names and isinstance(self.content, MessageContent):
                columns[RAW_NAME] = pa.nulls(batch.num_rows, pa.binary())
            first += batch.num_rows
            yield pa.RecordBatch.from_pydict(columns)

    def _own(self, name: str) -> str:
        return f"{_KEPT}{name}" if name in self.kept.names else name

    def _judged(self, rows: pa.RecordBatch, part: FilePart) -> pa.RecordBatch:
        return judged(
            rows,
            self.options.mode,
            _ROW,
            lambda row: f"{shown(part.path)}: the message in row {row}",
            is_told=ERROR_NAME in self.names,
        )


def _kept(rows: pa.RecordBatch, field: pa.Field, part: FilePart) -> pa.Array:
    """A column of files as it is wanted; a file without it has nulls there, as files that were written earlier may."""
    if field.name not in rows.schema.names:
        return pa.nulls(rows.num_rows, field.type)
    array = rows.column(field.name)
    if array.type == field.type:
        return array
    try:
        # Nanoseconds become microseconds where they have to.
        return pc.cast(plain(array), field.type, safe=not pa.types.is_timestamp(field.type))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise MessageFileError(
            f"{shown(part.path)}: invalid type of the column {field.name}: expected {field.type}, as in the first file, not {array.type}; "
            "leave it out with keep="
        ) from None
