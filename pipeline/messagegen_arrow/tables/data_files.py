"""Batches to the Parquet files of a table, a file for each value of its partitions."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final
from urllib.parse import quote

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from messagegen_arrow.row_files import NO_VALUE, RowFile
from messagegen_arrow.tables.table import DataFile, Layout

_LONGEST_TEXT: Final = 256
"""Longer texts are no use in statistics, and make the table's log large."""


@dataclass(frozen=True)
class DataFileWriter:
    """Writes files below a folder of a table; it pickles. No two files that it writes have the same name."""

    layout: Layout
    below: str
    """The folder, relative to the table's place."""

    def write(self, batches: Iterable[pa.RecordBatch]) -> Iterator[DataFile]:
        """Writes batches that have the columns of the layout, perhaps in narrower types; gives each file when it is finished.

        Neighbouring rows with the same values in the columns of partitions are in one file: sort the rows by these columns to get few
        files. No rows give no file.
        """
        file: _OpenFile | None = None
        for batch in batches:
            for values, rows in self._runs(batch.cast(self.layout.columns)):
                if file is not None and file.values != values:
                    yield file.finish()
                    file = None
                file = file or self._open(values)
                file.add(rows)
        if file is not None:
            yield file.finish()

    def _runs(self, batch: pa.RecordBatch) -> Iterator[tuple[tuple[Any, ...], pa.RecordBatch]]:
        """Rows that stand together and have the same values, with these values."""
        if not batch.num_rows:
            return
        keys = [batch.column(name) for name in self.layout.partition_by]
        ends = {end for key in keys for end in pc.run_end_encode(key, run_end_type=pa.int64()).run_ends.to_pylist()}
        start = 0
        for end in sorted(ends | {batch.num_rows}):
            yield tuple(key[start].as_py() for key in keys), batch.slice(start, end - start)
            start = end

    def _open(self, values: tuple[Any, ...]) -> _OpenFile:
        place = self.layout.place
        path = f"{self.below}/{self._folders(values)}part-{uuid.uuid4().hex}.parquet"
        full = place.full(path)
        if place.filesystem.type_name == "local":
            place.filesystem.create_dir(full.rpartition("/")[0])
        return _OpenFile(self.layout, path, place.filesystem.open_output_stream(full), values)

    def _folders(self, values: tuple[Any, ...]) -> str:
        """Some readers of Delta take the values from the names of folders, and not from the table's log."""
        if self.layout.has_partition_columns:
            return ""
        texts = (NO_VALUE if value is None else quote(_partition_text(value) or "", safe=" ") for value in values)
        return "".join(f"{name}={text}/" for name, text in zip(self.layout.partition_by, texts, strict=True))


class _OpenFile:
    """A file that is being written."""

    def __init__(self, layout: Layout, path: str, sink: pa.NativeFile, values: tuple[Any, ...]) -> None:
        dropped = () if layout.has_partition_columns else layout.partition_by
        self._columns = pa.schema([field for field in layout.columns if field.name not in dropped])
        self._partition_by = layout.partition_by
        self._path = path
        self._sink = sink
        self._file = RowFile(sink, self._columns)
        self._rows = 0
        self.values = values

    def add(self, rows: pa.RecordBatch) -> None:
        """Adds rows, which have the values of the file."""
        self._file.add(rows.select(self._columns.names))
        self._rows += rows.num_rows

    def finish(self) -> DataFile:
        """Closes the file. Before that no reader could make anything of it."""
        metadata = self._file.finish()
        size = self._sink.tell()
        self._sink.close()
        texts = map(_partition_text, self.values)
        partition = dict(zip(self._partition_by, texts, strict=True))
        return DataFile(self._path, size, self._rows, partition, _statistics(metadata))


def _partition_text(value: Any) -> str | None:
    """A value as Delta's log has it; its text in Python is the same for numbers and dates."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
    return None if value is None else str(value)


def _statistics(metadata: pq.FileMetaData) -> dict[str, dict[str, int | str]]:
    """The least and the greatest value and the count of nulls in columns that have no parts."""
    least: dict[str, int | str] = {}
    most: dict[str, int | str] = {}
    nulls: dict[str, int | str] = {}
    for number in range(metadata.num_columns):
        name = metadata.schema.column(number).path
        if "." in name:
            continue
        groups = [metadata.row_group(group).column(number).statistics for group in range(metadata.num_row_groups)]
        if any(group is None or not group.has_null_count for group in groups):
            continue
        nulls[name] = sum(group.null_count for group in groups)
        known = [group for group in groups if group.has_min_max]
        if len(known) == len(groups):
            low, high = _json(min(group.min for group in known)), _json(max(group.max for group in known))
            if low is not None and high is not None:
                least[name], most[name] = low, high
    return {"minValues": least, "maxValues": most, "nullCount": nulls}


def _json(value: Any) -> int | str | None:
    """A value as statistics have it; ``None`` for types that are left out, such as bytes and fractions (NaN has no order)."""
    if isinstance(value, bool | bytes | float):
        return None
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str) and len(value) > _LONGEST_TEXT:
        return None
    return value if isinstance(value, int | str) else None
