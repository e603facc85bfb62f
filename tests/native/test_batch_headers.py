from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given

from tests.native.record_batches import CONTROL, LOG_APPEND_TIME, TRANSACTIONAL, Batch, log, pa
from tests.native.record_logs import LOGS

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")

Row = dict[str, Any]


def headers(data: bytes, **options: Any) -> tuple[list[Row], int, str]:
    found = native.batch_headers(data, **options)
    array = pa.array(found.headers)
    array.validate(full=True)
    return array.to_pylist(), found.position, found.stopped


@given(LOGS)
def test_headers_say_what_was_written(made: list[Batch]) -> None:
    data, _ = log(made)
    found, position, stopped = headers(data)
    assert (position, stopped) == (len(data), "end")
    assert [row["position"] for row in found] == [sum(len(b.encoded) for b in made[:i]) for i in range(len(made))]
    assert found == [
        {
            "position": row["position"],
            "length": len(batch.encoded),
            "base_offset": batch.base_offset,
            "magic": 2,
            "leader_epoch": batch.leader_epoch,
            "codec": batch.codec,
            "timestamp_type": int(bool(batch.attributes & LOG_APPEND_TIME)),
            "is_transactional": bool(batch.attributes & TRANSACTIONAL),
            "is_control": bool(batch.attributes & CONTROL),
            "last_offset_delta": batch.last_offset_delta,
            "base_timestamp": batch.base_timestamp,
            "max_timestamp": batch.max_timestamp,
            "producer_id": batch.producer_id,
            "producer_epoch": batch.producer_epoch,
            "base_sequence": batch.base_sequence,
            "record_count": len(batch.records),
        }
        for row, batch in zip(found, made, strict=True)
    ]


def test_headers_of_other_magics_are_null() -> None:
    other = struct.pack(">qiIb", 9, 14, 0, 1) + bytes(9)
    found, _, stopped = headers(other + Batch(change={"codec_number": 7}).encoded)
    assert {name for name, value in found[0].items() if value is not None} == {
        "position",
        "length",
        "base_offset",
        "magic",
    }
    assert (found[1]["magic"], found[1]["codec"], found[1]["record_count"], stopped) == (2, None, 1, "end")


def test_hopping_stops_at_a_limit_and_goes_on_from_there() -> None:
    data, _ = log([Batch()] * 5)
    size = len(data) // 5
    assert [row["position"] for row in headers(data, max_batches=2)[0]] == [0, size]
    assert headers(data, max_batches=2)[1:] == (2 * size, "limit")
    assert headers(data, start=2 * size, max_batches=3)[1:] == (5 * size, "end")
    assert headers(data[:-1])[1:] == (4 * size, "truncated")
    assert headers(data + bytes(99))[1:] == (5 * size, "preallocated")
    assert headers(data + b"\xff" * 99)[1:] == (5 * size, "damaged")
