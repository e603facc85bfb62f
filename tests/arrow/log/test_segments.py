"""``includeSegments`` adds a row for each segment. For an emptied segment, it has the offset in the file name."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from messagegen_arrow import read_log
from messagegen_arrow.options import OptionError
from tests.arrow.support.log_data import Batch, Data, write_index, write_segment
from tests.arrow.support.log_reading import Source


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A partition with an emptied segment between two others, and a partition that was emptied completely."""
    write_segment(tmp_path / "orders-0", 0, [Batch(0, [Data(), Data()]).encode()])
    write_segment(tmp_path / "orders-0", 2, [])
    write_segment(tmp_path / "orders-0", 7, [Batch(8).encode()])
    write_segment(tmp_path / "orders-1", 9, [])
    return tmp_path


def test_each_segment_has_a_row_before_its_records(logs: Path) -> None:
    columns = ["partition", "batchOffset", "offset", "_error", "key", "path"]
    rows = pa.table(read_log(logs, include_segments=True, columns=columns)).to_pylist()
    places = [(row["partition"], row["batchOffset"], row["offset"]) for row in rows]
    assert places == [
        (0, 0, None),
        (0, 0, 0),
        (0, 0, 1),
        (0, 2, None),
        (0, 7, None),
        (0, 8, 8),
        (1, 9, None),
    ]
    assert {row["_error"] for row in rows} == {None}
    assert rows[-1]["path"].endswith("orders-1/00000000000000000009.log")


def test_rows_of_segments_are_omitted_by_default(logs: Path) -> None:
    assert pa.table(read_log(logs, columns=["offset"])).column("offset").to_pylist() == [0, 1, 8]


def test_a_segment_that_several_tasks_read_has_one_row(tmp_path: Path) -> None:
    batches = [Batch(offset).encode() for offset in range(50)]
    segment = write_segment(tmp_path / "orders-0", 0, batches)
    size = len(batches[0])
    write_index(segment, [(offset, offset * size) for offset in range(5, 50, 5)])
    source = Source(tmp_path, includeSegments="true", maxPartitionBytes="600")
    tasks = source.tasks()
    assert len(tasks) >= 5
    rows = source.rows(tasks)
    assert [row["offset"] for row in rows] == [None, *range(50)]


def test_streams_contain_only_records(logs: Path) -> None:
    with pytest.raises(OptionError, match="option includeSegments: a stream has rows of records only; remove it"):
        Source(logs, includeSegments="true").initial()
