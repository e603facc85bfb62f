"""What is counted in Arrow columns, held against a count of every value by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messagegen_arrow.advisor.collecting import collect_arrow
from messagegen_arrow.advisor.encodings import CLASSES, class_of, length
from messagegen_arrow.advisor.fields import integer_fields, wanted_paths
from messagegen_arrow.advisor.measuring import measure_columns
from messagegen_arrow.advisor.statistics import FieldStatistics
from messagegen_arrow.columns.decoding import decode_arrow
from messagegen_arrow.plans import read_plan
from tests.arrow.support.advisor_data import message, sample_class, statistics, table
from tests.support.strategies import integers

SMALL = st.integers(-70, 300)
POINT = st.fixed_dictionaries({"x": integers(32), "y": SMALL})
VALUES = st.fixed_dictionaries(
    {
        "id": integers(32),
        "unsigned": integers(32, signed=False),
        "numbers": st.none() | st.lists(st.one_of(integers(64), SMALL), max_size=5),
        "from": POINT,
        "points": st.lists(POINT, max_size=3),
        "mapped": integers(16),
    }
)
TAGGED = st.fixed_dictionaries(
    {},
    optional={
        "spare": st.sampled_from([-1, 0, 5, 2**31 - 1]),
        "extra": st.fixed_dictionaries({"count": st.sampled_from([7, 8, -1]), "label": st.sampled_from(["", "x"])}),
    },
)


def values_at(value: Any, path: list[str]) -> Iterator[int]:
    """The integers at a path of a decoded message, one by one."""
    if value is None:
        return
    if isinstance(value, tuple):
        for one in value:
            yield from values_at(one, path)
    elif path:
        yield from values_at(getattr(value, path[0]), path[1:])
    else:
        yield value


def by_hand(messages: Iterable[Any], path: str, width: int) -> FieldStatistics:
    counts, found, sums, holders = [0] * CLASSES, [], [0] * 6, 0
    for one in messages:
        values = list(values_at(one, path.split(".")))
        if path == "spare":
            values = [value for value in values if value != -1]
        if path == "extra.count" and (one.extra.count, one.extra.label) == (7, ""):
            values = []
        found += values
        holders += bool(values)
        n = len(values)
        p, u = (sum(length(f"{form}{width}", value) or 0 for value in values) for form in ("packed", "upacked"))
        sums = [a + b for a, b in zip(sums, (n * n, n * p, n * u, p * p, p * u, u * u), strict=True)]
        for value in values:
            counts[class_of(value)] += 1
    return FieldStatistics(tuple(counts), min(found, default=None), max(found, default=None), holders, tuple(sums))


@settings(max_examples=60)
@given(st.lists(st.tuples(VALUES, TAGGED, integers(16)), min_size=1, max_size=6), st.integers(0, 2))
def test_every_value_is_counted_once(parts: list[tuple[Any, Any, int]], version: int) -> None:
    messages = [
        message({**value, **({"depth": depth, **tagged} if version else {})}, version) for value, tagged, depth in parts
    ]
    found = statistics([(version, data) for data in messages]).versions[version]
    decoded = [sample_class().decode(data, version=version) for data in messages]
    assert found.messages == len(messages)
    assert found.bytes == sum(map(len, messages))
    assert found.fields == {
        field.path: by_hand(decoded, field.path, field.width) for field in integer_fields(table().plan, version)
    }


def test_values_of_wide_and_narrow_ranges_count_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    messages = [(0, message({"numbers": list(range(-300, 40_000, 7))}, 0)) for _ in range(3)]
    narrow = statistics(messages)
    monkeypatch.setattr("messagegen_arrow.advisor.measuring._NARROW", 0)
    assert statistics(messages) == narrow


def test_damaged_rows_and_unknown_versions_do_not_count() -> None:
    right = message({"id": 5}, 0)
    found = statistics([(0, right), (0, right[:-1]), (9, right), (0, right + b"\0")]).versions
    assert (found[0].messages, found[0].malformed, found[0].bytes) == (1, 2, len(right))
    assert found[0].example == "1 bytes are left after the message"
    assert found[0].fields["id"].count == 1
    assert (found[9].messages, found[9].malformed, found[9].example) == (0, 1, "there is no version 9")


def test_null_rows_do_not_count_and_null_versions_are_malformed() -> None:
    right = message({}, 0)
    values = pa.array([right, None, right], pa.binary())
    found = collect_arrow(values, pa.array([0, 0, None], pa.int32()), table().plan)
    assert found[0].messages == 1
    assert found[None].malformed == 1


def test_slices_of_batches() -> None:
    data = [message({"id": number, "numbers": [number] * number}, 2) for number in range(6)]
    values, versions = pa.array(data, pa.large_binary()), pa.array([2] * 6, pa.int32())
    sliced = collect_arrow(values[2:5], versions[2:5], table().plan)
    assert sliced == statistics([(2, one) for one in data[2:5]]).versions


@pytest.mark.parametrize("names", ["kafka", "snake"])
def test_decoded_structs_give_the_same(names: Any) -> None:
    data = [message({"id": number, "points": [{"x": number, "y": -1}], "spare": -1}, 2) for number in range(4)]
    structs = decode_arrow(pa.array(data), table(), 2, names=names)
    (found,) = collect_arrow(structs, pa.array([2] * 4, pa.int32()), table().plan).values()
    (raw,) = statistics([(2, one) for one in data]).versions.values()
    assert found.fields == raw.fields
    assert (found.bytes, found.messages) == (None, 4)


def test_columns_that_were_not_decoded_are_left_out() -> None:
    plan = read_plan(table().plan)
    structs = decode_arrow(pa.array([message({"id": 3}, 0)]), table(), 0, fields=["id"])
    found = measure_columns(plan, plan.roots[0], structs, integer_fields(table().plan, 0))
    assert list(found) == ["id"]


def test_only_what_is_needed_is_decoded() -> None:
    assert wanted_paths(table().plan, 0) == (
        "id",
        "unsigned",
        "numbers",
        "from_.x",
        "from_.y",
        "points.x",
        "points.y",
        "mapped",
    )
    # Whether a tagged struct is on the wire shows only in the whole of it.
    assert wanted_paths(table().plan, 1)[0] == "extra"
    assert "extra.count" not in wanted_paths(table().plan, 1)
