"""Reads messages from logs and captures for the advisor, without headers and types."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from messagegen_arrow.arrays import behind, scattered
from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.frames.columns import FrameBatch, FrameParts, split_frames
from messagegen_arrow.frames.parsing import FrameMessages
from messagegen_arrow.internal_topics.prefixes import Problem, read_prefixes
from messagegen_arrow.streams.stream import ColumnStream, as_binary, as_string, require_columns, stream_of

VALUES: Final = pa.schema([pa.field("value", pa.binary()), pa.field("version", pa.int32())])
FRAME_COLUMNS: Final = ("frame", "direction", "apiKey", "apiVersion")
RECORD_COLUMNS: Final = ("key", "value")


def bodies_of(frames: Any, table: MessageTable) -> ColumnStream:
    """The bodies of a request or response, as ``value`` and ``version``, from frames such as those of ``read_capture``.

    The version is that of the body, which may differ from the requested one for ApiVersions (KIP-511). A frame that can't be
    split gets an empty body, so it counts as malformed. Raises ``ValueError`` for a message that is neither a request nor a
    response, and for missing columns.
    """
    messages = FrameMessages.of().only(table)
    rows = stream_of(frames)
    require_columns(rows, FRAME_COLUMNS)
    return ColumnStream(VALUES, lambda: (bodies_of_batch(batch, table, messages) for batch in rows))


def bodies_of_batch(batch: pa.RecordBatch, table: MessageTable, messages: FrameMessages) -> pa.RecordBatch:
    """``bodies_of`` for one batch with ``FRAME_COLUMNS``."""
    direction = as_string(batch.column("direction"))
    wanted = pc.and_(pc.equal(direction, table.kind), pc.equal(batch.column("apiKey"), table.api_key))
    wanted = pc.and_(wanted, batch.column("frame").is_valid())
    chosen = batch.select(list(FRAME_COLUMNS)).filter(wanted)
    frames, directions, *others = chosen.columns
    asked = FrameBatch(as_binary(frames), as_string(directions), *others)
    parts = [part for part in split_frames(messages, asked) if isinstance(part, FrameParts)]
    values = scattered([(part.rows, part.bodies) for part in parts], pa.binary(), len(asked))
    numbers = [(part.rows, pa.repeat(pa.scalar(part.version, pa.int32()), len(part.rows))) for part in parts]
    versions = pc.coalesce(scattered(numbers, pa.int32(), len(asked)), asked.api_versions.cast(pa.int32()))
    return pa.RecordBatch.from_arrays([pc.fill_null(values, b""), versions], schema=VALUES)


def records_of(rows: Any, table: MessageTable) -> ColumnStream:
    """The records of a message, as ``value`` and ``version``, from a log, without types and versions before them.

    Raises ``ValueError`` for a message whose version is not in logs, and for missing columns.
    """
    check_has_version(table)
    stream = stream_of(rows)
    require_columns(stream, RECORD_COLUMNS)
    return ColumnStream(VALUES, lambda: (records_of_batch(batch, table) for batch in stream))


def check_has_version(table: MessageTable) -> None:
    """Raises ``ValueError`` for a message whose version is not in logs."""
    if table.kind not in ("coordinator-key", "coordinator-value", "metadata") or table.api_key is None:
        raise ValueError(f"logs do not have the version of {table.name}: use --version N")


def records_of_batch(batch: pa.RecordBatch, table: MessageTable) -> pa.RecordBatch:
    """``records_of`` for one batch with ``RECORD_COLUMNS``."""
    keys, values = as_binary(batch.column("key")), as_binary(batch.column("value"))
    prefixes = read_prefixes("metadata" if table.kind == "metadata" else "coordinator", keys, values)
    is_type = prefixes.number == table.api_key
    if table.kind == "coordinator-key":
        known = np.isin(prefixes.problem, (Problem.NONE, Problem.SHORT_VALUE))
        found = behind(keys.filter(pa.array(is_type & known)), 2)
        return pa.RecordBatch.from_arrays([found, pa.repeat(pa.scalar(0, pa.int32()), len(found))], schema=VALUES)
    # A value that is too short for its version counts as malformed, without a version.
    is_short = prefixes.problem == Problem.SHORT_VALUE
    wanted = (
        is_type & ((prefixes.problem == Problem.NONE) | is_short) & values.is_valid().to_numpy(zero_copy_only=False)
    )
    versions = pa.array(prefixes.version[wanted].astype(np.int32), mask=is_short[wanted])
    chosen, skips = values.filter(pa.array(wanted)), prefixes.skip[wanted]
    parts = [(rows, behind(chosen.take(pa.array(rows)), int(skip))) for skip, rows in _alike(skips)]
    return pa.RecordBatch.from_arrays([scattered(parts, pa.binary(), len(chosen)), versions], schema=VALUES)


def parquet_rows(paths: Sequence[str], columns: Sequence[str]) -> ColumnStream:
    """Columns of Parquet files, a batch at a time. Raises ``ValueError`` for a column that the first file lacks, and ``OSError``."""
    schema = parquet.read_schema(paths[0])
    missing = [name for name in columns if name not in schema.names]
    if missing:
        raise ValueError(f"no column {', '.join(missing)}; the columns are {', '.join(schema.names)}")
    chosen = pa.schema([schema.field(name) for name in columns])
    return ColumnStream(
        chosen,
        lambda: (batch for path in paths for batch in parquet.ParquetFile(path).iter_batches(columns=list(columns))),
    )


def some_messages(rows: ColumnStream, count: int, version: int | str, column: str) -> list[tuple[int, bytes]]:
    """Version and bytes of ``count`` messages; rows with nulls are left out."""
    names = [column] if isinstance(version, int) else [column, version]
    each = (row for batch in rows for row in batch.select(names).to_pylist())
    known = (row for row in each if None not in row.values())
    return [(version if isinstance(version, int) else row[version], row[column]) for row in islice(known, count)]


def _alike(numbers: Any) -> list[tuple[int, Any]]:
    """The rows with each number."""
    return [(int(number), np.flatnonzero(numbers == number)) for number in np.unique(numbers)]
