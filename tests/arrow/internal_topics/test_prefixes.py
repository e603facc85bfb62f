"""Rows grouped by what keys and values begin with: by the engine as by the reference."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_arrow.engine import native_engine
from messagegen_arrow.internal_topics import prefixes
from messagegen_arrow.internal_topics.prefixes import Problem, prefix_groups
from tests.arrow.support.reference.prefixes import grouped

_FRAMINGS = st.sampled_from(["coordinator", "control", "metadata", "remote-log-metadata"])
# Few different bytes, so that some rows begin alike, and long varints come up.
_BYTES = st.none() | st.lists(st.sampled_from([0, 1, 2, 0x7F, 0x80, 0xFF]), max_size=12).map(bytes)
_ROWS = st.lists(st.tuples(_BYTES, _BYTES), max_size=20)


def _plain(groups: Any) -> list[tuple[Any, ...]]:
    return [
        (each.problem, each.key_version, each.number, each.version, each.skip, each.rows.tolist()) for each in groups
    ]


@given(_FRAMINGS, _ROWS)
def test_the_engine_groups_as_the_reference(framing: Any, rows: list[tuple[bytes | None, bytes | None]]) -> None:
    # The first row is cut off: offsets of arrays need not begin at 0.
    keys, values = (pa.array([b"xy", *(row[part] for row in rows)], pa.binary())[1:] for part in (0, 1))
    by_engine = _plain(prefix_groups(framing, keys, values))
    assert by_engine == grouped(framing, keys, values)
    assert sorted(row for *_, numbers in by_engine for row in numbers) == list(range(len(rows)))


def test_groups_of_commits() -> None:
    keys = pa.array([b"\0\1k", b"\0\1k", b"\0\2", None, b"\0\1k"], pa.binary())
    values = pa.array([b"\0\3v", None, b"\0\0", b"\0\0", b"\0"], pa.binary())
    assert _plain(prefix_groups("coordinator", keys, values)) == [
        (Problem.NONE, 1, 1, 3, 2, [0]),
        (Problem.NONE, 1, 1, prefixes.TOMBSTONE, 2, [1]),
        (Problem.NONE, 2, 2, 0, 2, [2]),
        (Problem.NO_KEY, 0, 0, 0, 0, [3]),
        (Problem.SHORT_VALUE, 0, 0, 0, 0, [4]),
    ]


def test_arrays_that_do_not_fit_are_refused() -> None:
    engine = native_engine()
    with pytest.raises(ValueError, match="there are 1 keys for 2 values"):
        engine.record_groups("coordinator", pa.array([b""]), pa.array([b"", b""]))
    with pytest.raises(TypeError, match="an Arrow array of binary"):
        engine.record_groups("coordinator", pa.array([1]), pa.array([b""]))
    with pytest.raises(ValueError, match='unknown framing "other"'):
        engine.record_groups("other", pa.array([b""]), pa.array([b""]))
