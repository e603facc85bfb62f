"""Makes random logs, and reads their rows with the engine."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from hypothesis import strategies as st

from tests.native.record_batches import (
    CODECS,
    COLUMNS,
    CONTROL,
    LOG_APPEND_TIME,
    TRANSACTIONAL,
    Batch,
    Record,
    in_order,
    pa,
)

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")

Row = dict[str, Any]

OPTIONAL_BYTES = st.none() | st.binary(max_size=300)
HEADERS = st.lists(st.tuples(st.binary(max_size=9), OPTIONAL_BYTES), max_size=3).map(tuple)
RECORDS = st.builds(
    Record,
    timestamp_delta=st.integers(-(1 << 40), 1 << 40),
    key=OPTIONAL_BYTES,
    value=OPTIONAL_BYTES,
    headers=HEADERS,
)


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    records, delta = [], 0
    for record in draw(st.lists(RECORDS, max_size=8)):
        records.append(Record(delta, record.timestamp_delta, record.key, record.value, record.headers))
        delta += draw(st.integers(1, 100_000))
    return Batch(
        tuple(records),
        codec=draw(st.sampled_from(CODECS)),
        attributes=draw(st.sampled_from([0, LOG_APPEND_TIME, TRANSACTIONAL, TRANSACTIONAL | CONTROL])),
        base_timestamp=draw(st.integers(-1, 1 << 45)),
        leader_epoch=draw(st.integers(-1, (1 << 31) - 1)),
        producer_id=draw(st.integers(-1, (1 << 63) - 1)),
        producer_epoch=draw(st.integers(-1, (1 << 15) - 1)),
        base_sequence=draw(st.integers(-1, (1 << 31) - 1)),
        snappy_block=draw(st.sampled_from([0, 7, 1 << 15])),
    )


LOGS = st.lists(batches(), max_size=5).map(in_order)


_LEAST, _MOST = -(1 << 63), (1 << 63) - 1
EVERYTHING: Final = json.dumps({"bounds": [_LEAST, _MOST, _LEAST, _MOST], "topics": None, "partitions": None})
"""The filters for a query without conditions."""


def read(data: bytes, *, batch_bytes: int = 16 << 20, **options: Any) -> list[Row]:
    """Return the rows of a log with one segment, with timestamps in milliseconds."""
    with TemporaryDirectory() as folder:
        log = Path(folder, "orders-0")
        log.mkdir()
        (log / f"{0:020}.log").write_bytes(data)
        texts = options_of(folder, includeControl="true", **options)
        tasks = native.LogPlanner(texts, None).plan(EVERYTHING)
        return [row for task, *_ in tasks for row in rows_of(task, texts, batch_bytes)]


def options_of(path: Path | str, **options: Any) -> str:
    """Return options in the engine's form; by default, damage is kept."""
    return json.dumps({"path": str(path), "mode": "PERMISSIVE"} | {name: str(value) for name, value in options.items()})


def rows_of(task: str, texts: str, batch_bytes: int = 16 << 20) -> list[Row]:
    reader = native.LogReader(task, COLUMNS, texts, None, EVERYTHING, batch_bytes=batch_bytes)
    found: list[Row] = []
    while (batch := reader.read()) is not None:
        part = pa.record_batch(batch)
        part.validate(full=True)
        times = part.column("timestamp").cast(pa.int64()).to_pylist()
        for row, time in zip(part.drop_columns("timestamp").to_pylist(), times, strict=True):
            found.append(row | {"timestamp": None if time is None else time // 1000})
    return found


def only_error(data: bytes, **options: Any) -> Row:
    """Return the error of the only row, and check that its other columns contain only the position of the batch."""
    (row,) = read(data, **options)
    assert {name for name in COLUMNS if row[name] is not None} == {*COLUMNS[-3:]}
    error: Row = row["_error"]
    return error
