"""What the charges of straight-line code are computed from."""

from __future__ import annotations

import pytest

from messagegen.plan.charges import Charges
from tests.support.specs import field, plan_of


@pytest.mark.parametrize(
    ("fields", "flexible", "smallest"),
    [
        ([], "none", 0),
        ([], "0+", 1),
        ([field("A", "int64"), field("B", "uuid"), field("C", "bool")], "none", 25),
        ([field("A", "string"), field("B", "bytes"), field("C", "[]uuid")], "none", 2 + 4 + 4),
        ([field("A", "string"), field("B", "bytes"), field("C", "[]uuid")], "0+", 1 + 1 + 1 + 1),
        ([field("A", "int64", encoding="packed64")], "none", 1),
        ([field("A", "P", fields=[field("X", "int32")])], "none", 4),
        ([field("A", "P", nullableVersions="0+", fields=[field("X", "int32")])], "none", 1),
        ([field("A", "int64", tag=0, taggedVersions="0+")], "0+", 1),
    ],
)
def test_the_smallest_size_of_a_layout(fields: list[dict[str, object]], flexible: str, smallest: int) -> None:
    plan = plan_of(*fields, flexibleVersions=flexible)
    assert Charges(plan).smallest[plan.roots[0][1]] == smallest
