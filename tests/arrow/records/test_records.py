"""Record batches as tables; `tests.native` has the engine's reader on random and damaged batches."""

from __future__ import annotations

from typing import Any

import pytest

from messagegen_arrow import records
from tests.arrow.support.log_data import (
    CODECS,
    TIME,
    Batch,
    Data,
    many_batches,
)

Rows = list[dict[str, Any]]


def rows_of(data: bytes, *, max_records: int = 1000, max_bytes: int = 1 << 20, **options: Any) -> Rows:
    reader = records.record_reader(data, **options)
    rows: Rows = []
    while (table := reader.read(max_records, max_bytes)) is not None:
        assert 0 < table.num_rows <= max_records
        table.validate(full=True)
        rows += table.to_pylist()
    assert reader.stopped is not None
    return rows


@pytest.mark.parametrize("codec", CODECS)
def test_a_record_has_what_was_written(codec: str) -> None:
    written = [
        Data(b"first", b"k", [("käse".encode(), b"\0\1"), (b"null", None)], timestamp_delta=5),
        Data(None, None, timestamp_delta=-2, offset_delta=4),
        Data(b"x" * 5000, b"", [(b"\xff", b"")], offset_delta=9),
    ]
    batch = Batch(
        7, written, codec, producer_id=44, producer_epoch=3, base_sequence=10, leader_epoch=6, transactional=True
    )
    data = batch.encode()
    common = {
        "timestamp_type": 0,
        "leader_epoch": 6,
        "producer_id": 44,
        "producer_epoch": 3,
        "is_transactional": True,
        "is_control": False,
        "codec": codec,
        "batch_offset": 7,
        "batch_position": 0,
        "batch_length": len(data),
        "_error": None,
    }
    first = {"offset": 7, "timestamp": TIME + 5, "key": b"k", "value": b"first", "sequence": 10}
    second = {"offset": 11, "timestamp": TIME - 2, "key": None, "value": None, "sequence": 14}
    third = {"offset": 16, "timestamp": TIME, "key": b"", "value": b"x" * 5000, "sequence": 19}
    assert rows_of(data) == [
        common | first | {"headers": [{"key": "käse", "value": b"\0\1"}, {"key": "null", "value": None}]},
        common | second | {"headers": []},
        common | third | {"headers": [{"key": "\ufffd", "value": b""}]},
    ]


def test_columns_are_those_that_are_asked_for() -> None:
    data = many_batches(0, 1)[0]
    table = records.record_reader(data, columns=["value", "offset"]).read(10)
    assert table is not None
    assert table.schema.names == ["offset", "value", "_error"]
    with pytest.raises(ValueError, match='unknown column "valeu"; the columns are offset, timestamp'):
        records.record_reader(data, columns=["valeu"])
