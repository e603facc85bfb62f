"""Ranges of logs to Parquet files: messages are decoded and written where they are read."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from messagegen_arrow.columns.message_decoder import MessageDecoder
from messagegen_arrow.log.planning import FileRange
from messagegen_arrow.log.rows import RowReader
from messagegen_arrow.malformed import ERROR_NAME
from messagegen_arrow.row_files import NO_VALUE, row_file

FOLDER_COLUMNS: Final = ("topic", "partition")
"""What is the same for all records of a file, so that files can lie in folders by it."""
DECODED_BYTES: Final = 1 << 22
"""What was read is still in the processor's caches when it is decoded."""


class WrittenFile(NamedTuple):
    """A file that is finished."""

    path: str
    """Below the folder that it was written to."""
    rows: int
    """How many rows were read for it."""
    malformed: int


@dataclass(frozen=True)
class LogFileWriter:
    """Decodes a column of logs and writes Parquet files; it pickles."""

    reader: RowReader
    decoder: MessageDecoder
    arguments: tuple[str, ...]
    """The column of bytes, and that of versions if each row has its own."""
    schema: pa.Schema
    """The columns of files: those that are kept of the log, and the decoded one at the end."""
    folders: tuple[str, ...]
    """Columns of ``FOLDER_COLUMNS`` that are in the names of folders, and not in files."""
    drops: bool
    """Whether malformed rows are left out, after they were counted."""

    def write(self, ranges: tuple[FileRange, ...], folder: Path) -> Iterator[WrittenFile]:
        """Writes a file for each of ``folders`` that the ranges are of, or one if there are none; no other file has its name.

        A file that was not given is not finished. Raises what ``RowReader.read`` and ``MessageDecoder`` raise, and
        ``FileNotFoundError`` if ``folder`` is gone.
        """
        for place, same in groupby(ranges, key=self._place):
            path = f"{place}part-{uuid.uuid4().hex}.snappy.parquet"
            _make_below(folder, Path(place))
            rows, malformed = self._write_file(tuple(same), folder / path)
            yield WrittenFile(path, rows, malformed)

    def batches(self, ranges: tuple[FileRange, ...]) -> Iterator[tuple[pa.RecordBatch, int, int]]:
        """The columns of files, with the number of rows that were read for each batch, and how many of them are malformed.

        Raises what ``RowReader.read`` and ``MessageDecoder`` raise.
        """
        for batch in self.reader.read(ranges):
            decoded, is_wrong = self._decoded(batch)
            malformed = is_wrong.true_count
            yield (
                decoded.filter(pc.invert(is_wrong)) if self.drops and malformed else decoded
            ), batch.num_rows, malformed

    def write_nothing(self, path: Path) -> None:
        """Writes a file without rows, which says what columns there are."""
        pq.write_table(self.schema.empty_table(), path)

    def _place(self, each: FileRange) -> str:
        """The folder of a range, as Spark names it; names of topics need no escapes."""
        values = {"topic": each.topic, "partition": each.partition}
        parts = ((name, NO_VALUE if values[name] is None else values[name]) for name in self.folders)
        return "".join(f"{name}={value}/" for name, value in parts)

    def _write_file(self, ranges: tuple[FileRange, ...], path: Path) -> tuple[int, int]:
        rows = malformed = 0
        with row_file(path, self.schema) as file:
            for decoded, read, wrong in self.batches(ranges):
                rows += read
                malformed += wrong
                file.add(decoded)
        return rows, malformed

    def _decoded(self, batch: pa.RecordBatch) -> tuple[pa.RecordBatch, pa.BooleanArray]:
        """The columns of a file, and which rows the log or the message can't be read of."""
        message, is_wrong = self.decoder.decode(*map(batch.column, self.arguments))
        if ERROR_NAME in batch.schema.names:
            is_wrong = pc.or_(is_wrong, batch.column(ERROR_NAME).is_valid())
        arrays = [*map(batch.column, self.schema.names[:-1]), message]
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema), is_wrong


def _make_below(folder: Path, place: Path) -> None:
    """Makes the folders of a place, but not the one that they are in: whoever removed that is done with it."""
    for part in place.parts:
        folder /= part
        folder.mkdir(exist_ok=True)
