"""Records of ``__cluster_metadata`` as rows: where each lies, and what it changes."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.histories.metadata.changes import RECORD_TYPES, Change, changes_of
from messagegen_arrow.histories.records import TIMESTAMP, Records
from messagegen_arrow.internal_topics.record_types import CLUSTER_METADATA

TOPICS: Final = (CLUSTER_METADATA,)
TYPES: Final = RECORD_TYPES

BEGIN, END, ABORT = "BeginTransactionRecord", "EndTransactionRecord", "AbortTransactionRecord"
"""The records around a metadata transaction (KIP-868)."""

_SNAPSHOT: Final = r"/(?P<end>\d{20})-\d{10}\.checkpoint$"
_SUFFIX: Final = ".checkpoint"

_CHANGE: Final = pa.struct([(name, pa.string()) for name in Change._fields[:-1]] + [("alters", pa.bool_())])
ROWS: Final = pa.schema(
    [
        pa.field("offset", pa.int64()),
        pa.field("timestamp", TIMESTAMP),
        pa.field("isSnapshot", pa.bool_()),
        pa.field("snapshotEnd", pa.int64()),
        pa.field("mark", pa.string()),
        pa.field("changes", pa.list_(_CHANGE)),
    ]
)
"""A row for each record. ``snapshotEnd`` is the offset behind the last record that a snapshot contains, ``mark`` the type of
records around transactions. Records of the log that can't be read change nothing."""


def rows_of(records: Records) -> pa.RecordBatch:
    """The records of a batch as rows of ``ROWS``."""
    is_mark = pc.is_in(records.types, pa.array([BEGIN, END, ABORT]))
    marks = pc.if_else(is_mark, records.types, pa.scalar(None, pa.string()))
    rows = _rows(records, marks, _changes(records))
    if records.malformed is None:
        return rows
    # The log begins with its first record, even if that can't be read.
    unread = _unread(records.malformed)
    return pa.concat_batches([rows, unread]).sort_by("offset") if unread.num_rows else rows


def _rows(records: Records, marks: pa.StringArray, changes: pa.ListArray) -> pa.RecordBatch:
    paths = records.paths
    if paths is None:
        paths = pa.repeat(pa.scalar(""), len(records))
    arrays = [
        records.position.column("logOffset"),
        records.position.column("logTimestamp"),
        pc.ends_with(paths, _SUFFIX),
        pc.struct_field(pc.extract_regex(paths, _SNAPSHOT), "end").cast(pa.int64()),
        marks,
        changes,
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=ROWS)


def _unread(malformed: Records) -> pa.RecordBatch:
    """Rows without changes for records of the log that can't be read."""
    nothing = pa.array([[]] * len(malformed), ROWS.field("changes").type)
    rows = _rows(malformed, pa.nulls(len(malformed), pa.string()), nothing)
    return rows.filter(pc.and_(pc.invert(rows.column("isSnapshot")), rows.column("offset").is_valid()))


def _changes(records: Records) -> pa.ListArray:
    """The changes of each record; records of a type are turned into Python values together."""
    found: list[list[Change]] = [[]] * len(records)
    types = records.types
    for name in pc.unique(pc.drop_null(types)).to_pylist():
        if name in RECORD_TYPES:
            rows = np.flatnonzero(pc.fill_null(pc.equal(types, name), fill_value=False).to_numpy(zero_copy_only=False))
            values: list[dict[str, Any] | None] = records.decoded.field(name).take(pa.array(rows)).to_pylist()
            for row, value in zip(rows.tolist(), values, strict=True):
                # A record without a value, such as a tombstone, says nothing.
                found[row] = [] if value is None else changes_of(name, value)
    flat = [change for changes in found for change in changes]
    columns = zip(*flat, strict=True) if flat else [()] * len(_CHANGE)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, _CHANGE, strict=True)]
    offsets = np.concatenate([[0], np.cumsum([len(changes) for changes in found])])
    values_array = pa.StructArray.from_arrays(arrays, fields=list(_CHANGE))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values_array, type=ROWS.field("changes").type)
