"""Counts of Arrow columns equal a naive count of every value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messagegen_arrow.advisor.counting import FieldCounts
from messagegen_arrow.advisor.encodings import ENCODINGS, split, total_bytes
from messagegen_arrow.advisor.fields import IntegerField, integer_fields
from tests.arrow.support.advisor_data import counted, message, sample_class, table
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
    """Yield each integer at a path in a decoded message."""
    if value is None:
        return
    if isinstance(value, tuple):
        for one in value:
            yield from values_at(one, path)
    elif path:
        yield from values_at(getattr(value, path[0]), path[1:])
    else:
        yield value


def by_hand(messages: Iterable[Any], path: str) -> list[int]:
    found: list[int] = []
    for one in messages:
        values = list(values_at(one, path.split(".")))
        if path == "spare":
            values = [value for value in values if value != -1]
        if path == "extra.count" and (one.extra.count, one.extra.label) == (7, ""):
            values = []
        found += values
    return found


def counts_of(values: list[int], field: IntegerField) -> FieldCounts:
    names = [name for name in ENCODINGS if split(name)[1] <= field.width] if field.advisable else [field.type]
    return FieldCounts(
        len(values),
        min(values, default=None),
        max(values, default=None),
        sum(value < 0 for value in values),
        {name: total_bytes(name, np.array(values, np.int64)) for name in names},
    )


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(st.tuples(VALUES, TAGGED, integers(16)), min_size=1, max_size=6), st.integers(0, 2))
def test_every_value_is_counted_once(parts: list[tuple[Any, Any, int]], version: int) -> None:
    messages = [
        message({**value, **({"depth": depth, **tagged} if version else {})}, version) for value, tagged, depth in parts
    ]
    found = counted([(version, data) for data in messages])
    decoded = [sample_class().decode(data, version=version) for data in messages]
    assert found.messages == len(messages)
    assert found.bytes == sum(map(len, messages))
    values: dict[IntegerField, list[int]] = {}
    for path, field in integer_fields(table().plan, version).items():
        values.setdefault(field, []).extend(by_hand(decoded, path))
    assert found.fields == {field: counts_of(each, field) for field, each in values.items()}
