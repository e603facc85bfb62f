"""Logs to make histories of: rows in memory, and folders with a record a second."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pyarrow as pa

from tests.arrow.support.internal_records import Record
from tests.arrow.support.log_data import TIME, Batch, Data, write_segment

EPOCH = datetime.fromtimestamp(0, UTC)
ORDERS, PAYMENTS = UUID(int=1), UUID(int=2)
ORDERS_ID, PAYMENTS_ID = "AAAAAAAAAAAAAAAAAAAAAQ", "AAAAAAAAAAAAAAAAAAAAAg"

_LOG = pa.schema(
    [
        ("topic", pa.string()),
        ("partition", pa.int32()),
        ("offset", pa.int64()),
        ("timestamp", pa.timestamp("us", "UTC")),
        ("key", pa.binary()),
        ("value", pa.binary()),
        ("isControl", pa.bool_()),
        ("path", pa.string()),
    ]
)


def at_second(seconds: int) -> datetime:
    return EPOCH + timedelta(seconds=seconds)


def log_rows(
    records: Sequence[Record], path: str = "/data/x-0/00000000000000000000.log", start: int = 0, *, batch: int = 2
) -> pa.Table:
    """Rows of a log, in batches, with a record each second; ``path`` and ``start`` are the file and its first offset."""
    rows = [
        (each.topic, 0, start + at, at_second(start + at), each.key, each.value, each.is_control, path)
        for at, each in enumerate(records)
    ]
    whole = pa.Table.from_pylist([dict(zip(_LOG.names, row, strict=True)) for row in rows], _LOG)
    return pa.Table.from_batches(whole.to_batches(max_chunksize=batch), _LOG)


def write_log(folder: Path, records: Sequence[Record], first: int = 0, *, name: str | None = None) -> Path:
    """A segment with a batch for each record, a second after the one before; with ``name`` a file that is called so."""
    batches = [
        Batch(
            offset, [Data(record.value, record.key)], base_timestamp=TIME + 1000 * offset, control=record.is_control
        ).encode()
        for offset, record in enumerate(records, start=first)
    ]
    path = write_segment(folder, first, batches)
    return path if name is None else path.rename(folder / name)


def second(number: int) -> datetime:
    """The time of the record with this offset."""
    return EPOCH + timedelta(milliseconds=TIME + 1000 * number)
