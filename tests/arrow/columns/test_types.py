"""The table of column types."""

from __future__ import annotations

from messagegen_arrow.columns.types import ARROW_TYPES
from messagegen_kafka._runtime.plan import PRIMITIVES


def test_each_primitive_type_has_an_arrow_type() -> None:
    assert ARROW_TYPES.keys() == PRIMITIVES.keys(), "each primitive type needs a row in columns/types.py"
