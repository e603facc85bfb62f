"""Random logs, and what the record reader gives for them."""

from __future__ import annotations

from typing import Any

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


def rows(reader: Any, max_records: int = 1_000_000, **limits: int) -> list[Row]:
    found: list[Row] = []
    while (batch := reader.read(max_records, **limits)) is not None:
        part = pa.array(batch)
        part.validate(full=True)
        assert 0 < len(part) <= max_records
        found += part.to_pylist()
    assert reader.read(1) is None
    return found


def read(data: bytes, **options: Any) -> list[Row]:
    return rows(native.RecordReader(data, **options))


def only_error(data: bytes, **options: Any) -> Row:
    """What is wrong with the only row, which has no more than that and where the batch is."""
    (row,) = read(data, **options)
    assert {name for name in COLUMNS if row[name] is not None} == {*COLUMNS[-4:]}
    error: Row = row["_error"]
    return error
