"""Extracts messages for the advisor from logs and captures, without headers and prefixes."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from messagegen_arrow.arrays import behind, scattered, take_rows
from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.frames.messages import FrameMessages
from messagegen_arrow.frames.split import FrameBatch, FrameParts, split_frames
from messagegen_arrow.internal_topics.prefixes import TOMBSTONE, Problem, prefix_groups
from messagegen_arrow.streams.stream import ColumnStream, as_binary, as_string, require_columns, stream_of

VALUES: Final = pa.schema([pa.field("value", pa.binary()), pa.field("version", pa.int32())])
FRAME_COLUMNS: Final = ("frame", "direction", "apiKey", "apiVersion")
RECORD_COLUMNS: Final = ("key", "value")


def bodies_of(frames: Any, table: MessageTable) -> ColumnStream:
    """Return the bodies of a request or response, as columns ``value`` and ``version``.

    ``frames`` has Arrow columns, such as the result of ``read_capture``. ``version`` is the version of the body, which
    for ApiVersions may differ from the requested version (KIP-511). A frame that can't be split gets an empty body, so
    that it is counted as malformed. Raises ``ValueError`` for a message that is neither a request nor a response, and
    for missing columns.
    """
    messages = FrameMessages.of().only(table)
    rows = stream_of(frames)
    require_columns(rows, FRAME_COLUMNS)
    return ColumnStream(VALUES, lambda: (_bodies_of(batch, table, messages) for batch in rows))


def _bodies_of(batch: pa.RecordBatch, table: MessageTable, messages: FrameMessages) -> pa.RecordBatch:
    direction = as_string(batch.column("direction"))
    wanted = pc.and_(pc.equal(direction, table.kind), pc.equal(batch.column("apiKey"), table.api_key))
    wanted = pc.and_(wanted, batch.column("frame").is_valid())
    chosen = batch.select(list(FRAME_COLUMNS)).filter(wanted)
    frames, directions, *others = chosen.columns
    selected = FrameBatch(as_binary(frames), as_string(directions), *others)
    parts = [part for part in split_frames(messages, selected) if isinstance(part, FrameParts)]
    values = scattered([(part.rows, part.bodies) for part in parts], pa.binary(), len(selected))
    numbers = [(part.rows, pa.repeat(pa.scalar(part.version, pa.int32()), len(part.rows))) for part in parts]
    versions = pc.coalesce(scattered(numbers, pa.int32(), len(selected)), selected.api_versions.cast(pa.int32()))
    return pa.RecordBatch.from_arrays([pc.fill_null(values, b""), versions], schema=VALUES)


def records_of(rows: Any, table: MessageTable) -> ColumnStream:
    """Return the records of a message in a log, as ``value`` and ``version``, without their type and version prefixes.

    Raises ``ValueError`` for a message whose version is not in logs, and for missing columns.
    """
    if table.kind not in ("coordinator-key", "coordinator-value", "metadata") or table.api_key is None:
        raise ValueError(f"logs do not contain the version of {table.name}; pass --version N")
    stream = stream_of(rows)
    require_columns(stream, RECORD_COLUMNS)
    return ColumnStream(VALUES, lambda: (found for batch in stream for found in _records_of(batch, table)))


def _records_of(batch: pa.RecordBatch, table: MessageTable) -> Iterator[pa.RecordBatch]:
    keys, values = as_binary(batch.column("key")), as_binary(batch.column("value"))
    for group in prefix_groups("metadata" if table.kind == "metadata" else "coordinator", keys, values):
        if group.problem != Problem.NONE or group.number != table.api_key:
            continue
        if table.kind == "coordinator-key":
            found, version = behind(take_rows(keys, group.rows), 2), 0
        elif group.version == TOMBSTONE:
            continue
        else:
            found, version = behind(take_rows(values, group.rows), group.skip), group.version
        yield pa.RecordBatch.from_arrays([found, pa.repeat(pa.scalar(version, pa.int32()), len(found))], schema=VALUES)


def parquet_rows(paths: Sequence[str], columns: Sequence[str]) -> ColumnStream:
    """Return columns of Parquet files, read one batch at a time.

    Raises ``ValueError`` for a column that the first file lacks, and ``OSError``.
    """
    schema = parquet.read_schema(paths[0])
    missing = [name for name in columns if name not in schema.names]
    if missing:
        raise ValueError(f"no column {', '.join(missing)}; the columns are {', '.join(schema.names)}")
    chosen = pa.schema([schema.field(name) for name in columns])
    return ColumnStream(
        chosen,
        lambda: (batch for path in paths for batch in parquet.ParquetFile(path).iter_batches(columns=list(columns))),
    )
