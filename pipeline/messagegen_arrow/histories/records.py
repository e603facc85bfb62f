"""Records of a log for a history: selection, checks and counts."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.internal_topics.contents import Types
from messagegen_arrow.malformed import ERROR_NAME, Mode, check_mode, fail_on_first
from messagegen_arrow.streams.internal_topics import decode_internal_topics
from messagegen_arrow.streams.stream import ColumnStream

_MODES: Final[tuple[Mode, ...]] = ("DROPMALFORMED", "FAILFAST")
"""The modes of histories. PERMISSIVE is not among them, because unreadable records would look like deletions."""
_DROPPED: Final = "mode DROPMALFORMED leaves such records out; messagegen-data dump shows them and their errors"

REQUIRED: Final = ("key", "value", "topic", "partition", "offset", "timestamp")
"""The columns that a log must have."""
_KEPT: Final = (*REQUIRED[2:], "path", "batchOffset")
"""The log columns that are kept in decoded records."""

TIMESTAMP: Final = pa.timestamp("us", tz="UTC")
Batches = Iterator[pa.RecordBatch]


def check_history_mode(mode: str) -> Mode:
    """Return the mode in upper case. Raises ``ValueError`` for a mode that histories do not support."""
    return check_mode(mode, _MODES)


def check_columns(log: ColumnStream) -> None:
    """Raise ``ValueError`` if rows lack columns that a log must have."""
    missing = [name for name in REQUIRED if name not in log.schema.names]
    if missing:
        raise ValueError(f"the log has no column {', '.join(missing)}: read it with read_log(...)")


def decoded_log(
    log: ColumnStream, topics: Sequence[str], types: Types, catalog: Catalog | None, *, also: Sequence[str] = ()
) -> ColumnStream:
    """Return the records of these topics and of unknown topics, with a column for each type.

    ``also`` are other log columns to keep if they exist. Raises ``ValueError``.
    """
    check_columns(log)
    keep = [name for name in (*_KEPT, *also) if name in log.schema.names]
    return decode_internal_topics(rows_of_topics(log, topics), types, keep=keep, catalog=catalog)


def rows_of_topics(log: ColumnStream, topics: Sequence[str]) -> ColumnStream:
    """Return the rows of these topics and of unknown topics."""

    def ours() -> Batches:
        for batch in log:
            names = batch.column("topic")
            yield batch.filter(pc.or_(pc.is_in(names, pa.array(topics, names.type)), names.is_null()))

    return ColumnStream(log.schema, ours)


def counted(batches: Iterable[pa.RecordBatch], mode: Mode, counts: HistoryCounts) -> Batches:
    """Yield the batches, and count their records.

    Raises ``MalformedMessageError`` for an unreadable record in mode FAILFAST.
    """
    for batch in batches:
        errors = batch.column(ERROR_NAME)
        counts.rows += len(errors)
        counts.malformed += len(errors) - errors.null_count
        if mode == "FAILFAST":
            fail_on_first(errors, batch.column("recordType"), batch.column("valueVersion"), _DROPPED)
        yield batch


def readable(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the records that can be read."""
    return batch.filter(batch.column(ERROR_NAME).is_null())


def in_order(batches: Iterable[pa.RecordBatch]) -> Batches:
    """Yield the batches. Raises ``ValueError`` if the records of a partition are not in the order of their offsets."""
    last: dict[tuple[str, int], int] = {}
    for batch in batches:
        columns = (batch.column(name).to_pylist() for name in ("topic", "partition", "offset"))
        for topic, partition, offset in zip(*columns, strict=True):
            if offset is None:
                continue
            if offset <= last.get((topic, partition), -1):
                raise not_in_order(f"{topic}-{partition}")
            last[topic, partition] = offset
        yield batch


def not_in_order(partition: str) -> ValueError:
    """Return the error about records of a partition that are not in the order of their offsets."""
    return ValueError(
        f"the records of {partition} are not in the order of their offsets: sort them by topic, partition and offset; "
        "if segments of the log overlap, read an undamaged copy"
    )


def field(batch: pa.RecordBatch, path: str) -> pa.Array:
    """Return a field at a path such as ``OffsetCommit.key.group``; null where the record has no such field."""
    record_type, *names = path.split(".")
    return pc.struct_field(batch.column(record_type), names)
