"""Parquet files of rows, in folders by columns: what all who write or read them have in common."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

NO_VALUE: Final = "__HIVE_DEFAULT_PARTITION__"
"""What Spark and others name the folder of null."""

_ROW_GROUP_BYTES: Final = 1 << 25


class RowFile:
    """A Parquet file that is written in row groups of about 32 MiB in memory."""

    def __init__(self, where: Any, schema: pa.Schema) -> None:
        """``where`` is what ``pyarrow.parquet.ParquetWriter`` takes: a path or an open file, which stays open."""
        self._schema = schema
        self._writer = pq.ParquetWriter(where, schema)
        self._waiting: list[pa.RecordBatch] = []
        self._waiting_bytes = 0

    def add(self, rows: pa.RecordBatch) -> None:
        """Adds rows of the schema."""
        self._waiting.append(rows)
        self._waiting_bytes += rows.nbytes
        if self._waiting_bytes >= _ROW_GROUP_BYTES:
            self._write_group()

    def finish(self) -> pq.FileMetaData:
        """Writes what is left, and the end of the file; before that no reader could make anything of it."""
        if self._waiting:
            self._write_group()
        self.close()
        return self._writer.writer.metadata

    def close(self) -> None:
        """Closes the file as it is."""
        self._writer.close()

    def _write_group(self) -> None:
        self._writer.write_table(pa.Table.from_batches(self._waiting, self._schema))
        self._waiting, self._waiting_bytes = [], 0


@contextmanager
def row_file(where: Any, schema: pa.Schema) -> Iterator[RowFile]:
    """A file that is finished at the end of the block."""
    file = RowFile(where, schema)
    try:
        yield file
    except BaseException:
        file.close()
        raise
    file.finish()
