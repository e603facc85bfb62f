"""Statistics add up: in any order, in any parts, and through files."""

from __future__ import annotations

import json
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_arrow.advisor.encodings import CLASSES
from messagegen_arrow.advisor.statistics import FieldStatistics, Statistics, VersionStatistics
from tests.arrow.support.advisor_data import message, statistics, table
from tests.support.strategies import integers

COUNTS = st.integers(0, 2**70)
ENDS = st.none() | integers(64)
FIELDS = st.builds(
    FieldStatistics,
    st.lists(COUNTS, min_size=CLASSES, max_size=CLASSES).map(tuple),
    ENDS,
    ENDS,
    COUNTS,
    st.lists(COUNTS, min_size=6, max_size=6).map(tuple),
)
VERSIONS = st.builds(
    VersionStatistics,
    COUNTS,
    st.none() | COUNTS,
    COUNTS,
    st.none() | st.text(max_size=3),
    st.dictionaries(st.sampled_from(["id", "points.x", "numbers"]), FIELDS, max_size=2),
)
WHOLE = st.builds(
    Statistics,
    st.just("Sample"),
    st.just(table().plan),
    st.just(1.0),
    st.dictionaries(st.none() | st.integers(0, 2), VERSIONS, max_size=2),
)
MESSAGES = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.one_of(
            st.just(b"\xff"),
            st.builds(
                lambda id_, numbers: message({"id": id_, "numbers": numbers}, 0),
                integers(32),
                st.none() | st.lists(integers(64), max_size=4),
            ),
        ),
    ),
    max_size=6,
)


@given(WHOLE, WHOLE, WHOLE)
def test_merging_is_associative_and_commutative(one: Statistics, two: Statistics, three: Statistics) -> None:
    assert one + two == two + one
    assert (one + two) + three == one + (two + three)


@given(WHOLE)
def test_nothing_adds_nothing(one: Statistics) -> None:
    nothing = Statistics("Sample", table().plan)
    assert one + nothing == nothing + one == one


@given(MESSAGES, st.integers(0, 6), st.integers(0, 6))
def test_parts_are_worth_a_single_pass(messages: list[tuple[int, bytes]], first: int, second: int) -> None:
    low, high = sorted((first, second))
    parts = [messages[:low], messages[low:high], messages[high:]]
    assert reduce(add, map(statistics, parts)) == statistics(messages)


@given(WHOLE)
def test_files_keep_everything(one: Statistics) -> None:
    text = one.to_json()
    assert Statistics.from_json(text) == one
    assert Statistics.from_json(text).to_json() == text


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"message": "Other"}, "statistics of Sample and of Other do not add up"),
        ({"plan": "other"}, "two states of the spec of Sample"),
        ({"sample": 0.5}, "a sample of 1 and one of 0.5 do not add up"),
    ],
)
def test_what_does_not_add_up(change: dict[str, Any], complaint: str) -> None:
    one = Statistics("Sample", table().plan)
    other = Statistics(**{"message": "Sample", "plan": table().plan, "sample": 1.0, **change})
    with pytest.raises(ValueError, match=complaint):
        _ = one + other


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), 2),
        (("versions",), []),
        (("versions", "0", "messages"), -1),
        (("versions", "0", "messages"), "1"),
        (("versions", "0", "fields", "id", "counts"), {"17": 1}),
        (("versions", "0", "fields", "id", "counts"), {"0": 1.5}),
        (("versions", "0", "fields", "id", "sums"), [1, 2]),
        (("versions", "0", "fields", "id"), None),
    ],
)
def test_files_that_hold_something_else(path: tuple[str, ...], value: Any, tmp_path: Path) -> None:
    whole = json.loads(statistics([(0, message({}, 0))]).to_json())
    part = whole
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    file = tmp_path / "statistics.json"
    file.write_text(json.dumps(whole), encoding="utf-8")
    with pytest.raises(ValueError, match=r"statistics\.json: "):
        Statistics.load(file)


@pytest.mark.parametrize("text", ["", "[]", "1", "{}", "{"])
def test_text_that_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Statistics.from_json(text)
