"""What arrays of like structs give back to the budget: exactly what they did not need, and nothing if they are not
alike.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from tests.support.specs import field, made

COUNT = 8
USUAL = {"number": 7, "small": 1, "word": "ab", "numbers": (1, 2), "flag": True}


@pytest.fixture(scope="module")
def table() -> Any:
    fields = [
        field("Number", "int32"),
        field("Small", "int8"),
        field("Word", "string", nullableVersions="0+"),
        field("Numbers", "[]int64"),
        field("Flag", "bool"),
    ]
    return made(field("Rows", "[]Row", fields=fields), validVersions="0-1", flexibleVersions="1+")


@pytest.mark.parametrize("version", [0, 1])
@pytest.mark.parametrize(
    ("odd", "is_alike"),
    [
        ({}, True),
        ({"number": 255, "word": "cd", "numbers": (0, 9), "flag": False}, True),
        ({"number": 257}, False),
        ({"number": -6}, False),
        ({"small": -6}, False),
        ({"numbers": (1, 1 << 61)}, False),
        ({"word": "\u00e9"}, False),
        ({"word": "abcdefghij", "numbers": (1,)}, False),
        ({"word": None}, False),
    ],
)
def test_like_structs(table: Any, odd: Any, is_alike: bool, version: int) -> None:
    package = table.__module__.rpartition(".")[0]
    limits, counting = import_module(f"{package}._runtime"), import_module(f"{package}._runtime.counting")
    row = import_module(table.__module__).Row
    rows = (row(**USUAL),) * (COUNT - 1) + (row(**{**USUAL, **odd}),)
    plan = table.CODEC.parsed_plan()
    data, nothing = (table(rows=items).encode(version=version) for items in (rows, ()))
    cost = counting.walk_cost(plan, data, version) - counting.walk_cost(plan, nothing, version) - limits.ARRAY
    budget = limits.budget(table.CODEC, limits.DEFAULT_LIMITS, 0)
    budget.made = []
    before = budget.left
    number = plan.roots[version].codecs["rows"].element.layout.number
    structs = data[1:-1] if version else data[4:]
    counting.remember(budget, number, 100, rows, structs)
    if is_alike:
        assert budget.left - before == 100 * COUNT + limits.FACTOR * len(structs) - cost
    else:
        assert (budget.left, budget.made) == (before, [(number, 100, rows)])
