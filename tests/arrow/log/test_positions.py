"""The end position for reading a log does not depend on an index."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.arrow.support.log_data import many_batches, write_index, write_segment
from tests.arrow.support.log_reading import Source

RECORDS = 3


def reached(folder: Path, **limits: int) -> Any:
    """Return the position at which a micro-batch from the beginning ends."""
    return Source(folder).latest({}, **limits)[str(folder)]


def entries_of(batches: list[bytes]) -> list[tuple[int, int]]:
    """Return the entries that a broker's index may contain: one for each batch except the first."""
    starts = [sum(map(len, batches[:number])) for number in range(len(batches))]
    return [(RECORDS * number + RECORDS - 1, start) for number, start in enumerate(starts)][1:]


@given(st.data())
def test_an_index_does_not_change_the_end_position(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("logs") / "orders-0"
    batches = many_batches(0, data.draw(st.integers(1, 12)), size=RECORDS)
    tail = data.draw(st.sampled_from([b"", batches[0][:40], bytes(200), b"\xff" * 100]))
    if data.draw(st.booleans()):
        batches[data.draw(st.integers(0, len(batches) - 1))] = bytes(len(batches[0]))
    segment = write_segment(folder, 0, batches, tail=tail)
    size = segment.stat().st_size
    asked: list[dict[str, int]] = [
        {},
        {"max_bytes": data.draw(st.integers(1, size + 10))},
        {"max_offsets": data.draw(st.integers(1, 40))},
    ]
    expected = [reached(folder, **each) for each in asked]
    there = entries_of(batches)
    some = sorted(data.draw(st.sets(st.sampled_from(there)))) if there else []
    # The index may belong to other bytes, or to a longer form of a segment that was cut off.
    wrong = sorted(data.draw(st.sets(st.tuples(st.integers(0, 50), st.integers(0, 2000)), max_size=4)))
    for entries in (some, [*some, (1000, 1 << 20)], wrong):
        write_index(segment, entries)
        assert [reached(folder, **each) for each in asked] == expected


def test_the_end_position_respects_limits_of_bytes_and_offsets(tmp_path: Path) -> None:
    batches = many_batches(0, 2000, size=RECORDS)
    segment = write_segment(tmp_path / "orders-0", 0, batches)
    write_index(segment, entries_of(batches)[::40])
    assert reached(segment.parent)["offset"] == 6000
    assert reached(segment.parent, max_offsets=4000)["offset"] == 3999
    assert reached(segment.parent, max_bytes=segment.stat().st_size // 2)["position"] <= segment.stat().st_size // 2
